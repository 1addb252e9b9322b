package event

import (
	"context"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// Life is how long an event can be read.
const Life = 30 * 24 * time.Hour

// Feed is the log as apps read it.
type Feed struct {
	DB    *db.DB
	Log   *Log
	Clock clock.Clock

	quiet quiet
}

// Reader is an app that reads, with a token of one business.
type Reader struct {
	AppID          string
	BusinessID     string
	InstallationID string
	Scopes         scope.Set // of the token
}

// Page is some events, the oldest first.
type Page struct {
	Events []Event
	More   bool
	// Next is where to go on: the last of the events, or where the reader was before.
	Next *string
	// Waited is how long the reader slept.
	Waited time.Duration
}

// Read gives the next events that a reader may see. If there are none it waits for as long as the reader wants to, without
// holding anything of the store. Whether the reader may still read is asked again after a wait, by a function of the caller.
func (f *Feed) Read(ctx context.Context, who Reader, q Query, again func(context.Context) error) (Page, error) {
	wanted := q.Types & heard(who.Scopes)
	var self *guest
	if q.Wait > 0 {
		if self = f.Log.bell.enter(who.BusinessID, who.AppID, wanted); self != nil {
			defer f.Log.bell.leave(self)
		}
	}
	at := &place{event: q.After}
	events, last, err := f.look(ctx, who, wanted, at, q.Limit+1)
	switch {
	case err != nil:
		return Page{}, err
	case at.lost:
		return Page{}, ErrCursor
	case len(events) > 0 || self == nil:
		return f.page(q, events), nil
	}
	return f.sleep(ctx, self, last, q, again, func() ([]Event, int64, error) { return f.look(ctx, who, wanted, at, q.Limit+1) })
}

// sleep waits for events, looks whenever the bell rings, and ends with whatever there is when the time is over, or when the
// node is about to stop.
func (f *Feed) sleep(ctx context.Context, self *guest, last int64, q Query, again func(context.Context) error, look func() ([]Event, int64, error)) (Page, error) {
	slept := clock.Stopwatch()
	end := f.Clock.Alarm(f.Clock.Now().Add(q.Wait))
	defer end.Stop()
	var events []Event
	for awake := true; awake && len(events) == 0; {
		f.Log.bell.saw(self, last)
		select {
		case <-ctx.Done():
			return Page{}, ctx.Err()
		case <-end.C:
			awake = false
		case _, open := <-self.rung:
			if awake = open; awake {
				var err error
				if events, last, err = look(); err != nil {
					return Page{}, err
				}
			}
		}
	}
	p := f.page(q, events)
	p.Waited = slept()
	return p, again(ctx)
}

func (f *Feed) page(q Query, events []Event) Page {
	p := Page{Events: events, Next: q.After}
	if len(events) > q.Limit {
		p.Events, p.More = events[:q.Limit], true
	}
	if n := len(p.Events); n > 0 {
		p.Next = &p.Events[n-1].ID
	}
	return p
}

// Get gives one event that a reader may see.
func (f *Feed) Get(ctx context.Context, who Reader, eventID string) (Event, error) {
	at := &place{event: &eventID, itself: true}
	events, _, err := f.look(ctx, who, heard(who.Scopes), at, 1)
	switch {
	case err != nil:
		return Event{}, err
	case len(events) == 0:
		return Event{}, ErrNotFound
	}
	return events[0], nil
}
