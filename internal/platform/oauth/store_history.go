package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// listFamilies reads the newest families of an installation with what may have ended them. Ids sort by time.
func listFamilies(ctx context.Context, tx *db.Tx, appID, installationID string, most int) ([]lived, error) {
	return db.All(ctx, tx, func(scan db.Scan) (l lived, err error) {
		var scopes string
		var refreshExpires *time.Time
		err = scan(&l.ID, &l.UserID, &l.Exchange, &scopes, &l.IssuedAt, &l.Refreshes, &l.RefreshedAt, &l.ExpiresAt, &refreshExpires,
			&l.revokedAt, &l.why, &l.uninstalledAt, &l.consentRevokedAt, &l.accessEnded)
		l.Scopes = scope.Parse(scopes)
		if refreshExpires != nil {
			l.ExpiresAt = *refreshExpires
		}
		return l, err
	}, `SELECT x.id, x.user_id, CASE WHEN x.session_id IS NULL THEN 0 ELSE 1 END, x.scopes, x.created_at, x.refreshed, x.refreshed_at, x.access_expires_at, r.expires_at,
			x.revoked_at, x.revoked_why, i.uninstalled_at, c.revoked_at, `+accessEnded+`
		FROM token_families x
		JOIN installations i ON i.id = x.installation_id
		LEFT JOIN consents c ON c.id = x.consent_id
		LEFT JOIN refresh_tokens r ON r.hash = x.refresh_hash
		WHERE x.installation_id = $1 AND x.app_id = $2 ORDER BY x.installation_id DESC, x.id DESC LIMIT $3`, installationID, appID, most)
}
