package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"modernc.org/libc"

	"daybook/internal/base/clock"
)

// disk stands before the log's: a sync that was put off waits until it is let through, or refused.
type disk struct {
	store *sqliteStore
	syncs chan chan error
}

// slowDisk opens a store with a table n of numbers, on a disk that waits. What it was told to sync once is synced as ever.
func slowDisk(t *testing.T, o Options) (*DB, *disk) {
	t.Helper()
	o.Database, o.Clock = filepath.Join(t.TempDir(), "a.db"), clock.System{}
	d, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL PRIMARY KEY)`)
	k := &disk{store: d.store.(*sqliteStore), syncs: make(chan chan error)}
	k.put(t, d, func(owed func() error) error {
		verdict := make(chan error)
		k.syncs <- verdict
		if err := <-verdict; err != nil {
			return err
		}
		return owed()
	})
	return d, k
}

// put puts something before every sync that is put off.
func (k *disk) put(t *testing.T, d *DB, before func(owed func() error) error) {
	t.Helper()
	log := k.store.writer.conn.handle.log
	if log == nil {
		t.Fatal("nothing is gathered")
	}
	later := log.later
	err := d.Write(context.Background(), func(*Tx) error { // on the goroutine that uses it
		log.later = func() func() error {
			owed := later()
			if owed == nil {
				return nil
			}
			return func() error { return before(owed) }
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// together has closures queue up while the first of them runs, and returns what each came to. While the disk is busy they are one group.
func together(d *DB, closures ...func(*Tx) error) []chan error {
	w := d.store.(*sqliteStore).writer
	told := make([]chan error, len(closures))
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	for i, f := range closures {
		told[i] = make(chan error, 1)
		go func() {
			told[i] <- d.Write(context.Background(), func(tx *Tx) error {
				if i == 0 && !isClosed(begun) { // it may be run again
					w.about = 2 * len(closures)
					begin()
					for len(w.queue) < len(closures)-1 {
						runtime.Gosched()
					}
				}
				return f(tx)
			})
		}()
		if i == 0 {
			<-begun
		}
	}
	return told
}

func add(numbers ...int) func(*Tx) error {
	return func(tx *Tx) error {
		for _, n := range numbers {
			if _, err := tx.Exec(context.Background(), `INSERT INTO n VALUES ($1)`, n); err != nil {
				return err
			}
		}
		return nil
	}
}

// company is somebody else, for whom a sync is put off. It may come too late for the group, and be in the next one.
func company(*Tx) error { return nil }

func silent(t *testing.T, told ...chan error) {
	t.Helper()
	for i, c := range told {
		select {
		case err := <-c:
			t.Fatalf("the one at %d was told %v before it was on disk", i, err)
		default:
		}
	}
}

// TestNobodyHearsOfACommitBeforeItIsOnDisk holds the disk up and looks from everywhere.
func TestNobodyHearsOfACommitBeforeItIsOnDisk(t *testing.T) {
	d, k := slowDisk(t, Options{})
	t.Cleanup(d.Close)
	ctx := context.Background()
	if n := ask(t, d, `SELECT count(*) FROM n`); n != 0 {
		t.Fatal(n)
	}
	before, _ := d.Stamp()
	first := together(d, add(1, 2), company)
	verdict := <-k.syncs

	// The next group runs meanwhile and sees it; one that is refused for what it saw must not tell either.
	var seen atomic.Int32
	count := func(tx *Tx) error {
		n, err := One(ctx, tx, Value[int], `SELECT count(*) FROM n`)
		seen.Add(int32(n))
		return err
	}
	refused := errors.New("it is there already")
	second := together(d, count, func(tx *Tx) error { return errors.Join(count(tx), refused) }, add(3))
	for seen.Load() < 4 { // two rows each, or three
		runtime.Gosched()
	}

	for range 3 { // a reader that stays in its transaction, too
		if n := ask(t, d, `SELECT count(*) FROM n`); n != 0 {
			t.Errorf("a reader sees %d rows that are not on disk", n)
		}
	}
	if stamp, _ := d.Stamp(); stamp != before {
		t.Error("the stamp tells of it")
	}
	impatient, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := d.Snapshot(impatient, func(*Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a snapshot did not wait: %v", err)
	}
	silent(t, first...)
	silent(t, second...)

	verdict <- nil
	if err := <-first[0]; err != nil {
		t.Error(err)
	}
	verdict = <-k.syncs // of the second group
	if n := ask(t, d, `SELECT count(*) FROM n`); n != 2 {
		t.Errorf("a reader sees %d rows, and 2 are on disk", n)
	}
	if after, _ := d.Stamp(); after == before {
		t.Error("the stamp did not change")
	}
	silent(t, second...)
	verdict <- nil
	if err := errors.Join(<-first[1], <-second[0], <-second[2]); err != nil {
		t.Error(err)
	}
	if err := <-second[1]; !errors.Is(err, refused) {
		t.Error(err)
	}
	if n := ask(t, d, `SELECT count(*) FROM n`); n != 3 {
		t.Errorf("at the end there are %d rows", n)
	}
}

// TestWhoOnlyLookedWaitsForWhatItSaw: a group that writes nothing is told after the voyage that was under way.
func TestWhoOnlyLookedWaitsForWhatItSaw(t *testing.T) {
	d, k := slowDisk(t, Options{})
	t.Cleanup(d.Close)
	first := together(d, add(1, 2), company)
	verdict := <-k.syncs
	looked := make([]chan error, 2*maxGroup) // more than a group waits for
	var ran atomic.Int32
	for i := range looked {
		looked[i] = make(chan error, 1)
		go func() {
			looked[i] <- d.Write(context.Background(), func(*Tx) error { ran.Add(1); return nil })
		}()
	}
	for ran.Load() < maxGroup-1 { // company may be one of them
		runtime.Gosched()
	}
	rows := 0
	whole := make(chan error, 1)
	go func() {
		whole <- d.Snapshot(context.Background(), func(tx *Tx) (err error) {
			rows, err = One(context.Background(), tx, Value[int], `SELECT count(*) FROM n`)
			return err
		})
	}()
	for range 100 {
		runtime.Gosched()
	}
	silent(t, append(looked, whole)...)
	verdict <- nil
	for _, c := range append(looked, whole, first[0], first[1]) {
		if err := <-c; err != nil {
			t.Error(err)
		}
	}
	if rows != 2 {
		t.Errorf("the snapshot has %d rows", rows)
	}
}

// TestAReaderWaitsWhereTheStateIsGone: SQLite cannot show every state.
func TestAReaderWaitsWhereTheStateIsGone(t *testing.T) {
	d, _ := slowDisk(t, Options{})
	t.Cleanup(d.Close)
	sky := d.store.(*sqliteStore).sky
	h := sky.leave(true, stamp{})
	impatient, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	look := func(ctx context.Context) error {
		return d.Read(ctx, func(tx *Tx) error {
			_, err := One(ctx, tx, Value[int], `SELECT count(*) FROM n`)
			return err
		})
	}
	if err := look(impatient); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a reader did not wait: %v", err)
	}
	read := make(chan error, 1)
	go func() { read <- look(context.Background()) }()
	sky.arrive(h, nil)
	if err := <-read; err != nil {
		t.Error(err)
	}
}

// TestAReaderWaitsForWhatItMayHaveSeen: a commit begins after a reader's first statement, which may have seen it. So the next one must
// not see less, and the reader does not end before the commit is on disk.
func TestAReaderWaitsForWhatItMayHaveSeen(t *testing.T) {
	ctx := context.Background()
	count := func(tx *Tx) (int, error) { return One(ctx, tx, Value[int], `SELECT count(*) FROM n`) }
	for name, then := range map[string]func(*Tx) (int, error){
		"its end":           func(*Tx) (int, error) { return 2, nil },
		"another statement": count,
	} {
		t.Run(name, func(t *testing.T) {
			d, k := slowDisk(t, Options{})
			t.Cleanup(d.Close)
			begun, goOn, read := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			rows := 0
			go func() {
				read <- d.Read(ctx, func(tx *Tx) error {
					_, err := count(tx)
					close(begun)
					<-goOn
					var err2 error
					rows, err2 = then(tx)
					return errors.Join(err, err2)
				})
			}()
			<-begun
			told := together(d, add(1, 2), company)
			verdict := <-k.syncs
			close(goOn)
			for range 100 {
				runtime.Gosched()
			}
			silent(t, read)
			verdict <- nil
			if err := errors.Join(<-read, <-told[0], <-told[1]); err != nil || rows != 2 {
				t.Errorf("%d rows, %v", rows, err)
			}
		})
	}
}

// TestASyncThatFailsEndsTheStore: nothing of the group is acknowledged, nor of the one that ran meanwhile, and nobody ever sees it.
func TestASyncThatFailsEndsTheStore(t *testing.T) {
	var broken atomic.Int32
	d, k := slowDisk(t, Options{OnBroken: func(error) { broken.Add(1) }})
	first := together(d, add(1, 2), company)
	verdict := <-k.syncs
	second := together(d, add(3), add(4))
	verdict <- errors.New("no such luck")
	for _, c := range append(first, second...) {
		if err := <-c; err == nil {
			t.Error("a commit that is not on disk was acknowledged")
		}
	}
	if err := d.Write(context.Background(), add(5)); err == nil {
		t.Error("the store goes on")
	}
	if n := ask(t, d, `SELECT count(*) FROM n`); n != 0 {
		t.Errorf("%d rows are seen that are not on disk", n)
	}
	if broken.Load() != 1 {
		t.Errorf("OnBroken was called %d times", broken.Load())
	}
	d.Close()
	// What the disk may lack is not carried over: the next start reads the log and believes what is whole.
	if info, err := os.Stat(k.store.path + "-wal"); err != nil || info.Size() == 0 {
		t.Errorf("the log is gone: %v", err)
	}
}

// TestClosingWaitsForTheDisk: who was let in is told the truth.
func TestClosingWaitsForTheDisk(t *testing.T) {
	d, k := slowDisk(t, Options{})
	told := together(d, add(1, 2), company)
	verdict := <-k.syncs
	closed := make(chan struct{})
	go func() { d.Close(); close(closed) }()
	for range 100 {
		runtime.Gosched()
	}
	select {
	case <-closed:
		t.Fatal("it was closed while a commit was on its way")
	default:
	}
	silent(t, told...)
	verdict <- nil
	if err := errors.Join(<-told[0], <-told[1]); err != nil {
		t.Error(err)
	}
	<-closed
	if n := ask(t, openFile(t, k.store.path), `SELECT count(*) FROM n`); n != 2 {
		t.Errorf("%d rows", n)
	}
}

// TestReadersSeeWhatIsOnDiskAndAllOfIt has writers count and readers look, while the log is carried over now and then.
func TestReadersSeeWhatIsOnDiskAndAllOfIt(t *testing.T) {
	d := openFile(t, filepath.Join(t.TempDir(), "a.db"))
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
	change(t, d, `INSERT INTO n VALUES (0)`)
	change(t, d, `CREATE TABLE filler (body TEXT NOT NULL)`)
	ctx := context.Background()
	var counted int64 // by the closures of the group that is committed next
	var onDisk, putOff atomic.Int64
	log := d.store.(*sqliteStore).writer.conn.handle.log
	toDisk, later := log.toDisk, log.later
	if err := d.Write(ctx, func(*Tx) error {
		log.toDisk = func(tls *libc.TLS, file uintptr, flags int32) int32 {
			code := toDisk(tls, file, flags)
			onDisk.Store(counted)
			return code
		}
		log.later = func() func() error {
			owed, n := later(), counted
			if owed == nil {
				return nil
			}
			return func() error {
				putOff.Add(1)
				err := owed()
				onDisk.Store(n)
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	look := func() (n int64) {
		err := d.Read(ctx, func(tx *Tx) (err error) { n, err = One(ctx, tx, Value[int64], `SELECT n FROM n`); return err })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	span := 4 * time.Second
	if testing.Short() {
		span = time.Second
	}
	end := time.Now().Add(span)
	var wait sync.WaitGroup
	var acknowledged, looks atomic.Int64
	filler := string(make([]byte, 3000))
	for range 8 {
		wait.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				var mine int64
				err := d.Write(ctx, func(tx *Tx) (err error) {
					if _, err := tx.Exec(ctx, `UPDATE n SET n = n + 1`); err != nil {
						return err
					}
					if _, err := tx.Exec(ctx, `INSERT INTO filler VALUES ($1)`, filler); err != nil {
						return err
					}
					mine, err = One(ctx, tx, Value[int64], `SELECT n FROM n`)
					counted = mine
					return err
				})
				if err != nil {
					t.Error(err)
				}
				acknowledged.Add(1)
				if n := look(); n < mine {
					t.Errorf("%d was acknowledged, and a reader sees %d", mine, n)
				}
			}
		})
		wait.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				if n, disk := look(), onDisk.Load(); n > disk {
					t.Errorf("a reader saw %d when %d was on disk", n, disk)
				}
				if err := d.Read(ctx, func(tx *Tx) error {
					one, err := One(ctx, tx, Value[int64], `SELECT n FROM n`)
					two, err2 := One(ctx, tx, Value[int64], `SELECT n FROM n`)
					if two < one {
						t.Errorf("a reader saw %d and then %d", one, two)
					}
					return errors.Join(err, err2)
				}); err != nil {
					t.Error(err)
				}
				looks.Add(1)
				runtime.Gosched() // others want to commit
			}
		})
	}
	wait.Wait()
	if got := look(); got != acknowledged.Load() {
		t.Errorf("%d were acknowledged, and there are %d", acknowledged.Load(), got)
	}
	if putOff.Load() == 0 || looks.Load() == 0 {
		t.Fatalf("%d syncs were put off, %d looks", putOff.Load(), looks.Load())
	}
	t.Logf("%d writes in %d commits, %d of them put off; %d looks", acknowledged.Load(), d.Stats().Commits, putOff.Load(), looks.Load())
}
