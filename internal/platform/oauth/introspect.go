package oauth

import (
	"context"
	"sync/atomic"
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
	revision  int64   // of access, when it was read
	standing
}

// Introspect proves the client and judges the token in one statement (INTR-01…04). A client that proves its secret while
// it is suspended learns that the token is inactive; a wrong secret fails.
func (s *Service) Introspect(ctx context.Context, p Proof, token secret.Secret) (in Introspection, failed bool, err error) {
	if p.Secret == nil || p.Secret.Empty() {
		return Introspection{}, true, nil
	}
	refresh := secret.WellFormed(secret.RefreshToken, token.Reveal())
	if refresh {
		return s.introspect(ctx, p, s.Keys.Hash(refreshUse, token), true)
	}
	hash := s.Keys.Hash(accessUse, token)
	proof := app.HashSecret(s.Keys, *p.Secret)
	if known := s.memory.token(hash); known != nil && known.clientID == p.ClientID && app.Proves(known.hashes, proof) {
		t, now, err := s.lookAtToken(ctx, hash, &known.seen)
		if err != nil {
			return Introspection{}, false, err
		}
		if t.revision == known.revision {
			s.uses.noteSecret(known.appID, proof, now)
			if !t.live(now) {
				return Introspection{}, false, nil
			}
			return Introspection{Active: true, Scopes: known.scopes, ExpiresAt: *t.expiresAt, ClientID: p.ClientID, Subject: known.userID}, false, nil
		}
	}
	return s.introspect(ctx, p, hash, false)
}

// lookAtToken reads an access token's own row, unless nothing at all was written to the store since it was last read.
func (s *Service) lookAtToken(ctx context.Context, hash []byte, seen *atomic.Pointer[look]) (t token, now time.Time, err error) {
	stamp, ok := s.DB.Stamp()
	if last := seen.Load(); ok && last != nil && last.stamp == stamp {
		return last.token, s.DB.Now(), nil
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		t, err = findToken(ctx, tx, hash)
		return err
	})
	if ok && err == nil {
		seen.Store(&look{stamp, t})
	}
	return t, now, err
}

// introspect reads everything.
func (s *Service) introspect(ctx context.Context, p Proof, hash []byte, refresh bool) (in Introspection, failed bool, err error) {
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
	proof := app.HashSecret(s.Keys, *p.Secret)
	if !app.Proves(found.hashes, proof) {
		return Introspection{}, true, nil
	}
	s.uses.noteSecret(found.appID, proof, now)
	if !found.live(now) {
		return Introspection{}, false, nil
	}
	in = Introspection{Active: true, Scopes: scope.Parse(found.scopes), ExpiresAt: *found.expiresAt, ClientID: p.ClientID, Subject: *found.userID}
	if !refresh && found.session == nil {
		s.memory.keepToken(hash, &knownToken{clientID: p.ClientID, appID: found.appID, hashes: found.hashes, scopes: in.Scopes, userID: in.Subject, revision: found.revision})
	}
	return in, false, nil
}

func (i introspected) live(now time.Time) bool {
	return i.familyID != nil && i.revokedAt == nil && !i.ended && now.Before(*i.expiresAt) && i.good() &&
		(i.session == nil || i.standing.sessionID != nil)
}
