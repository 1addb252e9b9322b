package limit

import "time"

// span is all that is kept of a key: since when, in milliseconds since 1970, and how many. A count of 0 is no
// span at all. Under a lockout a count above the law's max is a lock, and began is when it began.
type span struct{ began, count int64 }

// law is what the arithmetic needs of a Rule or a Lockout. A Rule is a law that never locks.
//
// script.lua is this file once more, for Redis; the suite and the model test hold the two together.
type law struct{ max, per, lock int64 } // per and lock in milliseconds

// endless is a max that is never passed: the greatest count that Lua's numbers keep exactly.
const endless = 1<<53 - 1

func (r Rule) law() law { return law{max: endless, per: r.Per.Milliseconds()} }

func (l Lockout) law() law {
	return law{max: int64(max(l.Max, 0)), per: l.Per.Milliseconds(), lock: l.For.Milliseconds()}
}

func (w law) locked(s span) bool { return s.count > w.max }

// length is how long s lasts.
func (w law) length(s span) int64 {
	if w.locked(s) {
		return w.lock
	}
	return w.per
}

// settle is what is left of s at the instant now.
//
// Clocks step back, and those of two nodes differ. A span that begins in the future by more than its length
// is dropped; one that begins less far ahead begins now instead. So whatever the clock did, a span ends at
// most its length from now, and what is announced as the rest of it is true. Stores keep the settled span, so
// that what has once been seen to end stays ended when the clock steps back.
func (w law) settle(s span, now int64) span {
	length := w.length(s)
	switch {
	case s.count <= 0, now-s.began >= length, s.began-now > length:
		return span{}
	case s.began > now:
		s.began = now
	}
	return s
}

// count is s after one more hit or failure.
func (w law) count(s span, now int64) span {
	s = w.settle(s, now)
	if w.locked(s) {
		return s
	}
	if s.count == 0 {
		s.began = now
	}
	s.count++
	if w.locked(s) {
		s.began = now
	}
	return s
}

// rest is the time until s ends; s is settled at now.
func (w law) rest(s span, now int64) time.Duration {
	return time.Duration(s.began+w.length(s)-now) * time.Millisecond
}

// lockRest is the time until the lock ends, 0 without one; s is settled at now.
func (w law) lockRest(s span, now int64) time.Duration {
	if !w.locked(s) {
		return 0
	}
	return w.rest(s, now)
}

// later is what to believe when another counter shows t where we have s: our own lock while it lasts (a lock is
// never shortened by somebody who lost it), then the span that began later, then the one that counted more.
func (w law) later(s, t span, now int64) span {
	s, t = w.settle(s, now), w.settle(t, now)
	switch {
	case w.locked(s):
		return s
	case w.locked(t), t.began > s.began, t.began == s.began && t.count > s.count:
		return t
	}
	return s
}

// window is the verdict on a hit after which the key stands at s.
func (r Rule) window(s span, now int64) Window {
	left := int64(r.Max) - s.count
	return Window{
		Allowed:   left >= 0,
		Limit:     r.Max,
		Remaining: int(max(left, 0)),
		Reset:     r.law().rest(s, now),
	}
}
