package reqlog

import (
	"strings"
	"time"

	"daybook/internal/base/id"
)

// Retention is how long entries are kept.
const Retention = 7 * 24 * time.Hour

// Entry is one call of an app, as it was answered. What is not known is empty.
type Entry struct {
	AppID string
	// RequestID is what the caller got as Request-Id. It tells when the call came.
	RequestID string
	Method    string
	Route     string // the pattern, never the path
	Status    int
	Code      string // of the refusal
	Version   string // of the API
	Duration  time.Duration
	// BusinessID and UserID are those of the token.
	BusinessID string
	UserID     string
	// Ended says that the token no longer counts, so that no limit has counted the call.
	Ended bool
}

// At is when the call came.
func (e Entry) At() time.Time {
	at, _ := id.Time(id.Request, e.RequestID)
	return at
}

// longestMethod in bytes: the only word of an entry that the caller chooses.
const longestMethod = 20

// method is the caller's, cut to what is worth keeping.
func (e Entry) method() string {
	if len(e.Method) > longestMethod {
		return strings.ToValidUTF8(e.Method[:longestMethod], "")
	}
	return e.Method
}
