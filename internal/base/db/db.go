package db

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"daybook/internal/base/clock"
)

// Options say which store to open.
type Options struct {
	// Database is a file path (SQLite) or a postgres:// URL.
	Database string
	// Clock gives each transaction its instant.
	Clock clock.Clock
	// OnBroken is called at most once, when the store can no longer vouch for what it holds (a failed fsync). The
	// process must end: only a fresh start reads the truth from disk. Nil leaves it to the errors that follow.
	OnBroken func(error)
	// NoGroupCommit gives every closure its own COMMIT on SQLite. Only the benchmark uses it, to show the difference.
	NoGroupCommit bool
}

// DB is an open store. It is safe for concurrent use.
type DB struct {
	store  store
	clock  clock.Clock
	stats  stats
	crowds crowds
}

// store is what the two databases do differently.
type store interface {
	write(ctx context.Context, fn func(*Tx) error) error
	read(ctx context.Context, fn func(*Tx) error) error
	snapshot(ctx context.Context, fn func(*Tx) error) error
	ping(ctx context.Context) error
	present(ctx context.Context, key int64) (*Presence, error)
	gone(ctx context.Context, keys []int64) ([]int64, error)
	dialect() Dialect
	stamp() (Stamp, bool)
	close()
}

// ErrNoRows says that a query for one row found none.
var ErrNoRows = errors.New("no rows")

// Open opens the store and proves that it answers. It changes nothing: see Migrate.
func Open(ctx context.Context, o Options) (*DB, error) {
	d := &DB{clock: o.Clock}
	var err error
	if IsPostgres(o.Database) {
		d.store, err = openPostgres(ctx, d, o)
	} else {
		d.store, err = openSQLite(ctx, d, o)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// IsPostgres reports whether that setting names a PostgreSQL database rather than a file.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// Write runs fn in a transaction. When it returns nil, what fn wrote is on disk; otherwise none of it ever
// happened. fn may run more than once. A Write inside fn would wait for itself: pass the Tx down instead.
func (d *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	d.stats.writes.Add(1)
	return d.store.write(ctx, fn)
}

// Read runs fn without a transaction: each statement sees the newest committed state. It is the cheap way for one
// statement; several that must agree belong in Snapshot. fn cannot write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error { return d.store.read(ctx, fn) }

// Snapshot runs fn on one unchanging state. fn cannot write.
func (d *DB) Snapshot(ctx context.Context, fn func(*Tx) error) error {
	return d.store.snapshot(ctx, fn)
}

// Stamp tells whether anything was written: it stays the same until the next commit, whoever makes it, and is then never the same
// again. It takes some nanoseconds.
type Stamp struct{ of stamp }

// Stamp reads the present one; false where there is none (PostgreSQL). What is read after it may be newer, and never older.
func (d *DB) Stamp() (Stamp, bool) { return d.store.stamp() }

// Now is the present instant, as a transaction that began now would have it.
func (d *DB) Now() time.Time { return d.clock.Now() }

// Ping proves that the store answers.
func (d *DB) Ping(ctx context.Context) error { return d.store.ping(ctx) }

// Dialect tells which store this is, for the few words that differ.
func (d *DB) Dialect() Dialect { return d.store.dialect() }

// Close waits for what is under way and closes the store.
func (d *DB) Close() { d.store.close() }

type stats struct{ writes, commits, retries, statements, joint atomic.Int64 }

// Stats are counts since the store was opened.
type Stats struct {
	// Writes is how many closures were handed to Write, Commits how many COMMITs carried them: on SQLite the
	// first divided by the second is the size of the average group.
	Writes, Commits int64
	// Retries is how many closures ran again after a conflict.
	Retries int64
	// Statements is how many statements ran, transaction control not counted.
	Statements int64
	// Joint is how many steps shared a transaction with others, and Waiting how many wait for one at this moment: see RunTogether.
	Joint, Waiting int64
}

// Stats reads the counts.
func (d *DB) Stats() Stats {
	return Stats{
		Writes: d.stats.writes.Load(), Commits: d.stats.commits.Load(),
		Retries: d.stats.retries.Load(), Statements: d.stats.statements.Load(),
		Joint: d.stats.joint.Load(), Waiting: d.crowds.count(),
	}
}
