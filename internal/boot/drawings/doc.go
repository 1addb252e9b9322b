// Package drawings draws the pictures that apps of a fixture show in the marketplace: an icon, and a screenshot of an app that does not
// exist. They are made by code, of boxes, discs and strokes, so that the program carries no picture files. Nothing in it is by chance:
// the same name is the same picture, to the byte.
package drawings
