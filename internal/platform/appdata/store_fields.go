package appdata

import (
	"context"

	"daybook/internal/base/db"
)

const fieldColumns = `f.id, f.app_id, f.resource_type, f.key, f.label, f.description, f.type, f.rules, f.visibility, f.version, f.created_at, f.updated_at`

func scanField(s db.Scan) (Field, error) {
	var f Field
	var rules RuleSet
	err := s(&f.ID, &f.AppID, &f.ResourceType, &f.Key, &f.Label, &f.Description, &f.Type, db.JSON(&rules), &f.Visibility, &f.Version, &f.CreatedAt, &f.UpdatedAt)
	if err == nil {
		f.Rules, err = rules.stored(f.Type)
	}
	return f, err
}

func listFields(ctx context.Context, tx *db.Tx, appID string) ([]Field, error) {
	return db.All(ctx, tx, scanField, `SELECT `+fieldColumns+` FROM app_fields f WHERE f.app_id = $1 ORDER BY f.resource_type, f.key`, appID)
}

func findField(ctx context.Context, tx *db.Tx, appID, fieldID string) (Field, error) {
	return db.One(ctx, tx, scanField, `SELECT `+fieldColumns+` FROM app_fields f WHERE f.app_id = $1 AND f.id = $2`, appID, fieldID)
}

// holdFields reads the fields of some keys and keeps them from being deleted until the transaction ends. Any number of
// writers may do so at once.
func holdFields(ctx context.Context, tx *db.Tx, appID string, keys []string) ([]Field, error) {
	return db.All(ctx, tx, scanField, `SELECT `+fieldColumns+` FROM app_fields f WHERE f.app_id = $1 AND f.key IN (`+db.In(2, len(keys))+`) `+
		tx.Dialect().ForKeyShare("f"), append([]any{appID}, anys(keys)...)...)
}

// counted are an app's fields for a sort of record, and those of them with a certain key.
type counted struct{ all, same int }

func countFields(ctx context.Context, tx *db.Tx, appID string, t ResourceType, key string) (counted, error) {
	return db.One(ctx, tx, func(s db.Scan) (n counted, err error) { err = s(&n.all, &n.same); return n, err }, `
		SELECT count(*), count(CASE WHEN key = $3 THEN 1 END) FROM app_fields WHERE app_id = $1 AND resource_type = $2`, appID, t, key)
}

func insertField(ctx context.Context, tx *db.Tx, f Field) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO app_fields (id, app_id, resource_type, key, label, description, type, rules, visibility, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		f.ID, f.AppID, f.ResourceType, f.Key, f.Label, f.Description, f.Type, db.JSON(f.Rules), f.Visibility, f.Version, f.CreatedAt, f.UpdatedAt)
	return err
}

func updateField(ctx context.Context, tx *db.Tx, f Field) error {
	_, err := tx.Exec(ctx, `UPDATE app_fields SET label = $3, description = $4, rules = $5, visibility = $6, version = $7, updated_at = $8
		WHERE app_id = $1 AND id = $2`, f.AppID, f.ID, f.Label, f.Description, db.JSON(f.Rules), f.Visibility, f.Version, f.UpdatedAt)
	return err
}

func deleteField(ctx context.Context, tx *db.Tx, appID, fieldID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM app_fields WHERE app_id = $1 AND id = $2`, appID, fieldID)
	return err
}

// deleteOfField removes the values of a field in every business: it was the app's, and so are they.
func deleteOfField(ctx context.Context, tx *db.Tx, fieldID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM app_data WHERE field_id = $1`, fieldID)
	return err
}

func anys(words []string) []any {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}
