package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

// History is the life of a token family as its developer sees it: never a token.
type History struct {
	ID       string
	UserID   string
	Exchange bool // made of a session token, for an embedded page; there is no refresh token
	Scopes   scope.Set
	IssuedAt time.Time
	// Refreshes is how often its tokens were replaced, the last time at RefreshedAt.
	Refreshes   int
	RefreshedAt *time.Time
	// ExpiresAt is when its last token does.
	ExpiresAt time.Time
	// EndedAt and Why tell that it no longer counts. What an app, a person or a business is kept from doing for a while is no end.
	EndedAt *time.Time
	Why     EndReason
}

// EndReason says why a family no longer counts.
type EndReason string

// The reasons. The first two burn a family, because somebody else may hold its tokens.
const (
	TokenReused   EndReason = "TOKEN_REUSED"   // a refresh token came twice (REF-02)
	CodeReplayed  EndReason = "CODE_REPLAYED"  // the authorization code came twice (CODE-02)
	RevokedByApp  EndReason = "REVOKED_BY_APP" // at the revocation endpoint
	AccessRevoked EndReason = "ACCESS_REVOKED" // by the business, or by the person
	Uninstalled   EndReason = "UNINSTALLED"
	Expired       EndReason = "EXPIRED"
	Revoked       EndReason = "REVOKED" // before it was written down why
)

// Burnt reports whether the family ended because somebody else may hold its tokens.
func (r EndReason) Burnt() bool { return r == TokenReused || r == CodeReplayed }

// MaxHistory is how many families of an installation are shown: the newest ones.
const MaxHistory = 100

// History lists the token families of an installation, the newest first, for a member of the app's organization. Families are
// forgotten a week after their end.
func (s *Service) History(ctx context.Context, appID, by, installationID string) ([]History, error) {
	var list []History
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		rows, err := listFamilies(ctx, tx, appID, installationID, MaxHistory)
		if err != nil {
			return err
		}
		list = make([]History, len(rows))
		for i, r := range rows {
			list[i] = r.history(tx.Now())
		}
		return nil
	})
	return list, err
}

// lived is a family with what may have ended it.
type lived struct {
	History
	revokedAt        *time.Time
	why              *EndReason
	uninstalledAt    *time.Time
	consentRevokedAt *time.Time
	accessEnded      bool // the business revoked access since; it is not known when
}

// history decides what ended a family: the earliest of all that may have.
func (l lived) history(now time.Time) History {
	h := l.History
	end := func(at *time.Time, why EndReason) {
		if at != nil && (h.EndedAt == nil || at.Before(*h.EndedAt)) {
			h.EndedAt, h.Why = at, why
		}
	}
	if l.revokedAt != nil {
		why := Revoked
		if l.why != nil {
			why = *l.why
		}
		end(l.revokedAt, why)
	}
	end(l.uninstalledAt, Uninstalled)
	if l.uninstalledAt == nil || l.consentRevokedAt != nil && l.consentRevokedAt.Before(*l.uninstalledAt) { // uninstalling revokes as well
		end(l.consentRevokedAt, AccessRevoked)
	}
	if !now.Before(h.ExpiresAt) {
		end(&h.ExpiresAt, Expired)
	}
	if h.EndedAt == nil && l.accessEnded {
		h.Why = AccessRevoked
	}
	return h
}
