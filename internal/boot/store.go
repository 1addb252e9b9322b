package boot

import (
	"context"

	"daybook/internal/base/db"
)

// insertFirstKey writes the row unless there is one. Nodes that start together wait for each other at the lock.
func insertFirstKey(ctx context.Context, tx *db.Tx, id string, proof []byte) error {
	if tx.Dialect() == db.Postgres {
		if _, err := tx.Exec(ctx, `LOCK TABLE sealing_keys IN EXCLUSIVE MODE`); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `INSERT INTO sealing_keys (id, proof, created_at)
		SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM sealing_keys)`, id, proof, tx.Now())
	return err
}

func findProof(ctx context.Context, tx *db.Tx, id string) ([]byte, error) {
	return db.One(ctx, tx, db.Value[[]byte], `SELECT proof FROM sealing_keys WHERE id = $1`, id)
}

func listKeyIDs(ctx context.Context, tx *db.Tx) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT id FROM sealing_keys ORDER BY created_at`)
}
