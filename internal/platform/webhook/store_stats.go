package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
)

// countDeliveries counts by indexes that are kept anyway: each condition repeats the words of its index. Of what waits, and of what a
// node has in hand, there is little: an id that is joined to nothing keeps SQLite from walking through all deliveries instead.
func countDeliveries(ctx context.Context, tx *db.Tx, appID string, from, to time.Time) (Stats, error) {
	const of = `SELECT count(*) FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id WHERE w.app_id = $1 AND w.function_id IS NULL`
	const then, thenSlowly = ` AND d.id >= $2 AND d.id < $3`, ` AND d.id || '' >= $2 AND d.id || '' < $3`
	return db.One(ctx, tx, func(s db.Scan) (st Stats, err error) {
		var all, waiting, inHand int64
		err = s(&all, &st.Failed, &st.Retrying, &waiting, &inHand)
		st.Delivered = all - st.Failed - waiting - inHand
		return st, err
	}, `SELECT (`+of+then+`),
		(`+of+then+` AND d.status = 'failed'),
		(`+of+then+` AND d.status = 'retrying'),
		(`+of+` AND d.due_at IS NOT NULL AND d.owner IS NULL`+thenSlowly+`),
		(SELECT count(*) FROM deliveries d WHERE d.owner IS NOT NULL AND d.app_id = $1
			AND NOT EXISTS (SELECT 1 FROM webhooks f WHERE f.id = d.webhook_id AND f.function_id IS NOT NULL)`+thenSlowly+`)`,
		appID, id.At(id.Delivery, from), id.At(id.Delivery, to))
}

// countDeliveriesOf counts those of one business, which reads the rows.
func countDeliveriesOf(ctx context.Context, tx *db.Tx, appID, businessID string, from, to time.Time) (Stats, error) {
	return db.One(ctx, tx, func(s db.Scan) (st Stats, err error) {
		err = s(&st.Delivered, &st.Failed, &st.Retrying)
		return st, err
	}, `SELECT count(CASE WHEN d.status = 'delivered' THEN 1 END), count(CASE WHEN d.status = 'failed' THEN 1 END), count(CASE WHEN d.status = 'retrying' THEN 1 END)
		FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id AND d.id >= $3 AND d.id < $4
		WHERE w.app_id = $1 AND w.function_id IS NULL AND d.business_id = $2`, appID, businessID, id.At(id.Delivery, from), id.At(id.Delivery, to))
}

// listDurations reads how long the last attempts of a webhook's newest deliveries took, of those that were delivered.
func listDurations(ctx context.Context, tx *db.Tx, webhookID, businessID string, from, to time.Time, most int) ([]int64, error) {
	return db.All(ctx, tx, db.Value[int64], `SELECT a.duration
		FROM (SELECT d.id, d.sent, d.status FROM deliveries d
			WHERE d.webhook_id = $1 AND d.id >= $3 AND d.id < $4 AND ($2 = '' OR d.business_id = $2)
			ORDER BY d.webhook_id DESC, d.id DESC LIMIT $5) x
		JOIN delivery_attempts a ON a.delivery_id = x.id AND a.number = x.sent
		WHERE x.status = 'delivered'`, webhookID, businessID, id.At(id.Delivery, from), id.At(id.Delivery, to), most)
}

// listAnswered repeats the words of the index that there is for these few.
func listAnswered(ctx context.Context, tx *db.Tx, appID string, since time.Time) ([]event.Type, error) {
	return db.All(ctx, tx, db.Value[event.Type], `SELECT DISTINCT d.type FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id
		WHERE w.app_id = $1 AND w.function_id IS NULL AND w.deleted_at IS NULL AND w.enabled = 1 AND d.type IN ('business.redact', 'customer.redact', 'supplier.redact')
			AND d.event_id IS NOT NULL AND d.status = 'delivered' AND d.delivered_at >= $2 ORDER BY d.type`, appID, since)
}
