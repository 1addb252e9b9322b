package function

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/script"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of functions.
type Service struct {
	DB    *db.DB
	IDs   *id.Source
	Keys  *secret.Keys
	Clock clock.Clock
	// Webhooks has the queue.
	Webhooks *webhook.Service
	// Engine runs sources. Only a node has one.
	Engine Engine
	// API answers ctx.api. Only a node has one.
	API API
	// Log is told of processes that crash. Only a node has one.
	Log *slog.Logger
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper

	mu      sync.Mutex
	sources map[string]string // by version, which never changes
}

// Engine runs a source. *script.Pool does.
type Engine interface {
	Run(context.Context, script.Job) (script.Result, error)
}

// API answers what a function of an app asks for in a business, as it answers every app. Boot fills it in.
type API interface {
	Call(ctx context.Context, appID, businessID string, c script.Call) (script.Answer, error)
}

// build runs a change to something of an app for a member who may build. The app's row is locked, so that changes follow one another.
func (s *Service) build(ctx context.Context, appID, by string, do func(tx *db.Tx, of app.App) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := app.FindLocked(ctx, tx, appID); err != nil {
			return err
		}
		of, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
		}
		return do(tx, of)
	})
}

// mayBuild asks before anything of a request is looked at that costs time.
func (s *Service) mayBuild(ctx context.Context, appID, by string) error {
	return s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		_, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		return err
	})
}

// Create adds a function to an app, with its first version if there is a source.
func (s *Service) Create(ctx context.Context, appID, by string, n New) (Function, *Version, error) {
	if err := s.mayBuild(ctx, appID, by); err != nil {
		return Function{}, nil, err
	}
	n, err := n.check()
	if err != nil {
		return Function{}, nil, err
	}
	f := Function{ID: s.IDs.New(id.Function), AppID: appID, Name: n.Name, Description: n.Description, Trigger: n.Trigger, State: Draft, Version: 1}
	versionID := s.IDs.New(id.FunctionCode)
	var v *Version
	err = s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		switch others, err := countOf(ctx, tx, appID); {
		case err != nil:
			return err
		case others >= MaxPerApp:
			return ErrLimit.With(MaxPerApp)
		}
		if err := f.Trigger.visible(of); err != nil {
			return err
		}
		f.CreatedAt, f.UpdatedAt = tx.Now(), tx.Now()
		if err := insert(ctx, tx, f); err != nil {
			return err
		}
		if err := webhook.PutTarget(ctx, tx, f.target()); err != nil {
			return err
		}
		if v = nil; n.Source != nil {
			v = &Version{ID: versionID, FunctionID: f.ID, Number: 1, Source: *n.Source, CreatedBy: by, CreatedAt: tx.Now()}
			if err := insertVersion(ctx, tx, *v); err != nil {
				return err
			}
		}
		return s.leave(ctx, tx, of, by, actCreated, objectOf(f.ID), map[string]any{"trigger": f.Trigger.Kind})
	})
	return f, v, err
}

// List reads the functions of an app, in the order of their making.
func (s *Service) List(ctx context.Context, appID, by string) ([]Function, error) {
	var all []Function
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		all, err = list(ctx, tx, appID)
		return err
	})
	return all, err
}

// Get reads one function.
func (s *Service) Get(ctx context.Context, appID, by, functionID string) (Function, error) {
	var f Function
	err := s.look(ctx, appID, by, functionID, func(_ *db.Tx, found Function) error {
		f = found
		return nil
	})
	return f, err
}

// look reads a function, and what hangs on it, for a member of the app's organization.
func (s *Service) look(ctx context.Context, appID, by, functionID string, do func(*db.Tx, Function) error) error {
	return s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		f, err := current(ctx, tx, appID, functionID, 0)
		if err != nil {
			return err
		}
		return do(tx, f)
	})
}

// current reads a function; version, if not 0, must be the present one.
func current(ctx context.Context, tx *db.Tx, appID, functionID string, version int) (Function, error) {
	f, err := find(ctx, tx, appID, functionID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return f, ErrNotFound
	case err == nil && version != 0 && version != f.Version:
		return f, ErrChanged
	}
	return f, err
}

// change reads a function, has it changed, and writes it back with the row by which it hears.
func (s *Service) change(ctx context.Context, appID, by, functionID string, version int, do func(tx *db.Tx, of app.App, f *Function) error) (Function, error) {
	var f Function
	err := s.build(ctx, appID, by, func(tx *db.Tx, of app.App) (err error) {
		if f, err = current(ctx, tx, appID, functionID, version); err != nil {
			return err
		}
		was := f.Version
		if err := do(tx, of, &f); err != nil || f.Version == was {
			return err
		}
		f.UpdatedAt = tx.Now()
		changed, err := update(ctx, tx, f)
		if err != nil {
			return err
		}
		if !changed { // it was switched off at this moment
			return ErrChanged
		}
		return webhook.PutTarget(ctx, tx, f.target())
	})
	return f, err
}

// Change changes a function. version, if not 0, must be the present one.
func (s *Service) Change(ctx context.Context, appID, by, functionID string, version int, p Patch) (Function, error) {
	p, err := p.check()
	if err != nil {
		return Function{}, err
	}
	return s.change(ctx, appID, by, functionID, version, func(tx *db.Tx, of app.App, f *Function) error {
		was := f.Trigger
		changes := p.apply(f)
		if len(changes) == 0 {
			return nil
		}
		if !was.equal(f.Trigger) {
			if err := f.Trigger.visible(of); err != nil {
				return err
			}
			f.plan(tx.Now())
		}
		f.Version++
		return s.leave(ctx, tx, of, by, actChanged, objectOf(f.ID), map[string]any{"changes": changes})
	})
}

// Activate has a version run from now on: the named one, or the newest. version, if not 0, must be the function's present one.
func (s *Service) Activate(ctx context.Context, appID, by, functionID string, version int, versionID string) (Function, error) {
	return s.change(ctx, appID, by, functionID, version, func(tx *db.Tx, of app.App, f *Function) error {
		v, err := chosen(ctx, tx, f.ID, versionID)
		if err != nil {
			return err
		}
		if f.State == Active && f.ActiveVersion != nil && *f.ActiveVersion == v.ID {
			return nil
		}
		f.State, f.Why, f.ActiveVersion, f.Failures = Active, nil, &v.ID, 0
		f.plan(tx.Now())
		f.Version++
		return s.leave(ctx, tx, of, by, actActivated, objectOf(f.ID), map[string]any{"versionId": v.ID})
	})
}

// chosen is the version that is meant: the named one, or the newest. Its source is left out.
func chosen(ctx context.Context, tx *db.Tx, functionID, versionID string) (Version, error) {
	var v Version
	var err error
	missing := ErrNoVersion
	if versionID == "" {
		v, err = newestVersion(ctx, tx, functionID)
		missing = ErrUnsent
	} else {
		v, err = findVersion(ctx, tx, functionID, versionID)
	}
	if errors.Is(err, db.ErrNoRows) {
		err = missing
	}
	return v, err
}

// Disable switches a function off. Deliveries that wait for it are dropped when they fall due, and can be repeated later. version, if
// not 0, must be the present one.
func (s *Service) Disable(ctx context.Context, appID, by, functionID string, version int) (Function, error) {
	return s.change(ctx, appID, by, functionID, version, func(tx *db.Tx, of app.App, f *Function) error {
		why := ByDeveloper
		switch f.State {
		case Disabled:
			return nil
		case Draft:
			return ErrState.With(f.State)
		}
		f.State, f.Why = Disabled, &why
		f.plan(tx.Now())
		f.Version++
		return s.leave(ctx, tx, of, by, actDisabled, objectOf(f.ID), nil)
	})
}

// Delete takes a function away. Its runs are kept as long as all runs are, for nobody to see. version, if not 0, must be the present one.
func (s *Service) Delete(ctx context.Context, appID, by, functionID string, version int) error {
	return s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		if _, err := current(ctx, tx, appID, functionID, version); err != nil {
			return err
		}
		if err := markDeleted(ctx, tx, appID, functionID); err != nil {
			return err
		}
		if err := webhook.DropTarget(ctx, tx, appID, functionID); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actDeleted, objectOf(functionID), nil)
	})
}
