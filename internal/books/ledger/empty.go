package ledger

import (
	"context"
	"errors"

	"daybook/internal/base/db"
)

// Empty keeps everybody from the books of a sandbox from now on: their rows are about to be removed. Whoever writes at this
// moment finishes first.
func Empty(ctx context.Context, tx *db.Tx, businessID string) error {
	return setEmptying(ctx, tx, businessID)
}

// Reopen gives books that were emptied what new ones begin with, and lets everybody in again.
func (s *Service) Reopen(ctx context.Context, tx *db.Tx, businessID string) error {
	emptied, err := resetBooks(ctx, tx, businessID, newBooks)
	if err != nil {
		return err
	}
	if !emptied {
		return errors.New("the books of business " + businessID + " were not emptied")
	}
	return s.openChart(ctx, tx, businessID)
}
