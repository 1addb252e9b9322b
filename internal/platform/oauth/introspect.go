package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Introspection is what the owner of a token may know about it. The zero value is inactive and says nothing else.
type Introspection struct {
	Active    bool
	Scopes    scope.Set
	ExpiresAt time.Time
	ClientID  string
	Subject   string
}

// introspected is a client and one of its tokens, read together.
type introspected struct {
	appID     string
	hashes    [][]byte
	familyID  *string
	userID    *string
	scopes    string
	expiresAt *time.Time
	revokedAt *time.Time
	session   *string // the session a token exchange hangs on
	ended     bool    // the business revoked access since
	standing
}

// Introspect proves the client and judges the token in one statement (INTR-01…04). A client that proves its secret while
// it is suspended learns that the token is inactive; a wrong secret fails.
func (s *Service) Introspect(ctx context.Context, p Proof, token secret.Secret) (in Introspection, failed bool, err error) {
	refresh := secret.WellFormed(secret.RefreshToken, token.Reveal())
	hash := s.Keys.Hash(accessUse, token)
	if refresh {
		hash = s.Keys.Hash(refreshUse, token)
	}
	var found introspected
	var now time.Time
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		found, err = findIntrospected(ctx, tx, p.ClientID, hash, refresh)
		return err
	})
	if err != nil && !none(err) {
		return Introspection{}, false, err
	}
	if p.Secret == nil || p.Secret.Empty() || !proves(found.hashes, app.HashSecret(s.Keys, *p.Secret)) {
		return Introspection{}, true, nil
	}
	if !found.live(now) {
		return Introspection{}, false, nil
	}
	return Introspection{Active: true, Scopes: scope.Parse(found.scopes), ExpiresAt: *found.expiresAt, ClientID: p.ClientID, Subject: *found.userID}, false, nil
}

func (i introspected) live(now time.Time) bool {
	return i.familyID != nil && i.revokedAt == nil && !i.ended && now.Before(*i.expiresAt) && i.standing.running() && i.installed() && i.consented() &&
		(i.session == nil || i.standing.sessionID != nil)
}

func proves(hashes [][]byte, hash []byte) bool {
	ok := false
	for _, h := range hashes {
		ok = secret.HashEqual(h, hash) || ok
	}
	return ok
}

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
		err = scan(&i.appID, &hash, &i.familyID, &i.userID, &scopes, &i.expiresAt, &i.revokedAt, &i.session, &i.ended,
			&s.appSuspendedAt, &s.appDeactivatedAt, &status, &s.uninstalledAt, &s.consentRevokedAt, &s.userSuspendedAt, &s.userRestrictedAt, &s.memberRole, &s.sessionID)
		if status != nil {
			s.installation = installStatus(*status)
		}
		if scopes != nil {
			i.scopes = *scopes
		}
		return hash, err
	}, `SELECT a.id, k.hash, x.id, x.user_id, `+scopes+`, `+expires+`, x.revoked_at, x.session_id, `+accessEnded+`, `+standingColumns+`, ss.id
		FROM apps a
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
