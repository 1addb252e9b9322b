// Package apiversion is the table of API versions and their life: a version is released, becomes deprecated when a
// successor appears, and is refused from its sunset on. It decides by the instant it is given and stores nothing.
//
// It also knows what each version changed (change.go), as pairs of pure functions on JSON documents: requests of an older
// version are brought up to the newest shape before anything else looks at them, answers and events brought down after
// everything else is done. Nothing between the two knows that there are versions.
package apiversion

import "time"

// State of a version at an instant.
type State string

// The states.
const (
	Unknown    State = ""
	Current    State = "CURRENT"
	Deprecated State = "DEPRECATED"
	Sunset     State = "SUNSET"
)

// Version is one dated shape of the API.
type Version struct {
	Name     string // its release date
	Released time.Time
	// Sunset is the later of 18 months after its release and 12 months after its successor's; published on the day
	// the successor appears, never moved to an earlier day. Nil: none yet.
	Sunset *time.Time
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func sunset(y int, m time.Month, d int) *time.Time { t := day(y, m, d); return &t }

// All is every version ever released, the oldest first.
var All = []Version{
	{"2025-03-01", day(2025, 3, 1), sunset(2026, 10, 1)},
	{"2025-10-01", day(2025, 10, 1), sunset(2027, 6, 1)},
	{"2026-06-01", day(2026, 6, 1), nil},
}

// Latest is the newest version: the shape that handlers and stored events speak.
func Latest() Version { return All[len(All)-1] }

// Find looks a version up by name.
func Find(name string) (Version, bool) {
	for _, v := range All {
		if v.Name == name {
			return v, true
		}
	}
	return Version{}, false
}

// StateOf tells how a version stands at now. A name that is no version is Unknown.
func StateOf(name string, now time.Time) State {
	v, ok := Find(name)
	switch {
	case !ok:
		return Unknown
	case v.Sunset != nil && !now.Before(*v.Sunset):
		return Sunset
	case v.Name == Latest().Name:
		return Current
	}
	return Deprecated
}

// Usable reports whether requests in that version are answered at now.
func Usable(name string, now time.Time) bool {
	s := StateOf(name, now)
	return s == Current || s == Deprecated
}
