package db

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// fakeLog is a file that writes are gathered for. It takes what SQLite's own takes.
type fakeLog struct {
	content []byte
	calls   int
	err     int32
}

func (f *fakeLog) gathered(t *testing.T) (*walWrites, *libc.TLS) {
	t.Helper()
	tls := libc.NewTLS()
	w := &walWrites{buffer: libc.Xmalloc(tls, walBuffer)}
	t.Cleanup(func() { w.free(tls); tls.Close() })
	write := func(_ *libc.TLS, _, data uintptr, amount int32, at int64) int32 {
		f.calls++
		if f.err != 0 || amount == 0 || amount >= 1<<17 {
			return max(f.err, sqlite3.SQLITE_FULL)
		}
		f.content = append(f.content, make([]byte, max(0, at+int64(amount)-int64(len(f.content))))...)
		copy(f.content[at:], memory(data, int(amount)))
		return sqlite3.SQLITE_OK
	}
	read := func(_ *libc.TLS, _, into uintptr, amount int32, at int64) int32 {
		if at+int64(amount) > int64(len(f.content)) {
			return sqlite3.SQLITE_IOERR_SHORT_READ
		}
		copy(memory(into, int(amount)), f.content[at:])
		return sqlite3.SQLITE_OK
	}
	w.toDisk = func(*libc.TLS, uintptr, int32) int32 { return sqlite3.SQLITE_OK }
	truncate := func(_ *libc.TLS, _ uintptr, to int64) int32 { f.content = f.content[:to]; return sqlite3.SQLITE_OK }
	size := func(_ *libc.TLS, _, into uintptr) int32 {
		*pointer[int64](into) = int64(len(f.content))
		return sqlite3.SQLITE_OK
	}
	w.own = sqlite3.Tsqlite3_io_methods{FxWrite: callable(&write), FxRead: callable(&read), FxTruncate: callable(&truncate), FxFileSize: callable(&size)}
	t.Cleanup(func() { _, _, _, _ = write, read, truncate, size })
	w.make()
	return w, tls
}

// TestGatheredWritesAreWhatWasWritten: random writes, most of which follow one another, random looks at them, syncs and ends of
// the file; at every look the file is as if each had been written at once.
func TestGatheredWritesAreWhatWasWritten(t *testing.T) {
	f := &fakeLog{}
	w, tls := f.gathered(t)
	random := rand.New(rand.NewPCG(1, 2))
	room := libc.Xmalloc(tls, 2*walBuffer)
	defer libc.Xfree(tls, room)
	var want []byte
	end := func() int64 { return int64(len(want)) }
	for n := range 20_000 {
		switch k := random.IntN(100); {
		case k < 90:
			amount := []int{24, 4096, 4096, 32, 1 + random.IntN(9000)}[random.IntN(5)]
			if k == 0 {
				amount = []int{walBuffer, walBuffer + 1, 1 << 17, walPiece, 2 * walPiece}[random.IntN(5)]
			}
			at := end()
			if random.IntN(50) == 0 {
				at = random.Int64N(end() + 1)
			}
			for i, data := 0, memory(room, amount); i < amount; i++ {
				data[i] = byte(n + i)
			}
			if code := w.write(tls, 0, room, int32(amount), at); code != sqlite3.SQLITE_OK {
				t.Fatalf("write of %d at %d: %d", amount, at, code)
			}
			want = append(want, make([]byte, max(0, at+int64(amount)-end()))...)
			copy(want[at:], memory(room, amount))
		case k < 94 && end() > 0:
			at := random.Int64N(end())
			amount := min(1+random.Int64N(5000), end()-at)
			if code := w.read(tls, 0, room, int32(amount), at); code != sqlite3.SQLITE_OK || !bytes.Equal(memory(room, int(amount)), want[at:at+amount]) {
				t.Fatalf("read of %d at %d of %d: %d", amount, at, end(), code)
			}
		case k < 96:
			if code := w.size(tls, 0, room); code != sqlite3.SQLITE_OK || *pointer[int64](room) != end() {
				t.Fatalf("size %d, want %d", *pointer[int64](room), end())
			}
		case k < 98 && end() > 0:
			to := end() - random.Int64N(end())/4
			if end() > 8<<20 {
				to = 0
			}
			if code := w.truncate(tls, 0, to); code != sqlite3.SQLITE_OK {
				t.Fatal(code)
			}
			want = want[:to]
		default:
			if code := w.sync(tls, 0, 2); code != sqlite3.SQLITE_OK || !bytes.Equal(f.content, want) {
				t.Fatalf("after a sync the file has %d bytes, want %d: %d", len(f.content), len(want), code)
			}
		}
	}
}

func TestAPagesWriteIsGatheredAndItsFailureTold(t *testing.T) {
	f := &fakeLog{}
	w, tls := f.gathered(t)
	room := libc.Xmalloc(tls, 4096)
	defer libc.Xfree(tls, room)
	page := func(n int64) int32 { return w.write(tls, 0, room, 4096, n*4096) }
	for n := range int64(30) {
		if page(n) != sqlite3.SQLITE_OK || f.calls != 0 {
			t.Fatalf("%d calls after %d pages", f.calls, n+1)
		}
	}
	if f.err = sqlite3.SQLITE_IOERR_WRITE; w.sync(tls, 0, 2) != sqlite3.SQLITE_IOERR_WRITE || f.calls != 1 {
		t.Errorf("a sync says nothing of a failure; %d calls", f.calls)
	}
	f.err = 0
	if w.sync(tls, 0, 2) != sqlite3.SQLITE_OK || f.calls != 1 {
		t.Error("what failed is written again")
	}
	page(7)
	w.forget()
	if w.sync(tls, 0, 2) != sqlite3.SQLITE_OK || w.read(tls, 0, room, 100, 7*4096) != sqlite3.SQLITE_IOERR_SHORT_READ || f.calls != 1 {
		t.Error("what was rolled back is written")
	}
}

// TestLargeTransactionsAreGatheredToo writes more than the connection keeps in memory, looks at it in the same transaction, keeps or
// drops it, while another store writes to the same file in between.
func TestLargeTransactionsAreGatheredToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, other := openFile(t, path), openFile(t, path)
	if d.store.(*sqliteStore).writer.conn.handle.log == nil {
		t.Fatal("what is written to the log is not gathered")
	}
	ctx := context.Background()
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL)`)
	text, no := string(bytes.Repeat([]byte("x"), 3500)), errors.New("no")
	const rows = 12_000 // 48 MB of pages; 32 are kept
	for round, keep := range []bool{false, true, false} {
		err := d.Write(ctx, func(tx *Tx) error {
			for n := range rows {
				if _, err := tx.Exec(ctx, `INSERT INTO n VALUES ($1, $2)`, round*rows+n, text); err != nil {
					return err
				}
			}
			if sum, err := One(ctx, tx, Value[int], `SELECT sum(length(text)) FROM n WHERE n >= $1`, round*rows); err != nil || sum != rows*len(text) {
				t.Errorf("within: %d, %v", sum, err)
			}
			if !keep {
				return no
			}
			return nil
		})
		if keep != (err == nil) {
			t.Fatal(err)
		}
		change(t, other, `INSERT INTO n VALUES ($1, 'y')`, -1-round)
		change(t, d, `INSERT INTO n VALUES ($1, 'y')`, -100-round)
		kept := 2*(round+1) + rows*min(round, 1)
		for _, one := range []*DB{d, other} {
			if got := ask(t, one, `SELECT count(*) FROM n`); got != kept {
				t.Fatalf("round %d: %d rows, want %d", round, got, kept)
			}
		}
	}
	d.Close()
	other.Close()
	again := openFile(t, path)
	if got := ask(t, again, `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'`); got != 1 {
		t.Error("the file is corrupt")
	}
	if got := ask(t, again, `SELECT count(*) FROM n`); got != rows+6 {
		t.Errorf("%d rows", got)
	}
}

// TestACommitIsInTheFile: what a reader finds who knows nothing of the process is what was committed, also after a power cut.
func TestACommitIsInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d := openFile(t, path)
	change(t, d, `CREATE TABLE n (n INTEGER NOT NULL)`)
	for n := 1; n <= 20; n++ {
		change(t, d, `INSERT INTO n VALUES ($1)`, n)
		copied := filepath.Join(t.TempDir(), "b.db")
		for _, end := range []string{"", "-wal"} { // without its index, as after a crash
			content, err := os.ReadFile(path + end)
			if err == nil {
				err = os.WriteFile(copied+end, content, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := ask(t, openFile(t, copied), `SELECT count(*) FROM n`); got != n {
			t.Fatalf("%d rows are in the file after %d were committed", got, n)
		}
	}
}

func TestAGroupEndsWithHalfOfThoseWhoCome(t *testing.T) {
	w := &writer{maxGroup: 256, about: 64, voyage: arrived}
	for _, c := range []struct {
		closures int
		took     time.Duration
		enough   bool
	}{
		{31, maxHold - 1, false}, // others wait
		{32, 0, true},
		{256, 0, true},
		{1, maxHold, true},
		{1, maxHold - 1, false},
	} {
		if w.enough(c.closures, c.took) != c.enough {
			t.Errorf("%d closures in %v", c.closures, c.took)
		}
	}
	w.voyage = &voyage{done: make(chan struct{})} // the disk is busy with the group before
	for _, c := range []struct {
		closures int
		enough   bool
	}{{255, false}, {256, true}} {
		if w.enough(c.closures, time.Second) != c.enough {
			t.Errorf("%d closures while the disk is busy", c.closures)
		}
	}
}
