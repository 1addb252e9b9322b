package consoleapi

import (
	"context"
	"slices"
	"time"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/usage"
)

type versionsDoc struct {
	Current  string       `json:"current" doc:"The newest version."`
	Pinned   *string      `json:"pinned" doc:"The one that the app is pinned to."`
	Since    string       `json:"since" doc:"Calls are counted from then on."`
	Versions []versionDoc `json:"versions" nullable:"false" doc:"The newest first."`
	Warnings []warningDoc `json:"warnings" nullable:"false" doc:"Of the versions that the app is pinned to or called lately, those that end; the nearest end first."`
}

type versionDoc struct {
	Version    string     `json:"version" doc:"Or other: calls in too many different ones to tell apart."`
	State      *string    `json:"state" enum:"CURRENT,DEPRECATED,SUNSET"`
	ReleasedAt *string    `json:"releasedAt"`
	SunsetAt   *string    `json:"sunsetAt"`
	Calls      int64      `json:"calls"`
	Routes     []routeDoc `json:"routes" nullable:"false" doc:"The most called first."`
}

type routeDoc struct {
	Route string `json:"route"`
	Calls int64  `json:"calls"`
}

type warningDoc struct {
	Version  string `json:"version"`
	Level    string `json:"level" enum:"NOTICE,WARNING,URGENT,CRITICAL,SUNSET" doc:"More than 90 days before the sunset, at most 90, 30 or 7, and past it."`
	SunsetAt string `json:"sunsetAt"`
	DaysLeft int    `json:"daysLeft"`
	Pinned   bool   `json:"pinned"`
	Calls    int64  `json:"calls"`
}

func (a *API) versionRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/developer/apps/{appId}/versions", Summary: "Show which API versions an app calls, and which of them end",
			About: "Calls of the last 30 days.", verb: show(a.versions)},
	}
}

// lately is how far back calls are counted.
const lately = 30 * 24 * time.Hour

func (a *API) versions(ctx context.Context, c *call) (versionsDoc, error) {
	now := a.Clock.Now()
	since := now.Add(-lately).Truncate(24 * time.Hour) // days are counted whole
	uses, err := a.Usage.Uses(ctx, c.app.ID, since)
	if err != nil {
		return versionsDoc{}, err
	}
	doc := versionsDoc{Current: apiversion.Latest().Name, Pinned: c.app.PinnedAPIVersion, Since: instant(since), Warnings: []warningDoc{}}
	calls := map[string]int64{}
	for _, v := range slices.Backward(apiversion.All) {
		doc.Versions = append(doc.Versions, newVersionDoc(v, now))
	}
	for _, u := range uses {
		calls[u.Version] += u.Calls
		doc.add(u)
	}
	for _, w := range c.app.Warnings(func(version string) bool { return calls[version] > 0 }, now) {
		doc.Warnings = append(doc.Warnings, warningDoc{w.Version, string(w.Level), instant(w.SunsetAt), w.DaysLeft, w.Pinned, calls[w.Version]})
	}
	return doc, nil
}

func newVersionDoc(v apiversion.Version, now time.Time) versionDoc {
	state, released := string(apiversion.StateOf(v.Name, now)), instant(v.Released)
	return versionDoc{Version: v.Name, State: &state, ReleasedAt: &released, SunsetAt: optionalInstant(v.Sunset), Routes: []routeDoc{}}
}

// add counts calls of a route. What is no version any more, or several at once, comes last.
func (d *versionsDoc) add(u usage.Use) {
	at := slices.IndexFunc(d.Versions, func(v versionDoc) bool { return v.Version == u.Version })
	if at < 0 {
		at = len(d.Versions)
		d.Versions = append(d.Versions, versionDoc{Version: u.Version, Routes: []routeDoc{}})
	}
	v := &d.Versions[at]
	v.Calls += u.Calls
	v.Routes = append(v.Routes, routeDoc{u.Route, u.Calls})
}
