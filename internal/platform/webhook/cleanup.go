package webhook

import (
	"context"
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
	if err := attemptDays.Turn(ctx, s.DB, now, before); err != nil {
		return err
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

// attemptDays keeps the attempts of PostgreSQL by the day of their delivery.
var attemptDays = db.Days{Table: "delivery_attempts", Key: "delivery_id", First: func(t time.Time) string { return id.At(id.Delivery, t) }}
