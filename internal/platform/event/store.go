package event

import (
	"context"
	"strings"

	"daybook/internal/base/db"
)

// takeNumbers raises the business's counter by n and returns where it stands then.
func takeNumbers(ctx context.Context, tx *db.Tx, businessID string, n int) (int64, error) {
	return db.One(ctx, tx, db.Value[int64], `INSERT INTO event_counters (business_id, last) VALUES ($1, $2)
		ON CONFLICT (business_id) DO UPDATE SET last = event_counters.last + excluded.last RETURNING last`, businessID, n)
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
