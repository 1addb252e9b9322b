package oauth

import (
	"context"

	"daybook/internal/base/db"
)

// lockKeys lets one node at a time look and add.
func lockKeys(ctx context.Context, tx *db.Tx) error {
	if tx.Dialect() != db.Postgres {
		return nil
	}
	_, err := tx.Exec(ctx, `LOCK TABLE signing_keys IN EXCLUSIVE MODE`)
	return err
}

func listKeys(ctx context.Context, tx *db.Tx) ([]signingKey, error) {
	return db.All(ctx, tx, func(scan db.Scan) (k signingKey, err error) {
		err = scan(&k.id, &k.sealed, &k.public, &k.signsFrom)
		return k, err
	}, `SELECT id, sealed, public, signs_from FROM signing_keys ORDER BY signs_from DESC LIMIT 4`)
}

func insertSigningKey(ctx context.Context, tx *db.Tx, k signingKey) error {
	_, err := tx.Exec(ctx, `INSERT INTO signing_keys (id, sealed, public, created_at, signs_from) VALUES ($1, $2, $3, $4, $5)`,
		k.id, k.sealed, k.public, tx.Now(), k.signsFrom)
	return err
}

// useSessionToken remembers an exchanged session token; of any number that try, one does.
func useSessionToken(ctx context.Context, tx *db.Tx, c sessionClaims) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO session_tokens (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING`,
		c.ID, c.expires().Add(sessionSkew))
	return n == 1, err
}

// embedded is how an embedded app stands: the installation, the person and the session behind a session token.
type embedded struct {
	businessID string
	appID      string
	scopes     string
	epoch      int
	standing
}

func findEmbedded(ctx context.Context, tx *db.Tx, installationID, userID, sessionID string) (embedded, error) {
	return db.One(ctx, tx, func(scan db.Scan) (e embedded, err error) {
		err = scan(append([]any{&e.businessID, &e.appID, &e.scopes, &e.epoch}, e.standing.dest()...)...)
		return e, err
	}, `SELECT i.business_id, i.app_id, i.granted_scopes, i.access_epoch, a.suspended_at, a.deactivated_at, i.status, i.uninstalled_at, CAST(NULL AS BIGINT), u.suspended_at, u.restricted_at, m.role, ss.id
		FROM installations i
		JOIN apps a ON a.id = i.app_id
		JOIN users u ON u.id = $2
		LEFT JOIN business_members m ON m.business_id = i.business_id AND m.user_id = u.id
		LEFT JOIN sessions ss ON ss.id = $3 AND ss.user_id = u.id AND ss.expires_at > $4
		WHERE i.id = $1`, installationID, userID, sessionID, tx.Now())
}

// findInstalled finds the ACTIVE installation of a client in a business.
func findInstalled(ctx context.Context, tx *db.Tx, businessID, clientID string) (string, error) {
	return db.One(ctx, tx, db.Value[string], `SELECT i.id FROM installations i JOIN apps a ON a.id = i.app_id
		WHERE i.business_id = $1 AND a.client_id = $2 AND i.status = 'ACTIVE'`, businessID, clientID)
}
