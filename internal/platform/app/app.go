package app

import (
	"time"

	"daybook/internal/platform/scope"
)

// ClientType says whether the app can keep a secret.
type ClientType string

// The client types.
const (
	Confidential ClientType = "CONFIDENTIAL"
	Public       ClientType = "PUBLIC"
)

// Status says whether the app may run.
type Status string

// The statuses.
const (
	Active      Status = "ACTIVE"
	Deactivated Status = "DEACTIVATED"
	Suspended   Status = "SUSPENDED"
)

// ReviewStatus says what the operator thinks of the app.
type ReviewStatus string

// The review statuses.
const (
	Unreviewed ReviewStatus = "UNREVIEWED"
	Approved   ReviewStatus = "APPROVED"
	Revoked    ReviewStatus = "REVOKED"
)

// Origin says how the app came to be.
type Origin string

// The origins: made in the console, registered by itself (RFC 7591), or described by a metadata document.
const (
	Console      Origin = "CONSOLE"
	Registration Origin = "REGISTRATION"
	Document     Origin = "DOCUMENT"
)

// App is a partner app.
type App struct {
	ID               string
	OrganizationID   *string // nil: registered by itself and not adopted yet
	Origin           Origin
	Name             string
	Description      *string
	AppURL           *string
	SupportEmail     *string
	PrivacyURL       *string
	TermsURL         *string
	ClientID         string
	ClientType       ClientType
	RedirectURIs     []string
	Scopes           scope.Set // registered: what it may ask for
	ReviewStatus     ReviewStatus
	ApprovedScopes   scope.Set // that the review has seen: of careful ones, no others are granted outside of sandboxes
	DeactivatedAt    *time.Time
	SuspendedAt      *time.Time
	SuspensionReason *string
	PinnedAPIVersion *string
	Version          int
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// Status is worked out from the two switches; the operator's wins.
func (a App) Status() Status {
	switch {
	case a.SuspendedAt != nil:
		return Suspended
	case a.DeactivatedAt != nil:
		return Deactivated
	}
	return Active
}

// Running reports whether the app may do anything at all.
func (a App) Running() bool { return a.Status() == Active }

// Secret is a client secret as the console shows it: never its value.
type Secret struct {
	ID         string
	AppID      string
	CreatedAt  time.Time
	LastUsedAt *time.Time
}

// MaxSecrets at a time: the old one works until every server has the new one.
const MaxSecrets = 2
