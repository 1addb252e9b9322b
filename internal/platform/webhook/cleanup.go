package webhook

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// cleanTogether is how many deliveries one transaction deletes: others write in between.
const cleanTogether = 500

// CleanUp deletes the history of deliveries that were created 30 days ago (DLIV-04), and secrets that no longer sign. It cuts
// at the full hour, so that whoever asks for a delivery of just that age is told that it is too old, and not that it never was.
//
// Attempts are most of the bytes. PostgreSQL keeps them by the day of their delivery and drops whole days; deliveries, and
// attempts on SQLite, are deleted a few at a time.
func (s *Service) CleanUp(ctx context.Context) error {
	now := s.Clock.Now()
	before := now.Truncate(time.Hour).Add(-Retention)
	if s.DB.Dialect() == db.Postgres {
		if err := s.turnDays(ctx, now, before); err != nil {
			return err
		}
	}
	for {
		var n int64
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteOld(ctx, tx, id.At(id.Delivery, before), cleanTogether)
			return err
		})
		if err != nil {
			return err
		}
		if n < cleanTogether {
			break
		}
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := forgetPrevious(ctx, tx); err != nil {
			return err
		}
		return purge(ctx, tx, before)
	})
}

// daysAhead have their place before anything is written there.
const daysAhead = 3

// turnDays makes places for the days to come, and drops days that are over for good.
func (s *Service) turnDays(ctx context.Context, now, before time.Time) error {
	today := now.Truncate(24 * time.Hour)
	for i := range daysAhead {
		if err := s.addDay(ctx, today.AddDate(0, 0, i)); err != nil {
			return err
		}
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		days, err := attemptDays(ctx, tx)
		if err != nil {
			return err
		}
		for _, name := range days {
			day, err := time.Parse(dayTable, name)
			if err != nil || day.AddDate(0, 0, 1).After(before) {
				continue
			}
			if err := dropDay(ctx, tx, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// dayTable is the name of a day's table, in the form of package time.
const dayTable = "delivery_attempts_20060102"

// addDay makes a day's place, unless it is there, or attempts of that day already are in the common rest: they stay there.
func (s *Service) addDay(ctx context.Context, day time.Time) error {
	name := day.Format(dayTable)
	from, to := id.At(id.Delivery, day), id.At(id.Delivery, day.AddDate(0, 0, 1))
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if there, err := hasDay(ctx, tx, name); err != nil || there {
			return err
		}
		return addDay(ctx, tx, name, from, to)
	})
	if err != nil {
		return fmt.Errorf("a place for the attempts of %s: %w", day.Format(time.DateOnly), err)
	}
	return nil
}
