package record

import (
	"context"
	"strings"

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

var intoExternalIDs = db.NewInsert("external_ids", "business_id, app_id, kind, external_id, record_id", "")

func insertExternalIDs(ctx context.Context, tx *db.Tx, businessID, appID string, list []Named) error {
	rows := make([]any, 0, 5*len(list))
	for _, n := range list {
		rows = append(rows, businessID, appID, n.Kind, n.Name, n.RecordID)
	}
	return intoExternalIDs.Exec(ctx, tx, rows)
}

// findExternalIDs makes the names a table. With `IN (…)` PostgreSQL compares all names of the app with all that are wanted as
// long as it has not counted the app's, which takes a hundred times longer.
func findExternalIDs(ctx context.Context, tx *db.Tx, businessID, appID string, k Kind, names []string) (map[string]string, error) {
	args := []any{businessID, appID, k}
	rows := make([]string, len(names))
	for i, n := range names {
		args = append(args, n)
		rows[i] = "(" + db.In(len(args), 1) + ")"
	}
	found := map[string]string{}
	_, err := db.All(ctx, tx, func(scan db.Scan) (name string, err error) {
		var recordID string
		err = scan(&name, &recordID)
		found[name] = recordID
		return name, err
	}, `WITH wanted (name) AS (VALUES `+strings.Join(rows, ", ")+`) SELECT x.external_id, x.record_id FROM wanted w CROSS JOIN external_ids x
		WHERE x.business_id = $1 AND x.app_id = $2 AND x.kind = $3 AND x.external_id = w.name`, args...)
	return found, err
}
