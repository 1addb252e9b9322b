//go:build linux && race

package script

// shadow is the address space that a tool or a library takes beside what is used: the race detector takes several times as much.
const shadow = 8 << 30
