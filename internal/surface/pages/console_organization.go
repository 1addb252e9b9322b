package pages

import (
	"net/http"
	"net/url"

	"daybook/internal/tenancy/organization"
)

type consoleOrganizationView struct {
	ID, Name, Role string
	Others         []choiceLink // all organizations of the person, when there are several
	Rest, Here     string
	MembersRest    string
	Version        int
	Created        moment
	Members        []colleagueLine
	Roles          []roleChoice
	May            may
	Saved          string
}

type colleagueLine struct {
	Path, Name, Email, Role string
	You                     bool
	Since                   moment
}

// roleChoice is a role, and what it is for.
type roleChoice struct {
	Value, Words string
	Chosen       bool
}

var consoleOrganizationPage = newPage[consoleOrganizationView]("console-organization.html")

// organizationWords say what each role may do.
var organizationWords = map[organization.Role]string{
	organization.Owner:     "Owner: everything, members and deactivation too",
	organization.Developer: "Developer: builds and changes apps",
	organization.Viewer:    "Viewer: looks, and changes nothing",
}

func organizationRoles(chosen organization.Role) []roleChoice {
	var list []roleChoice
	for _, r := range organization.Roles {
		list = append(list, roleChoice{string(r), organizationWords[r], r == chosen})
	}
	return list
}

// inOrganization is a developer who looks at one of their organizations.
type inOrganization struct {
	who  visitor
	self organization.Membership
	all  []organization.Membership
}

// chosenOrganization finds the organization that the address names, or the first one; there is none for someone who belongs to none.
func (s *Site) chosenOrganization(r *http.Request) (in inOrganization, found bool, err error) {
	if in.who, err = s.visitor(r); err != nil {
		return in, false, err
	}
	if in.all, err = s.Organizations.Memberships(r.Context(), in.who.user.ID); err != nil {
		return in, false, err
	}
	chosen := r.URL.Query().Get("organization")
	for _, m := range in.all {
		if chosen == "" || chosen == m.ID {
			in.self = m
			return in, true, nil
		}
	}
	if chosen != "" {
		return in, false, organization.ErrNotFound
	}
	return in, false, nil
}

func (in inOrganization) may() may { return inApp{role: in.self.Role}.may() }

// others lead to the same page of each organization; none when there is but one.
func (in inOrganization) others(path string) []choiceLink {
	if len(in.all) < 2 {
		return nil
	}
	var list []choiceLink
	for _, m := range in.all {
		list = append(list, choiceLink{m.Name, path + of("organization", m.ID), m.ID == in.self.ID})
	}
	return list
}

// of is a query with one parameter.
func of(name, value string) string { return "?" + url.Values{name: {value}}.Encode() }

func (s *Site) consoleOrganization(w http.ResponseWriter, r *http.Request) error {
	in, found, err := s.chosenOrganization(r)
	if err != nil {
		return err
	}
	if !found {
		seeOther(w, r, "/developer/apps") // which says what to do
		return nil
	}
	members, err := s.Organizations.Roster(r.Context(), in.self.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	const here = "/developer/organization"
	now := s.Clock.Now()
	v := consoleOrganizationView{
		ID: in.self.ID, Name: in.self.Name, Role: shownWord(in.self.Role), Others: in.others(here), Rest: here + of("organizationId", in.self.ID), Here: here + of("organization", in.self.ID),
		MembersRest: here + "/members" + of("organizationId", in.self.ID), Version: in.self.Version, Created: when(in.self.CreatedAt, now), Roles: organizationRoles(organization.Developer), May: in.may(),
		Saved: saved(r, map[string]string{
			"saved": "Your changes are saved.", "added": "They belong to the organization now, and can sign in to the console at once.", "role": "The role is changed. It counts from now on.",
			"removed": "They no longer belong to the organization.",
		}),
	}
	for _, m := range members {
		v.Members = append(v.Members, colleagueLine{
			Path: here + "/members/" + m.UserID + of("organization", in.self.ID), Name: visible(m.DisplayName), Email: visible(m.Email), Role: shownWord(m.Role), You: m.UserID == in.who.user.ID, Since: when(m.CreatedAt, now),
		})
	}
	consoleOrganizationPage.write(w, r, s, http.StatusOK, s.consoleFrameOf("Organization", in.who, "Organization"), v)
	return nil
}

type consoleColleagueView struct {
	ID, Name, Email, Role, Organization string
	You, Last                           bool // Last: an organization needs an owner
	Since                               moment
	Rest, Under, Then                   string // Then is where to go once they are gone
	Roles                               []roleChoice
	May                                 may
}

var consoleColleaguePage = newPage[consoleColleagueView]("console-colleague.html")

func (s *Site) consoleColleague(w http.ResponseWriter, r *http.Request) error {
	in, found, err := s.chosenOrganization(r)
	if err != nil {
		return err
	}
	if !found {
		return organization.ErrNotFound
	}
	members, err := s.Organizations.Roster(r.Context(), in.self.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v, found := in.colleagueView(members, r.PathValue("userId"))
	if !found {
		return organization.ErrNoMember
	}
	v.Since = when(v.Since.At, s.Clock.Now())
	way := []crumb{{"Organization", v.Under}, {v.Name, ""}}
	consoleColleaguePage.write(w, r, s, http.StatusOK, s.consoleFrameOf("Organization", in.who, v.Name, way...), v)
	return nil
}

// colleagueView is one of the members.
func (in inOrganization) colleagueView(members []organization.Colleague, userID string) (v consoleColleagueView, found bool) {
	owners := 0
	for _, m := range members {
		if m.Role == organization.Owner {
			owners++
		}
		if m.UserID != userID {
			continue
		}
		found = true
		v = consoleColleagueView{
			ID: m.UserID, Name: visible(m.DisplayName), Email: visible(m.Email), Role: shownWord(m.Role), Organization: in.self.Name, You: m.UserID == in.who.user.ID, Since: moment{At: m.CreatedAt},
			Rest: "/developer/organization/members/" + m.UserID + of("organizationId", in.self.ID), Under: "/developer/organization" + of("organization", in.self.ID),
			Roles: organizationRoles(m.Role), May: in.may(),
		}
		v.Last = m.Role == organization.Owner
	}
	v.Last = v.Last && owners == 1
	if v.Then = v.Under + "&done=removed"; v.You {
		v.Then = "/developer/apps" // the organization is no longer theirs to see
	}
	return v, found
}
