package organization

import (
	"context"

	"daybook/internal/base/db"
)

// Hold makes others wait who change what an organization has, until the transaction ends: for a feature that counts it.
func Hold(ctx context.Context, tx *db.Tx, organizationID string) error {
	return lock(ctx, tx, organizationID)
}
