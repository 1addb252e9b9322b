package oauth

import (
	"context"
	"net/url"
	"slices"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
)

// Held is an authorization request that waits for a person's decision.
type Held struct {
	App         app.App
	RedirectURI string
	Scopes      scope.Set

	sessionID string
	state     *string
	challenge string
	expiresAt time.Time
	decidedAt *time.Time
}

// Client reads the app behind a client id, in whatever state it is. An unknown one is app.ErrNotFound.
func (s *Service) Client(ctx context.Context, clientID string) (app.App, error) {
	var a app.App
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		a, err = app.FindClient(ctx, tx, clientID)
		return err
	})
	return a, err
}

// Hold keeps a checked request for five minutes and gives its handle. It belongs to the browser's session: nobody else's
// browser can decide it.
func (s *Service) Hold(ctx context.Context, a app.App, ask Ask, sessionID string) (secret.Secret, error) {
	handle := secret.Mint(secret.AuthRequest)
	hash := s.Keys.Hash(requestUse, handle)
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		return insertRequest(ctx, tx, hash, a.ID, ask, sessionID)
	})
	return handle, err
}

// Held finds a request that can still be decided by that session. Otherwise it is nil: not found, decided, or too late
// (AUTHZ-14).
func (s *Service) Held(ctx context.Context, handle secret.Secret, sessionID string) (*Held, error) {
	var h Held
	var open bool
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		h, err = findRequest(ctx, tx, s.Keys.Hash(requestUse, handle))
		open = h.open(sessionID, tx.Now())
		return err
	})
	if none(err) || err == nil && !open {
		return nil, nil
	}
	return &h, err
}

func (h Held) open(sessionID string, now time.Time) bool {
	return h.sessionID == sessionID && h.decidedAt == nil && now.Before(h.expiresAt)
}

// mayReturn reports whether the app, as it is now, still registers the address the person would return to.
func (h Held) mayReturn() bool {
	return slices.Contains(h.App.RedirectURIs, h.RedirectURI) && app.CheckRedirectURI(h.RedirectURI) == ""
}

// Decision is what a person chose on the consent page.
type Decision struct {
	Allow      bool
	BusinessID string
	UserID     string
	SessionID  string
}

// Decide carries a decision out: one transaction decides the request, connects the app and writes the code. The address
// is where the browser goes then; it is empty when there is nothing left to decide. Who may not connect that app to that
// business gets install's or business's refusal, and the request stays open; so it does under ErrRedirectURI, which holds
// for a denial as well: that one would redirect, too.
func (s *Service) Decide(ctx context.Context, handle secret.Secret, d Decision) (string, error) {
	hash := s.Keys.Hash(requestUse, handle)
	minted := secret.Mint(secret.AuthCode)
	codeHash := s.Keys.Hash(codeUse, minted)
	var target string
	prepare := func(h Held) func(context.Context, *db.Tx) (install.Approved, error) {
		return s.Installs.Prepare(install.Approval{AppID: h.App.ID, BusinessID: d.BusinessID, UserID: d.UserID, Scopes: h.Scopes})
	}
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		target = ""
		h, err := findRequest(ctx, tx, hash)
		if none(err) || err == nil && !h.open(d.SessionID, tx.Now()) {
			return nil
		}
		if err != nil {
			return err
		}
		if !h.mayReturn() {
			return ErrRedirectURI
		}
		won, err := decideRequest(ctx, tx, hash)
		if err != nil || !won {
			return err
		}
		if !d.Allow {
			target = Callback(h.RedirectURI, s.Issuer, h.state, url.Values{"error": {CodeAccessDenied}})
			return nil
		}
		approved, err := prepare(h)(ctx, tx)
		if err != nil {
			return err
		}
		target = Callback(h.RedirectURI, s.Issuer, h.state, url.Values{"code": {minted.Reveal()}})
		return insertCode(ctx, tx, codeHash, code{
			appID: h.App.ID, installationID: approved.Installation.ID, consentID: approved.Consent.ID, userID: d.UserID,
			redirectURI: h.RedirectURI, scopes: h.Scopes, challenge: h.challenge, expiresAt: tx.Now().Add(codeLife),
		})
	})
	return target, err
}
