package db

import (
	"context"
	"sync/atomic"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// horizon is how far what is committed on SQLite is known to be on disk. While the disk is busy with one group the next one runs, and
// it must see what the one before wrote; so a commit is there for every connection before it is on disk. Nobody outside of the writer
// may learn of it then: after a power cut it would never have been, and its numbers would be given to something else.
//
// So readers look at the horizon first. Where a commit is on its way to the disk, they read the state before it, which SQLite can still
// show (https://www.sqlite.org/c3ref/snapshot.html), or wait for it where it cannot.
//
// Other processes see the commit those few milliseconds early. None that we have tells anybody about it.
type horizon struct {
	at   stamp         // the newest state that is on disk
	done chan struct{} // closed when the commit is, too, or when there was none after all; nil: nothing is on its way
	err  error         // that it never will be; read after done is closed
}

// onItsWay reports whether there is a commit that is not known to be on disk.
func (h *horizon) onItsWay() bool { return h.done != nil }

// wait waits until everything that was committed is on disk.
func (h *horizon) wait(ctx context.Context) error {
	if h.done == nil {
		return nil
	}
	select {
	case <-h.done:
		return h.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// skyline is where the horizon is now. The writer moves it, before it commits; whoever syncs moves it back.
type skyline struct{ now atomic.Pointer[horizon] }

func newSkyline() *skyline {
	s := &skyline{}
	s.now.Store(&horizon{})
	return s
}

// leave notes that a commit is about to be made on the state at, if it is to be seen before it is on disk.
func (s *skyline) leave(early bool, at stamp) *horizon {
	if !early {
		return s.now.Load()
	}
	h := &horizon{at: at, done: make(chan struct{})}
	s.now.Store(h)
	return h
}

// arrive notes that the commit is on disk, or that there was none; or, with an error, that it never will be.
func (s *skyline) arrive(h *horizon, err error) {
	if !h.onItsWay() {
		return
	}
	h.err = err
	if err == nil {
		s.now.Store(&horizon{})
	}
	close(h.done)
}

// settled is the horizon when nothing was on its way while f ran; f is run again until it is so, or something is.
func (s *skyline) settled(f func()) *horizon {
	for {
		h := s.now.Load()
		if h.onItsWay() {
			return h
		}
		if f(); s.now.Load() == h {
			return h
		}
	}
}

// showState has the transaction that was just begun see a state that is not the newest any more. It fails where it is gone.
func (c *sqliteConn) showState(at stamp) error {
	if !at.sound() {
		return errStateGone
	}
	h := c.handle
	snapshot := h.tls.Alloc(4 * walWords)
	defer h.tls.Free(4 * walWords)
	*pointer[stamp](snapshot) = at
	// A log that is being carried over is locked against this. Waiting for the disk is quicker.
	sqlite3.Xsqlite3_busy_timeout(h.tls, h.db, 0)
	defer sqlite3.Xsqlite3_busy_timeout(h.tls, h.db, busyTime)
	if code := sqlite3.Xsqlite3_snapshot_open(h.tls, h.db, mainName, snapshot); code != sqlite3.SQLITE_OK {
		return errStateGone
	}
	return nil
}

// errStateGone is for ourselves: who gets it waits for the newest state.
var errStateGone = &sqliteError{sqlite3.SQLITE_ERROR_SNAPSHOT, "the state is gone"}

// mainName is how SQLite calls the database, in C memory.
var mainName = func() uintptr {
	name, err := libc.CString("main")
	if err != nil {
		panic(err)
	}
	return name
}()
