package db

import (
	"context"
	"errors"
)

// sqliteReader reads the newest state with each statement. Beginning and ending a transaction for each costs a point read as much
// as the reading itself, so a reader that finds that nothing was written since its last statement leaves the transaction open, and
// stays in it until something is.
//
// A reader in a transaction keeps the log from beginning anew, so all let go when the log is carried over.
type sqliteReader struct {
	*sqliteConn
	store *sqliteStore
}

func (r sqliteReader) query(ctx context.Context, sql string, args []any) (cursor, error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	cur, err := r.start(sql, args)
	if err != nil {
		return nil, errors.Join(err, r.letGo())
	}
	return cur, nil
}

func (r sqliteReader) exec(ctx context.Context, sql string, args []any) (int64, error) {
	if err := r.catchUp(ctx); err != nil {
		return 0, err
	}
	n, err := r.sqliteConn.exec(ctx, sql, args)
	if err != nil {
		return 0, errors.Join(err, r.letGo())
	}
	return n, nil
}

// catchUp makes the next statement see what is committed, and on disk, by now.
func (r sqliteReader) catchUp(ctx context.Context) error {
	c, s := r.sqliteConn, r.store
	if s.wal == nil {
		return nil
	}
	for {
		h, since := s.sky.now.Load(), s.release.Load()
		if !h.onItsWay() {
			if c.before == nil {
				c.before = h // what it sees may have been committed since: see read
			}
			return c.newest(s.wal.stamp(), since)
		}
		if c.holds && c.under == h && since == c.since {
			return nil
		}
		if err := c.letGo(); err != nil {
			return err
		}
		if c.before != nil { // an earlier statement may have seen the commit that is on its way: the next one must not see less
			if err := h.wait(ctx); err != nil {
				return err
			}
			continue
		}
		if err := c.run("BEGIN"); err != nil {
			return err
		}
		c.holds, c.under, c.since, c.seen = true, h, since, h.at
		if c.showState(h.at) == nil {
			return nil
		}
		if err := errors.Join(c.letGo(), h.wait(ctx)); err != nil {
			return err
		}
	}
}

// newest makes the next statement see the newest state. The stamp was looked at before the transaction begins: what it sees may be newer
// than that, and never older.
func (c *sqliteConn) newest(now stamp, since int64) error {
	if c.holds && c.under == nil && now == c.seen && since == c.since {
		return nil
	}
	if err := c.letGo(); err != nil {
		return err
	}
	if now == c.seen { // nothing was written for a while
		if err := c.run("BEGIN"); err != nil {
			return err
		}
		c.holds, c.under, c.since = true, nil, since
	}
	c.seen = now
	return nil
}

// letGo ends the transaction that was left open.
func (c *sqliteConn) letGo() error {
	if !c.holds {
		return nil
	}
	c.holds, c.under = false, nil
	if c.handle.autocommits() { // a failure has ended it
		return nil
	}
	return c.run("ROLLBACK")
}

// letAllGo has readers let go of what they hold: the idle ones now, the others when they are done.
func (s *sqliteStore) letAllGo() {
	s.release.Add(1)
	for range cap(s.readers) {
		select {
		case c := <-s.readers:
			if c != nil {
				_ = c.letGo() // its next statement tells
			}
			s.readers <- c
		default:
			return
		}
	}
}
