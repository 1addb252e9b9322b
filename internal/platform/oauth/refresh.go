package oauth

import (
	"bytes"
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Renewal is what a client sends to refresh.
type Renewal struct {
	Token secret.Secret
	// Scopes narrow the new access token; nil keeps the grant's.
	Scopes scope.Set
	// IdempotencyKey, if long enough, makes a repeated request safe for a minute (REF-08).
	IdempotencyKey secret.Secret
}

// minIdempotencyKey characters; a shorter key could be guessed together with a stolen token.
const minIdempotencyKey = 22

// Refresh rotates a family's tokens, once per refresh token. failed means that a client taken from memory no longer proves
// itself: its proof was revoked in this very moment.
func (s *Service) Refresh(ctx context.Context, client Client, r Renewal) (tokens Tokens, denial *Denial, failed bool, err error) {
	if !secret.WellFormed(secret.RefreshToken, r.Token.Reveal()) {
		failed, err := s.stillFails(ctx, client)
		return Tokens{}, denyGrant, failed, err
	}
	hash, m := s.Keys.Hash(refreshUse, r.Token), s.mint(true)
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		s.noteProof(client, tx.Now())
		// Of several that hold the same token one wins the rotation; whoever loses looks again.
		for range maxLooks {
			var again bool
			if tokens, denial, failed, again, err = s.tryRefresh(ctx, tx, client, r, hash, m); err != nil || !again {
				return err
			}
		}
		return errContended
	})
	return tokens, denial, failed, err
}

// maxLooks is far more than can be needed: whoever loses finds the token used or its family burnt at the next look.
const maxLooks = 8

var errContended = errors.New("lost every race for a token")

// tryRefresh looks, judges and rotates. again means that another was faster since the look.
func (s *Service) tryRefresh(ctx context.Context, tx *db.Tx, client Client, r Renewal, hash []byte, m minted) (tokens Tokens, denial *Denial, failed, again bool, err error) {
	t, failed, err := s.lookAtRefresh(ctx, tx, client, hash)
	if none(err) {
		return Tokens{}, denyGrant, false, false, nil
	}
	if err != nil || failed {
		return Tokens{}, nil, failed, false, err
	}
	scopes := t.scopes
	if r.Scopes != nil {
		scopes = r.Scopes
	}
	keyed := len(r.IdempotencyKey.Reveal()) >= minIdempotencyKey
	switch denial := t.judge(client.ID, tx.Now()); {
	case denial == denyReuse:
		if again, ok := s.repeat(t, r, tx.Now()); keyed && ok {
			return again, nil, false, false, nil
		}
		// REF-02: burnt before it is refused
		return Tokens{}, denyReuse, false, false, revokeFamily(ctx, tx, t.id, TokenReused)
	case denial != nil:
		return Tokens{}, denial, false, false, nil
	case !scopes.Within(t.scopes):
		return Tokens{}, &Denial{CodeInvalidScope, "scope may only narrow what was granted"}, false, false, nil
	}
	tokens = m.tokens(scopes)
	won, err := rotate(ctx, tx, t, m, scopes, keyed)
	if err != nil || !won {
		return Tokens{}, nil, false, true, err
	}
	if err = insertRefresh(ctx, tx, m.refreshHash, t.id); err == nil && keyed {
		err = keepAnswer(ctx, tx, t.hash, sealAnswer(r, tokens))
	}
	return tokens, nil, false, false, err
}

// lookAtRefresh reads a token with all that decides about it: by its own row alone where the rest is remembered.
func (s *Service) lookAtRefresh(ctx context.Context, tx *db.Tx, client Client, hash []byte) (t refreshToken, failed bool, err error) {
	if client.remembered {
		if t, err = findRefreshAlone(ctx, tx, hash); err != nil {
			return t, false, err
		}
		if t.revision == client.revision && t.id == "" {
			return t, false, db.ErrNoRows
		}
		if known := s.memory.grant(t.revision, t.grant()); known != nil && t.revision == client.revision {
			t.standing = known.standing
			return t, false, nil
		}
	}
	t, err = findRefresh(ctx, tx, hash)
	if err != nil && !none(err) {
		return t, false, err
	}
	if failed, lost := s.makeSure(ctx, tx, client, t.background, t.appID); failed || lost != nil {
		return t, failed, lost
	}
	if err == nil && t.good() {
		s.memory.keepGrant(t.revision, t.grant(), &remembered{standing: t.standing})
	}
	return t, false, err
}

// makeSure has a client that was taken from memory prove itself again, by the secrets that were read with its own grant or
// by a look of its own.
func (s *Service) makeSure(ctx context.Context, tx *db.Tx, client Client, b background, appID string) (failed bool, err error) {
	switch {
	case !client.remembered || client.revision == b.revision:
		return false, nil
	case appID == client.ID:
		present := client.App
		present.SuspendedAt, present.DeactivatedAt = b.appSuspendedAt, b.appDeactivatedAt
		_, proven := s.proves(app.NewCredentials(present, b.hashes), client.proof)
		return !proven, nil
	}
	_, failed, err = s.proveIn(ctx, tx, client.proof)
	return failed, err
}

func (f family) grant() grantKey {
	k := grantKey{appID: f.appID, installationID: f.installationID, userID: f.userID}
	if f.consentID != nil {
		k.consentID = *f.consentID
	}
	return k
}

// judge is the state table of a refresh token, in the order of CODE-09.
func (t refreshToken) judge(clientID string, now time.Time) *Denial {
	switch {
	case t.appID != clientID:
		return denyGrant // REF-05: nothing is burnt for a stranger
	case !bytes.Equal(t.hash, t.refreshHash):
		return denyReuse
	case t.revokedAt != nil || t.accessRevoked():
		return denyRevoked
	case !now.Before(t.expiresAt):
		return denyExpired
	case !t.good():
		return denyGrant
	}
	return nil
}

// repeat gives the answer of an idempotent refresh again: same token, client and key, within a minute, and as long as
// neither new token was used.
func (s *Service) repeat(t refreshToken, r Renewal, now time.Time) (Tokens, bool) {
	if t.answer == nil || t.answerUntil == nil || !now.Before(*t.answerUntil) || t.revokedAt != nil || !t.accessFresh {
		return Tokens{}, false
	}
	tokens, ok := openAnswer(r, t.answer)
	if !ok || !t.installed() || !t.consented() {
		return Tokens{}, false
	}
	return tokens, bytes.Equal(s.Keys.Hash(refreshUse, tokens.Refresh), t.refreshHash) && bytes.Equal(s.Keys.Hash(accessUse, tokens.Access), t.accessHash)
}
