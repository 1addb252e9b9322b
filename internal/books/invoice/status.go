package invoice

import (
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

// Status of an invoice.
type Status string

// The statuses.
const (
	Draft         Status = "DRAFT"
	Open          Status = "OPEN"
	PartiallyPaid Status = "PARTIALLY_PAID"
	Paid          Status = "PAID"
	Void          Status = "VOID"
	Uncollectible Status = "UNCOLLECTIBLE"
)

var statuses = []Status{Draft, Open, PartiallyPaid, Paid, Void, Uncollectible}

// action is something that is done to an invoice.
type action string

// The actions, as refusals name them.
const (
	edit       action = "update"       // of any member
	amend      action = "update_terms" // of those members that stay open after the issue
	remove     action = "delete"
	issue      action = "issue"
	send       action = "send"
	void       action = "void"
	writeOff   action = "write-off"
	allocate   action = "allocate"
	unallocate action = "unallocate"
)

// gone is what a deleted draft becomes.
const gone Status = ""

// next is the table of states: where an action leads from a status, when so much is paid and so much is due afterwards.
// ok is false where the action is not allowed.
func next(from Status, a action, paid, due money.Amount) (to Status, ok bool) {
	payable := from == Open || from == PartiallyPaid
	settled := from == PartiallyPaid || from == Paid
	switch a {
	case edit:
		return Draft, from == Draft
	case remove:
		return gone, from == Draft
	case issue:
		return owed(paid, due), from == Draft
	case amend:
		return from, from == Draft || payable || settled
	case send:
		return from, from != Draft && from != Void
	case void:
		return Void, from == Open
	case writeOff:
		return Uncollectible, payable
	case allocate:
		return owed(paid, due), payable
	case unallocate:
		return owed(paid, due), settled
	}
	return from, false
}

// owed is the status of an issued invoice that is neither void nor written off: it follows from its amounts.
func owed(paid, due money.Amount) Status {
	switch {
	case due == 0:
		return Paid
	case paid == 0:
		return Open
	}
	return PartiallyPaid
}

// do moves an invoice to where an action leads, given its amounts after the action, or refuses.
func (i *Invoice) do(a action) error {
	to, ok := next(i.Status, a, i.AmountPaid, i.AmountDue)
	if !ok {
		return i.refuse(a)
	}
	i.Status = to
	return nil
}

// may refuses an action that the status does not allow.
func (i *Invoice) may(a action) error {
	if _, ok := next(i.Status, a, i.AmountPaid, i.AmountDue); !ok {
		return i.refuse(a)
	}
	return nil
}

func (i *Invoice) refuse(a action) error {
	if a == amend {
		a = edit // one call for callers
	}
	return record.ErrState.With(i.Status, a)
}
