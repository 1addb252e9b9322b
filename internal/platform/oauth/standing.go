package oauth

import (
	"time"

	"daybook/internal/platform/install"
)

// The lives of things.
const (
	requestLife     = 5 * time.Minute
	codeLife        = 10 * time.Minute
	accessLife      = time.Hour
	refreshLife     = 30 * 24 * time.Hour
	deviceLife      = 10 * time.Minute
	deviceInterval  = 5 * time.Second
	pollTolerance   = 250 * time.Millisecond // clients that keep the interval may still arrive a little early
	idempotencyLife = 60 * time.Second
	endPrecision    = 24 * time.Hour // how far a family's noted end may lag behind; the clean-up keeps families for longer
)

// AccessLife, DeviceLife and DeviceInterval are told to clients.
const (
	AccessLife     = accessLife
	DeviceLife     = deviceLife
	DeviceInterval = deviceInterval
)

// standing is how the app, business and person behind a grant stand at this moment. Every grant, call and introspection
// asks it anew.
type standing struct {
	appSuspendedAt   *time.Time
	appDeactivatedAt *time.Time
	installation     install.Status
	uninstalledAt    *time.Time
	consentRevokedAt *time.Time
	userSuspendedAt  *time.Time
	userRestrictedAt *time.Time
	memberRole       *string // nil: the user left the business
	sessionID        *string // of a token exchange: nil when the session is gone
}

func (s *standing) dest() []any {
	return []any{&s.appSuspendedAt, &s.appDeactivatedAt, &s.installation, &s.uninstalledAt, &s.consentRevokedAt,
		&s.userSuspendedAt, &s.userRestrictedAt, &s.memberRole, &s.sessionID}
}

// installed reports whether the business still has the app and the person is still in it and may act (TOK-07, INST-04).
func (s standing) installed() bool {
	return s.installation == install.Active && s.memberRole != nil && s.userSuspendedAt == nil && s.userRestrictedAt == nil
}

// running reports whether the app itself may run.
func (s standing) running() bool { return s.appSuspendedAt == nil && s.appDeactivatedAt == nil }

// consented reports whether the person's own yes stands. It is revoked with the installation too, which says more.
func (s standing) consented() bool { return s.consentRevokedAt == nil }

// good reports whether nothing stands in the way. Only that is ever remembered: what is not good may become so without
// anything being taken back.
func (s standing) good() bool { return s.running() && s.installed() && s.consented() }

// accessRevoked is "Revoke access": the consent ended before the installation did, or without it (REF-03).
func (s standing) accessRevoked() bool {
	return !s.consented() && (s.installation == install.Active || s.uninstalledAt != nil && s.consentRevokedAt.Before(*s.uninstalledAt))
}

func installStatus(s string) install.Status { return install.Status(s) }
