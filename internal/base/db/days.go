package db

import (
	"context"
	"fmt"
	"time"
)

// Days keeps a table of PostgreSQL in parts of a day each, so that what is too old goes with whole parts instead of row by row.
// The table is partitioned by a range of keys that sort by time, and has a part for the rest, called by its name and _rest. On
// SQLite there is nothing to turn.
type Days struct {
	Table string
	Key   string // the column that the range is of
	// First is the first key that could be made at an instant.
	First func(time.Time) string
}

// DaysAhead have their part before anything is written there.
const DaysAhead = 3

// Turn makes parts for today and the days to come, and drops those that ended by an instant, as well as what is older in the
// rest, of which there is hardly ever anything. It may run on several nodes at once.
func (d Days) Turn(ctx context.Context, store *DB, now, before time.Time) error {
	if store.Dialect() != Postgres {
		return nil
	}
	var parts []string
	err := store.Read(ctx, func(tx *Tx) (err error) {
		parts, err = All(ctx, tx, Value[string], `
			SELECT CAST(c.relname AS TEXT) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			WHERE i.inhparent = CAST('`+d.Table+`' AS regclass) ORDER BY c.relname`)
		return err
	})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, name := range parts {
		known[name] = true
		day, err := time.Parse(d.Table+dayForm, name)
		if err != nil || day.AddDate(0, 0, 1).After(before) {
			continue
		}
		if err := store.Write(ctx, func(tx *Tx) error { return d.drop(ctx, tx, name) }); err != nil {
			return fmt.Errorf("dropping %s: %w", name, err)
		}
	}
	err = store.Write(ctx, func(tx *Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM `+d.Table+`_rest WHERE `+d.Key+` < $1`, d.First(before))
		return err
	})
	if err != nil {
		return err
	}
	today := now.Truncate(24 * time.Hour)
	for i := range DaysAhead {
		day := today.AddDate(0, 0, i)
		if known[day.Format(d.Table+dayForm)] {
			continue
		}
		if err := store.Write(ctx, func(tx *Tx) error { return d.add(ctx, tx, day) }); err != nil {
			return fmt.Errorf("a part of %s for %s: %w", d.Table, day.Format(time.DateOnly), err)
		}
	}
	return nil
}

// dayForm ends the name of a day's part, in the form of package time.
const dayForm = "_20060102"

// lock takes the table before its parts, as those who insert do.
func (d Days) lock(ctx context.Context, tx *Tx) error {
	_, err := tx.Exec(ctx, `LOCK TABLE ONLY `+d.Table+`, `+d.Table+`_rest IN ACCESS EXCLUSIVE MODE`)
	return err
}

// add makes a day's part, unless it is there, or rows of that day already are in the rest: they stay there.
func (d Days) add(ctx context.Context, tx *Tx, day time.Time) error {
	name, from, to := day.Format(d.Table+dayForm), d.First(day), d.First(day.AddDate(0, 0, 1))
	if err := d.lock(ctx, tx); err != nil {
		return err
	}
	taken, err := One(ctx, tx, Value[bool], `
		SELECT CASE WHEN to_regclass($1) IS NOT NULL
			OR EXISTS (SELECT 1 FROM `+d.Table+`_rest WHERE `+d.Key+` >= $2 AND `+d.Key+` < $3) THEN CAST(1 AS BIGINT) ELSE 0 END`, name, from, to)
	if err != nil || taken {
		return err
	}
	_, err = tx.Exec(ctx, `CREATE TABLE `+name+` PARTITION OF `+d.Table+` FOR VALUES FROM ('`+from+`') TO ('`+to+`')`)
	return err
}

// drop drops a day's part with everything in it.
func (d Days) drop(ctx context.Context, tx *Tx, name string) error {
	if err := d.lock(ctx, tx); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DROP TABLE IF EXISTS `+name)
	return err
}
