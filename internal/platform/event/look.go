package event

import (
	"context"

	"daybook/internal/base/db"
)

// chunk is how many numbers one statement looks at, so that none takes long.
const chunk = 10_000

// place is where a reader begins: after an event, or with the event itself; nil for the oldest there is.
type place struct {
	event  *string
	itself bool
	// Once it was looked for:
	found bool
	lost  bool // no such event in this business, or too old
	after int64
}

// look gives up to so many of the events at a place that a reader may see, and the number of the newest event there was.
//
// What a reader may see is asked first, together with that number (standing): whatever happened later, when a scope may be
// gone again, is not looked at.
func (f *Feed) look(ctx context.Context, who Reader, wanted Types, at *place, most int) (events []Event, last int64, err error) {
	var s standing
	err = f.DB.Read(ctx, func(tx *db.Tx) error {
		s, err = findStanding(ctx, tx, who, at, tx.Now().Add(-Life))
		return err
	})
	if err != nil || !at.reach(s) {
		return nil, s.last, err
	}
	if at.itself { // and nothing that came after it
		s.last = at.after + 1
	}
	visible := wanted & s.visible()
	if visible == 0 {
		return nil, s.last, nil
	}
	from := stretch{who.BusinessID, who.AppID, visible, max(at.after, s.first-1)}
	if events, err = f.scan(ctx, who, visible, f.quiet.skip(from), s.last, most); err != nil {
		return nil, 0, err
	}
	if len(events) < most {
		if len(events) > 0 {
			from.from = events[len(events)-1].Number
		}
		f.quiet.note(from, s.last)
	}
	return events, s.last, nil
}

// reach takes the place from what was found of it; false if it is lost. What was found once stays so: it may grow too old
// while a reader waits.
func (p *place) reach(s standing) bool {
	if p.event != nil && !p.found {
		if s.place == nil {
			p.lost = true
			return false
		}
		p.found, p.after = true, *s.place
		if p.itself {
			p.after--
		}
	}
	return true
}

// scan reads events numbered above from and up to last, a chunk at a time.
func (f *Feed) scan(ctx context.Context, who Reader, types Types, from, last int64, most int) (events []Event, err error) {
	for from < last && len(events) < most {
		to := min(from+chunk, last)
		var more []Event
		err = f.DB.Read(ctx, func(tx *db.Tx) error {
			more, err = findEvents(ctx, tx, who, types, from, to, tx.Now().Add(-Life), most-len(events))
			return err
		})
		if err != nil {
			return nil, err
		}
		events = append(events, more...)
		from = to
	}
	return events, nil
}

// visible are the events that app and installation let through: each needs its scope in what the app registered and in
// what the business granted. The token's own scopes are asked elsewhere: they never change.
func (s standing) visible() Types {
	if !s.live {
		return 0
	}
	return heard(s.registered) & heard(s.granted)
}
