package webhook

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/platform/event"
)

// die ends an engine as a killed process ends: its sign of life is gone, and nothing is put back or written down.
func (s *Sender) die() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.cancel()
	s.flights.Wait()
	close(s.quit)
	s.loops.Wait()
	s.node.presence.Close()
	s.quit = nil
}

// HOOK-05: what a dead process had in hand is sent by another, as soon as that one looks.
func TestWhatADeadProcessHadInHandIsSentByAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		made := w.hook(t, box.URL, event.InvoiceCreated)
		first := w.newSender()
		must(t, first.Start(ctx))
		w.happen(t, w.shop, event.InvoiceCreated, event.InvoiceCreated)
		first.die()
		w.exec(t, `UPDATE deliveries SET owner = $1 WHERE due_at IS NOT NULL`, *first.node.id())
		w.start(t)
		w.settle(t, 0)
		for _, d := range w.deliveries(t, made.ID) {
			if d.Status != Delivered {
				t.Errorf("it stands at %+v", d)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM nodes`); n != 1 {
			t.Errorf("%d nodes are on the list", n)
		}
	})
}

// A process that stands still without ending is taken for dead after a while; what it writes afterwards does not count, and it
// begins anew when it notices.
func TestAProcessThatStoodStillBeginsAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		hold, arrived := make(chan struct{}), make(chan struct{}, 4)
		var once sync.Once
		release := func() { once.Do(func() { close(hold) }) }
		t.Cleanup(release)
		box.set(func(w http.ResponseWriter, _ *http.Request) {
			arrived <- struct{}{}
			<-hold
			w.WriteHeader(http.StatusNoContent)
		})
		made := w.hook(t, box.URL, event.InvoiceCreated)
		still := w.newSender()
		still.Machine = clock.NewHand(time.Now()) // its loops never wake
		must(t, still.Start(ctx))
		t.Cleanup(func() { release(); w.stop(still) })
		w.hooks.Sender = still
		w.happen(t, w.shop, event.InvoiceCreated)
		<-arrived
		before := *still.node.id()
		still.mu.Lock()
		still.stopped = true // its first sweep may be yet to come, and would take what the other one puts back
		still.mu.Unlock()

		machine := clock.NewHand(time.Now())
		other := w.newSender()
		other.Machine = machine
		must(t, other.Start(ctx))
		t.Cleanup(func() { release(); w.stop(other) })
		look := func() {
			t.Helper()
			must(t, other.releaseDead(ctx))
		}
		machine.Advance(staleAfter - time.Second)
		look()
		if n := w.count(t, `SELECT count(*) FROM deliveries WHERE owner = $1`, before); n != 1 {
			t.Fatalf("a moment before it is taken for dead it has %d in hand", n)
		}
		machine.Advance(time.Second)
		look()
		<-arrived // the other one sends it
		release()
		w.sender = other
		w.settle(t, 0)
		var beaten time.Time
		must(t, still.tend(ctx, &beaten))
		if now := still.node.id(); now == nil || *now == before {
			t.Errorf("it goes on under its old name")
		}
		still.flights.Wait()
		if d, attempts := w.delivery(t, made.ID, w.deliveries(t, made.ID)[0].ID); d.Status != Delivered || d.Attempts != 1 || len(attempts) != 1 {
			t.Errorf("it stands at %+v with %d attempts written down", d, len(attempts))
		}
	})
}

// A process that ends in good order puts back what it has not sent.
func TestStopPutsBackTheRest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		hold := make(chan struct{})
		box.set(func(w http.ResponseWriter, _ *http.Request) {
			<-hold
			w.WriteHeader(http.StatusNoContent)
		})
		made := w.hook(t, box.URL, event.InvoiceCreated)
		s := w.start(t)
		for range 12 {
			w.happen(t, w.shop, event.InvoiceCreated)
		}
		for len(box.letters()) < laneStart {
			time.Sleep(time.Millisecond)
		}
		stopped := make(chan struct{})
		go func() {
			w.stop(s)
			close(stopped)
		}()
		for begun := false; !begun; {
			s.mu.Lock()
			begun = s.stopped
			s.mu.Unlock()
		}
		close(hold)
		<-stopped
		w.hooks.Sender = nil
		delivered, waiting := 0, 0
		for _, d := range w.deliveries(t, made.ID) {
			switch {
			case d.Status == Delivered:
				delivered++
			case d.Status == Queued && d.Owner == nil && d.DueAt != nil:
				waiting++
			default:
				t.Errorf("it stands at %+v", d)
			}
		}
		if n := len(box.letters()); delivered != n || delivered+waiting != 12 || waiting == 0 {
			t.Errorf("%d letters, %d delivered, %d waiting", n, delivered, waiting)
		}
		if n := w.count(t, `SELECT count(*) FROM nodes`); n != 0 {
			t.Errorf("%d nodes are on the list", n)
		}
	})
}

// DLIV-04: history goes 30 days after its creation, by the hour, with its attempts; on PostgreSQL whole days at a time.
func TestHistoryGoesAfterThirtyDays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.hooks.CleanUp(ctx))
		w.start(t)
		box := newInbox(t)
		made := w.hook(t, box.URL, event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated) // at 12:00
		w.settle(t, 0)
		w.settle(t, 24*time.Hour)
		w.happen(t, w.shop, event.InvoiceCreated)
		w.settle(t, 0)
		rows := func() (int, int) {
			return w.count(t, `SELECT count(*) FROM deliveries`), w.count(t, `SELECT count(*) FROM delivery_attempts`)
		}
		w.settle(t, 29*24*time.Hour+59*time.Minute)
		must(t, w.hooks.CleanUp(ctx))
		if d, a := rows(); d != 2 || a != 2 {
			t.Errorf("in its last hour %d deliveries and %d attempts are left", d, a)
		}
		w.settle(t, time.Minute)
		must(t, w.hooks.CleanUp(ctx))
		if d, a := rows(); d != 1 || a != 1 {
			t.Errorf("after 30 days %d deliveries and %d attempts are left", d, a)
		}
		must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, made.ID, 0))
		w.settle(t, 31*24*time.Hour)
		must(t, w.hooks.CleanUp(ctx))
		if d, a := rows(); d != 0 || a != 0 || w.count(t, `SELECT count(*) FROM webhooks`) != 0 {
			t.Errorf("in the end %d deliveries, %d attempts and the webhook are left", d, a)
		}
		if w.Dialect() == db.Postgres {
			if n := w.count(t, `SELECT count(*) FROM pg_inherits WHERE inhparent = CAST('delivery_attempts' AS regclass)`); n < db.DaysAhead+1 || n > db.DaysAhead+3 {
				t.Errorf("%d tables of attempts", n)
			}
		}
	})
}
