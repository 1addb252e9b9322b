// Package reqlog keeps what apps called, for their developers to look up.
//
// Table: request_blocks. Noting a call costs a place in a buffer, off the path of the request; Flush writes what has gathered, several
// times a second and when a node stops, so what List shows is that much late and a crash loses no more than that. What it writes is
// blocks: calls of one app and one day, up to 2,048 in a row. Merge makes large blocks of small ones.
//
// Invariants: memory is bounded, and a call is left out, and counted as lost, rather than made to wait; a call that was written twice
// is shown once; merging neither loses nor doubles one, whoever else merges; nothing older than Retention is shown, and it is removed
// soon after. An entry holds the route, never the path, and nothing of the request's headers, query or body.
package reqlog
