package usage

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/base/db"
)

// How long rows are kept, at least: hours as such, and days at all. Days go by whole months.
const (
	keepHours    = 30 * day
	keepInMonths = 13
)

// batch is about how many rows one transaction of RollUp moves.
const batch = 2000

// RollUp moves minutes of hours that have ended into hours, and adds them to the totals; hours older than 30 days into days; and
// removes days older than 13 months. It may be stopped anywhere, repeated, and run on several nodes at once: a batch is moved in one transaction.
func (m *Meter) RollUp(ctx context.Context) error {
	thisHour := func(now time.Time) int64 { return floor(now, hour) }
	oldHours := func(now time.Time) int64 { return floor(now.Add(-keepHours), day) }
	oldDays := func(now time.Time) int64 {
		return time.Date(now.Year(), now.Month()-keepInMonths, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	for _, step := range []struct {
		in       table
		from, to time.Duration // without to, rows are removed
		before   func(now time.Time) int64
	}{
		{counts, minute, hour, thisHour}, {counts, hour, day, oldHours}, {counts, day, 0, oldDays}, {totals, hour, day, oldHours}, {totals, day, 0, oldDays},
	} {
		for more := true; more; {
			err := m.DB.Write(ctx, func(tx *db.Tx) (err error) {
				more, err = step.in.move(ctx, tx, step.from, step.to, step.before(tx.Now()))
				return err
			})
			if err != nil {
				return fmt.Errorf("moving calls counted by %v to %v: %w", step.from, step.to, err)
			}
		}
	}
	return nil
}

// move takes a batch of the oldest rows of one span that begin before an instant out of the table and adds them to the rows of a
// longer one; minutes to the totals as well. It reports whether there may be more.
func (in table) move(ctx context.Context, tx *db.Tx, from, to time.Duration, before int64) (more bool, err error) {
	slices, err := in.oldest(ctx, tx, from, before)
	if err != nil {
		return false, err
	}
	moved, whole, rows := sums{}, sums{}, 0
	for _, s := range slices {
		taken, err := in.remove(ctx, tx, from, s)
		if err != nil {
			return false, err
		}
		if rows += len(taken); to > 0 {
			for k, t := range taken {
				k.at -= k.at % to.Milliseconds()
				moved.add(k, *t)
				if from == minute {
					k.business = ""
					whole.add(k, *t)
				}
			}
		}
		if rows >= batch {
			break
		}
	}
	if err := in.raise(ctx, tx, to, moved); err != nil {
		return false, err
	}
	return len(slices) > 0, totals.raise(ctx, tx, to, whole)
}
