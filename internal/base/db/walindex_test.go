package db

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"daybook/internal/base/clock"
)

func openFile(t *testing.T, path string) *DB {
	t.Helper()
	d, err := Open(context.Background(), Options{Database: path, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func change(t *testing.T, d *DB, sql string, args ...any) {
	t.Helper()
	ctx := context.Background()
	if err := d.Write(ctx, func(tx *Tx) error { _, err := tx.Exec(ctx, sql, args...); return err }); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, d *DB, sql string) (n int) {
	t.Helper()
	ctx := context.Background()
	if err := d.Read(ctx, func(tx *Tx) (err error) { n, err = One(ctx, tx, Value[int], sql); return err }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReadersThatStayInTheirTransactionSeeEveryCommit writes by way of the store itself and of another one on the same file, which
// might as well be another process.
func TestReadersThatStayInTheirTransactionSeeEveryCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, other := openFile(t, path), openFile(t, path)
	store := d.store.(*sqliteStore)
	if store.wal == nil {
		t.Fatal("there is no index of the log")
	}
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
	change(t, d, `INSERT INTO n VALUES (0)`)
	stamps := map[Stamp]bool{}
	for i := 1; i <= 200; i++ {
		writer := d
		if i%2 == 0 {
			writer = other
		}
		change(t, writer, `UPDATE n SET n = $1`, i)
		stamp, ok := d.Stamp()
		if theirs, _ := other.Stamp(); !ok || stamp != theirs || stamps[stamp] {
			t.Fatalf("after commit %d the stamp is %v, the other's %v", i, stamp, theirs)
		}
		stamps[stamp] = true
		for range 3 * cap(store.readers) { // all of them, more than once
			if got := ask(t, d, `SELECT n FROM n`); got != i {
				t.Fatalf("a reader sees %d after %d was committed", got, i)
			}
		}
		if holding(store) == 0 {
			t.Fatal("no reader stays in its transaction")
		}
		if now, _ := d.Stamp(); now != stamp {
			t.Fatal("the stamp changes although nothing was written")
		}
	}
}

// A stamp is looked at without a connection: whoever does so while the store is closed must not find the memory gone.
func TestStampsEndWithTheStore(t *testing.T) {
	for range 20 {
		d := openFile(t, filepath.Join(t.TempDir(), "a.db"))
		change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
		var wait sync.WaitGroup
		begun := make(chan struct{}, 4)
		for range cap(begun) {
			wait.Go(func() {
				_, ok := d.Stamp()
				for begun <- struct{}{}; ok; {
					_, ok = d.Stamp()
				}
			})
		}
		for range cap(begun) {
			<-begun
		}
		d.Close()
		wait.Wait()
	}
}

// holding counts the idle readers that are in a transaction.
func holding(s *sqliteStore) (n int) {
	for range cap(s.readers) {
		c := <-s.readers
		if c != nil && c.holds {
			n++
		}
		s.readers <- c
	}
	return n
}

// Statements of one Read each see the newest state, as without the staying.
func TestEachStatementOfAReadSeesTheNewestState(t *testing.T) {
	d, ctx := openFile(t, filepath.Join(t.TempDir(), "a.db")), context.Background()
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
	change(t, d, `INSERT INTO n VALUES (1)`)
	for range 20 {
		ask(t, d, `SELECT n FROM n`)
	}
	err := d.Read(ctx, func(tx *Tx) error {
		before, err := One(ctx, tx, Value[int], `SELECT n FROM n`)
		if err != nil {
			return err
		}
		change(t, d, `UPDATE n SET n = n + 1`)
		after, err := One(ctx, tx, Value[int], `SELECT n FROM n`)
		if after != before+1 {
			t.Errorf("%d, then %d", before, after)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The log begins anew although readers stay in their transactions all the time.
func TestStayingReadersDoNotMakeTheLogGrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d := openFile(t, path)
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL, text TEXT NOT NULL)`)
	text := make([]byte, 40*4096)
	for i := range text {
		text[i] = 'x'
	}
	most := int64(0)
	for i := range 500 { // of more than 40 pages each: 5 times what makes a log long
		change(t, d, `INSERT INTO n VALUES ($1, $2)`, i, string(text))
		for range 8 {
			ask(t, d, `SELECT count(*) FROM n`)
		}
		if info, err := os.Stat(path + "-wal"); err == nil {
			most = max(most, info.Size())
		}
	}
	if most > (tooLongLog+100)*(4096+24) {
		t.Errorf("the log grew to %d bytes", most)
	}
}

// A statement that fails leaves no transaction behind that would hide later commits.
func TestAfterAFailureReadersSeeTheNewestState(t *testing.T) {
	d, ctx := openFile(t, filepath.Join(t.TempDir(), "a.db")), context.Background()
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
	change(t, d, `INSERT INTO n VALUES (1)`)
	for round := 2; round < 20; round++ {
		for range 12 {
			ask(t, d, `SELECT n FROM n`)
			if err := d.Read(ctx, func(tx *Tx) error { _, err := One(ctx, tx, Value[int], `SELECT missing FROM n`); return err }); err == nil {
				t.Fatal("it found a column that there is not")
			}
		}
		change(t, d, `UPDATE n SET n = $1`, round)
		for range 12 {
			if got := ask(t, d, `SELECT n FROM n`); got != round {
				t.Fatalf("a reader sees %d, not %d", got, round)
			}
		}
	}
}
