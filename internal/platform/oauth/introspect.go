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
	if p.Secret == nil || p.Secret.Empty() || !app.Proves(found.hashes, app.HashSecret(s.Keys, *p.Secret)) {
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
