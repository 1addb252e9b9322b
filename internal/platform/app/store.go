package app

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

const columns = `a.id, a.organization_id, a.origin, a.name, a.description, a.app_url, a.support_email, a.privacy_url, a.terms_url,
	a.client_id, a.client_type, a.redirect_uris, a.scopes, a.review_status, a.deactivated_at, a.suspended_at, a.suspension_reason,
	a.pinned_api_version, a.approved_scopes, a.version, a.created_at, a.updated_at`

func scan(s db.Scan) (App, error) {
	var a App
	var scopes, approved string
	err := s(&a.ID, &a.OrganizationID, &a.Origin, &a.Name, &a.Description, &a.AppURL, &a.SupportEmail, &a.PrivacyURL, &a.TermsURL,
		&a.ClientID, &a.ClientType, db.JSON(&a.RedirectURIs), &scopes, &a.ReviewStatus, &a.DeactivatedAt, &a.SuspendedAt, &a.SuspensionReason,
		&a.PinnedAPIVersion, &approved, &a.Version, &a.CreatedAt, &a.UpdatedAt)
	a.Scopes, a.ApprovedScopes = scope.Parse(scopes), scope.Parse(approved)
	return a, err
}

// insert reports whether the client id was free.
func insert(ctx context.Context, tx *db.Tx, a App) (bool, error) {
	n, err := tx.Exec(ctx, `
		INSERT INTO apps (id, organization_id, origin, name, description, app_url, support_email, privacy_url, terms_url,
			client_id, client_type, redirect_uris, scopes, review_status, approved_scopes, pinned_api_version, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
		ON CONFLICT (client_id) DO NOTHING`,
		a.ID, a.OrganizationID, a.Origin, a.Name, a.Description, a.AppURL, a.SupportEmail, a.PrivacyURL, a.TermsURL,
		a.ClientID, a.ClientType, db.JSON(a.RedirectURIs), a.Scopes.String(), a.ReviewStatus, a.ApprovedScopes.String(), a.PinnedAPIVersion, a.Version, a.CreatedAt, a.UpdatedAt)
	return n == 1, err
}

// lock takes the app's row until the end of the transaction, so that changes happen one after another.
func lock(ctx context.Context, tx *db.Tx, appID string) error {
	_, err := tx.Exec(ctx, `UPDATE apps SET version = version WHERE id = $1`, appID)
	return err
}

func find(ctx context.Context, tx *db.Tx, appID string) (App, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM apps a WHERE a.id = $1`, appID)
}

func findByClientID(ctx context.Context, tx *db.Tx, clientID string) (App, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM apps a WHERE a.client_id = $1`, clientID)
}

func listOf(ctx context.Context, tx *db.Tx, organizationID string) ([]App, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM apps a WHERE a.organization_id = $1 ORDER BY a.id`, organizationID)
}

// update writes every changeable member if the app still has the version that was read.
func update(ctx context.Context, tx *db.Tx, a App) (bool, error) {
	n, err := tx.Exec(ctx, `
		UPDATE apps SET name = $3, description = $4, app_url = $5, support_email = $6, privacy_url = $7, terms_url = $8,
			redirect_uris = $9, scopes = $10, review_status = $11, deactivated_at = $12, suspended_at = $13, suspension_reason = $14,
			pinned_api_version = $15, organization_id = $16, approved_scopes = $17, version = version + 1, updated_at = $18
		WHERE id = $1 AND version = $2`,
		a.ID, a.Version, a.Name, a.Description, a.AppURL, a.SupportEmail, a.PrivacyURL, a.TermsURL,
		db.JSON(a.RedirectURIs), a.Scopes.String(), a.ReviewStatus, a.DeactivatedAt, a.SuspendedAt, a.SuspensionReason,
		a.PinnedAPIVersion, a.OrganizationID, a.ApprovedScopes.String(), tx.Now())
	return n == 1, err
}

func scanSecret(s db.Scan) (Secret, error) {
	var sec Secret
	err := s(&sec.ID, &sec.AppID, &sec.CreatedAt, &sec.LastUsedAt)
	return sec, err
}

// insertSecret takes the first free slot and reports whether there was one. Two that race for the last slot meet the
// unique index; the second finds none.
func insertSecret(ctx context.Context, tx *db.Tx, s Secret, hash []byte) (bool, error) {
	n, err := tx.Exec(ctx, `
		INSERT INTO app_secrets (id, app_id, slot, hash, created_at)
		SELECT $1, $2, f.slot, $3, $4 FROM (SELECT 1 AS slot UNION ALL SELECT 2) f
		WHERE NOT EXISTS (SELECT 1 FROM app_secrets s WHERE s.app_id = $2 AND s.slot = f.slot)
		ORDER BY f.slot LIMIT 1
		ON CONFLICT (app_id, slot) DO NOTHING`, s.ID, s.AppID, hash, s.CreatedAt)
	return n == 1, err
}

func listSecrets(ctx context.Context, tx *db.Tx, appID string) ([]Secret, error) {
	return db.All(ctx, tx, scanSecret, `SELECT id, app_id, created_at, last_used_at FROM app_secrets WHERE app_id = $1 ORDER BY created_at, id`, appID)
}

func deleteSecret(ctx context.Context, tx *db.Tx, appID, secretID string) (bool, error) {
	n, err := tx.Exec(ctx, `DELETE FROM app_secrets WHERE app_id = $1 AND id = $2`, appID, secretID)
	return n == 1, err
}

func setSecretUsed(ctx context.Context, tx *db.Tx, use SecretUse, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE app_secrets SET last_used_at = $3 WHERE app_id = $1 AND hash = $2 AND (last_used_at IS NULL OR last_used_at < $3)`,
		use.AppID, use.Hash[:], at)
	return err
}

// credentials is an app with the hashes of its secrets.
type credentials struct {
	app      App
	hashes   [][]byte
	revision int64 // of access
}

// findCredentials reads an app and its secrets in one statement: it runs on every call to an OAuth endpoint.
func findCredentials(ctx context.Context, tx *db.Tx, clientID string) (credentials, error) {
	var c credentials
	rows, err := db.All(ctx, tx, func(s db.Scan) (hash []byte, err error) {
		c.app, err = scan(func(dest ...any) error { return s(append(dest, &hash, &c.revision)...) })
		return hash, err
	}, `SELECT `+columns+`, s.hash, v.revision FROM apps a JOIN access_revision v ON v.id = 1
		LEFT JOIN app_secrets s ON s.app_id = a.id WHERE a.client_id = $1`, clientID)
	if err == nil && len(rows) == 0 {
		err = db.ErrNoRows
	}
	for _, hash := range rows {
		if hash != nil {
			c.hashes = append(c.hashes, hash)
		}
	}
	return c, err
}

func deleteApps(ctx context.Context, tx *db.Tx, appIDs []string) error {
	args := make([]any, len(appIDs))
	for i, id := range appIDs {
		args[i] = id
	}
	if _, err := tx.Exec(ctx, `DELETE FROM app_secrets WHERE app_id IN (`+db.In(1, len(args))+`)`, args...); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM apps WHERE id IN (`+db.In(1, len(args))+`)`, args...)
	return err
}
