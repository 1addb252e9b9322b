package event

import (
	"context"
	"fmt"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// Subscribers writes the deliveries of new events of one business, in their transaction.
type Subscribers interface {
	// Deliver is told the revision that the transaction sees: who hears of a business may be remembered under it.
	Deliver(ctx context.Context, tx *db.Tx, revision int64, events []Event) error
}

// Log appends events.
type Log struct {
	IDs *id.Source
	// Subscribers, if not nil, hears of every event in its transaction.
	Subscribers Subscribers

	bell bell
}

// Append writes what happened to a business, in that order, in the transaction of the change itself. Whoever appends holds
// the business's counter until the transaction ends, so it should be the last thing a transaction does.
func (l *Log) Append(ctx context.Context, tx *db.Tx, businessID string, by Actor, happened ...Happening) error {
	if len(happened) == 0 {
		return nil
	}
	taken, err := takeNumbers(ctx, tx, businessID, len(happened))
	if err != nil {
		return err
	}
	var userID *string
	if by.UserID != "" {
		userID = &by.UserID
	}
	events := make([]Event, len(happened))
	for i, h := range happened {
		data, err := encode(h, by)
		if err != nil {
			return err
		}
		events[i] = Event{
			ID: l.IDs.New(id.Event), BusinessID: businessID, Number: taken.last - int64(len(happened)-1-i), Type: h.Type, UserID: userID, Data: data, CreatedAt: tx.Now(),
		}
		if h.AppID != "" {
			events[i].AppID = &happened[i].AppID
		}
	}
	if err := insert(ctx, tx, events); err != nil {
		return err
	}
	tx.AfterCommit(func() {
		l.announce(businessID, events)
		note(ctx, events)
	})
	if l.Subscribers == nil {
		return nil
	}
	return l.Subscribers.Deliver(ctx, tx, taken.revision, events)
}

// announce wakes those who wait for such events.
func (l *Log) announce(businessID string, events []Event) {
	var types Types
	for _, e := range events {
		types |= places[e.Type]
	}
	l.bell.ring(businessID, events[0].Number, events[len(events)-1].Number, types)
}

// encode writes the event's data with its actor. What does not fit the catalog is a programming error.
func encode(h Happening, by Actor) ([]byte, error) {
	entry, ok := Find(h.Type)
	if !ok || (entry.Audience == ForApp) != (h.AppID != "") {
		return nil, fmt.Errorf("event %q does not fit the catalog", h.Type)
	}
	if entry.Audience == ForBusiness {
		var appID *string
		if by.AppID != "" {
			appID = &by.AppID
		}
		h.Data["actor"] = map[string]any{"type": by.Type, "appId": appID}
	}
	return write(h.Data)
}
