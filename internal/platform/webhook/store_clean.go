package webhook

import (
	"context"

	"daybook/internal/base/db"
)

// deleteOld deletes up to limit deliveries whose ids are before that one, with their attempts.
func deleteOld(ctx context.Context, tx *db.Tx, before string, limit int) (int64, error) {
	last, err := db.One(ctx, tx, db.Value[*string], `
		SELECT max(o.id) FROM (SELECT d.id FROM deliveries d WHERE d.id < $1 ORDER BY d.id LIMIT $2) o`, before, limit)
	if err != nil || last == nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM delivery_attempts WHERE delivery_id <= $1`, *last); err != nil {
		return 0, err
	}
	return tx.Exec(ctx, `DELETE FROM deliveries WHERE id <= $1`, *last)
}
