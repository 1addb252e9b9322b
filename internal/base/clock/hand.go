package clock

import (
	"sync"
	"time"
)

// Hand is a clock that stands still until somebody turns it. Tests use it, so that no test sleeps.
type Hand struct {
	mu     sync.Mutex
	now    time.Time
	alarms map[*handAlarm]struct{}
}

type handAlarm struct {
	at   time.Time
	rung chan struct{}
}

// NewHand returns a clock that shows start.
func NewHand(start time.Time) *Hand {
	return &Hand{now: Trim(start), alarms: map[*handAlarm]struct{}{}}
}

// Now implements Clock.
func (h *Hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// Alarm implements Clock.
func (h *Hand) Alarm(t time.Time) *Alarm {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := &handAlarm{at: t, rung: make(chan struct{})}
	if h.now.Before(t) {
		h.alarms[a] = struct{}{}
	} else {
		close(a.rung)
	}
	return &Alarm{C: a.rung, stop: func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.alarms, a)
	}}
}

// Advance turns the clock forward (or back, for a negative d, as a machine's clock may step) and rings
// every alarm that became due.
func (h *Hand) Advance(d time.Duration) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.set(h.now.Add(d))
}

// Set puts the clock to t and rings every alarm that became due.
func (h *Hand) Set(t time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.set(t)
}

func (h *Hand) set(t time.Time) time.Time {
	h.now = Trim(t)
	for a := range h.alarms {
		if !h.now.Before(a.at) {
			close(a.rung)
			delete(h.alarms, a)
		}
	}
	return h.now
}

// Waiting is how many alarms have not rung yet; tests use it to know that a loop has gone to sleep.
func (h *Hand) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.alarms)
}
