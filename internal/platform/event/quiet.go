package event

import "sync"

// quiet remembers long stretches of the log in which there was nothing for a reader, so that one who asks for something rare
// again and again does not read the whole month again and again. It cannot be out of date: what is in the log never
// changes, and nothing is ever added before its end.
type quiet struct {
	mu   sync.Mutex
	upTo map[stretch]int64
}

// stretch is for whom, and from where on, there was nothing.
type stretch struct {
	business, app string
	types         Types // that the reader could see
	from          int64
}

const (
	longStretch   = 500  // events; a shorter one is quickly read again
	maxRemembered = 4096 // stretches; a full memory starts anew, which is simple and rare
)

// skip is the number to read on from.
func (q *quiet) skip(s stretch) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(s.from, q.upTo[s])
}

// note remembers that there is nothing up to a number.
func (q *quiet) note(s stretch, last int64) {
	if last-s.from < longStretch {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.upTo == nil || len(q.upTo) >= maxRemembered {
		q.upTo = map[stretch]int64{}
	}
	q.upTo[s] = max(last, q.upTo[s])
}
