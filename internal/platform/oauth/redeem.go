package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// Redemption is what a client sends with a code.
type Redemption struct {
	Code        secret.Secret
	RedirectURI string
	Verifier    string
}

// Redeem turns an authorization code into tokens, once. failed: see Refresh.
func (s *Service) Redeem(ctx context.Context, client Client, r Redemption) (tokens Tokens, denial *Denial, failed bool, err error) {
	if !secret.WellFormed(secret.AuthCode, r.Code.Reveal()) {
		failed, err := s.stillFails(ctx, client)
		return Tokens{}, denyGrant, failed, err
	}
	hash, m := s.Keys.Hash(codeUse, r.Code), s.mint(true)
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		s.noteProof(client, tx.Now())
		// Of several that hold the same code one wins it; whoever loses looks again.
		for range maxLooks {
			var again bool
			if tokens, denial, failed, again, err = s.tryRedeem(ctx, tx, client, r, hash, m); err != nil || !again {
				return err
			}
		}
		return errContended
	})
	return tokens, denial, failed, err
}

// tryRedeem looks, judges and uses the code. again means that another was faster since the look.
func (s *Service) tryRedeem(ctx context.Context, tx *db.Tx, client Client, r Redemption, hash []byte, m minted) (tokens Tokens, denial *Denial, failed, again bool, err error) {
	c, failed, err := s.lookAtCode(ctx, tx, client, hash)
	if none(err) {
		return Tokens{}, denyGrant, false, false, nil
	}
	if err != nil || failed {
		return Tokens{}, nil, failed, false, err
	}
	switch denial := c.judge(client.ID, r, tx.Now()); {
	case denial == denyCodeUsed && c.fits(r) == nil && c.familyID != nil:
		// A full replay: whoever redeemed first may be the thief (CODE-02).
		return Tokens{}, denial, false, false, revokeFamily(ctx, tx, *c.familyID, CodeReplayed)
	case denial != nil:
		return Tokens{}, denial, false, false, nil
	}
	won, err := useCode(ctx, tx, hash, m.familyID)
	if err != nil || !won {
		return Tokens{}, nil, false, true, err
	}
	return m.tokens(c.scopes), nil, false, false, s.newFamily(ctx, tx, m, family{
		appID: c.appID, businessID: c.businessID, installationID: c.installationID, userID: c.userID, consentID: &c.consentID,
		scopes: c.scopes, accessScopes: c.scopes,
	})
}

// lookAtCode reads a code with all that decides about it: by its own row alone where the rest is remembered.
func (s *Service) lookAtCode(ctx context.Context, tx *db.Tx, client Client, hash []byte) (c code, failed bool, err error) {
	if client.remembered {
		if c, err = findCodeAlone(ctx, tx, hash); err != nil {
			return c, false, err
		}
		if c.revision == client.revision && c.appID == "" {
			return c, false, db.ErrNoRows
		}
		if known := s.memory.grant(c.revision, c.grant()); known != nil && known.businessID != "" && c.revision == client.revision {
			c.standing, c.businessID = known.standing, known.businessID
			return c, false, nil
		}
	}
	c, err = findCode(ctx, tx, hash)
	if err != nil && !none(err) {
		return c, false, err
	}
	if failed, lost := s.makeSure(ctx, tx, client, c.background, c.appID); failed || lost != nil {
		return c, failed, lost
	}
	if err == nil && c.good() {
		s.memory.keepGrant(c.revision, c.grant(), &remembered{standing: c.standing, businessID: c.businessID})
	}
	return c, false, err
}

func (c code) grant() grantKey { return grantKey{c.appID, c.installationID, c.consentID, c.userID} }

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
	if !c.good() {
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
