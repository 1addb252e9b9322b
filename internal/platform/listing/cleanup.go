package listing

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

// keepDiscarded is how long a revision that was given up stays.
const keepDiscarded = 90 * 24 * time.Hour

// CleanUp removes what was given up long ago. What was ever published stays: it is the history of the app.
func (s *Service) CleanUp(ctx context.Context) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error { return deleteDiscarded(ctx, tx, tx.Now().Add(-keepDiscarded)) })
}
