package pages

import (
	"net/http"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/app"
)

// saved is what a page says after a change, by the word in its address.
func saved(r *http.Request, words map[string]string) string { return words[r.URL.Query().Get("done")] }

type consoleSettingsView struct {
	Rest, Here                              string // where changes go, and the page itself
	Version                                 int
	Name, Description, AppURL, SupportEmail string
	PrivacyURL, TermsURL                    string
	Pins                                    []pinChoice
	RedirectURIs                            []string
	MaxRedirectURIs                         int
	May                                     may
	Saved                                   string
	Deactivated, Suspended                  bool
}

// pinChoice is a version that an app may speak.
type pinChoice struct {
	Name, Words string
	Chosen      bool
}

var consoleSettingsPage = newPage[consoleSettingsView]("console-settings.html")

func (s *Site) consoleSettings(w http.ResponseWriter, r *http.Request, in inApp) error {
	a := in.app
	v := consoleSettingsView{
		Rest: in.path(""), Here: in.path("/settings"), Version: a.Version, Name: a.Name, Description: text(a.Description), AppURL: text(a.AppURL),
		SupportEmail: text(a.SupportEmail), PrivacyURL: text(a.PrivacyURL), TermsURL: text(a.TermsURL), Pins: in.pins(), RedirectURIs: a.RedirectURIs,
		MaxRedirectURIs: app.MaxRedirectURIs, May: in.may(), Deactivated: a.Status() == app.Deactivated, Suspended: a.Status() == app.Suspended,
		Saved: saved(r, map[string]string{
			"details": "Your changes are saved.", "uris": "The redirect URIs are saved. They count from now on.",
			"off": "The app is deactivated. Nothing works with it until you reactivate it.", "on": "The app is active again.",
		}),
	}
	consoleSettingsPage.write(w, r, s, http.StatusOK, in.frame("Settings", "Settings"), v)
	return nil
}

// pins are the versions to choose from: those in use, and the one that the app has, even past its sunset.
func (in inApp) pins() []pinChoice {
	present := text(in.app.PinnedAPIVersion)
	list := []pinChoice{{Name: "", Words: "Always the newest (" + apiversion.Latest().Name + " now)", Chosen: present == ""}}
	for i := len(apiversion.All) - 1; i >= 0; i-- {
		v := apiversion.All[i]
		c := pinChoice{Name: v.Name, Words: v.Name, Chosen: present == v.Name}
		switch apiversion.StateOf(v.Name, in.now) {
		case apiversion.Current:
			c.Words += " · current"
		case apiversion.Deprecated:
			c.Words += " · until " + v.Sunset.Format("2 Jan 2006")
		default:
			if !c.Chosen {
				continue
			}
			c.Words += " · ended, choose another"
		}
		list = append(list, c)
	}
	return list
}

type consoleSecretsView struct {
	Rest, Here   string
	Confidential bool
	Secrets      []secretLine
	May          may
	// Full: another one does not fit; Last: none can be deleted.
	Full, Last bool
	Saved      string
}

type secretLine struct {
	ID, Rest string
	Created  moment
	LastUsed *moment
}

var consoleSecretsPage = newPage[consoleSecretsView]("console-secrets.html")

func (s *Site) consoleSecrets(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.Apps.Secrets(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleSecretsView{
		Rest: in.path("/secrets"), Here: in.path("/secrets"), Confidential: in.app.ClientType == app.Confidential, May: in.may(),
		Full: len(list) >= app.MaxSecrets, Last: len(list) == 1, Saved: saved(r, map[string]string{"deleted": "The secret is deleted. Whoever still uses it is refused from now on."}),
	}
	for _, one := range list {
		v.Secrets = append(v.Secrets, secretLine{ID: one.ID, Rest: in.path("/secrets/%s", one.ID), Created: when(one.CreatedAt, in.now), LastUsed: whenever(one.LastUsedAt, in.now)})
	}
	consoleSecretsPage.write(w, r, s, http.StatusOK, in.frame("Secrets", "Secrets"), v)
	return nil
}

type consoleScopesView struct {
	Rest, Here string
	Version    int
	Scopes     []scopeChoice
	May        may
	Saved      string
}

var consoleScopesPage = newPage[consoleScopesView]("console-scopes.html")

func (s *Site) consoleScopes(w http.ResponseWriter, r *http.Request, in inApp) error {
	v := consoleScopesView{
		Rest: in.path("/scopes"), Here: in.path("/scopes"), Version: in.app.Version, Scopes: scopeChoices(in.app.Scopes), May: in.may(),
		Saved: saved(r, map[string]string{"saved": "The scopes are saved. They count from now on."}),
	}
	consoleScopesPage.write(w, r, s, http.StatusOK, in.frame("Scopes", "Scopes"), v)
	return nil
}
