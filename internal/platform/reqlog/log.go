package reqlog

import (
	"sync"
	"sync/atomic"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
)

// Log takes entries and shows them. One per node; its zero value with a DB and a Clock is ready.
type Log struct {
	DB    *db.DB
	Clock clock.Clock // says what is old enough to go

	mu      sync.Mutex
	waiting []Entry
	ended   int     // how many of them no limit has counted
	spare   []Entry // empty: the place for what comes during a flush

	lost     atomic.Int64
	flushing sync.Mutex
}

const (
	// room is how many entries wait for a flush at most: a little more than a MiB.
	room = 8192
	// endedRoom is how many of them may be calls that no limit has counted, so that whoever holds a dead token cannot fill the log.
	endedRoom = 16
)

// Note keeps a call, or leaves it out when there is no room. It takes a fraction of a microsecond, does no I/O and never fails.
func (l *Log) Note(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) >= room || e.Ended && l.ended >= endedRoom {
		l.lost.Add(1)
		return
	}
	if l.waiting == nil {
		l.waiting = make([]Entry, 0, room)
	}
	if e.Ended {
		l.ended++
	}
	l.waiting = append(l.waiting, e)
}

// Lost is how many calls were left out since the node started.
func (l *Log) Lost() int64 { return l.lost.Load() }

// take empties the buffer. What it gives is to be handed to rest when it is done with.
func (l *Log) take() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.waiting
	l.waiting, l.spare, l.ended = l.spare, nil, 0
	return taken
}

// giveBack returns what could not be written, as far as there is room.
func (l *Log) giveBack(taken []Entry) {
	for _, e := range taken {
		l.Note(e)
	}
}

// rest keeps the memory of a buffer for the next one, without what was in it.
func (l *Log) rest(taken []Entry) {
	clear(taken)
	l.mu.Lock()
	l.spare = taken[:0]
	l.mu.Unlock()
}
