package sandbox

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

func deleteSome(ctx context.Context, tx *db.Tx, businessID string, t table, most int64) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM `+t.name+` WHERE (`+t.key+`) IN (SELECT `+t.key+` FROM `+t.name+` WHERE `+t.which+` LIMIT $2)`, businessID, most)
}

// listHooks are the webhooks that may have been told of a business: those of apps that were ever installed in it.
func listHooks(ctx context.Context, tx *db.Tx, businessID string) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT w.id FROM webhooks w WHERE w.app_id IN (SELECT app_id FROM installations WHERE business_id = $1) ORDER BY w.id`,
		businessID)
}

// delivered is a delivery as far as it decides whether it goes.
type delivered struct {
	id, businessID, kind string
	createdAt            time.Time
}

// listDelivered reads a stretch of a webhook's deliveries. They are not kept by business, so it looks at all of them.
func listDelivered(ctx context.Context, tx *db.Tx, webhookID, after string, most int) ([]delivered, error) {
	return db.All(ctx, tx, func(scan db.Scan) (d delivered, err error) {
		err = scan(&d.id, &d.businessID, &d.kind, &d.createdAt)
		return d, err
	}, `SELECT id, business_id, type, created_at FROM deliveries WHERE webhook_id = $1 AND id > $2 ORDER BY id LIMIT $3`, webhookID, after, most)
}

// deleteDelivered tells which there were.
func deleteDelivered(ctx context.Context, tx *db.Tx, ids []any) ([]string, error) {
	if _, err := tx.Exec(ctx, `DELETE FROM delivery_attempts WHERE delivery_id IN (`+db.In(1, len(ids))+`)`, ids...); err != nil {
		return nil, err
	}
	return db.All(ctx, tx, db.Value[string], `DELETE FROM deliveries WHERE id IN (`+db.In(1, len(ids))+`) RETURNING id`, ids...)
}
