package pages

import (
	"net/http"
	"slices"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/app"
	"daybook/internal/platform/usage"
)

type consoleVersionsView struct {
	Pin      string // empty: the app is not pinned
	Settings string
	Days     int // that calls are counted for
	Warnings []sunsetWarning
	Versions []versionView
	Called   bool // there was any call
}

// sunsetWarning says that a version which the app uses ends.
type sunsetWarning struct{ Tone, Words, Advice string }

type versionView struct {
	ID, Name string
	State    *state
	Released string
	Sunset   *moment
	Calls    string
	Routes   []routeLine
	Pinned   bool
}

type routeLine struct{ Route, Calls string }

var consoleVersionsPage = newPage[consoleVersionsView]("console-versions.html")

// lately is how far back calls are counted.
const lately = 30 * aDay

func (s *Site) consoleVersions(w http.ResponseWriter, r *http.Request, in inApp) error {
	uses, err := s.Usage.Uses(r.Context(), in.app.ID, in.now.Add(-lately).Truncate(aDay)) // days are counted whole
	if err != nil {
		return err
	}
	consoleVersionsPage.write(w, r, s, http.StatusOK, in.frame("Versions", "Versions"), in.versionsView(uses))
	return nil
}

func (in inApp) versionsView(uses []usage.Use) consoleVersionsView {
	v := consoleVersionsView{Pin: text(in.app.PinnedAPIVersion), Settings: in.path("/settings"), Days: int(lately / aDay), Called: len(uses) > 0}
	calls, routes := map[string]int64{}, map[string][]routeLine{}
	var others []string
	for _, u := range uses {
		if calls[u.Version] == 0 && !slices.ContainsFunc(apiversion.All, func(v apiversion.Version) bool { return v.Name == u.Version }) {
			others = append(others, u.Version)
		}
		calls[u.Version] += u.Calls
		routes[u.Version] = append(routes[u.Version], routeLine{visible(u.Route), grouped(u.Calls)})
	}
	for _, one := range slices.Backward(apiversion.All) {
		v.Versions = append(v.Versions, versionView{
			ID: "v" + one.Name, Name: one.Name, State: versionState(apiversion.StateOf(one.Name, in.now)), Released: one.Released.Format("2 Jan 2006"), Sunset: whenever(one.Sunset, in.now),
			Calls: callsOf(calls[one.Name]), Routes: routes[one.Name], Pinned: v.Pin == one.Name,
		})
	}
	for _, name := range others {
		v.Versions = append(v.Versions, versionView{ID: "v" + name, Name: visible(name), Calls: callsOf(calls[name]), Routes: routes[name]})
	}
	for _, one := range in.app.Warnings(func(version string) bool { return calls[version] > 0 }, in.now) {
		v.Warnings = append(v.Warnings, warn(one, calls[one.Version]))
	}
	return v
}

func versionState(s apiversion.State) *state {
	switch s {
	case apiversion.Current:
		return &state{"current", "good"}
	case apiversion.Deprecated:
		return &state{"deprecated", "warn"}
	}
	return &state{"ended", "bad"}
}

// warn says when a version ends, how much still depends on it, and what to do.
func warn(w app.Warning, calls int64) sunsetWarning {
	out := sunsetWarning{Tone: "warn", Words: w.Version + " ends in " + counted(w.DaysLeft, "day", "days") + ", on " + w.SunsetAt.UTC().Format("2 Jan 2006") + "."}
	switch w.Level {
	case app.Ended:
		out.Tone, out.Words = "bad", w.Version+" has ended, on "+w.SunsetAt.UTC().Format("2 Jan 2006")+"."
	case app.Critical, app.Urgent:
		out.Tone = "bad"
	case app.Notice:
		out.Tone = ""
	}
	if calls > 0 {
		out.Advice = callsOf(calls) + " of the last 30 days used it. Move the routes below to a newer version. "
	}
	if w.Pinned {
		out.Advice += "Your app is pinned to it: choose another version under Settings."
	}
	return out
}
