package function

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
)

const columns = `f.id, f.app_id, f.name, f.description, f.kind, f.events, f.every, f.state, f.disabled_why, f.active_version, f.failures, f.next_at,
	f.version, f.created_at, f.updated_at`

func scan(s db.Scan) (Function, error) {
	var f Function
	var events string
	var every *string
	err := s(&f.ID, &f.AppID, &f.Name, &f.Description, &f.Trigger.Kind, &events, &every, &f.State, &f.Why, &f.ActiveVersion, &f.Failures, &f.NextAt,
		&f.Version, &f.CreatedAt, &f.UpdatedAt)
	f.Trigger.Events = splitEvents(events)
	if every != nil {
		f.Trigger.Every = Every(*every)
	}
	return f, err
}

// rhythm is how a schedule is kept: null where there is none.
func (f Function) rhythm() *Every {
	if f.Trigger.Kind != BySchedule {
		return nil
	}
	return &f.Trigger.Every
}

func insert(ctx context.Context, tx *db.Tx, f Function) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO functions (id, app_id, name, description, kind, events, every, state, failures, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11)`,
		f.ID, f.AppID, f.Name, f.Description, f.Trigger.Kind, joinEvents(f.Trigger.Events), f.rhythm(), f.State, f.Version, f.CreatedAt, f.UpdatedAt)
	return err
}

func countOf(ctx context.Context, tx *db.Tx, appID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM functions f WHERE f.app_id = $1 AND f.deleted_at IS NULL`, appID)
}

func list(ctx context.Context, tx *db.Tx, appID string) ([]Function, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM functions f WHERE f.app_id = $1 AND f.deleted_at IS NULL ORDER BY f.id`, appID)
}

func find(ctx context.Context, tx *db.Tx, appID, functionID string) (Function, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM functions f WHERE f.app_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`, appID, functionID)
}

// update writes every changeable member if the function still has the version before the new one.
func update(ctx context.Context, tx *db.Tx, f Function) (bool, error) {
	n, err := tx.Exec(ctx, `
		UPDATE functions SET name = $3, description = $4, kind = $5, events = $6, every = $7, state = $8, disabled_why = $9, active_version = $10,
			failures = $11, next_at = $12, version = $13, updated_at = $14
		WHERE app_id = $1 AND id = $2 AND version = $13 - 1 AND deleted_at IS NULL`,
		f.AppID, f.ID, f.Name, f.Description, f.Trigger.Kind, joinEvents(f.Trigger.Events), f.rhythm(), f.State, f.Why, f.ActiveVersion,
		f.Failures, f.NextAt, f.Version, f.UpdatedAt)
	return n == 1, err
}

func markDeleted(ctx context.Context, tx *db.Tx, appID, functionID string) error {
	_, err := tx.Exec(ctx, `UPDATE functions SET deleted_at = $3, next_at = NULL, version = version + 1, updated_at = $3
		WHERE app_id = $1 AND id = $2 AND deleted_at IS NULL`, appID, functionID, tx.Now())
	return err
}

// purge takes away functions that were deleted before then, with their versions.
func purge(ctx context.Context, tx *db.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM functions WHERE deleted_at < $1`, before)
	return err
}

// countFailure adds one to the failures in a row; 0: there is no such function any more.
func countFailure(ctx context.Context, tx *db.Tx, functionID string) (int, error) {
	n, err := db.One(ctx, tx, db.Value[int], `UPDATE functions SET failures = failures + 1 WHERE id = $1 RETURNING failures`, functionID)
	if errors.Is(err, db.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

func resetFailures(ctx context.Context, tx *db.Tx, functionID string) error {
	_, err := tx.Exec(ctx, `UPDATE functions SET failures = 0 WHERE id = $1 AND failures <> 0`, functionID)
	return err
}

// disableFailing switches off a function that is on, and reports whether it did.
func disableFailing(ctx context.Context, tx *db.Tx, functionID string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE functions SET state = 'DISABLED', disabled_why = 'FAILURES', next_at = NULL, version = version + 1, updated_at = $2
		WHERE id = $1 AND state = 'ACTIVE' AND deleted_at IS NULL`, functionID, tx.Now())
	return n == 1, err
}

func listDue(ctx context.Context, tx *db.Tx, now time.Time, limit int) ([]Function, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM functions f WHERE f.next_at <= $1 AND f.next_at IS NOT NULL ORDER BY f.next_at, f.id LIMIT $2`, now, limit)
}

func firstDue(ctx context.Context, tx *db.Tx) (*time.Time, error) {
	return db.One(ctx, tx, db.Value[*time.Time], `SELECT min(f.next_at) FROM functions f WHERE f.next_at IS NOT NULL`)
}

// moveOn sets the next instant of a schedule, and reports whether nobody else did before.
func moveOn(ctx context.Context, tx *db.Tx, functionID string, from, to time.Time) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE functions SET next_at = $3 WHERE id = $1 AND next_at = $2 AND state = 'ACTIVE'`, functionID, from, to)
	return n == 1, err
}

// listInstalled tells where a running app is installed, and what its deliveries speak.
func listInstalled(ctx context.Context, tx *db.Tx, appID string) (pin *string, businesses []string, err error) {
	businesses, err = db.All(ctx, tx, func(s db.Scan) (businessID string, err error) {
		err = s(&businessID, &pin)
		return businessID, err
	}, `SELECT i.business_id, a.pinned_api_version FROM installations i JOIN apps a ON a.id = i.app_id
		WHERE i.app_id = $1 AND i.status = 'ACTIVE' AND a.suspended_at IS NULL AND a.deactivated_at IS NULL ORDER BY i.id`, appID)
	return pin, businesses, err
}

// findFacts reads what a function is told about a business, if its app is installed there, and what its app speaks.
func findFacts(ctx context.Context, tx *db.Tx, appID, businessID string) (b businessFacts, pin *string, err error) {
	b.ID = businessID
	_, err = db.One(ctx, tx, func(s db.Scan) (none struct{}, err error) {
		return none, s(&pin, &b.Currency, &b.TimeZone)
	}, `SELECT a.pinned_api_version, b.currency, b.time_zone FROM apps a
		LEFT JOIN installations i ON i.app_id = a.id AND i.business_id = $2 AND i.status = 'ACTIVE'
		LEFT JOIN businesses b ON b.id = i.business_id WHERE a.id = $1`, appID, businessID)
	return b, pin, err
}
