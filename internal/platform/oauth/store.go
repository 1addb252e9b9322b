package oauth

import (
	"context"
	"errors"
	"slices"
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
	background
}

// background is what a grant's own row does not say.
type background struct {
	standing
	revision int64    // of access, when it was read
	hashes   [][]byte // of the app's secrets
}

func insertCode(ctx context.Context, tx *db.Tx, hash []byte, c code) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO authorization_codes (hash, app_id, installation_id, consent_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		hash, c.appID, c.installationID, c.consentID, c.userID, c.redirectURI, c.scopes.String(), c.challenge, c.expiresAt)
	return err
}

// findCode reads a code with everything its redemption depends on, the revision of access included.
func findCode(ctx context.Context, tx *db.Tx, hash []byte) (c code, err error) {
	rows, err := db.All(ctx, tx, func(scan db.Scan) (hash []byte, err error) {
		var scopes string
		dest := append([]any{&c.revision, &hash, &c.appID, &c.installationID, &c.consentID, &c.userID, &c.businessID, &c.redirectURI, &c.challenge, &scopes,
			&c.expiresAt, &c.usedAt, &c.familyID}, c.standing.dest()...)
		err = scan(dest...)
		c.scopes = scope.Parse(scopes)
		return hash, err
	}, `SELECT v.revision, k.hash, x.app_id, x.installation_id, x.consent_id, x.user_id, i.business_id, x.redirect_uri, x.code_challenge, x.scopes,
		x.expires_at, x.used_at, x.family_id, `+standingColumns+`, '' FROM authorization_codes x JOIN access_revision v ON v.id = 1`+standingJoins+`
		LEFT JOIN app_secrets k ON k.app_id = x.app_id WHERE x.hash = $1`, hash)
	c.hashes, err = secretsOf(rows, err)
	return c, err
}

// findCodeAlone reads a code without what stands behind it, for when that is remembered. There is always a revision;
// without such a code the app is empty.
func findCodeAlone(ctx context.Context, tx *db.Tx, hash []byte) (code, error) {
	return db.One(ctx, tx, func(scan db.Scan) (c code, err error) {
		var appID, installationID, consentID, userID, redirectURI, challenge, scopes *string
		var expiresAt *time.Time
		err = scan(&c.revision, &appID, &installationID, &consentID, &userID, &redirectURI, &challenge, &scopes, &expiresAt, &c.usedAt, &c.familyID)
		if err != nil || appID == nil {
			return c, err
		}
		c.appID, c.installationID, c.consentID, c.userID, c.redirectURI, c.challenge = *appID, *installationID, *consentID, *userID, *redirectURI, *challenge
		c.scopes, c.expiresAt = scope.Parse(*scopes), *expiresAt
		return c, nil
	}, `SELECT v.revision, x.app_id, x.installation_id, x.consent_id, x.user_id, x.redirect_uri, x.code_challenge, x.scopes, x.expires_at, x.used_at, x.family_id
		FROM access_revision v LEFT JOIN authorization_codes x ON x.hash = $1 WHERE v.id = 1`, hash)
}

// secretsOf is the hashes of an app's secrets, of a statement that gives a row for each and one without any.
func secretsOf(rows [][]byte, err error) ([][]byte, error) {
	if err == nil && len(rows) == 0 {
		err = db.ErrNoRows
	}
	return slices.DeleteFunc(rows, func(h []byte) bool { return h == nil }), err
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
func revokeFamily(ctx context.Context, tx *db.Tx, familyID string, why EndReason) error {
	_, err := tx.Exec(ctx, `UPDATE token_families SET revoked_at = $2, revoked_why = $3 WHERE id = $1 AND revoked_at IS NULL`, familyID, tx.Now(), why)
	return err
}

type refreshToken struct {
	family
	hash        []byte
	endsAt      time.Time // of the family, to endPrecision
	expiresAt   time.Time
	answer      []byte
	answerUntil *time.Time
	background
}

// findRefresh reads a refresh token with everything its use depends on, the revision of access included.
func findRefresh(ctx context.Context, tx *db.Tx, hash []byte) (r refreshToken, err error) {
	rows, err := db.All(ctx, tx, func(scan db.Scan) (hash []byte, err error) {
		var scopes string
		f := &r.family
		dest := append([]any{&r.revision, &hash, &r.hash, &r.expiresAt, &r.answer, &r.answerUntil, &f.id, &f.appID, &f.installationID, &f.consentID, &f.userID,
			&scopes, &f.accessHash, &f.accessFresh, &f.refreshHash, &f.revokedAt, &r.endsAt}, r.standing.dest()...)
		err = scan(dest...)
		f.scopes = scope.Parse(scopes)
		return hash, err
	}, `SELECT v.revision, k.hash, r.hash, r.expires_at, r.answer, r.answer_until, x.id, x.app_id, x.installation_id, x.consent_id, x.user_id,
		x.scopes, x.access_hash, x.access_fresh, x.refresh_hash, x.revoked_at, x.ends_at, `+standingColumns+`, ''
		FROM refresh_tokens r JOIN access_revision v ON v.id = 1 JOIN token_families x ON x.id = r.family_id`+standingJoins+`
		LEFT JOIN app_secrets k ON k.app_id = x.app_id WHERE r.hash = $1`, hash)
	r.hashes, err = secretsOf(rows, err)
	return r, err
}

// findRefreshAlone reads a refresh token without what stands behind it, for when that is remembered. There is always a
// revision; without such a token the family has no id.
func findRefreshAlone(ctx context.Context, tx *db.Tx, hash []byte) (refreshToken, error) {
	return db.One(ctx, tx, func(scan db.Scan) (r refreshToken, err error) {
		var id, appID, installationID, userID, scopes *string
		var expiresAt, endsAt *time.Time
		var fresh *bool
		f := &r.family
		err = scan(&r.revision, &r.hash, &expiresAt, &r.answer, &r.answerUntil, &id, &appID, &installationID, &f.consentID, &userID, &scopes,
			&f.accessHash, &fresh, &f.refreshHash, &f.revokedAt, &endsAt)
		if err != nil || id == nil {
			return r, err
		}
		f.id, f.appID, f.installationID, f.userID, f.scopes, f.accessFresh = *id, *appID, *installationID, *userID, scope.Parse(*scopes), *fresh
		r.expiresAt, r.endsAt = *expiresAt, *endsAt
		return r, nil
	}, `SELECT v.revision, r.hash, r.expires_at, r.answer, r.answer_until, x.id, x.app_id, x.installation_id, x.consent_id, x.user_id, x.scopes,
		x.access_hash, x.access_fresh, x.refresh_hash, x.revoked_at, x.ends_at
		FROM access_revision v LEFT JOIN refresh_tokens r ON r.hash = $1 LEFT JOIN token_families x ON x.id = r.family_id WHERE v.id = 1`, hash)
}

// rotate replaces both tokens of a family if the refresh token is still the present one; of any number that try, one does.
func rotate(ctx context.Context, tx *db.Tx, t refreshToken, m minted, scopes scope.Set, fresh bool) (bool, error) {
	const set = `UPDATE token_families SET access_hash = $3, access_scopes = $4, access_expires_at = $5, access_fresh = $6, refresh_hash = $7,
		refreshed = refreshed + 1, refreshed_at = $8`
	const where = ` WHERE id = $1 AND refresh_hash = $2 AND revoked_at IS NULL`
	sql, args := set+where, []any{t.id, t.hash, m.accessHash, scopes.String(), tx.Now().Add(accessLife), fresh, m.refreshHash, tx.Now()}
	// The family's end is indexed for the clean-up, which need not know it to the day.
	if ends := tx.Now().Add(refreshLife); t.endsAt.Before(ends.Add(-endPrecision)) {
		sql, args = set+`, ends_at = $9`+where, append(args, ends)
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
	accessEnded      bool  // the business revoked access since
	revision         int64 // of access, when it was read
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
			&f.revokedAt, &t.clientID, &t.pinnedAPIVersion, &t.accessEnded, &t.revision}, t.standing.dest()...)
		err = scan(dest...)
		f.accessScopes = scope.Parse(scopes)
		return t, err
	}, `SELECT x.id, x.app_id, x.business_id, x.installation_id, x.user_id, x.session_id, x.access_scopes, x.access_expires_at, x.access_fresh,
		x.revoked_at, a.client_id, a.pinned_api_version, `+accessEnded+`, v.revision, `+standingColumns+`, ss.id
		FROM token_families x JOIN access_revision v ON v.id = 1`+standingJoins+`
		LEFT JOIN sessions ss ON ss.id = x.session_id AND ss.expires_at > $2 WHERE x.access_hash = $1`, hash, tx.Now())
}

// token is an access token's own row, and the revision of access at the same moment.
type token struct {
	revision  int64
	expiresAt *time.Time // nil: there is no such token
	revokedAt *time.Time
	fresh     *bool
}

// findToken reads an access token without what stands behind it, for when that is remembered.
func findToken(ctx context.Context, tx *db.Tx, hash []byte) (token, error) {
	return db.One(ctx, tx, func(scan db.Scan) (t token, err error) {
		err = scan(&t.revision, &t.expiresAt, &t.revokedAt, &t.fresh)
		return t, err
	}, `SELECT v.revision, x.access_expires_at, x.revoked_at, x.access_fresh
		FROM access_revision v LEFT JOIN token_families x ON x.access_hash = $1 WHERE v.id = 1`, hash)
}

func (t token) live(now time.Time) bool {
	return t.expiresAt != nil && t.revokedAt == nil && now.Before(*t.expiresAt)
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
	_, err := tx.Exec(ctx, `UPDATE token_families SET revoked_at = $2, revoked_why = $4
		WHERE id = (SELECT family_id FROM refresh_tokens WHERE hash = $1) AND ($3 = '' OR app_id = $3) AND revoked_at IS NULL`,
		hash, tx.Now(), appID, RevokedByApp)
	return err
}

// deleteEnded removes at most limit rows of a table whose time is over.
func deleteEnded(ctx context.Context, tx *db.Tx, w sweep, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM `+w.table+` WHERE `+w.key+` IN (
		SELECT `+w.key+` FROM `+w.table+` WHERE `+w.column+` <= $1 LIMIT $2)`, tx.Now().Add(-w.keep), limit)
}

func none(err error) bool { return errors.Is(err, db.ErrNoRows) }
