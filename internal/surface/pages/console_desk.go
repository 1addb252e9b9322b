package pages

import (
	"fmt"
	"net/http"
	"time"

	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// desk is a place of work: the list of its pages, and the way to the one that is open.
type desk struct {
	Label  string // what the list is a list of
	Links  []deskLink
	Crumbs []crumb
	Now    time.Time
	// Businesses are those that one can switch between here; fewer than two are none.
	Businesses []deskBusiness
}

type deskLink struct {
	Name, Path string
	Current    string // page for the open one, true for the one that the open one belongs to
	App        string // whose page it is; empty for our own
}

// crumb is a step on the way to a page; the page itself has no path.
type crumb struct{ Name, Path string }

// consoleLinks are the pages of the console outside of an app; appLinks those of an app, below its own path.
var (
	consoleLinks = []deskLink{{Name: "Apps", Path: "/developer/apps"}, {Name: "Sandboxes", Path: "/developer/sandbox-businesses"}, {Name: "Organization", Path: "/developer/organization"}}
	appLinks     = []deskLink{
		{Name: "Overview", Path: ""}, {Name: "Settings", Path: "/settings"}, {Name: "Secrets", Path: "/secrets"}, {Name: "Scopes", Path: "/scopes"},
		{Name: "Webhooks", Path: "/webhooks"}, {Name: "Deliveries", Path: "/deliveries"}, {Name: "Events", Path: "/events"}, {Name: "Fields", Path: "/fields"}, {Name: "Extensions", Path: "/extensions"}, {Name: "Functions", Path: "/functions"},
		{Name: "Listing", Path: "/listing"}, {Name: "Installations", Path: "/installations"}, {Name: "Analytics", Path: "/analytics"}, {Name: "Requests", Path: "/requests"}, {Name: "Versions", Path: "/versions"},
	}
)

// listed is a list of links under a path, with the open one marked.
func listed(links []deskLink, under, open, mark string) []deskLink {
	out := make([]deskLink, len(links))
	for i, l := range links {
		out[i] = deskLink{Name: l.Name, Path: under + l.Path}
		if l.Name == open {
			out[i].Current = mark
		}
	}
	return out
}

// consoleFrame is what stands around a page about apps outside of one.
func (s *Site) consoleFrame(who visitor, title string, way ...crumb) frame {
	return s.consoleFrameOf("Apps", who, title, way...)
}

// consoleFrameOf is what stands around a page of the console outside of an app: which of them is open, or which the open one
// belongs to.
func (s *Site) consoleFrameOf(open string, who visitor, title string, way ...crumb) frame {
	mark := "page"
	if len(way) > 0 {
		mark = "true"
	}
	return frame{
		Title: title, Visitor: who.user.DisplayName, Script: true,
		Desk: &desk{Label: "Developer console", Links: listed(consoleLinks, "", open, mark), Crumbs: way, Now: s.Clock.Now()},
	}
}

// inApp is a developer who looks at one of their apps.
type inApp struct {
	who  visitor
	app  app.App
	role organization.Role
	now  time.Time
}

// path of a page of the app, or of the app itself.
func (in inApp) path(below string, args ...any) string {
	return "/developer/apps/" + in.app.ID + fmt.Sprintf(below, args...)
}

// may is what the developer's role lets them do; pages leave out what it does not.
type may struct{ Build, Govern bool }

func (in inApp) may() may {
	return may{Build: in.role.May(organization.Build), Govern: in.role.May(organization.Govern)}
}

// mustBuild refuses a page that only makes sense to who may change the app.
func (in inApp) mustBuild() error {
	if !in.role.May(organization.Build) {
		return organization.ErrRoleTooLow.With(in.role)
	}
	return nil
}

// frame is what stands around a page of the app: which of its pages is open, and the steps below it.
func (in inApp) frame(open, title string, below ...crumb) frame {
	mark, way := "page", []crumb{{"Apps", "/developer/apps"}, {in.app.Name, in.path("")}}
	if len(below) > 0 {
		mark = "true"
	}
	if open != "Overview" {
		for _, l := range appLinks {
			if l.Name == open {
				way = append(way, crumb{l.Name, in.path("") + l.Path})
			}
		}
		way = append(way, below...)
	}
	way[len(way)-1].Path = ""
	return frame{
		Title: title + " · " + in.app.Name, Visitor: in.who.user.DisplayName, Script: true,
		Desk: &desk{Label: in.app.Name, Links: listed(appLinks, in.path(""), open, mark), Crumbs: way, Now: in.now},
	}
}

// appPage serves a page about an app to a member of its organization. To anyone else there is no such page (CONS-06).
func (s *Site) appPage(h func(w http.ResponseWriter, r *http.Request, in inApp) error) http.Handler {
	return s.page(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.visitor(r)
		if err != nil {
			return err
		}
		in := inApp{who: who, now: s.Clock.Now()}
		if in.app, err = s.Apps.Get(r.Context(), r.PathValue("appId"), who.user.ID); err != nil {
			return err
		}
		_, member, err := s.Organizations.Get(r.Context(), *in.app.OrganizationID, who.user.ID)
		if err != nil {
			return err
		}
		in.role = member.Role
		return h(w, r, in)
	})
}

// registerConsole adds the developer console.
func (s *Site) registerConsole(mux *http.ServeMux) {
	const one = "GET /developer/apps/{appId}"
	mux.Handle("GET /developer", s.page(s.toConsole))
	mux.Handle("GET /developer/apps", s.page(s.consoleApps))
	mux.Handle("GET /developer/apps/new", s.page(s.consoleNewApp))
	mux.Handle(one, s.appPage(s.consoleOverview))
	mux.Handle(one+"/settings", s.appPage(s.consoleSettings))
	mux.Handle(one+"/secrets", s.appPage(s.consoleSecrets))
	mux.Handle(one+"/scopes", s.appPage(s.consoleScopes))
	mux.Handle(one+"/webhooks", s.appPage(s.consoleWebhooks))
	mux.Handle(one+"/webhooks/new", s.appPage(s.consoleNewWebhook))
	mux.Handle(one+"/webhooks/{webhookId}", s.appPage(s.consoleWebhook))
	mux.Handle(one+"/webhooks/{webhookId}/deliveries/{deliveryId}", s.appPage(s.consoleDelivery))
	mux.Handle(one+"/deliveries", s.appPage(s.consoleDeliveries))
	mux.Handle(one+"/events", s.appPage(s.consoleEvents))
	mux.Handle(one+"/fields", s.appPage(s.consoleFields))
	mux.Handle(one+"/fields/new", s.appPage(s.consoleNewField))
	mux.Handle(one+"/fields/{fieldId}", s.appPage(s.consoleField))
	mux.Handle(one+"/extensions", s.appPage(s.consoleExtensions))
	mux.Handle(one+"/extensions/new", s.appPage(s.consoleNewExtension))
	mux.Handle(one+"/extensions/{extensionId}", s.appPage(s.consoleExtension))
	mux.Handle(one+"/functions", s.appPage(s.consoleFunctions))
	mux.Handle(one+"/functions/new", s.appPage(s.consoleNewFunction))
	mux.Handle(one+"/functions/{functionId}", s.appPage(s.consoleFunction))
	mux.Handle(one+"/functions/{functionId}/versions/{versionId}", s.appPage(s.consoleFunctionVersion))
	mux.Handle(one+"/functions/{functionId}/runs/{runId}", s.appPage(s.consoleRun))
	mux.Handle(one+"/installations", s.appPage(s.consoleInstallations))
	mux.Handle(one+"/installations/{installationId}", s.appPage(s.consoleInstallation))
	mux.Handle(one+"/analytics", s.appPage(s.consoleAnalytics))
	mux.Handle(one+"/requests", s.appPage(s.consoleRequests))
	mux.Handle(one+"/versions", s.appPage(s.consoleVersions))
	mux.Handle("GET /developer/organization", s.page(s.consoleOrganization))
	mux.Handle("GET /developer/organization/members/{userId}", s.page(s.consoleColleague))
	mux.Handle("GET /developer/sandbox-businesses", s.page(s.consoleSandboxes))
	mux.Handle("GET /developer/sandbox-businesses/new", s.page(s.consoleNewSandbox))
	mux.Handle("GET /developer/sandbox-businesses/{businessId}", s.page(s.consoleSandbox))
	s.registerListing(mux)
	script.register(mux)
}

func (s *Site) toConsole(w http.ResponseWriter, r *http.Request) error {
	seeOther(w, r, "/developer/apps")
	return nil
}
