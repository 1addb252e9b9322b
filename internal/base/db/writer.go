package db

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// writer is SQLite's one writing connection and the goroutine that owns it.
//
// Group commit: closures queue up; the writer runs them one after another in one transaction, then commits once. While one group is
// being synced to disk the next one is run (see voyage), and nobody is told before his is on disk (see horizon). So throughput comes
// from sharing the fsync, and a lone closure never waits for company. Where the groups before had more closures, their callers are about to come
// back: the writer steps aside for a moment before it syncs, since every page that two groups change is written twice.
//
// A group that took everybody along would leave nobody to use the other cores while it is written. So it ends with half of those who
// keep coming, but goes on while the disk is busy with the one before.
//
// A closure that fails must lose its own rows only. Savepoints do that, but cost every closure a copy of each page it
// changes. Nearly all closures that fail do so before they write, so the writer runs a group without savepoints at first;
// when a closure fails after writing, the group is rolled back and run again with them.
type writer struct {
	db       *DB
	conn     *sqliteConn
	queue    chan *job
	onBroken func(error)
	maxGroup int
	store    *sqliteStore
	toSync   chan *voyage

	mu     sync.RWMutex // held for reading while queueing, so that close cannot overtake
	closed bool
	done   chan struct{}
	// owned by the goroutine
	broken  error
	careful int     // how many more groups get savepoints from the start
	usual   int     // how many closures a group has had of late
	about   int     // how many closures were in the group before, or waited when it ended
	voyage  *voyage // the commit that was made last; it may still be on its way to the disk
	// see shorten
	carrying chan struct{} // closed when the log was carried over beside the groups; nil: it was not
	carrier  *sqliteConn   // belongs to whoever does so
}

// job is one closure on its way through the writer.
type job struct {
	ctx      context.Context
	fn       func(*Tx) error
	tx       *Tx
	state    atomic.Int32
	err      error
	panicked any
	done     chan struct{}
}

// The states of a job. Either the writer takes it or its caller gives it up, decided by one compare-and-swap: a
// caller that left knows that nothing was written.
const (
	jobWaiting = iota
	jobTaken
	jobGivenUp
)

const (
	maxGroup = 256
	// maxHold bounds how long the first closure of a group waits for the later ones.
	maxHold = 5 * time.Millisecond
	// carefulGroups get savepoints from the start after one had to be run again: such failures come in swarms.
	carefulGroups = 16
	// maxAside is how often the writer steps aside in a group; each time, everybody who can run on its core does so once.
	maxAside = 3
)

func startWriter(d *DB, c *sqliteConn, o Options, s *sqliteStore) *writer {
	w := &writer{db: d, conn: c, store: s, queue: make(chan *job, maxGroup), onBroken: o.OnBroken, maxGroup: maxGroup, done: make(chan struct{})}
	w.toSync, w.voyage = make(chan *voyage), arrived
	if o.NoGroupCommit {
		w.maxGroup = 1
	}
	go w.loop()
	go w.sync()
	return w
}

func (w *writer) write(ctx context.Context, fn func(*Tx) error) error {
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{})}
	if err := w.enqueue(j); err != nil {
		return err
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		if j.state.CompareAndSwap(jobWaiting, jobGivenUp) {
			return ctx.Err()
		}
		<-j.done // it has begun: its outcome is worth waiting for
	}
	if j.panicked != nil {
		panic(j.panicked)
	}
	if j.err == nil {
		j.tx.committed()
	}
	return j.err
}

func (w *writer) enqueue(j *job) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return errClosed
	}
	select {
	case w.queue <- j:
		return nil
	case <-j.ctx.Done():
		return j.ctx.Err()
	}
}

func (w *writer) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
}

func (w *writer) loop() {
	defer close(w.done)
	defer w.store.leave(w.conn)
	defer close(w.toSync)
	defer w.endCarrying()
	defer func() { <-w.voyage.done }()
	for first := range w.queue {
		w.group(first)
		w.shorten()
	}
}

// group runs first and whatever has queued up behind it in one transaction, and has each job told its outcome.
func (w *writer) group(first *job) {
	if err := w.open(); err != nil {
		first.err = err
		close(first.done)
		return
	}
	careful := w.careful > 0
	if careful {
		w.careful--
	}
	group, spoilt, lost := w.gather(first, careful)
	if !spoilt && lost == nil {
		spoilt = w.conn.later.rows && w.conn.writeLater() != nil
	}
	if spoilt && lost == nil {
		w.careful = carefulGroups
		w.db.stats.retries.Add(int64(len(group)))
		lost = w.again(group)
	}
	kept, wrote := false, false
	for _, j := range group {
		kept, wrote = kept || j.err == nil && j.tx.wrote, wrote || j.tx.wrote
	}
	switch {
	case lost == nil && kept:
		if lost = w.commit(group); lost == nil {
			return
		}
	case lost == nil && !wrote:
		w.end()
	default:
		w.rollBack() // nothing to keep, or SQLite has already done it
	}
	// Who wrote nothing may have seen what is on its way, and must not tell of it either.
	if err := w.arrived(); lost == nil {
		lost = err
	}
	tell(group, lost)
}

// gather runs jobs as they come. spoilt says that one left rows behind that must not stay; lost, that the transaction as a
// whole is gone.
func (w *writer) gather(first *job, careful bool) (group []*job, spoilt bool, lost error) {
	begun, aside := time.Now(), 0
	for j := first; j != nil; {
		if j.state.CompareAndSwap(jobWaiting, jobTaken) {
			group = append(group, j)
			if careful {
				lost = w.runSafely(j)
			} else {
				w.run(j)
				spoilt = j.err != nil && j.tx.wrote || w.conn.later.failed
			}
		}
		j = nil
		for lost == nil && !spoilt && !w.enough(len(group), time.Since(begun)) {
			select {
			case j = <-w.queue: // nil when closed and empty
			default:
				if len(group) < w.usual && aside < maxAside {
					aside++
					runtime.Gosched()
					continue
				}
				if w.voyage.underWay() {
					select {
					case j = <-w.queue:
					case <-w.voyage.done:
						continue
					}
				}
			}
			break
		}
	}
	w.usual = max(len(group), w.usual*7/8)
	w.about = len(group) + len(w.queue)
	return group, spoilt, lost
}

// enough tells whether a group is to be written, after so many closures and so much time.
func (w *writer) enough(closures int, took time.Duration) bool {
	return closures >= w.maxGroup || !w.voyage.underWay() && (took >= maxHold || closures*2 >= w.about)
}

// again runs a group from the start, each closure in a savepoint.
func (w *writer) again(group []*job) error {
	w.rollBack()
	if err := w.open(); err != nil {
		return err
	}
	for _, j := range group {
		j.err, j.panicked = nil, nil
		if err := w.runSafely(j); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) open() error {
	if w.broken != nil {
		return w.broken
	}
	w.conn.later.clear()
	w.conn.later.failed = false
	err := w.conn.run("BEGIN IMMEDIATE")
	for tries := 1; isLocked(err) && tries < 3; tries++ {
		w.db.stats.retries.Add(1)
		err = w.conn.run("BEGIN IMMEDIATE") // another process is writing; each try waits for busy_timeout
	}
	w.conn.known.renew(w.store.change())
	return err
}

// rollBack takes back what the transaction wrote.
func (w *writer) rollBack() {
	w.end()
	w.conn.known.clear()
}

// end ends a transaction without a commit. It fails only where SQLite has already done it.
func (w *writer) end() {
	_ = w.conn.run("ROLLBACK")
	w.conn.handle.log.forget()
}

// run gives one closure its verdict.
func (w *writer) run(j *job) {
	j.tx = w.db.begin(w.conn, true)
	j.tx.later = &w.conn.later
	j.tx.known = &w.conn.known
	j.err = j.call()
}

// runSafely is run in a savepoint. It returns an error when the whole group is lost.
func (w *writer) runSafely(j *job) (lost error) {
	j.tx = w.db.begin(w.conn, true)
	if err := w.conn.run("SAVEPOINT closure"); err != nil {
		j.err = err
		return err
	}
	j.err = j.call()
	if j.err == nil {
		if j.err = w.conn.run("RELEASE closure"); j.err == nil {
			return nil
		}
	}
	// Only this closure's rows go. If even that fails, SQLite has given up the whole transaction (disk full, I/O
	// error): nobody in the group may be acknowledged.
	if err := w.conn.run("ROLLBACK TO closure"); err != nil {
		return fmt.Errorf("%w (after: %w)", err, j.err)
	}
	return w.conn.run("RELEASE closure")
}

// call runs the closure and keeps a panic for its caller: it must not take the writer down with it.
func (j *job) call() (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.panicked = fmt.Sprintf("%v\n\nin a db.Write closure:\n%s", p, debug.Stack())
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if err := j.ctx.Err(); err != nil {
		return err
	}
	return j.tx.outcome(j.fn(j.tx))
}

// commit commits a group, and has it told. Where the sync is put off that is done when it is over.
func (w *writer) commit(group []*job) error {
	if err := w.arrived(); err != nil { // one at a time
		w.rollBack()
		return err
	}
	// Where nobody else is about, nothing would be done meanwhile, and SQLite shows nobody what is not on disk.
	putOff := w.about > 1
	h := w.store.sky.leave(putOff, w.store.newest())
	change, _ := w.store.change()
	owed, published, err := w.conn.handle.log.commit(putOff, func() error { return w.conn.run("COMMIT") })
	if w.conn.known.expected = change; published { // the lock is gone: what is counted now may be somebody else's
		w.conn.known.expected++
	}
	if w.conn.handle.log == nil { // nobody knows whether there was
		w.conn.known.clear()
	}
	switch {
	case err == nil && owed != nil:
		w.db.stats.commits.Add(1)
		w.voyage = &voyage{group: group, horizon: h, owed: owed, done: make(chan struct{})}
		w.toSync <- w.voyage
		return nil
	case err == nil:
		w.db.stats.commits.Add(1)
		w.store.sky.arrive(h, nil)
		tell(group, nil)
		return nil
	}
	w.rollBack()
	if isDiskFailure(err) {
		w.broken = w.breakDown(err)
		err = w.broken
	}
	w.store.sky.arrive(h, w.broken)
	return err
}

// breakDown tells that the disk failed: after a failed fsync the kernel may have dropped the pages, and what this process believes to
// be in the database is no longer proven by the disk.
func (w *writer) breakDown(err error) error {
	w.store.broken.Store(true)
	err = fmt.Errorf("the disk failed during a commit, restart to read the truth: %w", err)
	if w.onBroken != nil {
		w.onBroken(err)
	}
	return err
}
