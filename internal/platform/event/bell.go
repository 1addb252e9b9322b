package event

import "sync"

// How many calls may wait at once on one node. One more is answered at once, as if it had not asked to wait: an app that
// keeps that many open has no use for another.
const (
	maxWaiting           = 1000 // of one app
	maxWaitingInBusiness = 10   // of one app in one business
)

// bell wakes those who wait for events of a business.
type bell struct {
	mu      sync.Mutex
	rooms   map[string]map[*guest]bool // by business
	waiting map[string]int             // by app, and by app and business
	shut    bool
}

// guest is somebody who waits.
type guest struct {
	wanted   Types
	business string
	app      string
	// seen is the number up to which there is nothing for the guest; the bell's lock guards it.
	seen int64
	// rung holds one ring, so that one between a look and the wait is not missed. It is closed when waiting is over for all.
	rung chan struct{}
}

// enter lets somebody wait; nil if there is no room.
func (b *bell) enter(business, app string, wanted Types) *guest {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shut || b.waiting[app] >= maxWaiting || b.waiting[app+" "+business] >= maxWaitingInBusiness {
		return nil
	}
	if b.rooms == nil {
		b.rooms, b.waiting = map[string]map[*guest]bool{}, map[string]int{}
	}
	if b.rooms[business] == nil {
		b.rooms[business] = map[*guest]bool{}
	}
	g := &guest{wanted: wanted, business: business, app: app, rung: make(chan struct{}, 1)}
	b.rooms[business][g] = true
	b.waiting[app]++
	b.waiting[app+" "+business]++
	return g
}

func (b *bell) leave(g *guest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.rooms[g.business], g); len(b.rooms[g.business]) == 0 {
		delete(b.rooms, g.business)
	}
	for _, key := range []string{g.app, g.app + " " + g.business} {
		if b.waiting[key]--; b.waiting[key] == 0 {
			delete(b.waiting, key)
		}
	}
}

// saw notes how far a guest has looked.
func (b *bell) saw(g *guest, last int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g.seen = max(g.seen, last)
}

// ring tells of new events of a business, numbered from first to last. Who wants none of them sleeps on.
func (b *bell) ring(business string, first, last int64, types Types) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for g := range b.rooms[business] {
		switch {
		case g.wanted&types != 0:
			g.wake()
		case g.seen == first-1:
			g.seen = last
		}
	}
}

// counted tells how many events businesses have. It wakes those who have not looked that far: the events may have been
// appended by another process.
func (b *bell) counted(last map[string]int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for business, n := range last {
		for g := range b.rooms[business] {
			if g.seen < n {
				g.wake()
			}
		}
	}
}

// businesses are those that somebody waits for.
func (b *bell) businesses() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []any
	for business := range b.rooms {
		list = append(list, business)
	}
	return list
}

// close ends every wait, and lets nobody wait any more.
func (b *bell) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shut {
		return
	}
	b.shut = true
	for _, room := range b.rooms {
		for g := range room {
			close(g.rung)
		}
	}
	b.rooms = nil // nobody is woken again
}

func (g *guest) wake() {
	select {
	case g.rung <- struct{}{}:
	default: // it is awake already
	}
}
