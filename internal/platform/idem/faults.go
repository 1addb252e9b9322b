package idem

import (
	"errors"
	"strings"

	"daybook/internal/base/fault"
)

// What idem refuses.
var (
	ErrReused     = fault.New(fault.Unprocessable, "IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request. Make a new key for each request, and repeat one only with the same method, path, body and version.")
	ErrInProgress = fault.New(fault.Conflict, "IDEMPOTENCY_IN_PROGRESS", "The request with this Idempotency-Key is still being carried out. Send it again in a second to get its answer.")
)

// errTaken rolls a step back whose key somebody else used in the meantime.
var errTaken = errors.New("the idempotency key was used meanwhile")

// lasting reports whether the same request would be refused in the same way next time.
func lasting(err error) bool {
	f := fault.From(err)
	if f == nil {
		return false
	}
	switch f.Kind {
	case fault.Invalid, fault.NotFound, fault.Stale, fault.Unprocessable:
		return true
	case fault.Forbidden:
		return strings.HasPrefix(f.Code, "PLAN_") // a permission may be granted at once; a plan's ceiling holds for the year
	}
	return false
}
