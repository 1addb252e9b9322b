package event_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
)

// sleeper is a reader who waits.
type sleeper struct {
	page event.Page
	err  error
	done chan struct{}
}

// sleep starts a reader and returns when it sleeps.
func (w *world) sleep(ctx context.Context, who event.Reader, types string, again func(context.Context) error) *sleeper {
	w.t.Helper()
	params := map[string][]string{"wait": {"30"}}
	if types != "" {
		params["types"] = []string{types}
	}
	q, err := event.ParseQuery(params)
	must(w.t, err)
	s := &sleeper{done: make(chan struct{})}
	before := w.Clock.Waiting()
	go func() {
		s.page, s.err = w.feed.Read(ctx, who, q, again)
		close(s.done)
	}()
	for w.Clock.Waiting() == before {
		select {
		case <-s.done:
			w.t.Fatalf("did not sleep: %v, %v", s.page, s.err)
		default:
			runtime.Gosched()
		}
	}
	return s
}

func (s *sleeper) sleeps() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

func TestAReaderWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r := w.reader(b, scope.CustomersRead, scope.InvoicesRead)
		t.Run("until a write wakes it", func(t *testing.T) {
			s := w.sleep(ctx, r, "", still)
			w.tell(b, "", event.CustomerCreated)
			if <-s.done; s.err != nil || len(s.page.Events) != 1 || s.page.Next == nil || s.page.Waited <= 0 {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		})
		t.Run("at least as long as it wants to, and then has nothing", func(t *testing.T) {
			s := w.sleep(ctx, r, "invoice.paid", still)
			w.Clock.Advance(event.MaxWait - time.Millisecond)
			if !s.sleeps() {
				t.Error("woke up early")
			}
			w.Clock.Advance(time.Millisecond)
			if <-s.done; s.err != nil || len(s.page.Events) != 0 || s.page.Next != nil || s.page.More {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		})
		t.Run("not for what another process appended, once it looks", func(t *testing.T) {
			s := w.sleep(ctx, r, "invoice.paid", still)
			elsewhere := &event.Log{IDs: w.IDs}
			must(t, w.Write(ctx, func(tx *db.Tx) error { return w.append(tx, elsewhere, b, "", event.InvoicePaid) }))
			must(t, w.feed.Listen(ctx))
			if <-s.done; s.err != nil || len(s.page.Events) != 1 {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		})
		t.Run("no longer than its caller", func(t *testing.T) {
			caller, leave := context.WithCancel(ctx)
			s := w.sleep(caller, r, "invoice.voided", still)
			leave()
			if <-s.done; !errors.Is(s.err, context.Canceled) {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		})
		t.Run("and is told nothing if it may not read any more", func(t *testing.T) {
			gone := errors.New("gone")
			s := w.sleep(ctx, r, "invoice.voided", func(context.Context) error { return gone })
			w.tell(b, "", event.InvoiceVoided)
			if <-s.done; !errors.Is(s.err, gone) {
				t.Errorf("%+v, %v", s.page, s.err)
			}
			if _, err := w.feed.Read(ctx, r, event.Query{Types: event.AllTypes, Limit: 1, Wait: time.Second}, func(context.Context) error { return gone }); !errors.Is(err, gone) {
				t.Errorf("what was there at once: %v", err)
			}
			s = w.sleep(ctx, r, "invoice.overdue", func(context.Context) error { return gone })
			w.Clock.Advance(event.MaxWait)
			if <-s.done; !errors.Is(s.err, gone) {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		})
		t.Run("nor if its scope is gone", func(t *testing.T) {
			s := w.sleep(ctx, r, "invoice.overdue", still)
			w.sql(`UPDATE installations SET granted_scopes = 'customers:read' WHERE id = $1`, r.InstallationID)
			w.tell(b, "", event.InvoiceOverdue)
			w.Clock.Advance(event.MaxWait)
			if <-s.done; s.err != nil || len(s.page.Events) != 0 {
				t.Errorf("%+v, %v", s.page, s.err)
			}
			w.sql(`UPDATE installations SET granted_scopes = $2 WHERE id = $1`, r.InstallationID, r.Scopes.String())
		})
		if n := w.Clock.Waiting(); n != 0 {
			t.Errorf("%d alarms were left behind", n)
		}
	})
}

// What a sleeper does not want costs the store nothing, neither when it is appended nor when other processes are asked for.
func TestASleeperIsNotWokenForOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b, other := w.business(), w.business()
		r := w.reader(b, scope.CustomersRead, scope.InvoicesRead)
		counting, n := db.Counting(ctx)
		s := w.sleep(counting, r, "invoice.paid", still)
		for range 10 {
			w.tell(b, "", event.CustomerCreated, event.InvoiceCreated)
			w.tell(other, "", event.InvoicePaid)
			must(t, w.feed.Listen(ctx))
		}
		w.Clock.Advance(event.MaxWait)
		if <-s.done; s.err != nil || n.Load() != 1 {
			t.Errorf("%d statements, %v", n.Load(), s.err)
		}
	})
}

func TestOnlySoManyWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r, other := w.reader(b, scope.CustomersRead), w.reader(b, scope.CustomersRead)
		var all []*sleeper
		for range 10 {
			all = append(all, w.sleep(ctx, r, "", still))
		}
		q := event.Query{Types: event.AllTypes, Limit: 1, Wait: time.Second}
		if p, err := w.feed.Read(ctx, r, q, still); err != nil || len(p.Events) != 0 { // the eleventh is answered at once
			t.Errorf("%+v, %v", p, err)
		}
		all = append(all, w.sleep(ctx, other, "", still)) // another app has its own places
		w.tell(b, "", event.CustomerCreated)
		for _, s := range all {
			if <-s.done; s.err != nil || len(s.page.Events) != 1 {
				t.Errorf("%+v, %v", s.page, s.err)
			}
		}
		w.sleep(ctx, r, "customer.deleted", still) // there is room again
		must(t, w.feed.Listen(ctx))
		w.feed.Drain()
	})
}

func TestWaitingEndsWhenTheNodeStops(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r := w.reader(b, scope.CustomersRead)
		s := w.sleep(ctx, r, "", still)
		w.feed.Drain()
		w.feed.Drain() // once is enough
		if <-s.done; s.err != nil || len(s.page.Events) != 0 {
			t.Errorf("%+v, %v", s.page, s.err)
		}
		if p, err := w.feed.Read(ctx, r, event.Query{Types: event.AllTypes, Limit: 1, Wait: event.MaxWait}, still); err != nil || len(p.Events) != 0 {
			t.Errorf("%+v, %v", p, err)
		}
		w.tell(b, "", event.CustomerCreated) // nobody is there to hear it
		must(t, w.feed.Listen(ctx))
	})
}
