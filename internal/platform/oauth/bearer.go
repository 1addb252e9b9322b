package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Caller is who makes an API call: an app, in the name of a user, in one business.
type Caller struct {
	AppID            string
	ClientID         string
	PinnedAPIVersion *string
	BusinessID       string
	UserID           string
	InstallationID   string
	Scopes           scope.Set
	ExpiresAt        time.Time
}

// Authenticate turns an access token into its caller, in one statement. Whatever is wrong with it, the answer is ErrToken:
// a suspended app, an uninstalled business or a person who left act on the very next call (CALL-02).
func (s *Service) Authenticate(ctx context.Context, token secret.Secret) (Caller, error) {
	if !secret.WellFormed(secret.AccessToken, token.Reveal()) {
		return Caller{}, ErrToken
	}
	hash := s.Keys.Hash(accessUse, token)
	var t access
	var live bool
	var now time.Time
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		t, err = findAccess(ctx, tx, hash)
		now = tx.Now()
		live = t.live(now)
		return err
	})
	if none(err) || err == nil && !live {
		return Caller{}, ErrToken
	}
	if err != nil {
		return Caller{}, err
	}
	if t.accessFresh { // an idempotent refresh asks whether its tokens were used
		if err := s.DB.Write(ctx, func(tx *db.Tx) error { return markAccessUsed(ctx, tx, hash) }); err != nil {
			return Caller{}, err
		}
	}
	s.uses.note(t.installationID, now)
	return Caller{
		AppID: t.appID, ClientID: t.clientID, PinnedAPIVersion: t.pinnedAPIVersion, BusinessID: t.businessID, UserID: t.userID,
		InstallationID: t.installationID, Scopes: t.accessScopes, ExpiresAt: t.accessExpires,
	}, nil
}

func (t access) live(now time.Time) bool {
	return t.revokedAt == nil && !t.accessEnded && now.Before(t.accessExpires) && t.running() && t.installed() && t.consented() &&
		(t.family.sessionID == nil || t.standing.sessionID != nil)
}

// Revoke ends a token: a refresh token with its whole family, an access token alone (REVO-07). client, if not nil, must
// own it; a token that is unknown, foreign or already dead is no error.
func (s *Service) Revoke(ctx context.Context, client *app.App, token secret.Secret) error {
	owner := ""
	if client != nil {
		owner = client.ID
	}
	switch value := token.Reveal(); {
	case secret.WellFormed(secret.RefreshToken, value):
		hash := s.Keys.Hash(refreshUse, token)
		return s.DB.Write(ctx, func(tx *db.Tx) error { return endRefresh(ctx, tx, hash, owner) })
	case secret.WellFormed(secret.AccessToken, value):
		hash := s.Keys.Hash(accessUse, token)
		return s.DB.Write(ctx, func(tx *db.Tx) error { return endAccess(ctx, tx, hash, owner) })
	}
	return nil
}
