package appdata

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// Fields lists what an app declared, for a member of its organization.
func (s *Service) Fields(ctx context.Context, appID, by string) ([]Field, error) {
	var list []Field
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		list, err = listFields(ctx, tx, appID)
		return err
	})
	return list, err
}

// Declare adds a field.
func (s *Service) Declare(ctx context.Context, appID, by string, n NewField) (Field, error) {
	f, err := n.check()
	if err != nil {
		return Field{}, err
	}
	f.ID, f.AppID = s.IDs.New(id.Field), appID
	err = s.build(ctx, appID, by, func(tx *db.Tx, one app.App) error {
		f.CreatedAt, f.UpdatedAt = tx.Now(), tx.Now()
		others, err := countFields(ctx, tx, appID, f.ResourceType, f.Key)
		switch {
		case err != nil:
			return err
		case others.same > 0:
			return ErrKeyTaken.With(f.Key, f.ResourceType)
		case others.all >= MaxFields:
			return ErrFieldLimit.With(MaxFields, f.ResourceType)
		}
		if err := insertField(ctx, tx, f); err != nil {
			return err
		}
		return s.leave(ctx, tx, one, by, actDeclared, f, map[string]any{"type": f.Type})
	})
	return f, err
}

// ChangeField changes what may change about a field. version, if not 0, must be the present one. Values stay as they are.
func (s *Service) ChangeField(ctx context.Context, appID, by, fieldID string, version int, p FieldPatch) (Field, error) {
	var f Field
	err := s.build(ctx, appID, by, func(tx *db.Tx, one app.App) error {
		was, err := currentField(ctx, tx, appID, fieldID, version)
		if err != nil {
			return err
		}
		if f, err = was.with(p); err != nil {
			return err
		}
		f.Version, f.UpdatedAt = f.Version+1, tx.Now()
		if err := updateField(ctx, tx, f); err != nil {
			return err
		}
		return s.leave(ctx, tx, one, by, actChanged, f, f.changes(was))
	})
	return f, err
}

// DeleteField removes a field with its values, in every business.
func (s *Service) DeleteField(ctx context.Context, appID, by, fieldID string, version int) error {
	return s.build(ctx, appID, by, func(tx *db.Tx, one app.App) error {
		f, err := currentField(ctx, tx, appID, fieldID, version)
		if err != nil {
			return err
		}
		// The field goes first: that waits for whoever is writing a value of it, so that the values are all there to go.
		if err := deleteField(ctx, tx, appID, fieldID); err != nil {
			return err
		}
		if err := deleteOfField(ctx, tx, fieldID); err != nil {
			return err
		}
		return s.leave(ctx, tx, one, by, actDeleted, f, nil)
	})
}

// build runs a change of an app's fields for someone who may make it. It takes the app's row, so that changes follow one
// another: the ceiling holds, and a field has the version that was read.
func (s *Service) build(ctx context.Context, appID, by string, do func(*db.Tx, app.App) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
			return err
		}
		one, err := app.FindLocked(ctx, tx, appID)
		if err != nil {
			return err
		}
		return do(tx, one)
	})
}

func currentField(ctx context.Context, tx *db.Tx, appID, fieldID string, version int) (Field, error) {
	f, err := findField(ctx, tx, appID, fieldID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		err = ErrFieldNotFound
	case err == nil && version != 0 && version != f.Version:
		err = ErrVersionChanged.With(f.Version, version)
	}
	return f, err
}
