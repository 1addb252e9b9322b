package clock

import (
	"errors"
	"sync"
	"time"
)

// ErrBackwards is returned by Movable.Set for an instant that has passed: rows already carry later instants,
// and nothing expects time to run twice.
var ErrBackwards = errors.New("the clock moves forward only")

// Movable is a running clock that can be moved forward. Development mode uses it, so that expiry, retries
// and overdue runs can be watched in a second.
type Movable struct {
	mu     sync.Mutex
	ahead  time.Duration // of the machine's clock; negative when started in the past
	alarms map[*movableAlarm]struct{}
}

type movableAlarm struct {
	at    time.Time
	rung  chan struct{}
	timer *time.Timer
}

// NewMovable returns a running clock that shows start now.
func NewMovable(start time.Time) *Movable {
	return &Movable{ahead: time.Until(start), alarms: map[*movableAlarm]struct{}{}}
}

// Now implements Clock.
func (m *Movable) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now()
}

func (m *Movable) now() time.Time { return Trim(time.Now().Add(m.ahead)) }

// Alarm implements Clock.
func (m *Movable) Alarm(t time.Time) *Alarm {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &movableAlarm{at: t, rung: make(chan struct{})}
	m.alarms[a] = struct{}{}
	a.timer = time.AfterFunc(m.wait(t), func() { m.ring(a) })
	return &Alarm{C: a.rung, stop: func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		a.timer.Stop()
		delete(m.alarms, a)
	}}
}

func (m *Movable) wait(t time.Time) time.Duration { return time.Until(t.Add(-m.ahead)) }

func (m *Movable) ring(a *movableAlarm) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, waiting := m.alarms[a]; waiting {
		close(a.rung)
		delete(m.alarms, a)
	}
}

// End is the last instant a Movable goes to: beyond it, durations from today no longer fit their type.
var End = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// ErrBeyondEnd is returned for an instant after End.
var ErrBeyondEnd = errors.New("the clock ends in the year 2200")

// Advance moves the clock forward by d and rings what became due. A negative d is ErrBackwards.
func (m *Movable) Advance(d time.Duration) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d < 0 {
		return m.now(), ErrBackwards
	}
	if d > End.Sub(m.now()) {
		return m.now(), ErrBeyondEnd
	}
	return m.move(d), nil
}

// Set moves the clock forward to t and rings what became due. A past t is ErrBackwards.
func (m *Movable) Set(t time.Time) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.After(End) {
		return m.now(), ErrBeyondEnd
	}
	d := m.wait(t)
	if d < -Resolution {
		return m.now(), ErrBackwards
	}
	return m.move(max(d, 0)), nil
}

func (m *Movable) move(d time.Duration) time.Time {
	m.ahead += d
	for a := range m.alarms {
		a.timer.Reset(max(m.wait(a.at), 0))
	}
	return m.now()
}
