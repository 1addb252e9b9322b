// Package clock is the only place that asks the machine for the time.
//
// Everything that needs an instant is given a Clock: System in production, Hand in tests (it stands still
// until turned), Movable in development mode (it runs, and can be moved forward).
//
// Instants are UTC and cut to whole milliseconds, so that an instant read back from a store equals the one
// written.
package clock

import "time"

// Resolution is the finest step a Clock makes and a store keeps.
const Resolution = time.Millisecond

// Clock tells the time and wakes those who wait for an instant.
type Clock interface {
	// Now is the present instant, UTC, in whole milliseconds.
	Now() time.Time
	// Alarm rings once, when the clock reaches t (at once if it already has).
	Alarm(t time.Time) *Alarm
}

// Alarm is one wait for an instant. C is closed when it rings; Stop gives the wait up.
type Alarm struct {
	C    <-chan struct{}
	stop func()
}

// Stop releases the alarm. It may be called more than once and after the alarm rang.
func (a *Alarm) Stop() { a.stop() }

// Trim brings any instant to the form a Clock gives: UTC, whole milliseconds.
func Trim(t time.Time) time.Time { return t.UTC().Truncate(Resolution) }

// Millis is how stores keep an instant: milliseconds since 1970 UTC.
func Millis(t time.Time) int64 { return t.UnixMilli() }

// FromMillis is the instant that Millis wrote.
func FromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// System is the machine's clock.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return Trim(time.Now()) }

// Alarm implements Clock.
func (System) Alarm(t time.Time) *Alarm {
	rung := make(chan struct{})
	timer := time.AfterFunc(time.Until(t), func() { close(rung) })
	return &Alarm{C: rung, stop: func() { timer.Stop() }}
}

// Stopwatch measures how long something takes on this machine, for logs and metrics; never for a rule of the product.
func Stopwatch() func() time.Duration {
	begun := time.Now()
	return func() time.Duration { return time.Since(begun) }
}
