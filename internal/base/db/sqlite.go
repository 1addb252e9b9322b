package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// sqliteStore is one file: a writer connection behind a queue, and a pool of readers beside it (WAL lets them
// read while it writes).
type sqliteStore struct {
	db      *DB
	path    string
	writer  *writer
	readers chan *sqliteConn // idle readers; nil stands for one not opened yet
	wal     *walIndex        // nil: not to be had
	sky     *skyline
	broken  atomic.Bool  // a sync failed
	release atomic.Int64 // raised when readers are to let go of what they hold
	closed  chan struct{}
	once    sync.Once
	looking sync.RWMutex // held for reading by whoever looks at wal without a connection of his own: the memory goes with the last one
}

// sqlitePragmas of every connection. WAL with synchronous=FULL: a commit is on disk before it is acknowledged, so
// a revoked token cannot come back to life after a power cut. mmap makes point reads 2–3 times faster.
var sqlitePragmas = []string{
	"busy_timeout(" + strconv.Itoa(busyTime) + ")", // for other processes, such as a backup or `fixture load`; in this one the writer is alone
	"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "mmap_size(268435456)", "temp_store(MEMORY)",
	"wal_autocheckpoint(" + strconv.Itoa(longLog) + ")", "journal_size_limit(67108864)",
}

// busyTime is how long a connection waits for a lock, in milliseconds.
const busyTime = 10_000

// longLog is how many pages the log has when it is carried over into the database. Each page is written once then, however often the
// log holds it, so a longer log (16 MB) saves work; it is read again in some tens of milliseconds after a crash.
const longLog = 4000

// tooLongLog is how many it has when no more is written to it before it was.
const tooLongLog = 4 * longLog

func openSQLite(ctx context.Context, d *DB, o Options) (*sqliteStore, error) {
	if info, err := os.Stat(filepath.Dir(o.Database)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("cannot open database %s: folder %s does not exist", o.Database, filepath.Dir(o.Database))
	}
	// A new file is its owner's alone; SQLite gives its companions (-wal, -shm) the same mode.
	if file, err := os.OpenFile(o.Database, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		_ = file.Close()
	}
	s := &sqliteStore{db: d, path: o.Database, sky: newSkyline(), closed: make(chan struct{})}
	first, err := s.connect("cache_size(-32768)") // KiB, taken as it is needed
	if err != nil {
		return nil, fmt.Errorf("cannot open database %s: %w", o.Database, err)
	}
	if err := first.look(); err != nil {
		first.close()
		return nil, fmt.Errorf("cannot open database %s: %w", o.Database, err)
	}
	if s.wal = first.handle.walIndex(); s.wal != nil {
		if err := first.handle.script("PRAGMA wal_autocheckpoint(0)"); err != nil { // see carryOver
			first.close()
			return nil, err
		}
		first.handle.log = first.handle.gatherLog()
	}
	first.handle.noteChanges()
	s.readers = make(chan *sqliteConn, max(4, 2*runtime.GOMAXPROCS(0)))
	for range cap(s.readers) {
		s.readers <- nil
	}
	s.writer = startWriter(d, first, o, s)
	return s, nil
}

func (s *sqliteStore) connect(more ...string) (*sqliteConn, error) {
	h, err := openHandle(s.path, append(slices.Clone(sqlitePragmas), more...))
	if err != nil {
		return nil, err
	}
	return &sqliteConn{handle: h, statements: map[string]*sqliteStatement{}}, nil
}

func (s *sqliteStore) write(ctx context.Context, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := s.writer.write(ctx, fn)
		if !errors.Is(err, ErrAgain) || try == maxTries {
			return err
		}
		s.db.stats.retries.Add(1)
	}
}

func (s *sqliteStore) read(ctx context.Context, fn func(*Tx) error) error {
	return s.withReader(ctx, func(c *sqliteConn) error {
		tx := s.db.begin(sqliteReader{c, s}, false)
		c.before = nil
		err := tx.outcome(fn(tx))
		if c.before == nil {
			return err
		}
		// A statement that saw the newest state may have seen a commit that began after the horizon was looked at.
		if h := s.sky.now.Load(); h != c.before {
			err = errors.Join(err, h.wait(ctx))
		}
		return err
	})
}

func (s *sqliteStore) snapshot(ctx context.Context, fn func(*Tx) error) error {
	return s.withReader(ctx, func(c *sqliteConn) (err error) {
		if err := errors.Join(c.letGo(), c.run("BEGIN")); err != nil {
			return err
		}
		// Nothing was written; this only lets the state go, also when fn panics.
		defer func() { err = errors.Join(err, c.run("ROLLBACK")) }()
		if err := errors.Join(c.look(), s.sky.now.Load().wait(ctx)); err != nil { // what it sees from now on is on disk
			return err
		}
		tx := s.db.begin(c, false)
		return tx.outcome(fn(tx))
	})
}

var errClosed = errors.New("the store is closed")

func (s *sqliteStore) withReader(ctx context.Context, fn func(*sqliteConn) error) error {
	var c *sqliteConn
	select {
	case <-s.closed: // a ready reader must not win over a closed store
		return errClosed
	default:
	}
	select {
	case c = <-s.readers:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return errClosed
	}
	defer func() {
		if c != nil && c.holds && c.since != s.release.Load() {
			_ = c.letGo()
		}
		s.readers <- c
	}()
	if c == nil {
		var err error
		if c, err = s.connect("query_only(ON)"); err != nil {
			return fmt.Errorf("cannot open database %s: %w", s.path, err)
		}
	}
	return fn(c)
}

func (s *sqliteStore) ping(ctx context.Context) error {
	return s.withReader(ctx, func(c *sqliteConn) error { return c.look() })
}

// look reads the header: it fails for a file that is no database.
func (c *sqliteConn) look() error {
	cur, err := c.start("SELECT count(*) FROM sqlite_master", nil)
	if err != nil {
		return err
	}
	cur.next()
	return cur.close()
}

func (s *sqliteStore) stamp() (Stamp, bool) {
	s.looking.RLock()
	defer s.looking.RUnlock()
	if s.wal == nil || isClosed(s.closed) {
		return Stamp{}, false
	}
	var now stamp
	if h := s.sky.settled(func() { now = s.wal.stamp() }); h.onItsWay() {
		now = h.at
	}
	return Stamp{now}, true
}

// change counts the commits, where that is to be had.
func (s *sqliteStore) change() (n uint32, counted bool) {
	if s.wal != nil {
		n = s.wal.change()
	}
	return n, s.wal != nil
}

// newest is the stamp that the present state has: one that nobody can be shown, where there is none.
func (s *sqliteStore) newest() (now stamp) {
	if s.wal != nil {
		now = s.wal.stamp()
	}
	return now
}

func (s *sqliteStore) dialect() Dialect { return SQLite }

func (s *sqliteStore) close() {
	s.once.Do(func() {
		s.looking.Lock()
		close(s.closed)
		s.looking.Unlock()
		for range cap(s.readers) {
			if c := <-s.readers; c != nil {
				s.leave(c)
			}
		}
		s.writer.close()
	})
}

// sqliteConn is one connection with its prepared statements. It is used by one goroutine at a time.
//
// A cancelled context does not interrupt a statement: SQLite would roll back the whole transaction, that is, every
// closure in the group. Tx looks at the context between statements.
type sqliteConn struct {
	handle     *sqliteHandle
	statements map[string]*sqliteStatement

	later later     // of the writer
	known knowledge // of the writer

	// of a reader, see sqliteReader
	holds  bool     // a transaction is open
	seen   stamp    // before the last statement
	since  int64    // which release it began in
	under  *horizon // the transaction is of the state before a commit that is on its way; nil: it was the newest
	before *horizon // what was looked at before the first statement that saw the newest state
}

// maxStatements kept per connection. Texts are constants of the code, so the number is only reached by built
// filters; then all are dropped, which is simple and rare.
const maxStatements = 1000

func (c *sqliteConn) prepare(sql string) (*sqliteStatement, error) {
	if st, ok := c.statements[sql]; ok {
		return st, nil
	}
	if len(c.statements) >= maxStatements {
		c.dropStatements()
	}
	st, err := c.handle.prepare(sql)
	if err != nil {
		return nil, err
	}
	c.statements[sql] = st
	return st, nil
}

func (c *sqliteConn) dropStatements() {
	for _, st := range c.statements {
		st.finalize()
	}
	clear(c.statements)
}

func (c *sqliteConn) close() {
	c.dropStatements()
	c.handle.close()
}

// run executes transaction control.
func (c *sqliteConn) run(sql string) error {
	_, err := c.exec(context.Background(), sql, nil)
	return err
}

// script executes several statements at once, for migrations.
func (c *sqliteConn) script(sql string) error {
	if c.later.rows {
		if err := c.writeLater(); err != nil {
			return err
		}
	}
	c.known.clear()
	c.dropStatements() // what they change may change
	return c.handle.script(sql)
}

func (c *sqliteConn) exec(_ context.Context, sql string, args []any) (int64, error) {
	cur, err := c.start(sql, args)
	if err != nil {
		return 0, err
	}
	for cur.next() {
	}
	if err := cur.close(); err != nil {
		return 0, err
	}
	return c.handle.changes(), nil
}

func (c *sqliteConn) query(_ context.Context, sql string, args []any) (cursor, error) {
	cur, err := c.start(sql, args)
	if err != nil {
		return nil, err
	}
	return cur, nil
}

func (c *sqliteConn) start(sql string, args []any) (*sqliteCursor, error) {
	st, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	disturbs := c.known.concerns(st.changes)
	if c.later.rows && (disturbs || c.later.concerns(st)) {
		if err := c.writeLater(); err != nil {
			return nil, err
		}
		if st, err = c.prepare(sql); err != nil { // there may have been too many statements
			return nil, err
		}
	}
	if disturbs {
		c.known.forget(st.changes)
	}
	if err := st.bind(args); err != nil {
		return nil, err
	}
	return &sqliteCursor{statement: st}, nil
}
