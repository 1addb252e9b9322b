package webhook

import (
	"context"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/db"
)

const deliveryColumns = `d.id, d.webhook_id, d.app_id, d.business_id, d.event_id, d.type, d.body, d.status, d.attempts, d.sent, d.due_at, d.owner,
	d.response_code, d.last_error, d.created_at, d.delivered_at`

func scanDelivery(s db.Scan) (d Delivery, err error) {
	err = s(&d.ID, &d.WebhookID, &d.AppID, &d.BusinessID, &d.EventID, &d.Type, &d.Body, &d.Status, &d.Attempts, &d.Sent, &d.DueAt, &d.Owner,
		&d.ResponseCode, &d.LastError, &d.CreatedAt, &d.DeliveredAt)
	return d, err
}

// chunks are the sizes in which lists of rows are written: few texts, so that each is compiled once.
var chunks = [...]int{32, 8, 4, 2, 1}

// inChunks hands out a list in pieces of those sizes.
func inChunks[T any](list []T, write func([]T) error) error {
	for _, size := range chunks {
		for len(list) >= size {
			if err := write(list[:size]); err != nil {
				return err
			}
			list = list[size:]
		}
	}
	return nil
}

// rowsOf is the text of n rows of values, each of a given kind: PostgreSQL cannot guess it.
func rowsOf(n int, kinds ...string) string {
	var b strings.Builder
	for row := range n {
		if row > 0 {
			b.WriteString(", ")
		}
		values := make([]string, len(kinds))
		for i, kind := range kinds {
			values[i] = "CAST(" + db.In(row*len(kinds)+i+1, 1) + " AS " + kind + ")"
		}
		b.WriteString("(" + strings.Join(values, ", ") + ")")
	}
	return b.String()
}

// texts are statements by the number of their rows.
func texts(make func(rows int) string) map[int]string {
	m := map[int]string{}
	for _, size := range chunks {
		m[size] = make(size)
	}
	return m
}

var intoDeliveries = db.NewInsert("deliveries",
	"id, webhook_id, app_id, business_id, event_id, type, body, status, attempts, sent, due_at, owner, created_at", "")

func insertDeliveries(ctx context.Context, tx *db.Tx, list []Delivery) error {
	rows := intoDeliveries.Rows(len(list))
	for i := range list {
		d := &list[i]
		rows = append(rows, d.ID, d.WebhookID, d.AppID, d.BusinessID, d.EventID, d.Type, d.Body, d.Status, d.Attempts, d.Sent, d.DueAt, d.Owner, d.CreatedAt)
	}
	return intoDeliveries.Later(ctx, tx, rows)
}

// dueWebhooks lists the webhooks that have something due which nobody has in hand. It jumps from webhook to webhook along
// the index, however many deliveries wait.
func dueWebhooks(ctx context.Context, tx *db.Tx, now time.Time) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `
		WITH RECURSIVE walk (webhook_id) AS (
			SELECT (SELECT d.webhook_id FROM deliveries d WHERE d.due_at IS NOT NULL AND d.owner IS NULL ORDER BY d.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT d.webhook_id FROM deliveries d WHERE d.due_at IS NOT NULL AND d.owner IS NULL AND d.webhook_id > walk.webhook_id
				ORDER BY d.webhook_id LIMIT 1)
			FROM walk WHERE walk.webhook_id IS NOT NULL
		)
		SELECT walk.webhook_id FROM walk WHERE walk.webhook_id IS NOT NULL AND
			(SELECT d.due_at FROM deliveries d WHERE d.due_at IS NOT NULL AND d.owner IS NULL AND d.webhook_id = walk.webhook_id
				ORDER BY d.due_at LIMIT 1) <= $1`, now)
}

// claim takes the first due deliveries of one webhook that nobody has in hand.
func claim(ctx context.Context, tx *db.Tx, webhookID, owner string, limit int) ([]Delivery, error) {
	first := `SELECT w.id FROM deliveries w WHERE w.webhook_id = $1 AND w.due_at <= $3 AND w.due_at IS NOT NULL AND w.owner IS NULL ORDER BY w.due_at, w.id LIMIT `
	if tx.Dialect() == db.Postgres {
		// Without a number PostgreSQL expects a tenth of all that waits, finds a plan for that dear and plans anew at every claim. It takes,
		// and locks, no more rows than asked for.
		first = `SELECT f.id FROM (` + first + strconv.Itoa(atMost(limit)) + ` ` + tx.Dialect().SkipLocked() + `) f LIMIT `
	}
	return db.All(ctx, tx, scanDelivery, `UPDATE deliveries AS d SET owner = $2 WHERE d.id IN (`+first+`$4)
		RETURNING `+strings.ReplaceAll(deliveryColumns, "d.", returning(tx.Dialect())), webhookID, owner, tx.Now(), limit)
}

// atMost is a number that is not less, one of few, since each makes a statement of its own.
func atMost(limit int) int {
	n := 8
	for n < limit {
		n *= 8
	}
	return n
}

// returning is the prefix of columns after RETURNING: SQLite does not know the alias there.
func returning(d db.Dialect) string {
	if d == db.SQLite {
		return ""
	}
	return "d."
}

var outcomeKinds = []string{"TEXT", "TEXT", "TEXT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "TEXT", "BIGINT"}

var outcomeTexts = texts(func(rows int) string {
	return `WITH v (id, owner, status, attempts, sent, due_at, response_code, last_error, delivered_at) AS (VALUES ` + rowsOf(rows, outcomeKinds...) + `)
		UPDATE deliveries SET status = v.status, attempts = v.attempts, sent = v.sent, due_at = v.due_at, owner = NULL,
			response_code = v.response_code, last_error = v.last_error, delivered_at = v.delivered_at
		FROM v WHERE deliveries.id = v.id AND deliveries.owner = v.owner RETURNING deliveries.id`
})

// writeOutcomes writes down where deliveries stand, as far as their owners still have them in hand, and tells which. It is one
// statement for many on PostgreSQL, where each is a journey, and one for each on SQLite, where that is the cheapest.
func writeOutcomes(ctx context.Context, tx *db.Tx, list []outcome) (map[string]bool, error) {
	written := make(map[string]bool, len(list))
	if tx.Dialect() == db.SQLite {
		for i := range list {
			n, err := writeOutcome(ctx, tx, &list[i])
			if err != nil {
				return nil, err
			}
			written[list[i].delivery.ID] = n == 1
		}
		return written, nil
	}
	err := inChunks(list, func(part []outcome) error {
		args := make([]any, 0, len(outcomeKinds)*len(part))
		for i := range part {
			d := &part[i].delivery
			args = append(args, d.ID, part[i].owner, d.Status, d.Attempts, d.Sent, d.DueAt, d.ResponseCode, d.LastError, d.DeliveredAt)
		}
		ids, err := db.All(ctx, tx, db.Value[string], outcomeTexts[len(part)], args...)
		for _, one := range ids {
			written[one] = true
		}
		return err
	})
	return written, err
}

// writeOutcome is for SQLite. What was sent was committed before: it is none of the rows that were put off.
func writeOutcome(ctx context.Context, tx *db.Tx, o *outcome) (int64, error) {
	d := &o.delivery
	return tx.Exec(ctx, `UPDATE deliveries SET status = $3, attempts = $4, sent = $5, due_at = $6, owner = NULL, response_code = $7, last_error = $8,
		delivered_at = $9 WHERE id = $1 AND owner = $2`+db.Aside, d.ID, o.owner, d.Status, d.Attempts, d.Sent, d.DueAt, d.ResponseCode, d.LastError, d.DeliveredAt)
}

var intoAttempts = db.NewInsert("delivery_attempts", "delivery_id, number, at, duration, signature, status, answer, error", "")

func insertAttempts(ctx context.Context, tx *db.Tx, list []outcome) error {
	rows := intoAttempts.Rows(len(list))
	for i := range list {
		a := list[i].attempt
		rows = append(rows, list[i].delivery.ID, a.Number, a.At, a.Duration.Milliseconds(), a.Signature, a.Status, a.Answer, a.Error)
	}
	return intoAttempts.Exec(ctx, tx, rows)
}

// release puts back what a node has in hand.
func release(ctx context.Context, tx *db.Tx, owner string) (int64, error) {
	return tx.Exec(ctx, `UPDATE deliveries SET owner = NULL WHERE owner = $1`, owner)
}

// putBack puts back one of them.
func putBack(ctx context.Context, tx *db.Tx, owner, deliveryID string) error {
	_, err := tx.Exec(ctx, `UPDATE deliveries SET owner = NULL WHERE id = $1 AND owner = $2`, deliveryID, owner)
	return err
}

// ownedBy lists what a node has in hand.
func ownedBy(ctx context.Context, tx *db.Tx, owner string) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT d.id FROM deliveries d WHERE d.owner = $1 ORDER BY d.id`, owner)
}

// owners lists the nodes that have something in hand, jumping along the index.
func owners(ctx context.Context, tx *db.Tx) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `
		WITH RECURSIVE walk (owner) AS (
			SELECT (SELECT d.owner FROM deliveries d WHERE d.owner IS NOT NULL ORDER BY d.owner LIMIT 1)
			UNION ALL
			SELECT (SELECT d.owner FROM deliveries d WHERE d.owner IS NOT NULL AND d.owner > walk.owner ORDER BY d.owner LIMIT 1)
			FROM walk WHERE walk.owner IS NOT NULL
		)
		SELECT walk.owner FROM walk WHERE walk.owner IS NOT NULL`)
}

// anyDue reports whether something is due by then, in whoever's hand.
func anyDue(ctx context.Context, tx *db.Tx, until time.Time) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `
		SELECT CASE WHEN EXISTS (SELECT 1 FROM deliveries d WHERE d.due_at IS NOT NULL AND d.owner IS NULL AND d.due_at <= $1)
			OR EXISTS (SELECT 1 FROM deliveries d WHERE d.owner IS NOT NULL AND d.due_at <= $1) THEN 1 ELSE 0 END`, until)
}

// firstDue is when the first attempt falls due, or fell due that somebody has in hand; nil when nothing waits.
func firstDue(ctx context.Context, tx *db.Tx) (*time.Time, error) {
	return db.One(ctx, tx, db.Value[*time.Time], `
		SELECT min(f.due_at) FROM (
			SELECT min(d.due_at) AS due_at FROM deliveries d WHERE d.due_at IS NOT NULL AND d.owner IS NULL
			UNION ALL
			SELECT min(d.due_at) FROM deliveries d WHERE d.owner IS NOT NULL
		) f`)
}
