package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

func insertRequest(ctx context.Context, tx *db.Tx, hash []byte, appID string, ask Ask, sessionID string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO authorization_requests (hash, session_id, app_id, redirect_uri, scopes, state, code_challenge, resource, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		hash, sessionID, appID, ask.RedirectURI, ask.Scopes.String(), ask.State, ask.Challenge, ask.Resource, tx.Now().Add(requestLife))
	return err
}

// findRequest reads a request and the app as it is now: one that was suspended meanwhile must show.
func findRequest(ctx context.Context, tx *db.Tx, hash []byte) (Held, error) {
	var appID string
	h, err := db.One(ctx, tx, func(scan db.Scan) (h Held, err error) {
		var scopes string
		err = scan(&h.sessionID, &appID, &h.RedirectURI, &scopes, &h.state, &h.challenge, &h.expiresAt, &h.decidedAt)
		h.Scopes = scope.Parse(scopes)
		return h, err
	}, `SELECT session_id, app_id, redirect_uri, scopes, state, code_challenge, expires_at, decided_at
		FROM authorization_requests WHERE hash = $1`, hash)
	if err != nil {
		return h, err
	}
	h.App, err = app.Find(ctx, tx, appID)
	return h, err
}

// decideRequest takes the decision; of two that click at once, one does.
func decideRequest(ctx context.Context, tx *db.Tx, hash []byte) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE authorization_requests SET decided_at = $2 WHERE hash = $1 AND decided_at IS NULL`, hash, tx.Now())
	return n == 1, err
}

func documentFresh(ctx context.Context, tx *db.Tx, clientID string) (bool, error) {
	until, err := db.One(ctx, tx, db.Value[time.Time], `SELECT fresh_until FROM client_documents WHERE client_id = $1`, clientID)
	if none(err) {
		return false, nil
	}
	return err == nil && tx.Now().Before(until), err
}

func putDocument(ctx context.Context, tx *db.Tx, clientID, appID string, until time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO client_documents (client_id, app_id, fresh_until) VALUES ($1, $2, $3)
		ON CONFLICT (client_id) DO UPDATE SET fresh_until = excluded.fresh_until`, clientID, appID, until)
	return err
}

// listIdleApps finds apps without an organization, unchanged since the instant, that nothing refers to.
func listIdleApps(ctx context.Context, tx *db.Tx, before time.Time, limit int) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT a.id FROM apps a WHERE a.organization_id IS NULL AND a.updated_at <= $1
		AND NOT EXISTS (SELECT 1 FROM installations i WHERE i.app_id = a.id)
		AND NOT EXISTS (SELECT 1 FROM device_codes d WHERE d.app_id = a.id)
		AND NOT EXISTS (SELECT 1 FROM authorization_requests r WHERE r.app_id = a.id) ORDER BY a.id LIMIT $2`, before, limit)
}

func deleteDocuments(ctx context.Context, tx *db.Tx, appIDs []string) error {
	for _, id := range appIDs {
		if _, err := tx.Exec(ctx, `DELETE FROM client_documents WHERE app_id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}
