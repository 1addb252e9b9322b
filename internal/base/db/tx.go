package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Tx is one transaction, or for Read one borrowed connection. It belongs to the closure it was given to.
type Tx struct {
	db       *DB
	now      time.Time
	conn     conn
	writable bool
	wrote    bool  // a statement that changes something was run
	reading  bool  // rows are open
	failed   error // the statement error that ended this transaction
	after    []func()
	args     []any // of the statement at hand
	joint    *Joint
	later    *later     // nil: nothing is put off
	known    *knowledge // nil: nothing is kept
}

// conn runs statements whose arguments are already plain values.
type conn interface {
	exec(ctx context.Context, sql string, args []any) (int64, error)
	query(ctx context.Context, sql string, args []any) (cursor, error)
}

// cursor walks over a result. scan gets destinations of the caller's own types.
type cursor interface {
	next() bool
	scan(dest []any) error
	close() error // the error that ended the walk, if any
}

func (d *DB) begin(c conn, writable bool) *Tx {
	return &Tx{db: d, now: d.clock.Now(), conn: c, writable: writable}
}

// Now is the one instant at which everything in this transaction happens.
func (tx *Tx) Now() time.Time { return tx.now }

// Dialect tells which store this is.
func (tx *Tx) Dialect() Dialect { return tx.db.Dialect() }

// AfterCommit has f run once the transaction is durable, and never if it is not. f must be quick: the caller of
// Write waits for it.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

func (tx *Tx) committed() {
	for _, f := range tx.after {
		f()
	}
}

var (
	errReadOnly = errors.New("a write outside of db.Write")
	errRowsOpen = errors.New("a statement while rows of another are open: read them to the end or close them first")
)

// Exec runs a statement and tells how many rows it touched: the verdict of a compare-and-set.
func (tx *Tx) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	if err := tx.ready(ctx, sql); err != nil {
		return 0, err
	}
	n, err := tx.conn.exec(ctx, sql, tx.plain(args))
	return n, tx.note(err)
}

// Query runs a statement that gives rows, RETURNING included.
func (tx *Tx) Query(ctx context.Context, sql string, args ...any) (*Rows, error) {
	if err := tx.ready(ctx, sql); err != nil {
		return nil, err
	}
	cur, err := tx.conn.query(ctx, sql, tx.plain(args))
	if err != nil {
		return nil, tx.note(err)
	}
	tx.reading = true
	return &Rows{tx: tx, ctx: ctx, cur: cur}, nil
}

func (tx *Tx) ready(ctx context.Context, sql string) error {
	switch {
	case tx.failed != nil:
		return fmt.Errorf("the transaction has already failed: %w", tx.failed)
	case tx.reading:
		return tx.note(errRowsOpen)
	case !tx.writable && !reads(sql):
		return tx.note(errReadOnly)
	}
	if err := ctx.Err(); err != nil {
		return tx.note(err)
	}
	tx.wrote = tx.wrote || !selects(sql)
	tx.db.stats.statements.Add(1)
	count(ctx)
	return nil
}

// reads reports whether a statement may run on a connection that cannot write. WITH may stand before a change, which the
// connection itself then refuses.
func reads(sql string) bool { return selects(sql) || begins(sql, "WITH") }

// selects reports whether a statement only reads.
func selects(sql string) bool { return begins(sql, "SELECT") }

func begins(sql, word string) bool {
	sql = strings.TrimLeft(sql, " \t\n")
	return len(sql) >= len(word) && strings.EqualFold(sql[:len(word)], word)
}

// note remembers the first failure: it ends the transaction on both stores, even if the closure forgets it.
func (tx *Tx) note(err error) error {
	if err != nil && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// outcome is what the transaction must do after its closure returned err.
func (tx *Tx) outcome(err error) error {
	switch {
	case err != nil:
		return err
	case tx.failed != nil:
		return tx.failed
	case tx.reading:
		return errRowsOpen
	}
	return nil
}

// Rows is a result being read. Close may be left out after Next returned false.
type Rows struct {
	tx     *Tx
	ctx    context.Context
	cur    cursor
	closed bool
	err    error
}

// Next goes to the next row. It is false at the end and after an error: see Err.
func (r *Rows) Next() bool {
	if r.closed {
		return false
	}
	if r.err = r.ctx.Err(); r.err == nil && r.cur.next() {
		return true
	}
	r.Close()
	return false
}

// Scan copies the present row into dest, in the order of the columns.
func (r *Rows) Scan(dest ...any) error {
	if err := r.cur.scan(dest); err != nil {
		return r.tx.note(err)
	}
	return nil
}

// Close ends the reading.
func (r *Rows) Close() {
	if r.closed {
		return
	}
	r.closed = true
	r.tx.reading = false
	if err := r.cur.close(); r.err == nil {
		r.err = err
	}
	r.tx.note(r.err)
}

// Err is what ended the reading early, nil at an ordinary end.
func (r *Rows) Err() error { return r.err }
