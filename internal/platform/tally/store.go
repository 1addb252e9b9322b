package tally

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

func findCounting(ctx context.Context, tx *db.Tx) (counting, error) {
	return db.One(ctx, tx, func(s db.Scan) (c counting, err error) {
		err = s(&c.until, &c.removals)
		return c, err
	}, `SELECT counted_until, removals FROM delivery_counting`)
}

// advance says that hours are counted further than they were. It reports false if that, or a delivery, is not as it was any more.
func advance(ctx context.Context, tx *db.Tx, was counting, until time.Time) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE delivery_counting SET counted_until = $3 WHERE counted_until = $1 AND removals = $2`, was.until, was.removals, until)
	return n > 0, err
}

// firstWithin is the first delivery of a time; empty when there is none.
func firstWithin(ctx context.Context, tx *db.Tx, from, to time.Time) (string, error) {
	first, err := db.One(ctx, tx, db.Value[string], `SELECT d.id FROM deliveries d WHERE d.id >= $1 AND d.id < $2 ORDER BY d.id LIMIT 1`,
		id.At(id.Delivery, from), id.At(id.Delivery, to))
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	return first, err
}

func countMade(ctx context.Context, tx *db.Tx, from, to time.Time) ([]made, error) {
	return db.All(ctx, tx, func(s db.Scan) (m made, err error) {
		err = s(&m.webhookID, &m.businessID, &m.number)
		return m, err
	}, `SELECT d.webhook_id, d.business_id, count(*) FROM deliveries d WHERE d.id >= $1 AND d.id < $2 GROUP BY d.webhook_id, d.business_id`,
		id.At(id.Delivery, from), id.At(id.Delivery, to))
}

var intoCounts = db.NewInsert("delivery_counts", "webhook_id, business_id, begins_at, made", "")

// insertMade writes what was counted of an hour, by business and of all together.
func insertMade(ctx context.Context, tx *db.Tx, hour time.Time, list []made) error {
	whole := map[string]int64{}
	rows := intoCounts.Rows(2 * len(list))
	for _, m := range list {
		rows = append(rows, m.webhookID, m.businessID, hour, m.number)
		whole[m.webhookID] += m.number
	}
	for webhookID, number := range whole {
		rows = append(rows, webhookID, "", hour, number)
	}
	return intoCounts.Exec(ctx, tx, rows)
}

// forgetMade removes what was counted of hours that begin before an instant.
func forgetMade(ctx context.Context, tx *db.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM delivery_counts WHERE begins_at < $1`, before)
	return err
}

// noteRemoval locks the row that every count of an hour advances.
func noteRemoval(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE delivery_counting SET removals = removals + 1`)
	return err
}

// lowerMade takes deliveries out of an hour, if it is counted: out of those of the business and of all.
func lowerMade(ctx context.Context, tx *db.Tx, webhookID, businessID string, hour time.Time, by int) error {
	_, err := tx.Exec(ctx, `UPDATE delivery_counts SET made = made - $4 WHERE webhook_id = $1 AND business_id IN ($2, '') AND begins_at = $3`,
		webhookID, businessID, hour, by)
	return err
}

// listBusyHours lists the newest hours of a time that have deliveries of a business.
func listBusyHours(ctx context.Context, tx *db.Tx, webhookID, businessID string, from, to time.Time, limit int) ([]busyHour, error) {
	return db.All(ctx, tx, func(s db.Scan) (h busyHour, err error) {
		err = s(&h.begins, &h.made, &h.all)
		return h, err
	}, `SELECT b.begins_at, b.made, t.made FROM delivery_counts b
		JOIN delivery_counts t ON t.webhook_id = b.webhook_id AND t.business_id = '' AND t.begins_at = b.begins_at
		WHERE b.webhook_id = $1 AND b.business_id = $2 AND b.begins_at >= $3 AND b.begins_at < $4 AND b.made > 0
		ORDER BY b.begins_at DESC LIMIT $5`, webhookID, businessID, from, to, limit)
}

// countDeliveries counts by what is kept anyway: hours that are counted, and indexes, whose words each condition repeats. Of what waits, and
// of what a node has in hand, there is little: an id that is joined to nothing keeps SQLite from walking through all deliveries instead.
func countDeliveries(ctx context.Context, tx *db.Tx, appID, businessID string, p parts) (Stats, error) {
	of := `SELECT count(*) FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id WHERE w.app_id = $1 AND w.function_id IS NULL`
	inHand := `SELECT count(*) FROM deliveries d WHERE d.owner IS NOT NULL AND d.app_id = $1
		AND NOT EXISTS (SELECT 1 FROM webhooks f WHERE f.id = d.webhook_id AND f.function_id IS NOT NULL)`
	if businessID != "" {
		of, inHand = of+` AND d.business_id = $2`, inHand+` AND d.business_id = $2`
	}
	const then, thenSlowly = ` AND d.id >= $3 AND d.id < $4`, ` AND d.id || '' >= $3 AND d.id || '' < $4`
	return db.One(ctx, tx, func(s db.Scan) (st Stats, err error) {
		var whole, before, after, waiting, inHand int64
		err = s(&whole, &before, &after, &st.Failed, &st.Retrying, &waiting, &inHand)
		st.Delivered = whole + before + after - st.Failed - waiting - inHand
		return st, err
	}, `SELECT (SELECT CAST(coalesce(sum(c.made), 0) AS BIGINT) FROM webhooks w JOIN delivery_counts c ON c.webhook_id = w.id
			WHERE w.app_id = $1 AND w.function_id IS NULL AND c.business_id = $2 AND c.begins_at >= $7 AND c.begins_at < $8),
		(`+of+` AND d.id >= $3 AND d.id < $5),
		(`+of+` AND d.id >= $6 AND d.id < $4),
		(`+of+then+` AND d.status = 'failed'),
		(`+of+then+` AND d.status = 'retrying'),
		(`+of+` AND d.due_at IS NOT NULL AND d.owner IS NULL`+thenSlowly+`),
		(`+inHand+thenSlowly+`)`,
		appID, businessID, id.At(id.Delivery, p.from), id.At(id.Delivery, p.to), id.At(id.Delivery, p.begin), id.At(id.Delivery, p.end), p.begin, p.end)
}

// listDurations reads how long the last attempts of a webhook's newest deliveries took, of those that were delivered: of one business,
// or of all for an empty id.
func listDurations(ctx context.Context, tx *db.Tx, webhookID, businessID string, w within, most int) ([]int64, error) {
	args, only := []any{webhookID, w.from, w.before, most}, ""
	if businessID != "" {
		args, only = append(args, businessID), ` AND d.business_id = $5`
	}
	return db.All(ctx, tx, db.Value[int64], `SELECT a.duration
		FROM (SELECT d.id, d.sent, d.status FROM deliveries d
			WHERE d.webhook_id = $1 AND d.id >= $2 AND d.id < $3`+only+`
			ORDER BY d.webhook_id DESC, d.id DESC LIMIT $4) x
		JOIN delivery_attempts a ON a.delivery_id = x.id AND a.number = x.sent
		WHERE x.status = 'delivered'`, args...)
}

// walkBack says where a walk from before an id on is after so many deliveries of a webhook: empty when there are fewer.
func walkBack(ctx context.Context, tx *db.Tx, webhookID, before string, steps int) (string, error) {
	at, err := db.One(ctx, tx, db.Value[string], `SELECT d.id FROM deliveries d WHERE d.webhook_id = $1 AND d.id < $2 ORDER BY d.webhook_id DESC, d.id DESC LIMIT 1 OFFSET $3`,
		webhookID, before, steps-1)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	return at, err
}

// listHooks lists the webhooks of an app that developers see.
func listHooks(ctx context.Context, tx *db.Tx, appID string) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT id FROM webhooks WHERE app_id = $1 AND function_id IS NULL AND deleted_at IS NULL ORDER BY id`, appID)
}
