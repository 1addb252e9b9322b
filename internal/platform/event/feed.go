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
// holding anything of the store. Whether the reader may still read is asked again before the answer of one who was ready to
// wait, by a function of the caller: whatever it is told happened while it might read.
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
	case q.Wait == 0:
		return page(q, events), nil
	}
	var waited time.Duration
	if len(events) == 0 && self != nil {
		slept := clock.Stopwatch()
		events, err = f.sleep(ctx, self, last, q.Wait, func() ([]Event, int64, error) { return f.look(ctx, who, wanted, at, q.Limit+1) })
		if waited = slept(); err != nil {
			return Page{Waited: waited}, err
		}
	}
	p := page(q, events)
	p.Waited = waited
	return p, again(ctx)
}

// sleep waits for events, looks whenever the bell rings, and ends with whatever there is when the time is over, or when the
// node is about to stop.
func (f *Feed) sleep(ctx context.Context, self *guest, last int64, wait time.Duration, look func() ([]Event, int64, error)) (events []Event, err error) {
	end := f.Clock.Alarm(f.Clock.Now().Add(wait))
	defer end.Stop()
	for len(events) == 0 {
		f.Log.bell.saw(self, last)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-end.C:
			return nil, nil
		case _, open := <-self.rung:
			if !open {
				return nil, nil
			}
			if events, last, err = look(); err != nil {
				return nil, err
			}
		}
	}
	return events, nil
}

// page is what is told of the events that were found: at most as many as were asked for.
func page(q Query, events []Event) Page {
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
