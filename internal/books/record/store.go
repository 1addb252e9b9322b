package record

import (
	"context"

	"daybook/internal/base/db"
)

// insertExternalID reports whether the name was free and the record had none.
func insertExternalID(ctx context.Context, tx *db.Tx, businessID, appID string, k Kind, name, recordID string) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO external_ids (business_id, app_id, kind, external_id, record_id) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING`, businessID, appID, k, name, recordID)
	return n == 1, err
}

func findExternalID(ctx context.Context, tx *db.Tx, businessID, appID string, k Kind, name string) (string, error) {
	return db.One(ctx, tx, db.Value[string], `SELECT record_id FROM external_ids
		WHERE business_id = $1 AND app_id = $2 AND kind = $3 AND external_id = $4`, businessID, appID, k, name)
}

func deleteExternalID(ctx context.Context, tx *db.Tx, appID, recordID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM external_ids WHERE record_id = $1 AND app_id = $2`, recordID, appID)
	return err
}

func deleteExternalIDs(ctx context.Context, tx *db.Tx, recordID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM external_ids WHERE record_id = $1`, recordID)
	return err
}
