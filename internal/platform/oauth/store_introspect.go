package oauth

import (
	"context"

	"daybook/internal/base/db"
)

// findIntrospected reads a client with its secrets and one of its tokens. There is a row per secret, at most two.
func findIntrospected(ctx context.Context, tx *db.Tx, clientID string, hash []byte, refresh bool) (introspected, error) {
	token := `LEFT JOIN token_families x ON x.access_hash = $2 AND x.app_id = a.id`
	expires, scopes := `x.access_expires_at`, `x.access_scopes`
	if refresh {
		token = `LEFT JOIN refresh_tokens r ON r.hash = $2
			LEFT JOIN token_families x ON x.id = r.family_id AND x.refresh_hash = r.hash AND x.app_id = a.id`
		expires, scopes = `r.expires_at`, `x.scopes`
	}
	var i introspected
	rows, err := db.All(ctx, tx, func(scan db.Scan) (hash []byte, err error) {
		var status, scopes *string
		s := &i.standing
		err = scan(&i.revision, &i.appID, &hash, &i.familyID, &i.userID, &scopes, &i.expiresAt, &i.revokedAt, &i.session, &i.ended,
			&s.appSuspendedAt, &s.appDeactivatedAt, &status, &s.uninstalledAt, &s.consentRevokedAt, &s.userSuspendedAt, &s.userRestrictedAt, &s.memberRole, &s.sessionID)
		if status != nil {
			s.installation = installStatus(*status)
		}
		if scopes != nil {
			i.scopes = *scopes
		}
		return hash, err
	}, `SELECT v.revision, a.id, k.hash, x.id, x.user_id, `+scopes+`, `+expires+`, x.revoked_at, x.session_id, `+accessEnded+`, `+standingColumns+`, ss.id
		FROM apps a
		JOIN access_revision v ON v.id = 1
		LEFT JOIN app_secrets k ON k.app_id = a.id
		`+token+`
		LEFT JOIN installations i ON i.id = x.installation_id
		LEFT JOIN users u ON u.id = x.user_id
		LEFT JOIN consents c ON c.id = x.consent_id
		LEFT JOIN business_members m ON m.business_id = i.business_id AND m.user_id = x.user_id
		LEFT JOIN sessions ss ON ss.id = x.session_id AND ss.expires_at > $3
		WHERE a.client_id = $1`, clientID, hash, tx.Now())
	if err == nil && len(rows) == 0 {
		err = db.ErrNoRows
	}
	for _, h := range rows {
		if h != nil {
			i.hashes = append(i.hashes, h)
		}
	}
	return i, err
}
