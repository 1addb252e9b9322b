package record

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
)

// ExternalColumn is what the calling app calls a record, for the SELECT of a store; ExternalJoin is its join. The record
// is r, and $2 the app's id, empty for none.
const (
	ExternalColumn = `x.external_id`
	ExternalJoin   = ` LEFT JOIN external_ids x ON x.record_id = r.id AND x.app_id = $2 `
)

// CheckExternalID says what is wrong with an external id.
func CheckExternalID(c *fault.Check, value *string) *string {
	return text.Optional(c, "externalId", value, 100)
}

// SetExternalID writes what the calling app calls a record; nil takes the name away. People have no such names.
func SetExternalID(ctx context.Context, tx *db.Tx, by Call, k Kind, recordID string, name *string) error {
	if by.Actor.AppID == "" {
		return nil
	}
	if name == nil {
		return deleteExternalID(ctx, tx, by.Actor.AppID, recordID)
	}
	if done, err := insertExternalID(ctx, tx, by.BusinessID, by.Actor.AppID, k, *name, recordID); err != nil || done {
		return err
	}
	switch taken, err := FindExternal(ctx, tx, by, k, *name); {
	case err != nil || taken == recordID:
		return err
	case taken != "":
		return ErrExternalID.With(taken)
	}
	// The record goes by another name so far.
	if err := deleteExternalID(ctx, tx, by.Actor.AppID, recordID); err != nil {
		return err
	}
	done, err := insertExternalID(ctx, tx, by.BusinessID, by.Actor.AppID, k, *name, recordID)
	if err == nil && !done { // taken in this very moment
		err = db.ErrAgain
	}
	return err
}

// FindExternal gives the id of the record that the calling app calls so; empty for none.
func FindExternal(ctx context.Context, tx *db.Tx, by Call, k Kind, name string) (string, error) {
	found, err := findExternalID(ctx, tx, by.BusinessID, by.Actor.AppID, k, name)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	return found, err
}

// ForgetExternalIDs drops every app's name for a record that is deleted.
func ForgetExternalIDs(ctx context.Context, tx *db.Tx, recordID string) error {
	return deleteExternalIDs(ctx, tx, recordID)
}

// Named is a record by what the calling app calls it.
type Named struct {
	Kind     Kind
	Name     string
	RecordID string
}

// SetExternalIDs writes what the calling app calls new records. That the names are free was asked before.
func SetExternalIDs(ctx context.Context, tx *db.Tx, by Call, list []Named) error {
	return insertExternalIDs(ctx, tx, by.BusinessID, by.Actor.AppID, list)
}

// FindExternals gives the ids of the records that the calling app calls so, as far as there are any, in one statement.
func FindExternals(ctx context.Context, tx *db.Tx, by Call, k Kind, names []string) (map[string]string, error) {
	if len(names) == 0 || by.Actor.AppID == "" {
		return nil, nil
	}
	return findExternalIDs(ctx, tx, by.BusinessID, by.Actor.AppID, k, names)
}
