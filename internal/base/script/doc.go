// Package script runs JavaScript of strangers: one ES module, one call of its handler, in a child process of the same program.
//
// The child knows nothing but what it is handed as JSON over its standard input, and reaches nothing but what it asks for over its
// standard output. It has no environment, an empty folder, no descriptors besides those, little memory and the last place in the
// line for a processor; on Linux the kernel refuses it files, sockets and other processes. Inside, every run has a fresh engine
// without any module of the host. Time and memory are limited by the engine, and by the parent's kill where the engine does not
// get to it.
//
// What a child says is as little trusted as the script: the parent counts and measures once more, and replaces a child that steps
// out of line. A child serves one tenant only, so that not even a hole in the engine shows one what another has.
package script
