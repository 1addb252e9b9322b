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

// attemptDays lists the tables of single days (PostgreSQL).
func attemptDays(ctx context.Context, tx *db.Tx) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `
		SELECT CAST(c.relname AS TEXT) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = CAST('delivery_attempts' AS regclass) ORDER BY c.relname`)
}

// turning keeps nodes from turning the days at the same time.
const turning = `SELECT CAST(pg_advisory_xact_lock(7203115508214) AS TEXT)`

// hasDay reports whether a day's table is there (PostgreSQL).
func hasDay(ctx context.Context, tx *db.Tx, name string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT CASE WHEN to_regclass($1) IS NULL THEN CAST(0 AS BIGINT) ELSE 1 END`, name)
}

// addDay makes a table for the ids from one to another (PostgreSQL). Names and ids are of our own making. Everybody who writes
// attempts waits for it, so it is only called for a day that is missing.
func addDay(ctx context.Context, tx *db.Tx, name, from, to string) error {
	if _, err := db.One(ctx, tx, db.Value[string], turning); err != nil {
		return err
	}
	// Nothing may get into the rest between the look and the new table.
	if _, err := tx.Exec(ctx, `LOCK TABLE delivery_attempts_rest IN ACCESS EXCLUSIVE MODE`); err != nil {
		return err
	}
	taken, err := db.One(ctx, tx, db.Value[bool], `
		SELECT CASE WHEN to_regclass($1) IS NOT NULL
			OR EXISTS (SELECT 1 FROM delivery_attempts_rest WHERE delivery_id >= $2 AND delivery_id < $3) THEN CAST(1 AS BIGINT) ELSE 0 END`, name, from, to)
	if err != nil || taken {
		return err
	}
	_, err = tx.Exec(ctx, `CREATE TABLE `+name+` PARTITION OF delivery_attempts FOR VALUES FROM ('`+from+`') TO ('`+to+`')`)
	return err
}

// dropDay drops one of those tables with everything in it (PostgreSQL).
func dropDay(ctx context.Context, tx *db.Tx, name string) error {
	if _, err := db.One(ctx, tx, db.Value[string], turning); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DROP TABLE IF EXISTS `+name)
	return err
}
