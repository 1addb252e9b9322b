package limit

import (
	"context"
	"time"

	"daybook/internal/base/clock"
)

// How many keys a Local holds at most. Full to the brim with the longest keys that is about 75 MiB; an ordinary
// key takes some 150 bytes. Windows and locks are apart, so that a flood of requests never pushes out a lock.
const (
	maxWindows = 1 << 18
	maxLocks   = 1 << 16
)

// Local counts in the memory of this process. It needs no closing.
type Local struct {
	clock          clock.Clock
	windows, locks *table
}

// NewLocal returns a limiter that has counted nothing yet.
func NewLocal(c clock.Clock) *Local { return newLocal(c, maxWindows, maxLocks) }

func newLocal(c clock.Clock, windows, locks int) *Local {
	return &Local{clock: c, windows: newTable(windows), locks: newTable(locks)}
}

// Take implements Limiter.
func (l *Local) Take(_ context.Context, hits ...Hit) []Window {
	now := clock.Millis(l.clock.Now())
	windows := make([]Window, len(hits))
	for i := range hits {
		h := &hits[i]
		windows[i] = h.Rule.window(l.windows.count(h.Rule.Name, h.Key, h.Rule.law(), now), now)
	}
	return windows
}

// Locked implements Limiter.
func (l *Local) Locked(_ context.Context, marks ...Mark) time.Duration {
	now := clock.Millis(l.clock.Now())
	var longest time.Duration
	for i := range marks {
		longest = max(longest, l.locked(&marks[i], now))
	}
	return longest
}

func (l *Local) locked(m *Mark, now int64) time.Duration {
	w := m.Lockout.law()
	return w.lockRest(l.locks.look(m.Lockout.Name, m.Key, w, now), now)
}

// Fail implements Limiter.
func (l *Local) Fail(_ context.Context, marks ...Mark) {
	now := clock.Millis(l.clock.Now())
	for i := range marks {
		m := &marks[i]
		l.locks.count(m.Lockout.Name, m.Key, m.Lockout.law(), now)
	}
}
