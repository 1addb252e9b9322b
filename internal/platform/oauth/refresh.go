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

// Refresh rotates a family's tokens, once per refresh token. The client is already proven.
func (s *Service) Refresh(ctx context.Context, client app.App, r Renewal) (Tokens, *Denial, error) {
	if !secret.WellFormed(secret.RefreshToken, r.Token.Reveal()) {
		return Tokens{}, denyGrant, nil
	}
	hash, m := s.Keys.Hash(refreshUse, r.Token), s.mint(true)
	keyed := len(r.IdempotencyKey.Reveal()) >= minIdempotencyKey
	// Looking happens outside of the transaction, which then only decides who wins: whoever loses looks again.
	for range maxLooks {
		t, now, err := s.lookAtRefresh(ctx, hash)
		if none(err) {
			return Tokens{}, denyGrant, nil
		}
		if err != nil {
			return Tokens{}, nil, err
		}
		scopes := t.scopes
		if r.Scopes != nil {
			scopes = r.Scopes
		}
		switch denial := t.judge(client.ID, now); {
		case denial == denyReuse:
			if again, ok := s.repeat(t, r, now); keyed && ok {
				return again, nil, nil
			}
			// REF-02: burnt before it is refused
			return Tokens{}, denyReuse, s.DB.Write(ctx, func(tx *db.Tx) error { return revokeFamily(ctx, tx, t.id) })
		case denial != nil:
			return Tokens{}, denial, nil
		case !scopes.Within(t.scopes):
			return Tokens{}, &Denial{CodeInvalidScope, "scope may only narrow what was granted"}, nil
		}
		tokens := m.tokens(scopes)
		var answer []byte
		if keyed {
			answer = sealAnswer(r, tokens)
		}
		won, err := s.rotate(ctx, t, m, scopes, answer)
		if err != nil || won {
			return tokens, nil, err
		}
	}
	return Tokens{}, nil, errContended
}

// maxLooks is far more than can be needed: whoever loses finds the token used or its family burnt at the next look.
const maxLooks = 8

var errContended = errors.New("lost every race for a token")

func (s *Service) lookAtRefresh(ctx context.Context, hash []byte) (t refreshToken, now time.Time, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		t, err = findRefresh(ctx, tx, hash)
		return err
	})
	return t, now, err
}

// rotate replaces a family's tokens, and keeps the sealed answer if there is one. It reports whether this caller was the one.
func (s *Service) rotate(ctx context.Context, t refreshToken, m minted, scopes scope.Set, answer []byte) (won bool, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if won, err = rotate(ctx, tx, t, m, scopes, answer != nil); err != nil || !won {
			return err
		}
		if err = insertRefresh(ctx, tx, m.refreshHash, t.id); err != nil || answer == nil {
			return err
		}
		return keepAnswer(ctx, tx, t.hash, answer)
	})
	return won, err
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
	case !t.running() || !t.installed() || !t.consented():
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
