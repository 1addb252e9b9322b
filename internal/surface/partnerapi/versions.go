package partnerapi

import (
	"context"

	"daybook/internal/platform/apiversion"
)

type versionsDoc struct {
	Current  string       `json:"current"`
	Versions []versionDoc `json:"versions" nullable:"false"`
}

type versionDoc struct {
	Version    string   `json:"version"`
	ReleasedAt string   `json:"releasedAt"`
	SunsetAt   *string  `json:"sunsetAt" doc:"From when on it is refused; null while no end is known."`
	State      string   `json:"state" enum:"CURRENT,SUPPORTED,DEPRECATED,SUNSET"`
	Changes    []string `json:"changes" nullable:"false" doc:"What is different from the version before."`
}

func (a *API) versionRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/versions", Public: true, Partner: true, Summary: "List the versions of the API", verb: show(a.versions)},
	}
}

func (a *API) versions(context.Context, *call) (versionsDoc, error) {
	now := a.Clock.Now()
	doc := versionsDoc{Current: apiversion.Latest().Name, Versions: []versionDoc{}}
	for _, v := range apiversion.All {
		doc.Versions = append(doc.Versions, versionDoc{
			Version: v.Name, ReleasedAt: instant(v.Released), SunsetAt: instantOrNull(v.Sunset), State: string(apiversion.StateOf(v.Name, now)),
			Changes: apiversion.Changes(v.Name),
		})
	}
	return doc, nil
}
