package limit

import (
	"sync/atomic"
	"time"
)

const (
	// patience is how long a call waits for Redis.
	patience = 50 * time.Millisecond
	// tolerated failures, this many less than within apart, open the breaker.
	tolerated = 5
	within    = time.Second
	// pause is the time between two probes while the breaker is open.
	pause = time.Second
)

// breaker decides when to stop asking. Open means: do not ask. It may be read by anyone; failure and reset are
// called one at a time.
type breaker struct {
	open   atomic.Bool
	recent [tolerated]int64 // when the latest failures were, ms, as a ring
	next   int              // where the oldest of them stands
}

// failure notes one and reports whether it opened the breaker.
func (b *breaker) failure(now int64) (opened bool) {
	b.recent[b.next] = now
	b.next = (b.next + 1) % tolerated
	past := now - b.recent[b.next]
	if past < 0 || past >= within.Milliseconds() { // below 0: the clock stepped back
		return false
	}
	return b.open.CompareAndSwap(false, true)
}

// reset closes the breaker and forgets the failures.
func (b *breaker) reset() {
	b.recent = [tolerated]int64{}
	b.open.Store(false)
}
