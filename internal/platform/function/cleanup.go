package function

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// Retention is how long runs are kept.
const Retention = 30 * 24 * time.Hour

// cleanTogether is how many runs one transaction deletes: others write in between.
const cleanTogether = 500

// CleanUp deletes runs that are older than 30 days, and functions that were deleted so long ago that nothing speaks of them any more.
func (s *Service) CleanUp(ctx context.Context) error {
	before := s.Clock.Now().Truncate(time.Hour).Add(-Retention)
	for {
		var n int64
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteOld(ctx, tx, id.At(id.FunctionRun, before), cleanTogether)
			return err
		})
		if err != nil {
			return err
		}
		if n < cleanTogether {
			break
		}
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error { return purge(ctx, tx, before) })
}

// Erase removes what runs of an app left behind in a business.
func (s *Service) Erase(ctx context.Context, tx *db.Tx, businessID, appID string) error {
	return deleteRunsOf(ctx, tx, businessID, appID)
}
