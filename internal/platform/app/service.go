package app

import (
	"context"
	"errors"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of apps.
type Service struct {
	DB   *db.DB
	IDs  *id.Source
	Keys *secret.Keys
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// secretUse sets client secret hashes apart from other hashes under the same pepper.
const secretUse = "client secret"

// clientIDLength of the random part, letters and digits.
const clientIDLength = 32

// Created is a new app with its first secret, which is known only now; empty for a PUBLIC app.
type Created struct {
	App
	ClientSecret secret.Secret
}

// Create makes an app for an organization.
func (s *Service) Create(ctx context.Context, organizationID, by string, n New) (Created, error) {
	create, err := s.Prepare(organizationID, by, n, Given{})
	if err != nil {
		return Created{}, err
	}
	var c Created
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		c, err = create(ctx, tx)
		return err
	})
	return c, err
}

// Given are values that a fixture gives and that are otherwise minted or earned.
type Given struct {
	ClientID         string
	ClientSecret     secret.Secret
	ReviewStatus     ReviewStatus
	PinnedAPIVersion *string
}

// Prepare checks and mints; what it returns creates the app inside a transaction.
func (s *Service) Prepare(organizationID, by string, n New, given Given) (func(context.Context, *db.Tx) (Created, error), error) {
	n, err := n.check()
	if err != nil {
		return nil, err
	}
	c := Created{App: App{
		ID: s.IDs.New(id.App), OrganizationID: &organizationID, Origin: Console, Name: n.Name, AppURL: n.AppURL,
		ClientID: given.ClientID, ClientType: n.ClientType, RedirectURIs: n.RedirectURIs, Scopes: n.Scopes,
		ReviewStatus: given.ReviewStatus, ApprovedScopes: scope.Of(), PinnedAPIVersion: given.PinnedAPIVersion, Version: 1,
	}, ClientSecret: given.ClientSecret}
	if c.ClientID == "" {
		c.ClientID = string(secret.ClientID) + secret.Random(clientIDLength)
	}
	if c.ReviewStatus == "" {
		c.ReviewStatus = Unreviewed
	}
	if err := checkReview(c.ReviewStatus); err != nil {
		return nil, err
	}
	c.review(c.ReviewStatus, c.Scopes)
	switch {
	case c.ClientType == Public && !c.ClientSecret.Empty():
		return nil, ErrNoSecrets
	case c.ClientType == Confidential && c.ClientSecret.Empty():
		c.ClientSecret = secret.Mint(secret.ClientSecret)
	}
	secretID := s.IDs.New(id.AppSecret)
	return func(ctx context.Context, tx *db.Tx) (Created, error) {
		if _, err := organization.Authorize(ctx, tx, organizationID, by, organization.Build); err != nil {
			return c, err
		}
		if err := checkPin(c.PinnedAPIVersion, nil, tx.Now()); err != nil {
			return c, err
		}
		c.CreatedAt, c.UpdatedAt = tx.Now(), tx.Now()
		switch free, err := insert(ctx, tx, c.App); {
		case err != nil:
			return c, err
		case !free:
			return c, ErrClientIDTaken.With(c.ClientID)
		}
		if err := s.leave(ctx, tx, by, c.App, actCreated, details{"clientType": c.ClientType, "scopes": c.Scopes}); err != nil || c.ClientType == Public {
			return c, err
		}
		_, err := insertSecret(ctx, tx, Secret{ID: secretID, AppID: c.ID, CreatedAt: tx.Now()}, s.Keys.Hash(secretUse, c.ClientSecret))
		return c, err
	}, nil
}

// Find reads an app for a feature that has already settled who is asking.
func Find(ctx context.Context, tx *db.Tx, appID string) (App, error) {
	return found(find(ctx, tx, appID))
}

// FindLocked is Find that keeps others from changing the app until the end of the transaction.
func FindLocked(ctx context.Context, tx *db.Tx, appID string) (App, error) {
	if err := lock(ctx, tx, appID); err != nil {
		return App{}, err
	}
	return Find(ctx, tx, appID)
}

// FindClient reads an app by its client id, in whatever state it is.
func FindClient(ctx context.Context, tx *db.Tx, clientID string) (App, error) {
	return found(findByClientID(ctx, tx, clientID))
}

func found(a App, err error) (App, error) {
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return a, err
}

// Get reads an app for a member of its organization.
func (s *Service) Get(ctx context.Context, appID, by string) (App, error) {
	var a App
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		a, err = authorize(ctx, tx, appID, by, organization.Look)
		return err
	})
	return a, err
}

// Admit is Get for someone who is about to do more than look.
func (s *Service) Admit(ctx context.Context, appID, by string, a organization.Ability) (App, error) {
	var one App
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		one, err = authorize(ctx, tx, appID, by, a)
		return err
	})
	return one, err
}

// Show reads an app for someone who sees it installed in their business.
func (s *Service) Show(ctx context.Context, appID string) (App, error) {
	var a App
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		a, err = Find(ctx, tx, appID)
		return err
	})
	return a, err
}

// List reads the apps of an organization for one of its members.
func (s *Service) List(ctx context.Context, organizationID, by string) ([]App, error) {
	var list []App
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = organization.Authorize(ctx, tx, organizationID, by, organization.Look); err != nil {
			return err
		}
		list, err = listOf(ctx, tx, organizationID)
		return err
	})
	return list, err
}

// Authorize reads an app for a member of its organization who may do that; for anyone else it does not exist. Features that
// hang on an app ask it inside their own transaction.
func Authorize(ctx context.Context, tx *db.Tx, appID, by string, a organization.Ability) (App, error) {
	return authorize(ctx, tx, appID, by, a)
}

// authorize reads an app for someone whose role in its organization allows what they mean to do.
func authorize(ctx context.Context, tx *db.Tx, appID, by string, a organization.Ability) (App, error) {
	one, err := Find(ctx, tx, appID)
	if err != nil {
		return App{}, err
	}
	if one.OrganizationID == nil {
		return App{}, ErrNotFound
	}
	if _, err := organization.Authorize(ctx, tx, *one.OrganizationID, by, a); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			err = ErrNotFound
		}
		return App{}, err
	}
	return one, nil
}

// change reads an app, applies do, and writes it back if nobody else did in between.
func (s *Service) change(ctx context.Context, appID string, read func(*db.Tx) (App, error), do func(*db.Tx, *App) error) (App, error) {
	var a App
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if err = lock(ctx, tx, appID); err != nil {
			return err
		}
		if a, err = read(tx); err != nil {
			return err
		}
		if err = do(tx, &a); err != nil {
			return err
		}
		written, err := update(ctx, tx, a)
		if err == nil && !written {
			err = ErrVersionChanged
		}
		a.Version, a.UpdatedAt = a.Version+1, tx.Now()
		return err
	})
	return a, err
}

// asMember reads the app for a member who may change it. seen, if not 0, must be its present version.
func (s *Service) asMember(ctx context.Context, appID, by string, seen int, a organization.Ability) func(*db.Tx) (App, error) {
	return func(tx *db.Tx) (App, error) {
		one, err := authorize(ctx, tx, appID, by, a)
		if err == nil && seen != 0 && seen != one.Version {
			err = ErrVersionChanged
		}
		return one, err
	}
}

// SetDetails writes what a developer may change at any time. seen, if not 0, must be the present version.
func (s *Service) SetDetails(ctx context.Context, appID, by string, seen int, d Details) (App, error) {
	d, err := d.check()
	if err != nil {
		return App{}, err
	}
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Build), func(tx *db.Tx, a *App) error {
		return s.setDetails(ctx, tx, by, a, d)
	})
}

// setDetails writes checked details, and keeps which ones changed.
func (s *Service) setDetails(ctx context.Context, tx *db.Tx, by string, a *App, d Details) error {
	was := a.Details()
	if err := a.setDetails(d, tx.Now()); err != nil {
		return err
	}
	return s.leave(ctx, tx, by, *a, actChanged, was.changes(d))
}

// ChangeDetails is SetDetails for some of them: the others stay as they are at that moment.
func (s *Service) ChangeDetails(ctx context.Context, appID, by string, seen int, p DetailsPatch) (App, error) {
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Build), func(tx *db.Tx, a *App) error {
		d, err := p.onto(a.Details()).check()
		if err != nil {
			return err
		}
		return s.setDetails(ctx, tx, by, a, d)
	})
}

// SetRedirectURIs replaces the list. seen: see SetDetails.
func (s *Service) SetRedirectURIs(ctx context.Context, appID, by string, seen int, uris []string) (App, error) {
	uris = slices.Clone(uris)
	if err := CheckRedirectURIs(uris); err != nil {
		return App{}, err
	}
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Build), func(tx *db.Tx, a *App) error {
		if a.Origin == Document {
			return ErrDescribed.With(a.ClientID)
		}
		a.RedirectURIs = uris
		return s.leave(ctx, tx, by, *a, actRedirects, details{"redirectUris": len(uris)})
	})
}

// SetScopes replaces the registered scopes. Removing one acts at once on grants and deliveries, whose checks read
// this row; installations keep the rest. seen: see SetDetails.
func (s *Service) SetScopes(ctx context.Context, appID, by string, seen int, scopes scope.Set) (App, error) {
	if err := CheckScopes(scopes); err != nil {
		return App{}, err
	}
	scopes = scope.Of(scopes...)
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Build), func(tx *db.Tx, a *App) error {
		if a.Origin == Document {
			return ErrDescribed.With(a.ClientID)
		}
		was := a.Scopes
		a.Scopes = scopes
		return s.leave(ctx, tx, by, *a, actScopes, newScopes(was, scopes))
	})
}
