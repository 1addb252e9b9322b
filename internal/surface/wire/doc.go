// Package wire is what every surface shares: request ids, client addresses, recovery, the access log, reading
// bodies, and the one function that turns an error into the standard shape (SERR-01).
//
// It knows kinds of refusals, never features. Nothing secret reaches the log: no query string, no header, no body.
package wire
