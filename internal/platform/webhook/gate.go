package webhook

import (
	"daybook/internal/base/fault"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
)

// facts are everything that decides whether a webhook may be told of an event.
type facts struct {
	deleted, off           bool // the webhook
	suspended, deactivated bool // its app
	registered             scope.Set
	installed              bool // ACTIVE in the business of the event
	granted                scope.Set
}

// Drop says why an app is not told. Its words stand in the delivery log.
type Drop string

// The reasons; none is the empty one.
const (
	Deleted      Drop = "webhook deleted"
	Off          Drop = "webhook switched off"
	Suspended    Drop = "app suspended"
	Deactivated  Drop = "app deactivated"
	NotInstalled Drop = "app not installed in the business"
	NotHeld      Drop = "scope not registered by the app"
	NotGranted   Drop = "scope not granted by the business"
)

// gate is the one place that decides whether an app may hear of an event: when the delivery is created, before every
// attempt, and at redelivery (HOOK-01, HOOK-02, DLIV-03). A test delivery tells nothing of any business and is judged like
// an event of audience app.
func gate(e event.Entry, test bool, f facts) Drop {
	switch {
	case f.deleted:
		return Deleted
	case f.off:
		return Off
	case f.suspended:
		return Suspended
	case f.deactivated:
		return Deactivated
	case test || e.Audience == event.ForApp:
		return ""
	case !f.installed:
		return NotInstalled
	case e.Scope == "": // no event, but a schedule: it tells nothing
		return ""
	case !f.registered.Has(e.Scope):
		return NotHeld
	case !f.granted.Has(e.Scope):
		return NotGranted
	}
	return ""
}

// refusal is what redelivery says where the gate is closed. A webhook that is switched off refuses nothing (REDL-03): the
// delivery is queued, and dropped unless it was switched on by then.
func (d Drop) refusal(e event.Entry) *fault.Fault {
	switch d {
	case "", Off:
		return nil
	case Deleted:
		return ErrNotFound
	case NotInstalled:
		return ErrNotInstalled
	case NotHeld, NotGranted:
		return ErrScopeNotHeld.With(e.Scope)
	}
	return ErrAppNotActive
}
