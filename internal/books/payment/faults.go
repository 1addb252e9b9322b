package payment

import "daybook/internal/base/fault"

// What payment refuses, besides what every record may.
var (
	ErrCurrency      = fault.New(fault.Invalid, "CURRENCY_MISMATCH", "{0} is in {1}, but the payment is in {2}. Both must be in one currency.")
	ErrRate          = fault.New(fault.Invalid, "EXCHANGE_RATE_REQUIRED", "A payment in {0} needs an exchangeRate: how many {1} one {0} is worth.")
	ErrExceedsDue    = fault.New(fault.Invalid, "ALLOCATION_EXCEEDS_DUE", "{0} allocates {1}, but only {2} is due on the invoice.")
	ErrExceedsAmount = fault.New(fault.Invalid, "ALLOCATION_EXCEEDS_AMOUNT", "{0} allocates {1}, but only {2} is left of the payment.")
	ErrRefunded      = fault.New(fault.Conflict, "RECORD_IN_USE", "Part of this payment was given back. Delete its refund first.")
)
