// Package reference serves the readable form of an OpenAPI document: one page, made once when the program starts, with every
// operation, what it needs, what it takes and what it answers. It needs no script and looks like the rest of the house.
package reference
