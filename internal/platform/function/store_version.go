package function

import (
	"context"

	"daybook/internal/base/db"
)

const versionColumns = `v.id, v.function_id, v.number, octet_length(v.source), v.created_by, v.created_at`

func scanVersion(s db.Scan) (v Version, err error) {
	err = s(&v.ID, &v.FunctionID, &v.Number, &v.Size, &v.CreatedBy, &v.CreatedAt)
	return v, err
}

func insertVersion(ctx context.Context, tx *db.Tx, v Version) error {
	_, err := tx.Exec(ctx, `INSERT INTO function_versions (id, function_id, number, source, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		v.ID, v.FunctionID, v.Number, v.Source, v.CreatedBy, v.CreatedAt)
	return err
}

// dropVersions removes versions up to a number, without the active one.
func dropVersions(ctx context.Context, tx *db.Tx, f Function, upTo int) error {
	_, err := tx.Exec(ctx, `DELETE FROM function_versions WHERE function_id = $1 AND number <= $2 AND id <> $3`, f.ID, upTo, orEmpty(f.ActiveVersion))
	return err
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func listVersions(ctx context.Context, tx *db.Tx, functionID string) ([]Version, error) {
	return db.All(ctx, tx, scanVersion, `SELECT `+versionColumns+` FROM function_versions v WHERE v.function_id = $1 ORDER BY v.number DESC`, functionID)
}

func newestVersion(ctx context.Context, tx *db.Tx, functionID string) (Version, error) {
	return db.One(ctx, tx, scanVersion, `SELECT `+versionColumns+` FROM function_versions v WHERE v.function_id = $1 ORDER BY v.number DESC LIMIT 1`, functionID)
}

func findVersion(ctx context.Context, tx *db.Tx, functionID, versionID string) (Version, error) {
	return db.One(ctx, tx, scanVersion, `SELECT `+versionColumns+` FROM function_versions v WHERE v.function_id = $1 AND v.id = $2`, functionID, versionID)
}

func readSource(ctx context.Context, tx *db.Tx, versionID string) (string, error) {
	return db.One(ctx, tx, db.Value[string], `SELECT v.source FROM function_versions v WHERE v.id = $1`, versionID)
}

func listConfig(ctx context.Context, tx *db.Tx, appID string) ([]Setting, error) {
	return db.All(ctx, tx, func(s db.Scan) (one Setting, err error) {
		var value *string
		err = s(&one.Key, &value, &one.sealed, &one.UpdatedAt)
		if one.Secret = value == nil; !one.Secret {
			one.Value = *value
		}
		return one, err
	}, `SELECT c.key, c.value, c.sealed, c.updated_at FROM function_config c WHERE c.app_id = $1 ORDER BY c.key`, appID)
}

func countConfig(ctx context.Context, tx *db.Tx, appID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM function_config c WHERE c.app_id = $1`, appID)
}

func putConfig(ctx context.Context, tx *db.Tx, appID string, one Setting) error {
	var value *string
	if !one.Secret {
		value = &one.Value
	}
	_, err := tx.Exec(ctx, `INSERT INTO function_config (app_id, key, value, sealed, updated_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (app_id, key) DO UPDATE SET value = excluded.value, sealed = excluded.sealed, updated_at = excluded.updated_at`,
		appID, one.Key, value, one.sealed, one.UpdatedAt)
	return err
}

// deleteConfig reports whether there was such a value.
func deleteConfig(ctx context.Context, tx *db.Tx, appID, key string) (bool, error) {
	n, err := tx.Exec(ctx, `DELETE FROM function_config WHERE app_id = $1 AND key = $2`, appID, key)
	return n == 1, err
}
