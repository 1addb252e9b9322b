// Package db is the store: one portable SQL text over SQLite (embedded, the default) and PostgreSQL (scaled out).
//
// Write runs a closure in a transaction that is durable when it returns; Read runs single statements, each on the
// newest committed state; Snapshot runs several statements on one state. A Tx carries the one instant at which it
// happens. Inside a closure there is nothing but rows: ids and secrets are made before, wake-ups go to AfterCommit,
// and the closure may run again after a conflict.
//
// The portable dialect: $1 placeholders, RETURNING, ON CONFLICT, partial indexes, row values. Instants are BIGINT
// milliseconds (time.Time is converted both ways), business dates TEXT, money BIGINT minor units, flags BIGINT 0/1
// (bool is converted), JSON is TEXT and never queried inside. What differs is in dialect.go.
//
// Two rules make both stores behave alike: a statement that fails ends its transaction (PostgreSQL's law, held on
// SQLite too; use ON CONFLICT where a clash is expected), and rows must be read to their end or closed before the
// next statement. Races are decided by conditional updates: PostgreSQL runs READ COMMITTED.
//
// The package knows nothing of the product.
package db
