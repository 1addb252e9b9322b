package event

import (
	"context"
	"slices"
	"sync"
)

// Noted is what was appended under a context, as far as it was committed.
type Noted struct {
	mu     sync.Mutex
	events []Event
}

type notedKey struct{}

// Note gives a context under which every event that is appended is noted, for a caller who has verbs of several features run and
// wants to name the events they led to.
func Note(ctx context.Context) (context.Context, *Noted) {
	n := &Noted{}
	return context.WithValue(ctx, notedKey{}, n), n
}

func note(ctx context.Context, events []Event) {
	n, ok := ctx.Value(notedKey{}).(*Noted)
	if !ok {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.events = append(n.events, events...)
}

// Events are those that were noted so far, in the order in which they were committed.
func (n *Noted) Events() []Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.events)
}
