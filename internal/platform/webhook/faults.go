package webhook

import "daybook/internal/base/fault"

// What webhooks refuse.
var (
	ErrNotFound     = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such webhook.")
	ErrLimit        = fault.New(fault.Invalid, "WEBHOOK_LIMIT_REACHED", "An app has at most 10 webhooks. Delete one, or add events to one that exists.")
	ErrURL          = fault.New(fault.Invalid, "WEBHOOK_URL_INVALID", "The webhook's url cannot be used: {0}.")
	ErrUnknownEvent = fault.New(fault.Invalid, "UNKNOWN_EVENT_TYPE", "There is no event called {0}. The events are listed in the documentation of the API.")
	ErrChanged      = fault.New(fault.Stale, "VERSION_CONFLICT", "The webhook was changed by someone else. Read it again and repeat your change.")
	ErrNotHeard     = fault.New(fault.Invalid, "EVENT_NOT_SUBSCRIBED", "The webhook does not hear of {0}. Subscribe it to that event first, or leave type out.")
)

// What deliveries refuse (REDL-02, REDL-03).
var (
	ErrNoDelivery   = fault.New(fault.NotFound, "NOT_FOUND", "The webhook has no such delivery. Deliveries are kept for 30 days.")
	ErrNotFailed    = fault.New(fault.Invalid, "DELIVERY_NOT_FAILED", "Only a failed delivery can be redelivered; this one is {0}.")
	ErrPendingRetry = fault.New(fault.Invalid, "DELIVERY_PENDING_RETRY", "The delivery waits for its next attempt, at {0}. It can be redelivered if its last attempt fails.")
	ErrAppNotActive = fault.New(fault.Invalid, "APP_NOT_ACTIVE", "The app is suspended or deactivated: nothing is delivered to it. Reactivate it first.")
	ErrNotInstalled = fault.New(fault.Invalid, "APP_NOT_INSTALLED", "The app is no longer installed in the business that the event belongs to.")
	ErrScopeNotHeld = fault.New(fault.Invalid, "SCOPE_NOT_HELD", "The app, or its installation in the business, no longer holds {0}, which the event needs.")
	ErrTooOld       = fault.New(fault.Invalid, "DELIVERY_TOO_OLD", "The delivery is older than 30 days. Read the record itself by the API instead.")
)
