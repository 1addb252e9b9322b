package extension

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/scope"
)

const columns = `e.id, e.app_id, e.kind, e.resource_type, e.label, e.path, e.enabled, e.version, e.created_at, e.updated_at`

func (e *Extension) dest() []any {
	return []any{&e.ID, &e.AppID, &e.Kind, &e.ResourceType, &e.Label, &e.Path, &e.Enabled, &e.Version, &e.CreatedAt, &e.UpdatedAt}
}

func scan(s db.Scan) (e Extension, err error) {
	err = s(e.dest()...)
	return e, err
}

func list(ctx context.Context, tx *db.Tx, appID string) ([]Extension, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM app_extensions e WHERE e.app_id = $1 ORDER BY e.id`, appID)
}

func find(ctx context.Context, tx *db.Tx, appID, extensionID string) (Extension, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM app_extensions e WHERE e.app_id = $1 AND e.id = $2`, appID, extensionID)
}

func count(ctx context.Context, tx *db.Tx, appID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM app_extensions WHERE app_id = $1`, appID)
}

func insert(ctx context.Context, tx *db.Tx, e Extension) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO app_extensions (id, app_id, kind, resource_type, label, path, enabled, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		e.ID, e.AppID, e.Kind, e.ResourceType, e.Label, e.Path, e.Enabled, e.Version, e.CreatedAt, e.UpdatedAt)
	return err
}

func update(ctx context.Context, tx *db.Tx, e Extension) error {
	_, err := tx.Exec(ctx, `UPDATE app_extensions SET kind = $3, resource_type = $4, label = $5, path = $6, enabled = $7, version = $8, updated_at = $9
		WHERE app_id = $1 AND id = $2`, e.AppID, e.ID, e.Kind, e.ResourceType, e.Label, e.Path, e.Enabled, e.Version, e.UpdatedAt)
	return err
}

func remove(ctx context.Context, tx *db.Tx, appID, extensionID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM app_extensions WHERE app_id = $1 AND id = $2`, appID, extensionID)
	return err
}

// standing is an extension with all that decides whether it is shown in a business.
type standing struct {
	Extension
	app     app.App // as much of it as counts
	granted scope.Set
}

// listStanding reads what running apps that are installed in a business would show there: their pages, and what stands beside records of
// a sort, if one is given. One statement: it runs whenever a page of the business is made.
func listStanding(ctx context.Context, tx *db.Tx, businessID string, t appdata.ResourceType) ([]standing, error) {
	return db.All(ctx, tx, func(s db.Scan) (r standing, err error) {
		var registered, granted string
		err = s(append(r.dest(), &r.app.Name, &r.app.ClientID, &r.app.AppURL, &registered, &granted)...)
		r.app.ID, r.app.Scopes, r.granted = r.AppID, scope.Parse(registered), scope.Parse(granted)
		return r, err
	}, `SELECT `+columns+`, a.name, a.client_id, a.app_url, a.scopes, i.granted_scopes
		FROM installations i JOIN apps a ON a.id = i.app_id AND a.suspended_at IS NULL AND a.deactivated_at IS NULL
			JOIN app_extensions e ON e.app_id = a.id AND e.enabled = 1 AND (e.resource_type IS NULL OR e.resource_type = $2)
		WHERE i.business_id = $1 AND i.status = 'ACTIVE' ORDER BY a.name, a.id, e.id`, businessID, t)
}
