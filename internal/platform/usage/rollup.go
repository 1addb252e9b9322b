package usage

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/base/db"
)

// How long rows are kept, at least: hours, and days. Days go by whole months.
const (
	keepHours    = 30 * day
	keepInMonths = 13
)

// batch is about how many rows one transaction of RollUp moves.
const batch = 2000

// RollUp moves minutes of hours that have ended into their hours and days; and removes hours older than 30 days, and days older than 13
// months. It may be stopped anywhere, repeated, and run on several nodes at once: a batch is moved in one transaction.
func (m *Meter) RollUp(ctx context.Context) error {
	thisHour := func(now time.Time) int64 { return floor(now, hour) }
	oldHours := func(now time.Time) int64 { return floor(now.Add(-keepHours), day) }
	oldDays := func(now time.Time) int64 {
		return time.Date(now.Year(), now.Month()-keepInMonths, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	for _, step := range []struct {
		in     table
		span   time.Duration // minutes are moved, others are removed
		before func(now time.Time) int64
	}{
		{counts, minute, thisHour}, {counts, hour, oldHours}, {counts, day, oldDays}, {totals, hour, oldHours}, {totals, day, oldDays},
	} {
		for more := true; more; {
			err := m.DB.Write(ctx, func(tx *db.Tx) (err error) {
				more, err = step.in.settle(ctx, tx, step.span, step.before(tx.Now()))
				return err
			})
			if err != nil {
				return fmt.Errorf("rolling up calls counted by %v: %w", step.span, err)
			}
		}
	}
	return nil
}

// settle takes a batch of the oldest rows of one span that begin before an instant out of the table. Minutes are added to their hour and their day,
// of the business and of all businesses together. It reports whether there may be more.
func (in table) settle(ctx context.Context, tx *db.Tx, span time.Duration, before int64) (more bool, err error) {
	slices, err := in.oldest(ctx, tx, span, before)
	if err != nil {
		return false, err
	}
	moved, rows := sums{}, 0
	for _, s := range slices {
		taken, err := in.remove(ctx, tx, span, s)
		if err != nil {
			return false, err
		}
		if rows += len(taken); span == minute {
			for k, t := range taken {
				moved.add(k, *t)
			}
		}
		if rows >= batch {
			break
		}
	}
	for _, to := range []time.Duration{hour, day} {
		if err := counts.raise(ctx, tx, to, moved.by(to)); err != nil {
			return false, err
		}
		if err := totals.raise(ctx, tx, to, moved.by(to).together()); err != nil {
			return false, err
		}
	}
	return len(slices) > 0, nil
}
