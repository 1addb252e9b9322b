package webhook

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

func findDelivery(ctx context.Context, tx *db.Tx, webhookID, deliveryID string) (Delivery, error) {
	return db.One(ctx, tx, scanDelivery, `SELECT `+deliveryColumns+` FROM deliveries d WHERE d.webhook_id = $1 AND d.id = $2`, webhookID, deliveryID)
}

// listDeliveries lists the newest.
func listDeliveries(ctx context.Context, tx *db.Tx, webhookID string, f Filter, limit int) ([]Delivery, error) {
	return listWithin(ctx, tx, webhookID, f, within{}, limit)
}

// within is a part of the log, by ids, which sort by time; an empty end is open.
type within struct {
	from   string
	before string
}

// reaches says where a walk from the newest delivery on, or from before an id on, is after so many: empty when that is all of them.
func reaches(ctx context.Context, tx *db.Tx, webhookID, before string, steps int) (string, error) {
	const last = "dlv_~" // behind every id
	at, err := db.One(ctx, tx, db.Value[string], `SELECT d.id FROM deliveries d WHERE d.webhook_id = $1 AND d.id < $2 ORDER BY d.webhook_id DESC, d.id DESC LIMIT 1 OFFSET $3`,
		webhookID, cmp.Or(before, last), steps-1)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	return at, err
}

// listWithin leaves bodies out: nobody reads a hundred of them.
func listWithin(ctx context.Context, tx *db.Tx, webhookID string, f Filter, w within, limit int) ([]Delivery, error) {
	where, args := `d.webhook_id = $1`, []any{webhookID}
	compare := func(column, how, value string) {
		if value != "" {
			args = append(args, value)
			where += ` AND d.` + column + how + `$` + strconv.Itoa(len(args))
		}
	}
	narrow := func(column, value string) { compare(column, " = ", value) }
	compare("id", " >= ", w.from)
	compare("id", " < ", w.before)
	switch f.Status {
	case Failed:
		where += ` AND d.status = 'failed'` // in these words, there is an index
	case Retrying:
		where += ` AND d.status = 'retrying'` // and here
	default:
		narrow("status", string(f.Status))
	}
	narrow("type", string(f.Type))
	if f.BusinessID == TestBusiness {
		where += ` AND d.business_id = 'test'` // there is an index, too
	} else {
		narrow("business_id", f.BusinessID)
	}
	args = append(args, limit)
	return db.All(ctx, tx, scanListed, `
		SELECT d.id, d.webhook_id, d.app_id, d.business_id, d.event_id, d.type, d.status, d.attempts, d.sent, d.due_at, d.response_code, d.last_error,
			d.created_at, d.delivered_at
		FROM deliveries d WHERE `+where+` ORDER BY d.webhook_id DESC, d.id DESC LIMIT $`+strconv.Itoa(len(args)), args...)
}

func scanListed(s db.Scan) (d Delivery, err error) {
	err = s(&d.ID, &d.WebhookID, &d.AppID, &d.BusinessID, &d.EventID, &d.Type, &d.Status, &d.Attempts, &d.Sent, &d.DueAt, &d.ResponseCode, &d.LastError,
		&d.CreatedAt, &d.DeliveredAt)
	return d, err
}

// listFailed lists failed deliveries, oldest first. Ids sort by time.
func listFailed(ctx context.Context, tx *db.Tx, webhookID string, span Span, limit int) ([]Delivery, error) {
	args := []any{webhookID, id.At(id.Delivery, span.Since), id.At(id.Delivery, span.Until), limit}
	types := ""
	if len(span.Types) > 0 {
		types = ` AND d.type IN (` + db.In(5, len(span.Types)) + `)`
		for _, t := range span.Types {
			args = append(args, t)
		}
	}
	return db.All(ctx, tx, scanListed, `
		SELECT d.id, d.webhook_id, d.app_id, d.business_id, d.event_id, d.type, d.status, d.attempts, d.sent, d.due_at, d.response_code, d.last_error,
			d.created_at, d.delivered_at
		FROM deliveries d WHERE d.webhook_id = $1 AND d.status = 'failed' AND d.id >= $2 AND d.id < $3`+types+`
		ORDER BY d.id LIMIT $4`, args...)
}

func listAttempts(ctx context.Context, tx *db.Tx, deliveryID string) ([]Attempt, error) {
	return db.All(ctx, tx, func(s db.Scan) (a Attempt, err error) {
		var ms int64
		err = s(&a.Number, &a.At, &ms, &a.Signature, &a.Status, &a.Answer, &a.Error)
		a.Duration = time.Duration(ms) * time.Millisecond
		return a, err
	}, `SELECT number, at, duration, signature, status, answer, error FROM delivery_attempts WHERE delivery_id = $1 ORDER BY number`, deliveryID)
}

// requeue makes failed deliveries wait again, each only if it still is failed: of many who ask at once, one succeeds.
func requeue(ctx context.Context, tx *db.Tx, webhookID string, ids []string) (int64, error) {
	var done int64
	err := inChunks(ids, func(part []string) error {
		args := []any{webhookID, tx.Now()}
		for _, one := range part {
			args = append(args, one)
		}
		n, err := tx.Exec(ctx, `
			UPDATE deliveries SET status = 'queued', attempts = 0, due_at = $2, owner = NULL, response_code = NULL, last_error = NULL
			WHERE webhook_id = $1 AND status = 'failed' AND id IN (`+db.In(3, len(part))+`)`, args...)
		done += n
		return err
	})
	return done, err
}
