package webhook

import (
	"context"

	"daybook/internal/base/db"
)

type listedNode struct {
	name     string
	presence int64
	beat     int64
}

func insertNode(ctx context.Context, tx *db.Tx, name string, presence int64) error {
	_, err := tx.Exec(ctx, `INSERT INTO nodes (id, presence, beat, started_at) VALUES ($1, $2, 0, $3)`, name, presence, tx.Now())
	return err
}

// raiseBeat reports whether the node is still on the list.
func raiseBeat(ctx context.Context, tx *db.Tx, name string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE nodes SET beat = beat + 1 WHERE id = $1`, name)
	return n == 1, err
}

func nodes(ctx context.Context, tx *db.Tx) ([]listedNode, error) {
	return db.All(ctx, tx, func(s db.Scan) (n listedNode, err error) {
		err = s(&n.name, &n.presence, &n.beat)
		return n, err
	}, `SELECT id, presence, beat FROM nodes ORDER BY id`)
}

func deleteNode(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, `DELETE FROM nodes WHERE id = $1`, name)
	return err
}

// removeNode takes a node off the list with everything it has in hand.
func removeNode(ctx context.Context, tx *db.Tx, name string) error {
	if _, err := release(ctx, tx, name); err != nil {
		return err
	}
	return deleteNode(ctx, tx, name)
}
