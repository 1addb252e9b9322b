package event

import (
	"time"

	"daybook/internal/base/text"
)

// ActorType says what sort of actor made a change.
type ActorType string

// The sorts of actors.
const (
	User   ActorType = "USER"   // a person, on our own pages
	App    ActorType = "APP"    // an app, in the name of a person
	System ActorType = "SYSTEM" // time passing
)

// Actor is who made a change. Records keep it whole; what events carry tells the type and the app only.
type Actor struct {
	Type   ActorType `json:"type"`
	AppID  string    `json:"appId,omitempty"`
	UserID string    `json:"userId,omitempty"`
}

// AppendJSON writes an actor as json.Marshal does.
func (a Actor) AppendJSON(out []byte) []byte {
	out = text.AppendJSON(append(out, `{"type":`...), string(a.Type))
	if a.AppID != "" {
		out = text.AppendJSON(append(out, `,"appId":`...), a.AppID)
	}
	if a.UserID != "" {
		out = text.AppendJSON(append(out, `,"userId":`...), a.UserID)
	}
	return append(out, '}')
}

// Data is the payload of an event, without the actor, which Append adds.
type Data map[string]any

// Happening is an event about to be appended.
type Happening struct {
	Type Type
	// AppID is the one app that an event of audience app is for.
	AppID string
	Data  Data
}

// Event is a row of the log.
type Event struct {
	ID         string
	BusinessID string
	Number     int64 // its place among the events of the business
	Type       Type
	AppID      *string
	UserID     *string // who did it, or in whose name an app did; for the business's own people, apps are not told
	Data       []byte  // JSON
	CreatedAt  time.Time
}

// Instant is how a payload writes a time: UTC, milliseconds, Z.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
