package install

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of installations.
type Service struct {
	DB  *db.DB
	IDs *id.Source
	// Log, if not nil, keeps what happened.
	Log Log
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

func (s *Service) record(ctx context.Context, tx *db.Tx, h Happening) error {
	if s.Log == nil {
		return nil
	}
	return s.Log.Record(ctx, tx, h)
}

// Approve records a user's yes in a transaction of its own. See Prepare.
func (s *Service) Approve(ctx context.Context, a Approval) (Approved, error) {
	var done Approved
	approve := s.Prepare(a)
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		done, err = approve(ctx, tx)
		return err
	})
	return done, err
}

// Prepare makes the ids of an approval; what it returns carries it out inside a transaction, where the consent page
// also decides its request and writes the code.
func (s *Service) Prepare(a Approval) func(context.Context, *db.Tx) (Approved, error) {
	installationID, consentID := s.IDs.New(id.Installation), s.IDs.New(id.Consent)
	return func(ctx context.Context, tx *db.Tx) (Approved, error) {
		if err := admit(ctx, tx, a); err != nil {
			return Approved{}, err
		}
		done, err := installOrExtend(ctx, tx, a, installationID)
		if err != nil {
			return Approved{}, err
		}
		if done.Consent, err = consent(ctx, tx, done.Installation.ID, a, consentID); err != nil {
			return Approved{}, err
		}
		kept := actWidened
		switch done.Outcome {
		case Installed:
			kept, err = actConnected, s.record(ctx, tx, Happening{Kind: KindInstalled, Installation: done.Installation})
		case ScopesUpdated:
			err = s.record(ctx, tx, Happening{Kind: KindScopesUpdated, Installation: done.Installation, Added: done.Added})
		case Unchanged:
			return done, nil
		}
		if err != nil {
			return done, err
		}
		return done, s.leave(ctx, tx, a.UserID, kept, done.Installation, map[string]any{"added": done.Added})
	}
}

// admit decides whether this user may connect this app to this business with these scopes.
func admit(ctx context.Context, tx *db.Tx, a Approval) error {
	if _, err := business.Require(ctx, tx, a.BusinessID, a.UserID, business.AppsConnect); err != nil {
		return err
	}
	one, err := app.Find(ctx, tx, a.AppID)
	if err != nil {
		return err
	}
	b, err := business.Find(ctx, tx, a.BusinessID)
	if err != nil {
		return err
	}
	switch extra := a.Scopes.Minus(one.Scopes); {
	case !one.Running():
		return ErrAppNotActive
	case len(a.Scopes) == 0:
		return ErrNoScopes
	case len(extra) > 0:
		return ErrScopes.With(extra.String())
	}
	memberOf, err := memberOfSandbox(ctx, tx, b, a.UserID)
	if err != nil {
		return err
	}
	if one.OrganizationID == nil && memberOf { // may be adopted in this very moment: look again, holding it
		if one, err = app.FindLocked(ctx, tx, a.AppID); err != nil {
			return err
		}
	}
	if !mayConnect(one, b, memberOf) {
		return ErrNotReviewed
	}
	if late := unapproved(one, b, a.Scopes); len(late) > 0 {
		return ErrUnapproved.With(late.String())
	}
	if one.OrganizationID == nil && b.Sandbox() && memberOf {
		return app.Adopt(ctx, tx, one, *b.SandboxOf)
	}
	return nil
}

// memberOfSandbox reports whether the user belongs to the organization whose sandbox this is.
func memberOfSandbox(ctx context.Context, tx *db.Tx, b business.Business, userID string) (bool, error) {
	if !b.Sandbox() {
		return false, nil
	}
	return organization.IsMember(ctx, tx, *b.SandboxOf, userID)
}

// MayConnect reports whether the review rule lets the app be connected to the business with these scopes, for a page that offers
// choices.
func (s *Service) MayConnect(ctx context.Context, a app.App, scopes scope.Set, b business.Business, userID string) (bool, error) {
	var memberOf bool
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		memberOf, err = memberOfSandbox(ctx, tx, b, userID)
		return err
	})
	return mayConnect(a, b, memberOf) && len(unapproved(a, b, scopes)) == 0, err
}

// NoteUse writes down when installations were last used.
func (s *Service) NoteUse(ctx context.Context, used map[string]time.Time) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(used)) { // in one order, so that nodes do not cross their locks
			if err := setLastUsed(ctx, tx, id, used[id]); err != nil {
				return err
			}
		}
		return nil
	})
}

func installOrExtend(ctx context.Context, tx *db.Tx, a Approval, newID string) (Approved, error) {
	fresh := Installation{
		ID: newID, BusinessID: a.BusinessID, AppID: a.AppID, Status: Active, GrantedScopes: scope.Of(a.Scopes...),
		InstalledAt: tx.Now(), Version: 1, UpdatedAt: tx.Now(),
	}
	first, err := insert(ctx, tx, fresh)
	if err != nil {
		return Approved{}, err
	}
	if first {
		return Approved{Installation: fresh, Outcome: Installed, Added: fresh.GrantedScopes}, cancelRedaction(ctx, tx, a.BusinessID, a.AppID)
	}
	present, err := lockActive(ctx, tx, a.BusinessID, a.AppID)
	if errors.Is(err, db.ErrNoRows) { // uninstalled in this very moment
		err = db.ErrAgain
	}
	if err != nil {
		return Approved{}, err
	}
	added := a.Scopes.Minus(present.GrantedScopes)
	if len(added) == 0 {
		return Approved{Installation: present, Outcome: Unchanged}, nil
	}
	present, err = setGranted(ctx, tx, present, present.GrantedScopes.Union(added))
	return Approved{Installation: present, Outcome: ScopesUpdated, Added: added}, err
}

// consent writes the user's own yes, together with what they said yes to before.
func consent(ctx context.Context, tx *db.Tx, installationID string, a Approval, newID string) (Consent, error) {
	c, err := findConsent(ctx, tx, installationID, a.UserID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		c = Consent{ID: newID, InstallationID: installationID, UserID: a.UserID, Scopes: scope.Of(a.Scopes...), GrantedAt: tx.Now()}
		return c, insertConsent(ctx, tx, c)
	case err != nil:
		return c, err
	}
	c.Scopes, c.GrantedAt = c.Scopes.Union(a.Scopes), tx.Now()
	return c, widenConsent(ctx, tx, c)
}

// Uninstall ends an installation with its consents. by must hold apps.manage. Ending it twice is ErrNotFound.
func (s *Service) Uninstall(ctx context.Context, businessID, by, installationID string) (Installation, error) {
	var i Installation
	err := s.manage(ctx, businessID, by, func(tx *db.Tx) (err error) {
		if i, err = s.end(ctx, tx, businessID, installationID, tx.Now().Add(redactAfter)); err != nil {
			return err
		}
		return s.leave(ctx, tx, by, actUninstalled, i, nil)
	})
	return i, err
}

// end ends an installation with its consents, and tells the app.
func (s *Service) end(ctx context.Context, tx *db.Tx, businessID, installationID string, redactAt time.Time) (Installation, error) {
	i, err := end(ctx, tx, businessID, installationID, redactAt)
	if errors.Is(err, db.ErrNoRows) {
		return i, ErrNotFound
	}
	if err != nil {
		return i, err
	}
	if _, err = revokeConsents(ctx, tx, i.ID, ""); err != nil {
		return i, err
	}
	return i, s.record(ctx, tx, Happening{Kind: KindUninstalled, Installation: i})
}

// RevokeAccess ends every consent behind an installation, which stays ACTIVE. by must hold apps.manage.
func (s *Service) RevokeAccess(ctx context.Context, businessID, by, installationID string) error {
	return s.manage(ctx, businessID, by, func(tx *db.Tx) error {
		i, err := revoke(ctx, tx, businessID, installationID, "")
		if err != nil {
			return err
		}
		if err := endAccess(ctx, tx, businessID, installationID); err != nil {
			return err
		}
		return s.leave(ctx, tx, by, actRevoked, i, nil)
	})
}

// RevokeOwn ends a user's own consent, which every member may do.
func (s *Service) RevokeOwn(ctx context.Context, businessID, userID, installationID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := business.AccessOf(ctx, tx, businessID, userID); err != nil {
			return err
		}
		i, err := revoke(ctx, tx, businessID, installationID, userID)
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, userID, actOwnRevoked, i, nil)
	})
}

func revoke(ctx context.Context, tx *db.Tx, businessID, installationID, userID string) (Installation, error) {
	i, err := find(ctx, tx, businessID, installationID)
	if errors.Is(err, db.ErrNoRows) || err == nil && i.Status != Active {
		return i, ErrNotFound
	}
	if err != nil {
		return i, err
	}
	_, err = revokeConsents(ctx, tx, installationID, userID)
	return i, err
}

func (s *Service) manage(ctx context.Context, businessID, by string, do func(*db.Tx) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := business.Require(ctx, tx, businessID, by, business.AppsManage); err != nil {
			return err
		}
		return do(tx)
	})
}

// List reads the ACTIVE installations of a business for one of its members.
func (s *Service) List(ctx context.Context, businessID, by string) ([]Installation, error) {
	var list []Installation
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = business.AccessOf(ctx, tx, businessID, by); err != nil {
			return err
		}
		list, err = listActive(ctx, tx, businessID)
		return err
	})
	return list, err
}

// Get reads one installation of a business, in whatever state, for one of its members.
func (s *Service) Get(ctx context.Context, businessID, by, installationID string) (Installation, error) {
	var i Installation
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = business.AccessOf(ctx, tx, businessID, by); err != nil {
			return err
		}
		i, err = find(ctx, tx, businessID, installationID)
		if errors.Is(err, db.ErrNoRows) {
			err = ErrNotFound
		}
		return err
	})
	return i, err
}

// ConsentOf reads a user's live consent. Without one it is ErrNotFound.
func ConsentOf(ctx context.Context, tx *db.Tx, installationID, userID string) (Consent, error) {
	c, err := findConsent(ctx, tx, installationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return c, err
}
