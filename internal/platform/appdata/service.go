package appdata

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/platform/event"
)

// Service has the verbs of fields and values.
type Service struct {
	DB      *db.DB
	IDs     *id.Source
	Events  *event.Log
	Records Records
	// Trail keeps what is done to fields; nil keeps nothing.
	Trail trail.Keeper
}

// Records knows the records that values stand on. The books fill it.
type Records interface {
	// Hold tells which of these records of a sort there are in a business, and keeps them from being deleted or redacted
	// until the transaction ends. A record that was redacted takes no values any more, and so is none of them.
	Hold(ctx context.Context, tx *db.Tx, businessID string, t ResourceType, ids []string) ([]string, error)
}

// Forget removes every app's values on a record, in the transaction that deletes or redacts it. That transaction has changed
// the record's row before: from then on nobody writes another value on it.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, businessID, resourceID string) error {
	return deleteOfRecord(ctx, tx, businessID, resourceID)
}

// Erase removes all that an app keeps in a business.
func (s *Service) Erase(ctx context.Context, tx *db.Tx, businessID, appID string) error {
	return deleteOfApp(ctx, tx, businessID, appID)
}
