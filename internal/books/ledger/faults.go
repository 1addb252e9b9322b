package ledger

import "daybook/internal/base/fault"

// What the ledger refuses, besides what every record may.
var (
	ErrLocked     = fault.New(fault.Invalid, "PERIOD_LOCKED", "The books are locked up to and including {0}. Use a later date, or ask someone with the permission books.lock to move it.")
	ErrUnbalanced = fault.New(fault.Invalid, "UNBALANCED_ENTRY", "Debits of {0} and credits of {1} must be equal and above zero.")
	ErrControl    = fault.New(fault.Invalid, "CONTROL_ACCOUNT", "Account {0} follows from invoices and payments, so no entry is made on it by hand. Record a payment or an invoice instead.")
	ErrType       = fault.New(fault.Invalid, "ACCOUNT_TYPE_INVALID", "{0} must be an account of type {1}.")
	ErrCode       = fault.New(fault.Conflict, "DUPLICATE_CODE", "Another account already has the code {0}.")
	ErrFixed      = fault.New(fault.Conflict, "RECORD_IN_USE", "The account has postings, so its {0} stays. Create another account instead.")
	ErrSystem     = fault.New(fault.Conflict, "RECORD_IN_USE", "The system itself posts to this account ({0}), so it cannot be: {1}.")
	ErrFollows    = fault.New(fault.Conflict, "INVALID_STATE", "The entry follows from {0} {1}. Change or delete that instead.")
)

// ErrEmptying refuses to write into the books of a sandbox while they are being emptied.
var ErrEmptying = fault.New(fault.Conflict, "SANDBOX_BUSY", "This sandbox is being reset. Try again in a moment.")

// ErrFull keeps every sum of the books an amount.
var ErrFull = fault.New(fault.Invalid, "BOOKS_FULL", "The books of a business hold debits of at most 8444249302368255 minor units in all. With this they would hold more.")

// errTooMuch is for lines that cannot be summed up.
var errTooMuch = fault.InvalidFields("lines must not add up to more than 9007199254740991 minor units")
