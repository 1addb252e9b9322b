package tally

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// CountHours counts the deliveries of hours that are over, and forgets those whose deliveries are not kept any more. It may be stopped
// anywhere, and run on several nodes at once.
func (s *Service) CountHours(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = s.countHour(ctx); err != nil {
			return err
		}
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error { return forgetMade(ctx, tx, kept(tx.Now())) })
}

// countHour counts the next hour that has any. It reads first, which may take a while in a busy hour, and then writes what it read if
// nobody has counted or removed anything meanwhile.
func (s *Service) countHour(ctx context.Context) (more bool, err error) {
	var was counting
	var hour time.Time
	var list []made
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if was, err = findCounting(ctx, tx); err != nil {
			return err
		}
		end := tx.Now().Add(-settled).Truncate(time.Hour)
		if more = was.until.Before(end); !more {
			return nil
		}
		hour, list, err = nextHour(ctx, tx, later(was.until, kept(tx.Now())), end)
		return err
	})
	if err != nil || !more {
		return false, err
	}
	return true, s.DB.Write(ctx, func(tx *db.Tx) error {
		if mine, err := advance(ctx, tx, was, hour.Add(time.Hour)); err != nil || !mine {
			return err
		}
		return insertMade(ctx, tx, hour, list)
	})
}

// nextHour is the first hour of a time that has deliveries, with them counted; the last hour, without any, when none has.
func nextHour(ctx context.Context, tx *db.Tx, from, to time.Time) (hour time.Time, list []made, err error) {
	first, err := firstWithin(ctx, tx, from, to)
	if err != nil || first == "" {
		return to.Add(-time.Hour), nil, err
	}
	at, _ := id.Time(id.Delivery, first)
	hour = at.Truncate(time.Hour)
	list, err = countMade(ctx, tx, hour, hour.Add(time.Hour))
	return hour, list, err
}

// Removing is called in a transaction before it removes single deliveries: no other counts an hour until it is over, and what was read
// for that before does not count.
func Removing(ctx context.Context, tx *db.Tx) error { return noteRemoval(ctx, tx) }

// Removed takes deliveries of a business to a webhook, which the transaction has removed, out of the hours that they are counted in.
func Removed(ctx context.Context, tx *db.Tx, webhookID, businessID string, ids []string) error {
	hours := map[time.Time]int{}
	for _, one := range ids {
		at, _ := id.Time(id.Delivery, one)
		hours[at.Truncate(time.Hour)]++
	}
	for hour, n := range hours {
		if err := lowerMade(ctx, tx, webhookID, businessID, hour, n); err != nil {
			return err
		}
	}
	return nil
}
