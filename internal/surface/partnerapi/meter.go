package partnerapi

import "time"

// Meter counts what apps do.
type Meter interface {
	// Count is told of a finished call, refused ones included. It must be quick.
	Count(Call)
}

// Call is one call that an app made.
type Call struct {
	AppID          string
	BusinessID     string
	UserID         string // in whose name
	InstallationID string
	// Ended says that the call was refused because its token no longer counts.
	Ended bool
	// Route is the pattern, such as /invoices/{id}; empty for what is not in the table.
	Route       string
	Method      string
	Status      int
	Code        string // of the refusal
	Version     string // the resolved API version; empty when there is none
	RateLimited bool
	Duration    time.Duration
	At          time.Time
	RequestID   string
}
