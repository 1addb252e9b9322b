package pages

import (
	"context"
	"net/http"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/platform/audit"
	"daybook/internal/tenancy/identity"
)

type operatorUsersView struct {
	Here, Search string
	Asked        bool // for somebody
	Found        []operatedUser
	Holds        []choiceLink
	Held         []operatedUser
	HeldWords    string
	Pager        pager
}

// operatedUser is a person.
type operatedUser struct {
	Path, ID, Name, Email string
	Operator              bool
	States                []state
	Created               moment
}

var operatorUsersPage = newPage[operatorUsersView]("operator-users.html")

// operatorUsers finds somebody by their address or id, and lists those whom something holds.
func (s *Site) operatorUsers(w http.ResponseWriter, r *http.Request, in asOperator) error {
	q := searchQuery(r, "search", "held")
	held := identity.HeldSuspended
	if q.get("held") == string(identity.HeldRestricted) {
		held = identity.HeldRestricted
	}
	v := operatorUsersView{Here: "/operator/users", Search: visible(q.get("search")), Asked: q.get("search") != "", Holds: holdLinks(held), HeldWords: holdWords[held]}
	if v.Asked {
		u, err := s.lookUp(r.Context(), q.get("search"))
		switch {
		case err == nil:
			v.Found = append(v.Found, in.operatedUser(u))
		case fault.KindOf(err) != fault.NotFound:
			return err
		}
	}
	people, err := s.Identity.Held(r.Context(), held, r.URL.Query().Get("cursor"), maxOperated)
	if err != nil {
		return err
	}
	for _, u := range people.Users {
		v.Held = append(v.Held, in.operatedUser(u))
	}
	v.Pager = q.pager(people.Next)
	operatorUsersPage.write(w, r, s, http.StatusOK, in.frame("People", "People"), v)
	return nil
}

// lookUp finds a person by their address or their id.
func (s *Site) lookUp(ctx context.Context, word string) (identity.User, error) {
	if strings.Contains(word, "@") {
		return s.Identity.FindByEmail(ctx, word)
	}
	return s.Identity.Get(ctx, word)
}

var holdWords = map[identity.Hold]string{identity.HeldSuspended: "Suspended", identity.HeldRestricted: "Restricted"}

func holdLinks(chosen identity.Hold) []choiceLink {
	var list []choiceLink
	for _, h := range []identity.Hold{identity.HeldSuspended, identity.HeldRestricted} {
		list = append(list, choiceLink{Name: holdWords[h], Path: "/operator/users?held=" + string(h), Chosen: h == chosen})
	}
	return list
}

func (in asOperator) operatedUser(u identity.User) operatedUser {
	return operatedUser{
		Path: "/operator/users/" + u.ID, ID: u.ID, Name: visible(u.DisplayName), Email: visible(u.Email), Operator: u.Operator, States: userStates(u), Created: when(u.CreatedAt, in.now),
	}
}

// userStates say what holds a person; active if nothing does.
func userStates(u identity.User) []state {
	var list []state
	if u.SuspendedAt != nil {
		list = append(list, state{"suspended", "bad"})
	}
	if u.RestrictedAt != nil {
		list = append(list, state{"restricted", "warn"})
	}
	if len(list) == 0 {
		list = append(list, state{"active", "good"})
	}
	return list
}

type operatorUserView struct {
	operatedUser
	Rest                  string
	You                   bool
	Suspended, Restricted *moment // since when
	Businesses            []belonging
	Organizations         []belonging
	About, By             []auditLine // what was done about them, and what they did
	AboutPath, ByPath     string
	Saved                 string
}

// belonging is where somebody belongs to, and as what.
type belonging struct {
	Name, Role string
	Sandbox    bool
}

var operatorUserPage = newPage[operatorUserView]("operator-user.html")

func (s *Site) operatorUser(w http.ResponseWriter, r *http.Request, in asOperator) error {
	u, err := s.Identity.Get(r.Context(), r.PathValue("userId"))
	if err != nil {
		return err
	}
	v := operatorUserView{
		operatedUser: in.operatedUser(u), Rest: "/operator/users/" + u.ID, You: u.ID == in.who.user.ID, Suspended: whenever(u.SuspendedAt, in.now), Restricted: whenever(u.RestrictedAt, in.now),
		AboutPath: auditOf("object", u.ID), ByPath: auditOf("who", u.ID),
		Saved: saved(r, map[string]string{
			"suspended":  "The person is suspended: signed out everywhere, and every token in their name is refused.",
			"restricted": "Apps may no longer act in this person's name.",
			"lifted":     "Whatever held this person is lifted.",
		}),
	}
	if err := s.fillBelongings(r.Context(), u.ID, &v); err != nil {
		return err
	}
	if v.About, err = s.latest(r, in, audit.Filter{ObjectID: u.ID}); err != nil {
		return err
	}
	if v.By, err = s.latest(r, in, audit.Filter{UserID: u.ID}); err != nil {
		return err
	}
	operatorUserPage.write(w, r, s, http.StatusOK, in.frame("People", v.Name, crumb{v.Name, ""}), v)
	return nil
}

func (s *Site) fillBelongings(ctx context.Context, userID string, v *operatorUserView) error {
	businesses, err := s.Businesses.Of(ctx, userID)
	if err != nil {
		return err
	}
	for _, b := range businesses {
		v.Businesses = append(v.Businesses, belonging{visible(b.Name), shownWord(b.Role), b.Sandbox()})
	}
	organizations, err := s.Organizations.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	for _, o := range organizations {
		v.Organizations = append(v.Organizations, belonging{Name: visible(o.Name), Role: shownWord(o.Role)})
	}
	return nil
}
