package record

import (
	"daybook/internal/base/fault"
	"daybook/internal/platform/event"
)

// Kind names a sort of record on the wire and in refusals.
type Kind string

// The kinds.
const (
	Invoice      Kind = "invoice"
	Customer     Kind = "customer"
	Supplier     Kind = "supplier"
	Payment      Kind = "payment"
	Account      Kind = "account"
	JournalEntry Kind = "journal_entry"
	TaxRate      Kind = "tax_rate"
)

// Call is who works on which business's books. Whether they may was settled before.
type Call struct {
	BusinessID string
	Actor      event.Actor
}

// What every kind of record may refuse.
var (
	ErrNotFound   = fault.New(fault.NotFound, "NOT_FOUND", "There is no such {0} in this business.")
	ErrStale      = fault.New(fault.Stale, "VERSION_CONFLICT", "The record is at version {0}, not {1}. Read it again and decide anew.")
	ErrState      = fault.New(fault.Conflict, "INVALID_STATE", "The record is {0}, so it cannot be: {1}.")
	ErrInUse      = fault.New(fault.Conflict, "RECORD_IN_USE", "This {0} is in use, so it stays. Archive it instead where that is offered.")
	ErrArchived   = fault.New(fault.Conflict, "RECORD_ARCHIVED", "This {0} is archived. Restore it first, or choose another.")
	ErrReference  = fault.New(fault.Invalid, "REFERENCE_NOT_FOUND", "{0} names a record that does not exist in this business.")
	ErrExternalID = fault.New(fault.Conflict, "DUPLICATE_EXTERNAL_ID", "Your app already uses this externalId for {0}.")
	ErrCursor     = fault.New(fault.Invalid, "INVALID_CURSOR", "The cursor does not belong to this list. Start again without a cursor, or repeat the filters it was given for.")
)

// Missing is the refusal for a record that is absent or of another business: the two are never told apart.
func Missing(k Kind) error { return ErrNotFound.With(k) }

// Fresh compares a record's version with the one the caller has seen; nil means the caller did not say.
func Fresh(version int, seen *int) error {
	if seen != nil && *seen != version {
		return ErrStale.With(version, *seen)
	}
	return nil
}
