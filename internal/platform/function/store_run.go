package function

import (
	"context"
	"strconv"
	"time"

	"daybook/internal/base/db"
)

const runColumns = `r.id, r.function_id, r.version_id, r.app_id, r.business_id, r.kind, r.type, r.delivery_id, r.attempt, r.started_at, r.duration, r.outcome,
	r.error, r.log_cut, r.calls`

func (r *Run) dest(ms *int64) []any {
	return []any{&r.ID, &r.FunctionID, &r.VersionID, &r.AppID, &r.BusinessID, &r.Kind, &r.Type, &r.DeliveryID, &r.Attempt, &r.StartedAt, ms, &r.Outcome,
		&r.Error, &r.LogCut, &r.Calls}
}

func insertRun(ctx context.Context, tx *db.Tx, r Run) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO function_runs (id, function_id, version_id, app_id, business_id, kind, type, delivery_id, attempt, started_at, duration, outcome,
			error, log, log_cut, calls, result)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		r.ID, r.FunctionID, r.VersionID, r.AppID, r.BusinessID, r.Kind, r.Type, r.DeliveryID, r.Attempt, r.StartedAt, r.Duration.Milliseconds(), r.Outcome,
		r.Error, r.Log, r.LogCut, r.Calls, r.Result)
	return err
}

// listRuns leaves logs and results out: nobody reads a hundred of them.
func listRuns(ctx context.Context, tx *db.Tx, functionID string, f Filter, limit int) ([]Run, error) {
	where, args := `r.function_id = $1`, []any{functionID}
	narrow := func(column, value string) {
		if value != "" {
			args = append(args, value)
			where += ` AND r.` + column + ` = $` + strconv.Itoa(len(args))
		}
	}
	narrow("outcome", string(f.Outcome))
	if f.Outcome != "" && f.Outcome != "OK" {
		where += ` AND r.outcome <> 'OK'` // in these words, there is an index
	}
	narrow("kind", string(f.Kind))
	narrow("business_id", f.BusinessID)
	args = append(args, limit)
	return db.All(ctx, tx, func(s db.Scan) (r Run, err error) {
		var ms int64
		err = s(r.dest(&ms)...)
		r.Duration = time.Duration(ms) * time.Millisecond
		return r, err
	}, `SELECT `+runColumns+` FROM function_runs r WHERE `+where+` ORDER BY r.function_id DESC, r.id DESC LIMIT $`+strconv.Itoa(len(args)), args...)
}

func findRun(ctx context.Context, tx *db.Tx, functionID, runID string) (Run, error) {
	return db.One(ctx, tx, func(s db.Scan) (r Run, err error) {
		var ms int64
		err = s(append(r.dest(&ms), &r.Log, &r.Result)...)
		r.Duration = time.Duration(ms) * time.Millisecond
		return r, err
	}, `SELECT `+runColumns+`, r.log, r.result FROM function_runs r WHERE r.function_id = $1 AND r.id = $2`, functionID, runID)
}

// deleteOld deletes up to limit runs whose ids are before that one.
func deleteOld(ctx context.Context, tx *db.Tx, before string, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM function_runs WHERE id IN (SELECT r.id FROM function_runs r WHERE r.id < $1 ORDER BY r.id LIMIT $2)`, before, limit)
}

func deleteRunsOf(ctx context.Context, tx *db.Tx, businessID, appID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM function_runs WHERE business_id = $1 AND app_id = $2`, businessID, appID)
	return err
}
