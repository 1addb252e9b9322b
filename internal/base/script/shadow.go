//go:build linux && !race && !cgo

package script

// shadow is the address space that a tool or a library takes beside what is used.
const shadow = 0
