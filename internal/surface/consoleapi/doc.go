// Package consoleapi serves first-party REST on the API host: calls that our own pages and scripts make with a session
// cookie. Posts from other sites are stopped before they get here (wire.Front.Guard). All answers have the standard
// shapes; what is allowed is decided by the features.
package consoleapi
