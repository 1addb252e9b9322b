package webhook

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/platform/event"
)

// DLIV-06: connections thrown away are borne for a while. From then on who throws them away rests after each attempt, and flies alone;
// the more do, the longer.
func TestALaneThatThrowsConnectionsAwayRests(t *testing.T) {
	now := time.Now()
	for what, least := range map[loss]time.Duration{brokenOff: restLeast / 4, wasted: restLeast} {
		traffic := newTraffic()
		traffic.waste.at = now
		l := traffic.lane("bad", "a")
		l.room = laneMost
		for n := range wasteBorne {
			if pause := traffic.charge(l, what, now); pause != 0 || l.may() != laneMost {
				t.Fatalf("after %d it rests for %v, and %d may fly", n+1, pause, l.may())
			}
		}
		if pause := traffic.charge(l, what, now); pause != least || l.may() != 0 {
			t.Errorf("one too many: it rests for %v, and %d may fly", pause, l.may())
		}
		if pause := traffic.charge(l, what, now); pause != 0 {
			t.Errorf("it rests already, and is told to rest for %v", pause)
		}
		if traffic.wake(l); l.may() != 1 {
			t.Errorf("rested, %d may fly", l.may())
		}
		if traffic.charge(l, spared, now); l.may() != laneMost {
			t.Errorf("it has done better, and %d may fly", l.may())
		}
		for n := range lossesBorne {
			if pause := traffic.charge(l, what, now); pause != 0 {
				t.Errorf("it rests for %v after %d in a row", pause, n+1)
			}
		}
		if pause := traffic.charge(l, what, now); pause == 0 {
			t.Errorf("it does not rest after %d in a row", lossesBorne+1)
		}
		traffic.wake(l)
		now = now.Add(time.Second)
		for n := range wasteRate {
			if pause := traffic.charge(l, what, now); pause != 0 {
				t.Errorf("it rests for %v after %d in a new second", pause, n+1)
			}
		}
		if pause := traffic.charge(l, what, now); pause == 0 {
			t.Errorf("it does not rest after %d in a new second", wasteRate+1)
		}
	}
}

// However many webhooks throw connections away, they make no more attempts together than some.
func TestRestsGrowWithTheirNumber(t *testing.T) {
	const lanes, seconds = 1000, 600
	now := time.Now()
	traffic, attempts := newTraffic(), 0
	wakes := map[*lane]time.Time{}
	for n := range lanes {
		l := traffic.lane("bad"+strconv.Itoa(n), "a")
		l.losses = lossesBorne
		wakes[l] = now
	}
	for end := now.Add(seconds * time.Second); now.Before(end); now = now.Add(100 * time.Millisecond) {
		for l, at := range wakes {
			if at.After(now) {
				continue
			}
			if traffic.wake(l); l.may() == 0 {
				t.Fatal("it rests on")
			}
			attempts++
			wakes[l] = now.Add(max(traffic.charge(l, wasted, now), 100*time.Millisecond))
		}
	}
	if rate := attempts / seconds; rate < restsEnding/2 || rate > 2*(restsEnding+wasteRate) {
		t.Errorf("%d attempts a second", rate)
	}
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = c.Close()
	}
}

// A receiver that hangs up is tried once a second when it has done so often enough, and again at full speed when it answers.
func TestWhoHangsUpIsTriedOnceASecond(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		machine, arrived := clock.NewHand(time.Now()), make(chan struct{}, 100)
		box := newInbox(t)
		box.set(func(w http.ResponseWriter, r *http.Request) {
			arrived <- struct{}{}
			hangUp(w, r)
		})
		w.hook(t, box.URL, event.InvoiceCreated)
		s := w.newSender()
		s.Machine = machine
		must(t, s.Start(ctx))
		t.Cleanup(func() { w.stop(s) })
		w.sender, w.hooks.Sender = s, s
		s.mu.Lock()
		s.traffic.waste = waste{at: machine.Now()} // nothing is borne at first
		s.mu.Unlock()
		const events = lossesBorne + 8
		for range events {
			w.happen(t, w.shop, event.InvoiceCreated)
		}
		rested := func() { // besides the rest, the look at other nodes waits for this clock
			t.Helper()
			for begun := time.Now(); machine.Waiting() < 2; time.Sleep(time.Millisecond) {
				if time.Since(begun) > 20*time.Second {
					t.Fatal("it does not rest")
				}
			}
		}
		for range lossesBorne + 1 {
			<-arrived
		}
		rested()
		machine.Advance(restLeast - time.Millisecond)
		if n := len(box.letters()); n != lossesBorne+1 {
			t.Errorf("%d attempts before it has rested", n)
		}
		s.mu.Lock()
		s.traffic.waste.at = machine.Now().Add(time.Hour) // nothing is borne
		s.mu.Unlock()
		machine.Advance(time.Millisecond)
		<-arrived
		rested()
		box.set(func(w http.ResponseWriter, _ *http.Request) {
			arrived <- struct{}{}
			w.WriteHeader(http.StatusNoContent)
		})
		machine.Advance(restLeast)
		for range events - lossesBorne - 2 {
			<-arrived
		}
		w.settle(t, 0)
		if n := len(box.letters()); n != events {
			t.Errorf("%d attempts in all", n)
		}
		if n := w.count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`); n != events-lossesBorne-2 {
			t.Errorf("%d delivered", n)
		}
	})
}

// Whoever turns the clock has everything due sent, and waits for no rest.
func TestNobodyRestsWhileTheClockIsTurned(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		box.set(hangUp)
		w.hook(t, box.URL, event.InvoiceCreated)
		s := w.newSender()
		s.Machine = clock.NewHand(time.Now())
		must(t, s.Start(ctx))
		t.Cleanup(func() { w.stop(s) })
		w.sender, w.hooks.Sender = s, s
		s.mu.Lock()
		s.traffic.waste = waste{at: s.Machine.Now()}
		s.mu.Unlock()
		const events = lossesBorne + 8
		for range events {
			w.happen(t, w.shop, event.InvoiceCreated)
		}
		w.settle(t, 0)
		w.settle(t, time.Minute)
		if n := len(box.letters()); n != 2*events {
			t.Errorf("%d attempts", n)
		}
	})
}

// What counts as a connection thrown away: a failure is one unless it came over a connection that stays, a success only when it
// had to be broken off.
func TestWhatCountsAsALostConnection(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.start(t)
		long := make([]byte, 1<<20)
		for name, c := range map[string]struct {
			answer func(http.ResponseWriter, *http.Request)
			losses int
		}{
			"delivered":             {nil, 0},
			"failed, and stays":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, 0},
			"delivered, and closes": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") }, 0},
			"failed, and closes": {func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Connection", "close")
				w.WriteHeader(500)
			}, 1},
			"hangs up":                     {hangUp, 1},
			"delivered, with a long story": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(long) }, 1},
			"failed, with a long story":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); _, _ = w.Write(long) }, 1},
			"delivered, with a page":       {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(long[:16<<10]) }, 0},
		} {
			box := newInbox(t)
			box.set(c.answer)
			made := w.hook(t, box.URL, event.InvoiceCreated)
			w.happen(t, w.shop, event.InvoiceCreated)
			for len(box.letters()) == 0 {
				time.Sleep(time.Millisecond)
			}
			for {
				s.mu.Lock()
				l := s.traffic.lane(made.ID, w.app.ID)
				flying, losses := l.flying+len(l.waiting), l.losses
				s.mu.Unlock()
				if flying == 0 {
					if losses != c.losses {
						t.Errorf("%s: counted %d", name, losses)
					}
					break
				}
				time.Sleep(time.Millisecond)
			}
			must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, made.ID, 0))
		}
	})
}
