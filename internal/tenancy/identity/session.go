package identity

import (
	"time"

	"daybook/internal/base/secret"
)

const (
	// idleLife is how long a session lasts without use.
	idleLife = 12 * time.Hour
	// absoluteLife is how long a session lasts at most.
	absoluteLife = 7 * 24 * time.Hour
	// touchEvery is how exactly the last use is known: one write per session and so long, not one per request.
	touchEvery = 5 * time.Minute
)

// Session is one signed-in browser.
type Session struct {
	ID     string
	UserID string
	// BusinessID is the one chosen last; nil until the user chooses. Whether the user still belongs to it is for
	// tenancy/business to say.
	BusinessID *string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time
}

// live reports whether the session still counts at that instant.
func (s Session) live(now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Before(s.LastSeenAt.Add(idleLife))
}

// stale reports whether its last use is worth writing down again.
func (s Session) stale(now time.Time) bool { return !now.Before(s.LastSeenAt.Add(touchEvery)) }

// SignedIn is a new session together with its token, which is known only now.
type SignedIn struct {
	Token   secret.Secret
	Session Session
	User    User
}
