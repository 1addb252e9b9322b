// Package asset owns the pictures that apps show of themselves: their icon and their screenshots.
//
// Table: assets. A picture comes from outside as bytes that nobody can trust. It is judged by its content alone, never by what it is
// said to be: first its type, then its dimensions, before a single pixel is decoded; then it is decoded and encoded anew, so that
// nothing but the pixels is left of what was sent. What is kept has the hash of its bytes as its address, and never changes.
//
// Invariants: an app has at most MaxPerApp pictures; an icon is a PNG of 512 × 512 pixels; a picture that the live listing or an
// open revision refers to stays (CONS-02), which whoever refers to it decides in the transaction of the deletion.
package asset
