package oauth

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// standingColumns and standingJoins read how a grant stands. The grant is x and has app_id, installation_id, consent_id
// and user_id.
const standingColumns = `a.suspended_at, a.deactivated_at, i.status, i.uninstalled_at, c.revoked_at, u.suspended_at, u.restricted_at, m.role`

const standingJoins = `
	JOIN apps a ON a.id = x.app_id
	JOIN installations i ON i.id = x.installation_id
	JOIN users u ON u.id = x.user_id
	LEFT JOIN consents c ON c.id = x.consent_id
	LEFT JOIN business_members m ON m.business_id = i.business_id AND m.user_id = x.user_id`

type code struct {
	appID, installationID, consentID, userID, businessID string
	redirectURI, challenge                               string
	scopes                                               scope.Set
	expiresAt                                            time.Time
	usedAt                                               *time.Time
	familyID                                             *string
	standing
}

func insertCode(ctx context.Context, tx *db.Tx, hash []byte, c code) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO authorization_codes (hash, app_id, installation_id, consent_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		hash, c.appID, c.installationID, c.consentID, c.userID, c.redirectURI, c.scopes.String(), c.challenge, c.expiresAt)
	return err
}

func findCode(ctx context.Context, tx *db.Tx, hash []byte) (code, error) {
	return db.One(ctx, tx, func(scan db.Scan) (c code, err error) {
		var scopes string
		dest := append([]any{&c.appID, &c.installationID, &c.consentID, &c.userID, &c.businessID, &c.redirectURI, &c.challenge, &scopes,
			&c.expiresAt, &c.usedAt, &c.familyID}, c.standing.dest()...)
		err = scan(dest...)
		c.scopes = scope.Parse(scopes)
		return c, err
	}, `SELECT x.app_id, x.installation_id, x.consent_id, x.user_id, i.business_id, x.redirect_uri, x.code_challenge, x.scopes,
		x.expires_at, x.used_at, x.family_id, `+standingColumns+`, '' FROM authorization_codes x`+standingJoins+` WHERE x.hash = $1`, hash)
}

// useCode marks a code used; of any number that try, one does.
func useCode(ctx context.Context, tx *db.Tx, hash []byte, familyID string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE authorization_codes SET used_at = $2, family_id = $3 WHERE hash = $1 AND used_at IS NULL`, hash, tx.Now(), familyID)
	return n == 1, err
}

func insertFamily(ctx context.Context, tx *db.Tx, f family, endsAt time.Time) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO token_families (id, app_id, business_id, installation_id, user_id, consent_id, session_id, scopes,
			access_hash, access_scopes, access_expires_at, access_fresh, refresh_hash, created_at, ends_at, access_epoch)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		f.id, f.appID, f.businessID, f.installationID, f.userID, f.consentID, f.sessionID, f.scopes.String(),
		f.accessHash, f.accessScopes.String(), f.accessExpires, f.accessFresh, f.refreshHash, tx.Now(), endsAt, f.epoch)
	return err
}

func insertRefresh(ctx context.Context, tx *db.Tx, hash []byte, familyID string) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (hash, family_id, created_at, expires_at) VALUES ($1, $2, $3, $4)`,
		hash, familyID, tx.Now(), tx.Now().Add(refreshLife))
	return err
}

// revokeFamily burns a family; a second burn changes nothing.
func revokeFamily(ctx context.Context, tx *db.Tx, familyID string) error {
	_, err := tx.Exec(ctx, `UPDATE token_families SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`, familyID, tx.Now())
	return err
}

type refreshToken struct {
	family
	hash        []byte
	endsAt      time.Time // of the family, to endPrecision
	expiresAt   time.Time
	answer      []byte
	answerUntil *time.Time
	standing
}

func findRefresh(ctx context.Context, tx *db.Tx, hash []byte) (refreshToken, error) {
	return db.One(ctx, tx, func(scan db.Scan) (r refreshToken, err error) {
		var scopes string
		f := &r.family
		dest := append([]any{&r.hash, &r.expiresAt, &r.answer, &r.answerUntil, &f.id, &f.appID, &scopes,
			&f.accessHash, &f.accessFresh, &f.refreshHash, &f.revokedAt, &r.endsAt}, r.standing.dest()...)
		err = scan(dest...)
		f.scopes = scope.Parse(scopes)
		return r, err
	}, `SELECT r.hash, r.expires_at, r.answer, r.answer_until, x.id, x.app_id, x.scopes,
		x.access_hash, x.access_fresh, x.refresh_hash, x.revoked_at, x.ends_at, `+standingColumns+`, ''
		FROM refresh_tokens r JOIN token_families x ON x.id = r.family_id`+standingJoins+` WHERE r.hash = $1`, hash)
}

// rotate replaces both tokens of a family if the refresh token is still the present one; of any number that try, one does.
func rotate(ctx context.Context, tx *db.Tx, t refreshToken, m minted, scopes scope.Set, fresh bool) (bool, error) {
	const set = `UPDATE token_families SET access_hash = $3, access_scopes = $4, access_expires_at = $5, access_fresh = $6, refresh_hash = $7`
	const where = ` WHERE id = $1 AND refresh_hash = $2 AND revoked_at IS NULL`
	sql, args := set+where, []any{t.id, t.hash, m.accessHash, scopes.String(), tx.Now().Add(accessLife), fresh, m.refreshHash}
	// The family's end is indexed for the clean-up, which need not know it to the day.
	if ends := tx.Now().Add(refreshLife); t.endsAt.Before(ends.Add(-endPrecision)) {
		sql, args = set+`, ends_at = $8`+where, append(args, ends)
	}
	n, err := tx.Exec(ctx, sql, args...)
	return n == 1, err
}

func keepAnswer(ctx context.Context, tx *db.Tx, hash, answer []byte) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET answer = $2, answer_until = $3 WHERE hash = $1`, hash, answer, tx.Now().Add(idempotencyLife))
	return err
}

// access is an access token's family with all that is asked of it.
type access struct {
	family
	clientID         string
	pinnedAPIVersion *string
	accessEnded      bool // the business revoked access since
	standing
}

// accessEnded is 1 for a token that hangs on no consent and was made before the business last revoked access (INST-02).
const accessEnded = `CASE WHEN x.consent_id IS NULL AND x.access_epoch <> i.access_epoch THEN 1 ELSE 0 END`

// findAccess reads an access token with everything its use depends on, in one statement: it runs on every API call.
func findAccess(ctx context.Context, tx *db.Tx, hash []byte) (access, error) {
	return db.One(ctx, tx, func(scan db.Scan) (t access, err error) {
		var scopes string
		f := &t.family
		dest := append([]any{&f.id, &f.appID, &f.businessID, &f.installationID, &f.userID, &f.sessionID, &scopes, &f.accessExpires, &f.accessFresh,
			&f.revokedAt, &t.clientID, &t.pinnedAPIVersion, &t.accessEnded}, t.standing.dest()...)
		err = scan(dest...)
		f.accessScopes = scope.Parse(scopes)
		return t, err
	}, `SELECT x.id, x.app_id, x.business_id, x.installation_id, x.user_id, x.session_id, x.access_scopes, x.access_expires_at, x.access_fresh,
		x.revoked_at, a.client_id, a.pinned_api_version, `+accessEnded+`, `+standingColumns+`, ss.id FROM token_families x`+standingJoins+`
		LEFT JOIN sessions ss ON ss.id = x.session_id AND ss.expires_at > $2 WHERE x.access_hash = $1`, hash, tx.Now())
}

// markAccessUsed notes the first use of an access token; one that was replaced meanwhile says nothing about its successor.
func markAccessUsed(ctx context.Context, tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(ctx, `UPDATE token_families SET access_fresh = 0 WHERE access_hash = $1`, hash)
	return err
}

// endAccess ends an access token alone; appID, if not empty, must own it.
func endAccess(ctx context.Context, tx *db.Tx, hash []byte, appID string) error {
	_, err := tx.Exec(ctx, `UPDATE token_families SET access_expires_at = $2
		WHERE access_hash = $1 AND ($3 = '' OR app_id = $3) AND access_expires_at > $2`, hash, tx.Now(), appID)
	return err
}

// endRefresh ends a refresh token with its family; appID, if not empty, must own it.
func endRefresh(ctx context.Context, tx *db.Tx, hash []byte, appID string) error {
	_, err := tx.Exec(ctx, `UPDATE token_families SET revoked_at = $2
		WHERE id = (SELECT family_id FROM refresh_tokens WHERE hash = $1) AND ($3 = '' OR app_id = $3) AND revoked_at IS NULL`, hash, tx.Now(), appID)
	return err
}

// deleteEnded removes at most limit rows of a table whose time is over.
func deleteEnded(ctx context.Context, tx *db.Tx, w sweep, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM `+w.table+` WHERE `+w.key+` IN (
		SELECT `+w.key+` FROM `+w.table+` WHERE `+w.column+` <= $1 LIMIT $2)`, tx.Now().Add(-w.keep), limit)
}

func none(err error) bool { return errors.Is(err, db.ErrNoRows) }
