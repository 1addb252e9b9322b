package event

import (
	"context"

	"daybook/internal/base/db"
)

// numbers are those that were taken for new events.
type numbers struct {
	last     int64
	revision int64 // of everything that decides who hears of it, see 0007_events.sql
}

// takeNumbers raises the business's counter by n. The revision comes with it, which saves whoever delivers a statement of
// its own.
func takeNumbers(ctx context.Context, tx *db.Tx, businessID string, n int) (numbers, error) {
	scan := func(scan db.Scan) (t numbers, err error) { err = scan(&t.last, &t.revision); return t, err }
	if tx.Dialect() == db.Postgres {
		return db.One(ctx, tx, scan, `
			INSERT INTO event_counters (business_id, last) VALUES ($1, $2)
			ON CONFLICT (business_id) DO UPDATE SET last = event_counters.last + excluded.last
			RETURNING last, (SELECT a.revision + w.revision FROM access_revision a, webhook_revision w)`, businessID, n)
	}
	// SQLite makes a table of its own for what a statement returns, which costs more than a second statement; nobody else writes meanwhile.
	// Mostly neither is read: whoever appended last has kept what the counter stands at.
	t := numbers{}
	last, known := tx.Kept(counterOf(businessID))
	revision, current := tx.Kept(revisions{})
	if !known || !current {
		var err error
		if t, err = db.One(ctx, tx, scan, `SELECT coalesce((SELECT c.last FROM event_counters c WHERE c.business_id = $1), 0), a.revision + w.revision
			FROM access_revision a, webhook_revision w`+db.Aside, businessID); err != nil {
			return t, err
		}
		tx.Keep(revisions{}, t.revision, "access_revision", "webhook_revision")
	} else {
		t.revision = revision.(int64)
	}
	if known {
		t.last = last.(int64) // it may have been put off
	}
	t.last += int64(n)
	if err := intoCounters.Later(ctx, tx, []any{businessID, t.last}); err != nil {
		return t, err
	}
	tx.Keep(counterOf(businessID), t.last, "event_counters")
	return t, nil
}

var intoCounters = db.NewUpsert("event_counters", "business_id", "last")

// What is kept of the counters: see db.Tx.Keep.
type (
	counterOf string
	revisions struct{}
)

var intoEvents = db.NewInsert("events", columns, "")

func insert(ctx context.Context, tx *db.Tx, events []Event) error {
	rows := intoEvents.Rows(len(events))
	for _, e := range events {
		rows = append(rows, e.ID, e.BusinessID, e.Number, e.Type, e.AppID, e.UserID, string(e.Data), e.CreatedAt)
	}
	return intoEvents.Later(ctx, tx, rows)
}
