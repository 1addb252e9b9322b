package app

import (
	"time"

	"daybook/internal/platform/apiversion"
)

// Warning tells the developer of an app that an API version which the app uses will end, or has.
type Warning struct {
	Version  string
	SunsetAt time.Time
	DaysLeft int // rounded up; 0 once it has ended
	Level    Level
	Pinned   bool // it is the one that the app is pinned to
}

// Level says how near the end is.
type Level string

// The levels: more than 90 days, at most 90, 30 and 7 days before the sunset, and past it.
const (
	Notice   Level = "NOTICE"
	Warned   Level = "WARNING"
	Urgent   Level = "URGENT"
	Critical Level = "CRITICAL"
	Ended    Level = "SUNSET"
)

// Warnings says which of the versions that an app uses have an end, the nearest first. used reports whether the app called in a
// version lately.
func (a App) Warnings(used func(version string) bool, now time.Time) []Warning {
	var list []Warning
	for _, v := range apiversion.All {
		pinned := a.PinnedAPIVersion != nil && *a.PinnedAPIVersion == v.Name
		if v.Sunset == nil || !pinned && !used(v.Name) {
			continue
		}
		list = append(list, Warning{Version: v.Name, SunsetAt: *v.Sunset, DaysLeft: daysUntil(*v.Sunset, now), Level: levelAt(*v.Sunset, now), Pinned: pinned})
	}
	return list
}

const day = 24 * time.Hour

func daysUntil(t, now time.Time) int {
	return int((max(t.Sub(now), 0) + day - 1) / day)
}

func levelAt(sunset, now time.Time) Level {
	switch left := sunset.Sub(now); {
	case left <= 0:
		return Ended
	case left <= 7*day:
		return Critical
	case left <= 30*day:
		return Urgent
	case left <= 90*day:
		return Warned
	}
	return Notice
}
