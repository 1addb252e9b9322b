package pages

import (
	"net/http"

	"daybook/internal/books/sandbox"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

const sandboxesPath = "/developer/sandbox-businesses"

type consoleSandboxesView struct {
	Organization string
	Others       []choiceLink
	List         []sandboxLine
	New          string
	Full         bool
	Most         int
	May          may
	Saved        string
	None         bool // the person belongs to no organization
}

type sandboxLine struct {
	Path, ID, Name, Country, Currency, Seed, Plan string
	State                                         state
	Created                                       moment
}

var consoleSandboxesPage = newPage[consoleSandboxesView]("console-sandboxes.html")

func (s *Site) consoleSandboxes(w http.ResponseWriter, r *http.Request) error {
	in, found, err := s.chosenOrganization(r)
	if err != nil {
		return err
	}
	v := consoleSandboxesView{None: !found}
	if found {
		list, err := s.Sandboxes.List(r.Context(), in.self.ID, in.who.user.ID)
		if err != nil {
			return err
		}
		v = consoleSandboxesView{
			Organization: in.self.Name, Others: in.others(sandboxesPath), New: sandboxesPath + "/new" + of("organization", in.self.ID), Full: len(list) >= business.MaxSandboxes, Most: business.MaxSandboxes,
			May: in.may(), Saved: saved(r, map[string]string{"deleted": "The sandbox is deleted. Its apps are uninstalled and told to erase what they keep of it."}),
		}
		for _, one := range list {
			v.List = append(v.List, s.sandboxLine(one))
		}
	}
	consoleSandboxesPage.write(w, r, s, http.StatusOK, s.consoleFrameOf("Sandboxes", in.who, "Sandbox businesses"), v)
	return nil
}

func (s *Site) sandboxLine(v sandbox.View) sandboxLine {
	return sandboxLine{
		Path: sandboxesPath + "/" + v.ID, ID: v.ID, Name: visible(v.Name), Country: v.Country, Currency: v.Currency, Seed: seedWords[v.Seed], Plan: v.Plan, State: sandboxState(v.State),
		Created: when(v.CreatedAt, s.Clock.Now()),
	}
}

// seedWords say what the books of a sandbox begin with.
var seedWords = map[business.Seed]string{business.EmptySeed: "empty books", business.DemoSeed: "a year of demo books"}

func sandboxState(s business.SandboxState) state {
	if s == business.SandboxReady {
		return state{"ready", "good"}
	}
	return state{"resetting", "wait"}
}

type consoleNewSandboxView struct{ Rest, Under, Organization string }

var consoleNewSandboxPage = newPage[consoleNewSandboxView]("console-new-sandbox.html")

func (s *Site) consoleNewSandbox(w http.ResponseWriter, r *http.Request) error {
	in, found, err := s.chosenOrganization(r)
	if err != nil {
		return err
	}
	if !found {
		seeOther(w, r, sandboxesPath) // which says what to do
		return nil
	}
	if !in.self.Role.May(organization.Build) {
		return organization.ErrRoleTooLow.With(in.self.Role)
	}
	v := consoleNewSandboxView{Rest: sandboxesPath + of("organizationId", in.self.ID), Under: sandboxesPath, Organization: in.self.Name}
	way := []crumb{{"Sandboxes", sandboxesPath + of("organization", in.self.ID)}, {"Create a sandbox", ""}}
	consoleNewSandboxPage.write(w, r, s, http.StatusOK, s.consoleFrameOf("Sandboxes", in.who, "Create a sandbox", way...), v)
	return nil
}

type consoleSandboxView struct {
	sandboxLine
	Rest, Here, Under string
	Version           int
	TimeZone          string
	Usage             []tile
	Ready             bool
	Groups            []eventGroup
	Apps              []choice // that an event for one app may concern
	Chosen            string   // the event that was had happen last
	Happened          []happenedLine
	Members           []personLine
	Roles             []choice
	May               may
	Saved             string
}

// happenedLine is an event of the sandbox.
type happenedLine struct {
	ID, Type string
	At       moment
}

type personLine struct {
	ID, Name, Email, Role string
	Test                  bool
	Stays                 bool // the last owner
	Since                 moment
}

var consoleSandboxPage = newPage[consoleSandboxView]("console-sandbox.html")

// maxHappened is how many events a sandbox's page shows.
const maxHappened = 10

func (s *Site) consoleSandbox(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	one, err := s.Sandboxes.Get(r.Context(), r.PathValue("businessId"), who.user.ID)
	if err != nil {
		return err
	}
	_, member, err := s.Organizations.Get(r.Context(), one.OrganizationID, who.user.ID)
	if err != nil {
		return err
	}
	v := s.sandboxView(one, inApp{role: member.Role, now: s.Clock.Now()})
	triggered := knownType(r.URL.Query().Get("triggered"))
	if v.Saved = sandboxSaved(r); triggered != "" {
		v.Saved, v.Chosen = string(triggered)+" happened.", string(triggered)
	}
	if err := s.fillSandbox(r, who, one, &v); err != nil {
		return err
	}
	way := []crumb{{"Sandboxes", v.Under}, {v.Name, ""}}
	consoleSandboxPage.write(w, r, s, http.StatusOK, s.consoleFrameOf("Sandboxes", who, v.Name, way...), v)
	return nil
}

func sandboxSaved(r *http.Request) string {
	return saved(r, map[string]string{
		"made": "The sandbox is made, and you own it. Connect an app to it on the app's consent page, or have events happen below.", "reset": "The books are back at their beginning. Records have new ids.",
		"saved": "Your changes are saved. They count from now on.", "added": "They belong to the sandbox now.", "removed": "They no longer belong to the sandbox.",
	})
}

// sandboxView is what a sandbox says of itself.
func (s *Site) sandboxView(one sandbox.View, in inApp) consoleSandboxView {
	u := one.Usage
	v := consoleSandboxView{
		sandboxLine: s.sandboxLine(one), Rest: sandboxesPath + "/" + one.ID, Here: sandboxesPath + "/" + one.ID, Under: sandboxesPath + of("organization", one.OrganizationID), Version: one.Version,
		TimeZone: one.TimeZone, Ready: one.State == business.SandboxReady, Groups: triggers(), May: in.may(),
	}
	invoices, turnover := tile{grouped(u.Invoices), "invoices, without a limit"}, tile{sumOf(u.Turnover, one.Currency).String(), "turnover, without a limit"}
	if u.InvoiceLimit != nil {
		invoices.Words = "of " + grouped(*u.InvoiceLimit) + " invoices"
	}
	if u.TurnoverLimit != nil {
		turnover.Words = "of " + sumOf(*u.TurnoverLimit, one.Currency).String() + " turnover"
	}
	v.Usage = []tile{invoices, turnover}
	for _, role := range business.Roles {
		v.Roles = append(v.Roles, choice{Value: string(role), Words: shownWord(role), Chosen: role == business.Staff})
	}
	return v
}

// fillSandbox adds who belongs to it, what happened in it, and the apps that events may concern.
func (s *Site) fillSandbox(r *http.Request, who visitor, one sandbox.View, v *consoleSandboxView) error {
	now := s.Clock.Now()
	people, err := s.Sandboxes.Members(r.Context(), one.ID, who.user.ID)
	if err != nil {
		return err
	}
	owners := 0
	for _, p := range people {
		if p.Role == business.Owner {
			owners++
		}
	}
	for _, p := range people {
		v.Members = append(v.Members, personLine{
			p.UserID, visible(p.DisplayName), visible(p.Email), shownWord(p.Role), p.Test, p.Role == business.Owner && owners == 1, when(p.CreatedAt, now),
		})
	}
	events, err := s.Events.Recent(r.Context(), one.ID, maxHappened)
	if err != nil {
		return err
	}
	for _, e := range events {
		v.Happened = append(v.Happened, happenedLine{e.ID, string(e.Type), when(e.CreatedAt, now)})
	}
	apps, err := s.Apps.List(r.Context(), one.OrganizationID, who.user.ID)
	if err != nil {
		return err
	}
	v.Apps = []choice{{Value: "", Words: "the only one that it can concern"}}
	for _, a := range apps {
		v.Apps = append(v.Apps, choice{Value: a.ClientID, Words: visible(a.Name)})
	}
	return nil
}

// triggers are the events to choose from, in groups.
func triggers() []eventGroup { return inApp{}.eventGroups([]event.Type{event.InvoicePaid}) }
