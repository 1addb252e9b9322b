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

// RollUp moves minutes of hours that have ended into hours, hours older than 30 days into days, and removes days older than 13
// months. It may be stopped anywhere, repeated, and run on several nodes at once: a batch is moved in one transaction.
func (m *Meter) RollUp(ctx context.Context) error {
	for _, step := range []struct {
		from, to time.Duration // without to, rows are removed
		before   func(now time.Time) int64
	}{
		{minute, hour, func(now time.Time) int64 { return floor(now, hour) }},
		{hour, day, func(now time.Time) int64 { return floor(now.Add(-keepHours), day) }},
		{day, 0, func(now time.Time) int64 {
			return time.Date(now.Year(), now.Month()-keepInMonths, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
		}},
	} {
		for more := true; more; {
			err := m.DB.Write(ctx, func(tx *db.Tx) (err error) {
				more, err = move(ctx, tx, step.from, step.to, step.before(tx.Now()))
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
// longer one. It reports whether there may be more.
func move(ctx context.Context, tx *db.Tx, from, to time.Duration, before int64) (more bool, err error) {
	slices, err := oldest(ctx, tx, from, before)
	if err != nil {
		return false, err
	}
	moved, rows := sums{}, 0
	for _, s := range slices {
		taken, err := remove(ctx, tx, from, s)
		if err != nil {
			return false, err
		}
		if rows += len(taken); to > 0 {
			for k, t := range taken {
				k.at -= k.at % to.Milliseconds()
				moved.add(k, *t)
			}
		}
		if rows >= batch {
			break
		}
	}
	return len(slices) > 0, raise(ctx, tx, to, moved)
}
