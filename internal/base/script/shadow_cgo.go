//go:build linux && !race && cgo

package script

// shadow is the address space that a tool or a library takes beside what is used: with the C library, each thread reserves 64 MiB
// for what it may allocate, and 8 MiB for its stack. How many threads there are depends on how long each has to wait for a processor.
const shadow = 2 << 30
