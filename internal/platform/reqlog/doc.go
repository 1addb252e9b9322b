// Package reqlog keeps what apps called, for their developers to look up.
//
// Table: request_log. Noting a call costs a place in a buffer, off the path of the request; Flush writes what has gathered, several
// times a second and when a node stops, so what List shows is that much late and a crash loses no more than that.
//
// Invariants: memory is bounded, and a call is left out, and counted as lost, rather than made to wait; a flush that is repeated
// writes nothing twice; nothing older than Retention is shown, and it is removed soon after. An entry holds the route, never the
// path, and nothing of the request's headers, query or body.
package reqlog
