package pages

import (
	"net/http"
	"slices"

	"daybook/internal/platform/app"
	"daybook/internal/platform/audit"
)

// maxOperated is how many rows a page of a list of operators has.
const maxOperated = 50

type operatorAppsView struct {
	Here, Search string
	Statuses     []choice
	Filtered     bool
	List         []operatedApp
	Pager        pager
}

// operatedApp is an app of whoever's.
type operatedApp struct {
	Path, ID, Name, ClientID, Organization string
	Status, Review                         state
	Created                                moment
}

var operatorAppsPage = newPage[operatorAppsView]("operator-apps.html")

func (s *Site) operatorApps(w http.ResponseWriter, r *http.Request, in asOperator) error {
	q := searchQuery(r, "search", "status")
	f := app.Search{Text: q.get("search"), Status: knownAppStatus(q.get("status"))}
	found, err := s.Apps.Search(r.Context(), f, r.URL.Query().Get("cursor"), maxOperated)
	if err != nil {
		return err
	}
	v := operatorAppsView{Here: "/operator/apps", Search: visible(f.Text), Statuses: appStatusChoices(f.Status), Filtered: f != app.Search{}, Pager: q.pager(found.Next)}
	for _, a := range found.Apps {
		line, err := s.operatedApp(r, in, a)
		if err != nil {
			return err
		}
		v.List = append(v.List, line)
	}
	operatorAppsPage.write(w, r, s, http.StatusOK, in.frame("Apps", "Apps"), v)
	return nil
}

func (s *Site) operatedApp(r *http.Request, in asOperator, a app.App) (operatedApp, error) {
	line := operatedApp{
		Path: "/operator/apps/" + a.ID, ID: a.ID, Name: visible(a.Name), ClientID: visible(a.ClientID), Organization: "nobody's yet: it registered itself", Status: appState(a), Review: reviewState(a),
		Created: when(a.CreatedAt, in.now),
	}
	if a.OrganizationID == nil {
		return line, nil
	}
	name, err := s.Organizations.NameOf(r.Context(), *a.OrganizationID)
	line.Organization = visible(name)
	return line, err
}

var appStatuses = []app.Status{app.Active, app.Deactivated, app.Suspended}

// knownAppStatus forgets what does not exist.
func knownAppStatus(word string) app.Status {
	if !slices.Contains(appStatuses, app.Status(word)) {
		return ""
	}
	return app.Status(word)
}

func appStatusChoices(chosen app.Status) []choice {
	list := []choice{{Words: "Any state"}}
	for _, one := range appStatuses {
		list = append(list, choice{Value: string(one), Words: shownWord(one), Chosen: one == chosen})
	}
	return list
}

type operatorAppView struct {
	operatedApp
	Rest, Kind, Description  string
	Suspended                bool
	Reason                   string // of the suspension
	Since                    *moment
	Grants                   []grantView
	RedirectURIs             []string
	OfTheirs                 string // where the organization's other apps are
	Latest                   []auditLine
	LatestPath               string
	Saved                    string
	SupportEmail, PrivacyURL string
}

var operatorAppPage = newPage[operatorAppView]("operator-app.html")

func (s *Site) operatorApp(w http.ResponseWriter, r *http.Request, in asOperator) error {
	a, err := s.Apps.Show(r.Context(), r.PathValue("appId"))
	if err != nil {
		return err
	}
	line, err := s.operatedApp(r, in, a)
	if err != nil {
		return err
	}
	v := operatorAppView{
		operatedApp: line, Rest: line.Path, Kind: clientKind(a.ClientType), Description: visible(text(a.Description)), Suspended: a.Status() == app.Suspended, Reason: visible(text(a.SuspensionReason)),
		Since: whenever(a.SuspendedAt, in.now), Grants: grantsOf(a.Scopes), LatestPath: auditOf("object", a.ID),
		SupportEmail: visible(text(a.SupportEmail)), PrivacyURL: visible(text(a.PrivacyURL)),
		Saved: saved(r, map[string]string{
			"suspended":   "The app is suspended: its tokens are refused from now on, and nothing is delivered to it.",
			"unsuspended": "The suspension is lifted. Tokens that were not revoked and have not expired work again.",
		}),
	}
	for _, uri := range a.RedirectURIs {
		v.RedirectURIs = append(v.RedirectURIs, visible(uri))
	}
	if a.OrganizationID != nil {
		v.OfTheirs = "/operator/apps?search=" + *a.OrganizationID
	}
	if v.Latest, err = s.latest(r, in, audit.Filter{ObjectID: a.ID}); err != nil {
		return err
	}
	operatorAppPage.write(w, r, s, http.StatusOK, in.frame("Apps", line.Name, crumb{line.Name, ""}), v)
	return nil
}
