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
	waiting [][]Entry // in pieces; all but the last are full
	count   int       // of what waits
	ended   int       // how many of them no limit has counted
	spare   [][]Entry // empty pieces

	lost     atomic.Int64
	flushing sync.Mutex
}

const (
	// room is how many entries wait for a flush at most, 12 MiB with their ids: what 60,000 calls a second leave in a second, which
	// is four times the usual span between two flushes.
	room = 64 * piece
	// piece is how many entries get their memory at once, so that nobody waits for more of it.
	piece = 1024
	// spares are the pieces that are kept for later, 2.5 MiB; what a rush took besides is let go.
	spares = 16
	// endedRoom is how many of them may be calls that no limit has counted, so that whoever holds a dead token cannot fill the log.
	endedRoom = 16
)

// Note keeps a call, or leaves it out when there is no room. It takes a fraction of a microsecond, does no I/O and never fails.
func (l *Log) Note(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count >= room || e.Ended && l.ended >= endedRoom {
		l.lost.Add(1)
		return
	}
	if l.count++; e.Ended {
		l.ended++
	}
	last := len(l.waiting) - 1
	if last < 0 || len(l.waiting[last]) == piece {
		l.waiting = append(l.waiting, l.newPiece())
		last++
	}
	l.waiting[last] = append(l.waiting[last], e)
}

func (l *Log) newPiece() []Entry {
	n := len(l.spare)
	if n == 0 {
		return make([]Entry, 0, piece)
	}
	p := l.spare[n-1]
	l.spare = l.spare[:n-1]
	return p
}

// Lost is how many calls were left out since the node started.
func (l *Log) Lost() int64 { return l.lost.Load() }

// take empties the buffer. What it gives is to be handed to rest when it is done with.
func (l *Log) take() [][]Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.waiting
	l.waiting, l.count, l.ended = nil, 0, 0
	return taken
}

// giveBack returns what could not be written, as far as there is room.
func (l *Log) giveBack(blocks []block) {
	for _, b := range blocks {
		for _, c := range b.holds {
			l.Note(*c.of)
		}
	}
}

// rest keeps the memory of a buffer for the next ones, without what was in it.
func (l *Log) rest(taken [][]Entry) {
	for _, p := range taken {
		clear(p)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range taken[:min(len(taken), spares-len(l.spare))] {
		l.spare = append(l.spare, p[:0])
	}
}
