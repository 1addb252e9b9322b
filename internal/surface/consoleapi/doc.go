// Package consoleapi serves first-party REST on the API host: calls that our own pages and scripts make with a session
// cookie. Posts from other sites are stopped before they get here (wire.Front.Guard). All answers have the standard
// shapes; what is allowed is decided by the features.
//
// The routes of the developer console are data (table.go and the files of the resources): one row says what a route is about, which
// role it asks for, how it is read, and what it does; the OpenAPI document of the console is made of the same rows. Every call takes
// the same way (pipeline.go): session, limit, organization and role, query, body; then the feature decides.
package consoleapi
