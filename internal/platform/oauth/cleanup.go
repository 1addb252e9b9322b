package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
)

// cleanBatch bounds how long one clean-up transaction holds the writer.
const cleanBatch = 500

type sweep struct {
	table, key, column string
	keep               time.Duration
}

// sweeps removes what can no longer be asked for: table, column of its end, and how long it is kept beyond it so that a
// late caller still hears the right reason (a used code, an expired token) rather than "unknown".
var sweeps = []sweep{
	{"authorization_requests", "hash", "expires_at", time.Hour},
	{"authorization_codes", "hash", "expires_at", 24 * time.Hour},
	{"device_codes", "hash", "expires_at", time.Hour},
	{"device_guesses", "id", "guessed_at", 24 * time.Hour},
	{"session_tokens", "jti", "expires_at", 0},
	{"refresh_tokens", "hash", "expires_at", 7 * 24 * time.Hour}, // of families that live on: a token so old is unknown, not reused
	{"token_families", "id", "ends_at", 7 * 24 * time.Hour},      // takes its refresh tokens along
}

// CleanUp removes what has ended, in batches.
func (s *Service) CleanUp(ctx context.Context) error {
	for _, w := range sweeps {
		for {
			var n int64
			err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
				n, err = deleteEnded(ctx, tx, w, cleanBatch)
				return err
			})
			if err != nil {
				return err
			}
			if n < cleanBatch {
				break
			}
		}
	}
	return nil
}

// idleApp is how long an app that registered itself is kept while nobody approves it anywhere.
const idleApp = 30 * 24 * time.Hour

// CleanUpApps removes apps that registered themselves, or were described by a document, and that nobody ever approved.
func (s *Service) CleanUpApps(ctx context.Context) error {
	for {
		var idle []string
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			if idle, err = listIdleApps(ctx, tx, tx.Now().Add(-idleApp), cleanBatch); err != nil || len(idle) == 0 {
				return err
			}
			if err := deleteDocuments(ctx, tx, idle); err != nil {
				return err
			}
			return app.Delete(ctx, tx, idle)
		})
		if err != nil || len(idle) < cleanBatch {
			return err
		}
	}
}
