package boot

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/platform/asset"
)

// pictures finds pictures of whatever app, for the pages of reviewers, who may see them all.
func (h *House) pictures(ctx context.Context, ids []string) (found map[string]asset.Asset, err error) {
	err = h.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = asset.Find(ctx, tx, ids)
		return err
	})
	return found, err
}
