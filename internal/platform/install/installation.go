package install

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// Status of an installation.
type Status string

// The statuses.
const (
	Active      Status = "ACTIVE"
	Uninstalled Status = "UNINSTALLED"
)

// Installation is an app in a business.
type Installation struct {
	ID            string
	BusinessID    string
	AppID         string
	Status        Status
	GrantedScopes scope.Set
	InstalledAt   time.Time
	UninstalledAt *time.Time
	// RedactAt is when the app's data in this business is to be erased; nil unless uninstalled.
	RedactAt   *time.Time
	LastUsedAt *time.Time
	Version    int
	UpdatedAt  time.Time
}

// redactAfter uninstalling, the app's data in the business is erased, unless it is installed again before.
const redactAfter = 48 * time.Hour

// Consent is one user's yes to an app in a business.
type Consent struct {
	ID             string
	InstallationID string
	UserID         string
	Scopes         scope.Set
	GrantedAt      time.Time
	RevokedAt      *time.Time
}

// Approval is what a user said yes to.
type Approval struct {
	AppID      string
	BusinessID string
	UserID     string
	Scopes     scope.Set
}

// Outcome says what an approval did.
type Outcome string

// The outcomes.
const (
	Installed     Outcome = "INSTALLED"      // the first approval in this business, or the first after uninstalling
	ScopesUpdated Outcome = "SCOPES_UPDATED" // the granted scopes changed
	Unchanged     Outcome = "UNCHANGED"
)

// Approved is the result of an approval.
type Approved struct {
	Installation Installation
	Consent      Consent
	Outcome      Outcome
	// Added are the scopes the installation did not have before.
	Added scope.Set
}

// mayConnect decides whether the app may be connected to the business at all (AUTHZ-13, REGI-05). memberOf reports
// whether the approving user belongs to an organization.
func mayConnect(a app.App, b business.Business, memberOf bool) bool {
	switch {
	case a.ReviewStatus == app.Approved:
		return true
	case !b.Sandbox():
		return false
	case a.OrganizationID == nil:
		return memberOf
	}
	return *a.OrganizationID == *b.SandboxOf
}

// unapproved are the scopes of an app that a review must see before the business may grant them.
func unapproved(a app.App, b business.Business, scopes scope.Set) scope.Set {
	if b.Sandbox() {
		return nil
	}
	return a.Unapproved(scopes)
}

// Kind of a happening: the name of the event it becomes.
type Kind string

// The kinds.
const (
	KindInstalled     Kind = "app.installed"
	KindUninstalled   Kind = "app.uninstalled"
	KindScopesUpdated Kind = "app.scopes_updated"
	KindRedacted      Kind = "business.redact" // what was kept for the app is erased; it must erase what it keeps
)

// Reason why an app's data in a business is erased.
type Reason string

// The reasons.
const (
	ForUninstalled    Reason = "UNINSTALLED"
	ForBusinessClosed Reason = "BUSINESS_CLOSED"
)

// Happening is what the app is told of its installation (AUTHZ-16, INST-01).
type Happening struct {
	Kind         Kind
	Installation Installation
	// Added are the scopes that are new; only for KindScopesUpdated.
	Added scope.Set
	// RequestID names the request to erase, DueBy is when it must be done, and Reason why; only for KindRedacted.
	RequestID string
	DueBy     time.Time
	Reason    Reason
}

// Log keeps happenings in the transaction of the change itself: none is lost, none is told of a change that did not come
// about. The event log fills it; until there is one, nothing is kept.
type Log interface {
	Record(ctx context.Context, tx *db.Tx, h Happening) error
}
