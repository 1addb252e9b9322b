package install

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

const columns = `id, business_id, app_id, status, granted_scopes, installed_at, uninstalled_at, redact_at, last_used_at, version, updated_at`

func scan(s db.Scan) (Installation, error) {
	var i Installation
	var scopes string
	err := s(&i.ID, &i.BusinessID, &i.AppID, &i.Status, &scopes, &i.InstalledAt, &i.UninstalledAt, &i.RedactAt, &i.LastUsedAt, &i.Version, &i.UpdatedAt)
	i.GrantedScopes = scope.Parse(scopes)
	return i, err
}

func scanConsent(s db.Scan) (Consent, error) {
	var c Consent
	var scopes string
	err := s(&c.ID, &c.InstallationID, &c.UserID, &scopes, &c.GrantedAt, &c.RevokedAt)
	c.Scopes = scope.Parse(scopes)
	return c, err
}

// insert reports whether there was no ACTIVE installation yet; of many that race, one makes it.
func insert(ctx context.Context, tx *db.Tx, i Installation) (bool, error) {
	n, err := tx.Exec(ctx, `
		INSERT INTO installations (id, business_id, app_id, status, granted_scopes, installed_at, access_epoch, version, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8)
		ON CONFLICT (business_id, app_id) WHERE status = 'ACTIVE' DO NOTHING`,
		i.ID, i.BusinessID, i.AppID, i.Status, i.GrantedScopes.String(), i.InstalledAt, i.Version, i.UpdatedAt)
	return n == 1, err
}

// lockActive takes the ACTIVE installation's row until the end of the transaction, so that approvals of the same
// business and app extend it one after another.
func lockActive(ctx context.Context, tx *db.Tx, businessID, appID string) (Installation, error) {
	return db.One(ctx, tx, scan, `UPDATE installations SET version = version
		WHERE business_id = $1 AND app_id = $2 AND status = 'ACTIVE' RETURNING `+columns, businessID, appID)
}

func find(ctx context.Context, tx *db.Tx, businessID, installationID string) (Installation, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM installations WHERE business_id = $1 AND id = $2`, businessID, installationID)
}

func listActive(ctx context.Context, tx *db.Tx, businessID string) ([]Installation, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM installations WHERE business_id = $1 AND status = 'ACTIVE' ORDER BY installed_at, id`, businessID)
}

func listAll(ctx context.Context, tx *db.Tx, businessID string) ([]Installation, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM installations WHERE business_id = $1 ORDER BY installed_at DESC, id DESC`, businessID)
}

func setGranted(ctx context.Context, tx *db.Tx, i Installation, scopes scope.Set) (Installation, error) {
	return db.One(ctx, tx, scan, `UPDATE installations SET granted_scopes = $3, version = version + 1, updated_at = $4
		WHERE business_id = $1 AND id = $2 RETURNING `+columns, i.BusinessID, i.ID, scopes.String(), tx.Now())
}

// end makes an ACTIVE installation UNINSTALLED; of many that race, one does.
func end(ctx context.Context, tx *db.Tx, businessID, installationID string, redactAt time.Time) (Installation, error) {
	return db.One(ctx, tx, scan, `
		UPDATE installations SET status = 'UNINSTALLED', uninstalled_at = $3, redact_at = $4, version = version + 1, updated_at = $3
		WHERE business_id = $1 AND id = $2 AND status = 'ACTIVE' RETURNING `+columns, businessID, installationID, tx.Now(), redactAt)
}

func setLastUsed(ctx context.Context, tx *db.Tx, installationID string, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE installations SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`, installationID, at)
	return err
}

// endAccess makes every token of the installation so far count no more, also those that hang on no consent.
func endAccess(ctx context.Context, tx *db.Tx, businessID, installationID string) error {
	_, err := tx.Exec(ctx, `UPDATE installations SET access_epoch = access_epoch + 1 WHERE business_id = $1 AND id = $2`, businessID, installationID)
	return err
}

// cancelRedaction keeps the app's data in the business: it is installed again.
func cancelRedaction(ctx context.Context, tx *db.Tx, businessID, appID string) error {
	_, err := tx.Exec(ctx, `UPDATE installations SET redact_at = NULL WHERE business_id = $1 AND app_id = $2 AND redact_at IS NOT NULL`, businessID, appID)
	return err
}

// listRedactable reads installations whose data is to be erased by now, behind a certain one, the longest overdue first.
func listRedactable(ctx context.Context, tx *db.Tx, behind Installation, most int) ([]Installation, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM installations
		WHERE redact_at <= $1 AND (redact_at > $2 OR redact_at = $2 AND id > $3) ORDER BY redact_at, id LIMIT $4`,
		tx.Now(), behind.RedactAt, behind.ID, most)
}

// listUnredacted reads the installations of a business whose data is still to be erased, some day.
func listUnredacted(ctx context.Context, tx *db.Tx, businessID string) ([]Installation, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM installations WHERE business_id = $1 AND redact_at IS NOT NULL ORDER BY installed_at, id`, businessID)
}

// setRedactAt brings the day forward on which data is erased.
func setRedactAt(ctx context.Context, tx *db.Tx, businessID, installationID string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE installations SET redact_at = $3 WHERE business_id = $1 AND id = $2 AND redact_at IS NOT NULL`, businessID, installationID, tx.Now())
	return n == 1, err
}

// takeRedaction reports whether the data is still to be erased; of many that ask, one hears yes. Whoever installs the app
// again at the same time waits for the outcome, or has been quicker.
func takeRedaction(ctx context.Context, tx *db.Tx, businessID, installationID string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE installations SET redact_at = NULL, version = version + 1, updated_at = $3
		WHERE business_id = $1 AND id = $2 AND redact_at <= $3`, businessID, installationID, tx.Now())
	return n == 1, err
}

const consentColumns = `id, installation_id, user_id, scopes, granted_at, revoked_at`

func findConsent(ctx context.Context, tx *db.Tx, installationID, userID string) (Consent, error) {
	return db.One(ctx, tx, scanConsent, `SELECT `+consentColumns+` FROM consents
		WHERE installation_id = $1 AND user_id = $2 AND revoked_at IS NULL`, installationID, userID)
}

func insertConsent(ctx context.Context, tx *db.Tx, c Consent) error {
	_, err := tx.Exec(ctx, `INSERT INTO consents (id, installation_id, user_id, scopes, granted_at) VALUES ($1, $2, $3, $4, $5)`,
		c.ID, c.InstallationID, c.UserID, c.Scopes.String(), c.GrantedAt)
	return err
}

func widenConsent(ctx context.Context, tx *db.Tx, c Consent) error {
	_, err := tx.Exec(ctx, `UPDATE consents SET scopes = $2, granted_at = $3 WHERE id = $1`, c.ID, c.Scopes.String(), c.GrantedAt)
	return err
}

// revokeConsents ends the live consents of an installation: one user's, or everyone's for an empty user id.
func revokeConsents(ctx context.Context, tx *db.Tx, installationID, userID string) (int64, error) {
	return tx.Exec(ctx, `UPDATE consents SET revoked_at = $3
		WHERE installation_id = $1 AND ($2 = '' OR user_id = $2) AND revoked_at IS NULL`, installationID, userID, tx.Now())
}
