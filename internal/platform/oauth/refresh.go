package oauth

import (
	"bytes"
	"context"
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
	var tokens Tokens
	var denial *Denial
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		tokens, denial = Tokens{}, nil
		t, err := findRefresh(ctx, tx, hash)
		if none(err) {
			denial = denyGrant
			return nil
		}
		if err != nil {
			return err
		}
		scopes := t.scopes
		if r.Scopes != nil {
			scopes = r.Scopes
		}
		switch denial = t.judge(client.ID, tx.Now()); {
		case denial == denyReuse:
			if again, ok := s.repeat(t, r, tx.Now()); keyed && ok {
				tokens, denial = again, nil
				return nil
			}
			return revokeFamily(ctx, tx, t.id) // REF-02: committed together with the refusal
		case denial != nil:
			return nil
		case !scopes.Within(t.scopes):
			denial = &Denial{CodeInvalidScope, "scope may only narrow what was granted"}
			return nil
		}
		won, err := rotate(ctx, tx, t.id, hash, m, scopes, keyed)
		if err != nil {
			return err
		}
		if !won { // somebody else used it, or burnt the family, in this very moment: look again and say which
			return db.ErrAgain
		}
		tokens = m.tokens(scopes)
		if err := insertRefresh(ctx, tx, m.refreshHash, t.id); err != nil || !keyed {
			return err
		}
		return keepAnswer(ctx, tx, hash, sealAnswer(r, tokens))
	})
	return tokens, denial, err
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
