package extension

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of extensions.
type Service struct {
	DB  *db.DB
	IDs *id.Source
	// Home is what is never framed. Boot knows it once there are listeners.
	Home Home
	// Records tells which records there are.
	Records Records
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Records knows the records that extensions stand beside. The books fill it.
type Records interface {
	// Exists reports whether there is such a record in a business.
	Exists(ctx context.Context, tx *db.Tx, businessID string, t appdata.ResourceType, resourceID string) (bool, error)
}

// List reads what an app declared, for a member of its organization, in the order of its making.
func (s *Service) List(ctx context.Context, appID, by string) ([]Placed, error) {
	var placed []Placed
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		of, err := app.Authorize(ctx, tx, appID, by, organization.Look)
		if err != nil {
			return err
		}
		all, err := list(ctx, tx, appID)
		placed = make([]Placed, len(all))
		for i, e := range all {
			placed[i] = e.place(of, s.Home)
		}
		return err
	})
	return placed, err
}

// ForSnapshot reads all extensions of an app, in the order of their making, for a feature that has already settled who is asking.
func ForSnapshot(ctx context.Context, tx *db.Tx, appID string) ([]Extension, error) {
	return list(ctx, tx, appID)
}

// Create adds an extension.
func (s *Service) Create(ctx context.Context, appID, by string, n New) (Placed, error) {
	e, err := n.check()
	if err != nil {
		return Placed{}, err
	}
	e.ID, e.AppID = s.IDs.New(id.Extension), appID
	var placed Placed
	err = s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		if _, err := e.fit(of, s.Home); err != nil {
			return err
		}
		switch others, err := count(ctx, tx, appID); {
		case err != nil:
			return err
		case others >= MaxExtensions:
			return ErrLimit.With(MaxExtensions)
		}
		e.CreatedAt, e.UpdatedAt = tx.Now(), tx.Now()
		if err := insert(ctx, tx, e); err != nil {
			return err
		}
		placed = e.place(of, s.Home)
		return s.leave(ctx, tx, of, by, actCreated, e.ID, map[string]any{"kind": e.Kind, "resourceType": e.ResourceType})
	})
	return placed, err
}

// Change changes an extension. version, if not 0, must be the present one.
func (s *Service) Change(ctx context.Context, appID, by, extensionID string, version int, p Patch) (Placed, error) {
	var placed Placed
	err := s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		was, err := current(ctx, tx, appID, extensionID, version)
		if err != nil {
			return err
		}
		e, err := was.with(p)
		if err != nil {
			return err
		}
		if p.places(was) {
			if _, err := e.fit(of, s.Home); err != nil {
				return err
			}
		}
		e.Version, e.UpdatedAt = e.Version+1, tx.Now()
		if err := update(ctx, tx, e); err != nil {
			return err
		}
		placed = e.place(of, s.Home)
		return s.leave(ctx, tx, of, by, actChanged, e.ID, e.changes(was))
	})
	return placed, err
}

// Delete removes an extension.
func (s *Service) Delete(ctx context.Context, appID, by, extensionID string, version int) error {
	return s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		if _, err := current(ctx, tx, appID, extensionID, version); err != nil {
			return err
		}
		if err := remove(ctx, tx, appID, extensionID); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actDeleted, extensionID, map[string]any{})
	})
}

// build runs a change of an app's extensions for someone who may make it. It takes the app's row, so that changes follow one another: the
// ceiling holds, and the App URL and the scopes are those that the change is judged by.
func (s *Service) build(ctx context.Context, appID, by string, do func(*db.Tx, app.App) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
			return err
		}
		of, err := app.FindLocked(ctx, tx, appID)
		if err != nil {
			return err
		}
		return do(tx, of)
	})
}

func current(ctx context.Context, tx *db.Tx, appID, extensionID string, version int) (Extension, error) {
	e, err := find(ctx, tx, appID, extensionID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		err = ErrNotFound
	case err == nil && version != 0 && version != e.Version:
		err = ErrVersionChanged.With(e.Version, version)
	}
	return e, err
}
