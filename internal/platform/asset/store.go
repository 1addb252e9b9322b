package asset

import (
	"context"

	"daybook/internal/base/db"
)

const columns = `id, app_id, kind, hash, media, width, height, size, created_at`

func scan(s db.Scan) (a Asset, err error) {
	err = s(&a.ID, &a.AppID, &a.Kind, &a.Hash, &a.Media, &a.Width, &a.Height, &a.Size, &a.CreatedAt)
	return a, err
}

func insert(ctx context.Context, tx *db.Tx, a Asset, content []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO assets (`+columns+`, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		a.ID, a.AppID, a.Kind, a.Hash, a.Media, a.Width, a.Height, a.Size, a.CreatedAt, content)
	return err
}

func countOf(ctx context.Context, tx *db.Tx, appID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM assets WHERE app_id = $1`, appID)
}

func listOf(ctx context.Context, tx *db.Tx, appID string) ([]Asset, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM assets WHERE app_id = $1 ORDER BY id`, appID)
}

func listAny(ctx context.Context, tx *db.Tx, ids []string) ([]Asset, error) {
	args := make([]any, len(ids))
	for i, one := range ids {
		args[i] = one
	}
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM assets WHERE id IN (`+db.In(1, len(ids))+`)`, args...)
}

func find(ctx context.Context, tx *db.Tx, appID, assetID string) (Asset, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM assets WHERE app_id = $1 AND id = $2`, appID, assetID)
}

func findByHash(ctx context.Context, tx *db.Tx, appID string, k Kind, hash string) (Asset, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM assets WHERE app_id = $1 AND kind = $2 AND hash = $3`, appID, k, hash)
}

func remove(ctx context.Context, tx *db.Tx, appID, assetID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM assets WHERE app_id = $1 AND id = $2`, appID, assetID)
	return err
}

// findContent reads the bytes behind an address; several apps may have the same.
func findContent(ctx context.Context, tx *db.Tx, hash string) (media string, content []byte, err error) {
	_, err = db.One(ctx, tx, func(s db.Scan) (struct{}, error) {
		return struct{}{}, s(&media, &content)
	}, `SELECT media, content FROM assets WHERE hash = $1 ORDER BY id LIMIT 1`, hash)
	return media, content, err
}
