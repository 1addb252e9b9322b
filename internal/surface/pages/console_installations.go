package pages

import (
	"net/http"
	"strconv"

	"daybook/internal/base/cursor"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
)

type consoleInstallationsView struct {
	Here     string
	Statuses []choice
	Filtered bool
	List     []installationLine
	Pager    pager
	Settings string // where an app is told where people return to
}

type installationLine struct {
	Path, Business, BusinessID string
	Sandbox                    bool
	State                      state
	Scopes                     string // how many
	Installed                  moment
	LastUsed                   *moment
}

var consoleInstallationsPage = newPage[consoleInstallationsView]("console-installations.html")

// maxInstallations is how many a page of the list shows.
const maxInstallations = 50

func (s *Site) consoleInstallations(w http.ResponseWriter, r *http.Request, in inApp) error {
	q := newQuery(r, "status")
	l := install.Listing{Status: knownInstallation(q.get("status")), Limit: maxInstallations}
	list := []any{"installations", in.app.ID, l.BusinessID, l.Status} // a cursor of the REST list is good here, and the other way round
	var err error
	if l.Behind, err = cursor.Read(r.URL.Query().Get("cursor"), list...); err != nil {
		return err
	}
	found, more, err := s.Installations.OfApp(r.Context(), in.app.ID, in.who.user.ID, l)
	if err != nil {
		return err
	}
	v := consoleInstallationsView{Here: in.path("/installations"), Statuses: installationChoices(l.Status), Filtered: l.Status != "", List: in.installationLines(found), Settings: in.path("/settings#redirect-uris")}
	var next *string
	if more {
		at := cursor.Write(found[len(found)-1].ID, list...)
		next = &at
	}
	v.Pager = q.pager(next)
	consoleInstallationsPage.write(w, r, s, http.StatusOK, in.frame("Installations", "Installations"), v)
	return nil
}

func (in inApp) installationLines(list []install.Connection) []installationLine {
	out := make([]installationLine, len(list))
	for i, c := range list {
		out[i] = installationLine{
			Path: in.path("/installations/%s", c.ID), Business: visible(c.BusinessName), BusinessID: c.BusinessID, Sandbox: c.Sandbox, State: installationState(c.Status),
			Scopes: counted(len(c.GrantedScopes), "scope", "scopes"), Installed: when(c.InstalledAt, in.now), LastUsed: whenever(c.LastUsedAt, in.now),
		}
	}
	return out
}

func knownInstallation(word string) install.Status {
	if s := install.Status(word); s == install.Active || s == install.Uninstalled {
		return s
	}
	return ""
}

func installationChoices(chosen install.Status) []choice {
	return []choice{
		{Value: "", Words: "any state"}, {Value: string(install.Active), Words: "active", Chosen: chosen == install.Active},
		{Value: string(install.Uninstalled), Words: "uninstalled", Chosen: chosen == install.Uninstalled},
	}
}

func installationState(s install.Status) state {
	if s == install.Active {
		return state{"active", "good"}
	}
	return state{"uninstalled", "off"}
}

type consoleInstallationView struct {
	ID, Business, BusinessID string
	Sandbox                  bool
	State                    state
	Scopes                   []grantView
	Installed                moment
	Uninstalled, Redact      *moment
	LastUsed                 *moment
	Families                 []familyView
	Full                     bool // there may be older ones
	Most                     int
	Requests, Analytics      string // of this business
	Events                   string
}

// familyView is the life of what came of one consent.
type familyView struct {
	ID, UserID, From string
	State            state
	Scopes           string
	Life             []lifeStep
}

// lifeStep is something that happened to a family. There is no time where it is not known.
type lifeStep struct {
	Tone, What, About string
	At                *moment
}

var consoleInstallationPage = newPage[consoleInstallationView]("console-installation.html")

// consoleInstallation is what an app may do in a business, and how its tokens live and end; a token itself is nowhere.
func (s *Site) consoleInstallation(w http.ResponseWriter, r *http.Request, in inApp) error {
	c, err := s.Installations.OneOfApp(r.Context(), in.app.ID, in.who.user.ID, r.PathValue("installationId"))
	if err != nil {
		return err
	}
	families, err := s.OAuth.History(r.Context(), in.app.ID, in.who.user.ID, c.ID)
	if err != nil {
		return err
	}
	v := in.installationView(c, families)
	consoleInstallationPage.write(w, r, s, http.StatusOK, in.frame("Installations", v.Business, crumb{v.Business, ""}), v)
	return nil
}

func (in inApp) installationView(c install.Connection, families []oauth.History) consoleInstallationView {
	v := consoleInstallationView{
		ID: c.ID, Business: visible(c.BusinessName), BusinessID: c.BusinessID, Sandbox: c.Sandbox, State: installationState(c.Status), Scopes: grantsOf(c.GrantedScopes),
		Installed: when(c.InstalledAt, in.now), Uninstalled: whenever(c.UninstalledAt, in.now), Redact: whenever(c.RedactAt, in.now), LastUsed: whenever(c.LastUsedAt, in.now),
		Full: len(families) >= oauth.MaxHistory, Most: oauth.MaxHistory, Requests: in.path("/requests?business=%s", c.BusinessID), Analytics: in.path("/analytics?business=%s", c.BusinessID),
		Events: in.path("/events?business=%s", c.BusinessID),
	}
	for _, h := range families {
		v.Families = append(v.Families, in.familyView(h))
	}
	return v
}

// grantsOf are scopes in plain words.
func grantsOf(scopes scope.Set) []grantView {
	var list []grantView
	for _, e := range scope.Catalog {
		if scopes.Has(e.Scope) {
			list = append(list, grantView{Sentence: e.Sentence, Writes: e.Writes()})
		}
	}
	return list
}

// endWords say why a family ended, and what to do about it.
var endWords = map[oauth.EndReason]lifeStep{
	oauth.TokenReused:   {Tone: "bad", What: "Burnt: a refresh token came twice", About: "Somebody else may hold its tokens, so all of them were ended. If it was your own app, keep the newest refresh token and let one process refresh at a time."},
	oauth.CodeReplayed:  {Tone: "bad", What: "Burnt: the authorization code came twice", About: "Somebody else may have seen the code, so all tokens were ended. Redeem a code once, and never again after an answer."},
	oauth.RevokedByApp:  {What: "Revoked by your app", About: "At the revocation endpoint."},
	oauth.AccessRevoked: {What: "Access revoked", About: "By the business, or by the person. They can connect the app again."},
	oauth.Uninstalled:   {What: "Ended with the installation"},
	oauth.Expired:       {What: "Expired", About: "Nobody refreshed it in time."},
	oauth.Revoked:       {What: "Revoked"},
}

func (in inApp) familyView(h oauth.History) familyView {
	f := familyView{ID: h.ID, UserID: h.UserID, From: "a consent", State: state{"live", "good"}, Scopes: h.Scopes.String()}
	if h.Exchange {
		f.From = "a session token, for an embedded page"
	}
	issued := lifeStep{Tone: "good", What: "Issued", About: "From " + f.From + ".", At: whenever(&h.IssuedAt, in.now)}
	f.Life = append(f.Life, issued)
	if h.Refreshes > 0 {
		refreshed := lifeStep{Tone: "wait", What: "Refreshed", At: whenever(h.RefreshedAt, in.now)}
		if h.Refreshes > 1 {
			refreshed.What = "Refreshed " + strconv.Itoa(h.Refreshes) + " times, lately"
		}
		f.Life = append(f.Life, refreshed)
	}
	if h.Why == "" {
		return in.living(f, h)
	}
	end := endWords[h.Why]
	end.At = whenever(h.EndedAt, in.now)
	f.Life = append(f.Life, end)
	if f.State = (state{"ended", "off"}); h.Why.Burnt() {
		f.State = state{"burnt", "bad"}
	}
	return f
}

// living adds what is to come.
func (in inApp) living(f familyView, h oauth.History) familyView {
	f.Life = append(f.Life, lifeStep{What: "Expires unless it is refreshed", At: whenever(&h.ExpiresAt, in.now)})
	if h.Exchange {
		f.Life[len(f.Life)-1].What = "Expires"
	}
	return f
}
