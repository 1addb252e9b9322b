package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

const columns = `w.id, w.app_id, w.url, w.description, w.events, w.enabled, w.previous_until, w.version, w.created_at, w.updated_at`

func scan(s db.Scan) (Webhook, error) {
	var w Webhook
	var events string
	err := s(&w.ID, &w.AppID, &w.URL, &w.Description, &events, &w.Enabled, &w.PreviousUntil, &w.Version, &w.CreatedAt, &w.UpdatedAt)
	w.Events = splitEvents(events)
	return w, err
}

func insert(ctx context.Context, tx *db.Tx, w Webhook, sealed []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO webhooks (id, app_id, url, description, events, enabled, secret, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		w.ID, w.AppID, w.URL, w.Description, joinEvents(w.Events), w.Enabled, sealed, w.Version, w.CreatedAt, w.UpdatedAt)
	return err
}

func countOf(ctx context.Context, tx *db.Tx, appID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM webhooks w WHERE w.app_id = $1 AND w.function_id IS NULL AND w.deleted_at IS NULL`, appID)
}

func listOf(ctx context.Context, tx *db.Tx, appID string) ([]Webhook, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM webhooks w WHERE w.app_id = $1 AND w.function_id IS NULL AND w.deleted_at IS NULL ORDER BY w.id`, appID)
}

func find(ctx context.Context, tx *db.Tx, appID, webhookID string) (Webhook, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM webhooks w WHERE w.app_id = $1 AND w.id = $2 AND w.function_id IS NULL AND w.deleted_at IS NULL`, appID, webhookID)
}

// update writes every changeable member if the webhook still has the version that was read.
func update(ctx context.Context, tx *db.Tx, w Webhook) (bool, error) {
	n, err := tx.Exec(ctx, `
		UPDATE webhooks SET url = $4, description = $5, events = $6, enabled = $7, version = version + 1, updated_at = $8
		WHERE app_id = $1 AND id = $2 AND version = $3 AND deleted_at IS NULL`,
		w.AppID, w.ID, w.Version, w.URL, w.Description, joinEvents(w.Events), w.Enabled, tx.Now())
	return n == 1, err
}

// markDeleted reports whether the webhook was there.
func markDeleted(ctx context.Context, tx *db.Tx, appID, webhookID string) (bool, error) {
	n, err := tx.Exec(ctx, `
		UPDATE webhooks SET deleted_at = $3, previous_secret = NULL, previous_until = NULL, version = version + 1, updated_at = $3
		WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL`, appID, webhookID, tx.Now())
	return n == 1, err
}

// replaceSecret makes the present secret the previous one, whichever it is by then: of two who rotate at once both get a
// secret, and the later one's is present.
func replaceSecret(ctx context.Context, tx *db.Tx, appID, webhookID string, sealed []byte, previousUntil time.Time) (bool, error) {
	n, err := tx.Exec(ctx, `
		UPDATE webhooks SET previous_secret = secret, previous_until = $4, secret = $3, version = version + 1, updated_at = $5
		WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL`, appID, webhookID, sealed, previousUntil, tx.Now())
	return n == 1, err
}

// forgetPrevious takes away secrets that no longer sign, so that a clock that is set back does not revive them.
func forgetPrevious(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE webhooks SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= $1`, tx.Now())
	return err
}

// purge takes away webhooks that were deleted before then: their deliveries are gone by now.
func purge(ctx context.Context, tx *db.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM webhooks WHERE deleted_at < $1`, before)
	return err
}

// revisionNow counts every change to what decides who hears of what, see 0007_events.sql.
func revisionNow(ctx context.Context, tx *db.Tx) (int64, error) {
	return db.One(ctx, tx, db.Value[int64], `SELECT a.revision + w.revision FROM access_revision a, webhook_revision w`)
}

// grantsOf tells which apps are installed in a business, and what they were granted.
func grantsOf(ctx context.Context, tx *db.Tx, businessID string) (map[string]scope.Set, error) {
	grants := map[string]scope.Set{}
	_, err := db.All(ctx, tx, func(s db.Scan) (none struct{}, err error) {
		var appID, granted string
		err = s(&appID, &granted)
		grants[appID] = scope.Parse(granted)
		return none, err
	}, `SELECT app_id, granted_scopes FROM installations WHERE business_id = $1 AND status = 'ACTIVE'`, businessID)
	return grants, err
}

// receiversOf reads the webhooks of apps, with everything that decides what they hear.
func receiversOf(ctx context.Context, tx *db.Tx, appIDs []string) ([]*receiver, error) {
	args := make([]any, len(appIDs))
	for i, appID := range appIDs {
		args[i] = appID
	}
	return db.All(ctx, tx, func(s db.Scan) (*receiver, error) {
		r := &receiver{}
		var events, scopes string
		err := s(&r.webhookID, &r.appID, &r.url, &events, &r.enabled, &r.sealed, &r.sealedPrevious, &r.previousUntil,
			&scopes, &r.pin, &r.suspended, &r.deactivated, &r.hosted)
		r.hears, r.registered = map[string]bool{}, scope.Parse(scopes)
		for _, t := range splitEvents(events) {
			r.hears[string(t)] = true
		}
		return r, err
	}, `
		SELECT w.id, w.app_id, w.url, w.events, w.enabled, w.secret, w.previous_secret, w.previous_until,
			a.scopes, a.pinned_api_version, CASE WHEN a.suspended_at IS NULL THEN 0 ELSE 1 END, CASE WHEN a.deactivated_at IS NULL THEN 0 ELSE 1 END,
			CASE WHEN w.function_id IS NULL THEN 0 ELSE 1 END
		FROM webhooks w JOIN apps a ON a.id = w.app_id
		WHERE w.app_id IN (`+db.In(1, len(appIDs))+`) AND w.deleted_at IS NULL ORDER BY w.id`, args...)
}

// putTarget writes the row of a function. It has no address and signs nothing.
func putTarget(ctx context.Context, tx *db.Tx, t Target) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO webhooks (id, app_id, url, events, enabled, secret, version, created_at, updated_at, function_id)
		VALUES ($1, $2, '', $3, $4, $5, 1, $6, $6, $1)
		ON CONFLICT (id) DO UPDATE SET events = excluded.events, enabled = excluded.enabled, version = webhooks.version + 1, updated_at = excluded.updated_at`,
		t.FunctionID, t.AppID, joinEvents(t.Events), t.Enabled, []byte{}, tx.Now())
	return err
}
