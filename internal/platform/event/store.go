package event

import (
	"context"
	"strings"

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
	return db.One(ctx, tx, func(scan db.Scan) (t numbers, err error) { err = scan(&t.last, &t.revision); return t, err }, `
		INSERT INTO event_counters (business_id, last) VALUES ($1, $2)
		ON CONFLICT (business_id) DO UPDATE SET last = event_counters.last + excluded.last
		RETURNING last, (SELECT a.revision + w.revision FROM access_revision a, webhook_revision w)`, businessID, n)
}

func insert(ctx context.Context, tx *db.Tx, events []Event) error {
	var sql strings.Builder
	sql.WriteString(`INSERT INTO events (id, business_id, number, type, app_id, data, created_at) VALUES `)
	args := make([]any, 0, 7*len(events))
	for i, e := range events {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + db.In(len(args)+1, 7) + ")")
		args = append(args, e.ID, e.BusinessID, e.Number, e.Type, e.AppID, string(e.Data), e.CreatedAt)
	}
	_, err := tx.Exec(ctx, sql.String(), args...)
	return err
}
