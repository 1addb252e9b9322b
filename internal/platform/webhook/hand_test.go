package webhook

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
)

// cutter stands between a process and PostgreSQL. While armed it lets a commit through, waits until it has happened, and cuts
// the connection instead of passing the answer on.
type cutter struct {
	armed, cuts atomic.Int32
}

// through gives the address of a database by way of the cutter.
func (c *cutter) through(t *testing.T, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	must(t, err)
	server := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(client, server)
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}

func (c *cutter) pass(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	var cutting atomic.Bool
	go func() {
		defer client.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := server.Read(buffer)
			if err != nil {
				return
			}
			if cutting.Load() { // this is the answer to the commit
				c.cuts.Add(1)
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte("commit")) && c.armed.CompareAndSwap(1, 0) {
			cutting.Store(true)
		}
		if _, err := io.Copy(server, bytes.NewReader(buffer[:n])); err != nil {
			return
		}
	}
}

// I5: what was committed in a process's name without its knowing is not held for ever. The answer to a commit may be lost with
// its connection; then the change has happened, and its deliveries are in the hand of a process that does not have them.
func TestACommitWhoseAnswerIsLostIsSent(t *testing.T) {
	t.Parallel()
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !db.IsPostgres(database) {
			t.Skip("there is no connection to lose")
		}
		var cut cutter
		hand := clock.NewHand(dbtest.Start)
		d, err := db.Open(ctx, db.Options{Database: cut.through(t, database), Clock: hand})
		must(t, err)
		t.Cleanup(d.Close)
		w := newWorld(t, &dbtest.Store{DB: d, Clock: hand, IDs: id.NewSource(hand), Database: database})
		box := newInbox(t)
		made := w.hook(t, box.URL, event.InvoiceCreated)
		s := w.start(t)

		cut.armed.Store(1) // of the change itself
		if err := w.append(w.shop, event.InvoiceCreated); err == nil {
			t.Fatal("the answer was not lost")
		}
		w.awaitLetters(t, s, box, 1)

		w.hooks.Sender = nil // of a claim: the change only writes the delivery
		w.happen(t, w.shop, event.InvoiceCreated)
		cut.armed.Store(1)
		s.sweep(ctx)
		w.awaitLetters(t, s, box, 2)

		if cut.cuts.Load() != 2 {
			t.Errorf("%d connections were cut", cut.cuts.Load())
		}
		for _, d := range w.deliveries(t, made.ID) {
			if d.Status != Delivered || d.Owner != nil || d.Attempts != 1 {
				t.Errorf("it stands at %+v", d)
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.hand) != 0 {
			t.Errorf("it believes to have %v in hand", s.hand)
		}
	})
}

// awaitLetters has the process look after itself until so much has come, and is written down.
func (w *world) awaitLetters(t *testing.T, s *Sender, box *inbox, n int) {
	t.Helper()
	for begun := time.Now(); len(box.letters()) < n || w.count(t, `SELECT count(*) FROM deliveries WHERE owner IS NOT NULL OR status <> 'delivered'`) > 0; time.Sleep(50 * time.Millisecond) {
		must(t, s.lookAgain(ctx))
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("%d letters, want %d", len(box.letters()), n)
		}
	}
}
