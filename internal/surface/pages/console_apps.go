package pages

import (
	"net/http"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

type consoleAppsView struct {
	Organizations []appsOf
}

// appsOf is an organization with its apps.
type appsOf struct {
	ID, Name string
	May      may
	Apps     []appLine
}

type appLine struct {
	ID, Name, ClientID, Kind string
	Status, Review           state
}

var consoleAppsPage = newPage[consoleAppsView]("console-apps.html")

func (s *Site) consoleApps(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	organizations, err := s.Organizations.Of(r.Context(), who.user.ID)
	if err != nil {
		return err
	}
	var v consoleAppsView
	for _, o := range organizations {
		list, err := s.Apps.List(r.Context(), o.ID, who.user.ID)
		if err != nil {
			return err
		}
		_, member, err := s.Organizations.Get(r.Context(), o.ID, who.user.ID)
		if err != nil {
			return err
		}
		of := appsOf{ID: o.ID, Name: o.Name, May: inApp{role: member.Role}.may()}
		for _, a := range list {
			of.Apps = append(of.Apps, appLine{ID: a.ID, Name: a.Name, ClientID: a.ClientID, Kind: clientKind(a.ClientType), Status: appState(a), Review: reviewState(a)})
		}
		v.Organizations = append(v.Organizations, of)
	}
	consoleAppsPage.write(w, r, s, http.StatusOK, s.consoleFrame(who, "Apps"), v)
	return nil
}

// clientKind says what sort of program an app is.
func clientKind(t app.ClientType) string {
	if t == app.Public {
		return "Public"
	}
	return "Confidential"
}

func appState(a app.App) state {
	switch a.Status() {
	case app.Suspended:
		return state{"suspended", "bad"}
	case app.Deactivated:
		return state{"deactivated", "off"}
	}
	return state{"active", "good"}
}

func reviewState(a app.App) state {
	switch a.ReviewStatus {
	case app.Approved:
		return state{"reviewed", "good"}
	case app.Revoked:
		return state{"review revoked", "bad"}
	}
	return state{"not reviewed", "warn"}
}

type consoleNewAppView struct {
	// OrganizationID is whose app it will be.
	OrganizationID, Organization string
	Scopes                       []scopeChoice
}

// scopeChoice is a scope that an app may ask for, in plain words.
type scopeChoice struct {
	Scope, Sentence string
	Care            string // how carefully it is handed out; empty: as usual
	Writes, Chosen  bool
}

func scopeChoices(chosen scope.Set) []scopeChoice {
	var list []scopeChoice
	for _, e := range scope.Catalog {
		if !scope.Partner(e.Scope) {
			continue
		}
		list = append(list, scopeChoice{Scope: string(e.Scope), Sentence: e.Sentence, Care: careOf[e.Class], Writes: e.Writes(), Chosen: chosen.Has(e.Scope)})
	}
	return list
}

// careOf says what a class of scopes asks of whoever wants to be listed.
var careOf = map[scope.Class]string{
	scope.PersonalData: "Personal data: a listed app must hear of erasures.",
	scope.Restricted:   "Restricted: a listed app must say why it needs this.",
}

var consoleNewAppPage = newPage[consoleNewAppView]("console-new-app.html")

// consoleNewApp asks what it takes to create an app, for the organization that the address names, or for the first one.
func (s *Site) consoleNewApp(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	chosen := r.URL.Query().Get("organization")
	if chosen == "" {
		list, err := s.Organizations.Of(r.Context(), who.user.ID)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			seeOther(w, r, "/developer/apps") // which says what to do
			return nil
		}
		chosen = list[0].ID
	}
	o, member, err := s.Organizations.Get(r.Context(), chosen, who.user.ID)
	if err != nil {
		return err
	}
	if !member.Role.May(organization.Build) {
		return organization.ErrRoleTooLow.With(member.Role)
	}
	v := consoleNewAppView{OrganizationID: o.ID, Organization: o.Name, Scopes: scopeChoices(scope.Of(scope.ProfileRead))}
	consoleNewAppPage.write(w, r, s, http.StatusOK, s.consoleFrame(who, "Create an app", crumb{"Apps", "/developer/apps"}, crumb{"Create an app", ""}), v)
	return nil
}
