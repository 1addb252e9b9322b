package limit

import "daybook/internal/base/clock"

// What the tests outside need to know of the inside.
const (
	Patience   = patience
	Pause      = pause
	Tolerated  = tolerated
	LongestKey = longest
	KeyPrefix  = prefix
	KeySpare   = spare
)

// SmallLocal is a Local of another size.
func SmallLocal(c clock.Clock, windows, locks int) *Local { return newLocal(c, windows, locks) }

// Entries is how many windows and locks are in memory.
func (l *Local) Entries() (windows, locks int) { return l.windows.entries(), l.locks.entries() }

// RunScript does what script.lua does with one key.
func RunScript(verb string, began, count, now, most, per, lock int64) (int64, int64) {
	w := law{most, per, lock}
	s := w.settle(span{began, count}, now)
	if verb == verbCount {
		s = w.count(s, now)
	}
	if s.count == 0 {
		s.began = now
	}
	return s.began, s.count
}
