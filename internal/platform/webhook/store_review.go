package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
)

// listAnswered repeats the words of the index that there is for these few.
func listAnswered(ctx context.Context, tx *db.Tx, appID string, since time.Time) ([]event.Type, error) {
	return db.All(ctx, tx, db.Value[event.Type], `SELECT DISTINCT d.type FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id
		WHERE w.app_id = $1 AND w.function_id IS NULL AND w.deleted_at IS NULL AND w.enabled = 1 AND d.type IN ('business.redact', 'customer.redact', 'supplier.redact')
			AND d.event_id IS NOT NULL AND d.status = 'delivered' AND d.delivered_at >= $2 ORDER BY d.type`, appID, since)
}
