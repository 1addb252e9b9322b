package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
)

// Redemption is what a client sends with a code.
type Redemption struct {
	Code        secret.Secret
	RedirectURI string
	Verifier    string
}

// Redeem turns an authorization code into tokens, once. The client is already proven.
func (s *Service) Redeem(ctx context.Context, client app.App, r Redemption) (Tokens, *Denial, error) {
	if !secret.WellFormed(secret.AuthCode, r.Code.Reveal()) {
		return Tokens{}, denyGrant, nil
	}
	hash, m := s.Keys.Hash(codeUse, r.Code), s.mint(true)
	// Looking happens outside of the transaction, which then only decides who wins: whoever loses looks again.
	for range maxLooks {
		c, now, err := s.lookAtCode(ctx, hash)
		if none(err) {
			return Tokens{}, denyGrant, nil
		}
		if err != nil {
			return Tokens{}, nil, err
		}
		switch denial := c.judge(client.ID, r, now); {
		case denial == denyCodeUsed && c.fits(r) == nil && c.familyID != nil:
			// A full replay: whoever redeemed first may be the thief (CODE-02).
			return Tokens{}, denial, s.DB.Write(ctx, func(tx *db.Tx) error { return revokeFamily(ctx, tx, *c.familyID) })
		case denial != nil:
			return Tokens{}, denial, nil
		}
		won := false
		err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			if won, err = useCode(ctx, tx, hash, m.familyID); err != nil || !won {
				return err
			}
			return s.newFamily(ctx, tx, m, family{
				appID: c.appID, businessID: c.businessID, installationID: c.installationID, userID: c.userID, consentID: &c.consentID,
				scopes: c.scopes, accessScopes: c.scopes,
			})
		})
		if err != nil || won {
			return m.tokens(c.scopes), nil, err
		}
	}
	return Tokens{}, nil, errContended
}

func (s *Service) lookAtCode(ctx context.Context, hash []byte) (c code, now time.Time, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		c, err = findCode(ctx, tx, hash)
		return err
	})
	return c, now, err
}

// newFamily writes a family with its first tokens.
func (s *Service) newFamily(ctx context.Context, tx *db.Tx, m minted, f family) error {
	f.id, f.accessHash, f.accessExpires, f.refreshHash = m.familyID, m.accessHash, tx.Now().Add(accessLife), m.refreshHash
	ends := f.accessExpires
	if m.refreshHash != nil {
		ends = tx.Now().Add(refreshLife)
	}
	if err := insertFamily(ctx, tx, f, ends); err != nil || m.refreshHash == nil {
		return err
	}
	return insertRefresh(ctx, tx, m.refreshHash, f.id)
}

// judge is the state table of an authorization code, in the order of CODE-09: who learns least learns first.
func (c code) judge(clientID string, r Redemption, now time.Time) *Denial {
	switch {
	case c.appID != clientID:
		return denyGrant
	case c.usedAt != nil:
		return denyCodeUsed
	case !now.Before(c.expiresAt):
		return denyExpired
	}
	if denial := c.fits(r); denial != nil {
		return denial
	}
	if !c.running() || !c.installed() || !c.consented() {
		return denyGrant
	}
	return nil
}

// fits compares what the client sent with what the code was issued for.
func (c code) fits(r Redemption) *Denial {
	switch {
	case c.redirectURI != r.RedirectURI:
		return denyRedirectURI
	case c.challenge == "" && r.Verifier != "":
		return denyPKCE // a downgrade: somebody took the challenge away (RFC 9700, 4.8.2)
	case c.challenge != "" && r.Verifier == "":
		return invalidRequest("code_verifier is missing: the code was issued with a code_challenge")
	case c.challenge != "" && !verifies(c.challenge, r.Verifier):
		return denyPKCE
	}
	return nil
}
