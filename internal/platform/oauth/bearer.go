package oauth

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
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
	// Access is what the person may do in the business at this moment.
	Access    business.Access
	ExpiresAt time.Time
}

// Authenticate turns an access token into its caller, in at most one statement while its grant is remembered. Whatever is wrong with
// it, the answer is ErrToken: a suspended app, an uninstalled business or a person who left act on the very next call (CALL-02).
// With ErrToken the Caller says whose token it was, as far as that is known, for the log and for nothing else.
func (s *Service) Authenticate(ctx context.Context, token secret.Secret) (Caller, error) {
	if !secret.WellFormed(secret.AccessToken, token.Reveal()) {
		return Caller{}, ErrToken
	}
	hash := s.Keys.Hash(accessUse, token)
	who, fresh, now, err := s.recall(ctx, hash)
	if err == nil && who == nil {
		who, fresh, now, err = s.identify(ctx, hash)
	}
	if err != nil {
		return who.whose(), err
	}
	if fresh { // an idempotent refresh asks whether its tokens were used
		if err := s.DB.Write(ctx, func(tx *db.Tx) error { return markAccessUsed(ctx, tx, hash) }); err != nil {
			return Caller{}, err
		}
	}
	s.uses.note(who.InstallationID, now)
	return who.Caller, nil
}

// recall finds a caller in memory and makes sure of it. Without one, or when access has changed since, it is nil.
func (s *Service) recall(ctx context.Context, hash []byte) (who *knownCaller, fresh bool, now time.Time, err error) {
	if who = s.memory.caller(hash); who == nil {
		return nil, false, now, nil
	}
	t, now, err := s.lookAtToken(ctx, hash, &who.seen)
	switch {
	case err != nil:
		return nil, false, now, err
	case t.revision != who.revision:
		return nil, false, now, nil
	case !t.live(now):
		return who, false, now, ErrToken
	}
	return who, *t.fresh, now, nil
}

// identify reads everything about an access token and remembers it.
func (s *Service) identify(ctx context.Context, hash []byte) (who *knownCaller, fresh bool, now time.Time, err error) {
	var t access
	var may business.Access
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now()
		// The revision is read first: what is read after it is at least as new.
		if t, err = findAccess(ctx, tx, hash); err != nil {
			return err
		}
		if !t.live(now) {
			return ErrToken
		}
		may, err = business.AccessOf(ctx, tx, t.businessID, t.userID)
		return err
	})
	switch {
	case errors.Is(err, ErrToken):
		return &knownCaller{Caller: Caller{AppID: t.appID, BusinessID: t.businessID, UserID: t.userID}}, false, now, err
	case none(err) || errors.Is(err, business.ErrNotFound): // the person left between the two statements
		return nil, false, now, ErrToken
	case err != nil:
		return nil, false, now, err
	}
	who = &knownCaller{revision: t.revision, Caller: Caller{
		AppID: t.appID, ClientID: t.clientID, PinnedAPIVersion: t.pinnedAPIVersion, BusinessID: t.businessID, UserID: t.userID,
		InstallationID: t.installationID, Scopes: t.accessScopes, Access: may, ExpiresAt: t.accessExpires,
	}}
	if t.family.sessionID == nil {
		s.memory.keepCaller(hash, who)
	}
	return who, t.accessFresh, now, nil
}

// whose token it was; all but names is left out, so that nobody acts on it.
func (k *knownCaller) whose() Caller {
	if k == nil {
		return Caller{}
	}
	return Caller{AppID: k.AppID, BusinessID: k.BusinessID, UserID: k.UserID}
}

func (t access) live(now time.Time) bool {
	return t.revokedAt == nil && !t.accessEnded && now.Before(t.accessExpires) && t.good() &&
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
