//go:build linux && !race

package script

// shadow is the address space that a tool takes beside what is used.
const shadow = 0
