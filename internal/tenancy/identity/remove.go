package identity

import (
	"context"

	"daybook/internal/base/db"
)

// Remove deletes an account that nothing else refers to, with its sessions: one that was made for a test and is no longer needed.
func Remove(ctx context.Context, tx *db.Tx, userID string) error {
	if err := deleteSessionsOf(ctx, tx, userID, ""); err != nil {
		return err
	}
	return deleteUser(ctx, tx, userID)
}
