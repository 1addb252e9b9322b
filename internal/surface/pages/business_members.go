package pages

import (
	"net/http"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

type membersView struct {
	Business  string
	Members   []memberRow
	Roles     []roleRow
	MayManage bool
	Choices   []option // of roles, for a new member
	Email     string
	Done      string
	Wrong     string
}

type memberRow struct {
	Path, Name, Email, Role, Since string
	You                            bool
	Overrides                      []overrideView
}

type roleRow struct {
	Path, Role, About string
	Overrides         []overrideView
}

// overrideView is an exception to what a role may do.
type overrideView struct {
	Sentence string
	Granted  bool
}

var membersPage = newPage[membersView]("business-members.html")

// roleAbout says what a role is for.
var roleAbout = map[business.Role]string{
	business.Owner: "May do everything; there is always one.", business.Admin: "May do everything but change the plan.",
	business.Accountant: "Keeps the books, without posting by hand or deleting payments.", business.Staff: "Works with customers, invoices and payments.",
	business.Viewer: "Looks and changes nothing.",
}

// permissionWords are the permissions as people read them.
var permissionWords = map[business.Permission]string{
	business.InvoicesView: "See invoices", business.InvoicesManage: "Create and change invoices", business.InvoicesVoid: "Void and write off invoices",
	business.CustomersView: "See customers", business.CustomersManage: "Create and change customers",
	business.SuppliersView: "See suppliers", business.SuppliersManage: "Create and change suppliers",
	business.PaymentsView: "See payments", business.PaymentsRecord: "Record payments", business.PaymentsRefund: "Refund payments", business.PaymentsDelete: "Delete payments",
	business.AccountsView: "See the chart of accounts", business.AccountsManage: "Change the chart of accounts",
	business.JournalView: "See the journal", business.JournalPost: "Post journal entries by hand",
	business.TaxesView: "See tax rates", business.TaxesManage: "Change tax rates",
	business.ReportsView: "See reports", business.BooksLock: "Lock the books", business.PrivacyRedact: "Erase personal data",
	business.AppsConnect: "Connect apps", business.AppsManage: "Uninstall apps", business.MembersManage: "Manage members",
	business.SettingsManage: "Change the settings", business.PlanManage: "Change the plan",
}

// permissionGroups are the permissions in the order of the pages.
var permissionGroups = []struct {
	title string
	list  []business.Permission
}{
	{"Sales", []business.Permission{business.InvoicesView, business.InvoicesManage, business.InvoicesVoid, business.CustomersView, business.CustomersManage}},
	{"Purchases and payments", []business.Permission{business.SuppliersView, business.SuppliersManage, business.PaymentsView, business.PaymentsRecord, business.PaymentsRefund, business.PaymentsDelete}},
	{"Books", []business.Permission{business.AccountsView, business.AccountsManage, business.JournalView, business.JournalPost, business.TaxesView, business.TaxesManage, business.ReportsView, business.BooksLock}},
	{"The business", []business.Permission{business.AppsConnect, business.AppsManage, business.MembersManage, business.SettingsManage, business.PlanManage, business.PrivacyRedact}},
}

// done are the words for what a form did, by the word in the address.
var membersDone = map[string]string{
	"added": "The member is added.", "removed": "The member is removed. Apps can no longer act in their name here.",
	"role": "The role is changed.", "permissions": "The permissions are changed.",
}

func (s *Site) businessMembers(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.writeMembers(w, r, http.StatusOK, d, membersView{Done: membersDone[r.URL.Query().Get("done")]})
}

func (s *Site) writeMembers(w http.ResponseWriter, r *http.Request, status int, d *atDesk, v membersView) error {
	ctx := r.Context()
	list, err := s.Businesses.Members(ctx, d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	overrides, err := s.Businesses.Overrides(ctx, d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	v.Business, v.MayManage = d.business.Name, d.access.May(business.MembersManage)
	v.Choices = d.roleChoices(business.Staff)
	for _, m := range list {
		user, err := s.Identity.Get(ctx, m.UserID)
		if err != nil {
			return err
		}
		v.Members = append(v.Members, memberRow{
			Path: "/members/" + m.UserID, Name: user.DisplayName, Email: user.Email, Role: roleWord(m.Role), Since: day(d.facts.DateAt(m.CreatedAt)),
			You: m.UserID == d.who.user.ID, Overrides: exceptions(overrides, func(o business.Override) bool { return o.UserID == m.UserID }),
		})
	}
	for _, role := range business.Roles {
		v.Roles = append(v.Roles, roleRow{
			Path: "/roles/" + strings.ToLower(string(role)), Role: roleWord(role), About: roleAbout[role],
			Overrides: exceptions(overrides, func(o business.Override) bool { return o.Role == role }),
		})
	}
	membersPage.write(w, r, s, status, d.frame("Members", "Members"), v)
	return nil
}

// exceptions are the overrides that a test picks.
func exceptions(list []business.Override, of func(business.Override) bool) []overrideView {
	var views []overrideView
	for _, o := range list {
		if of(o) {
			views = append(views, overrideView{permissionWords[o.Permission], o.Effect == business.Grant})
		}
	}
	return views
}

// roleChoices are the roles that a member may give to others.
func (d *atDesk) roleChoices(chosen business.Role) []option {
	var list []option
	for _, role := range business.Roles {
		if role != business.Owner || d.access.Role == business.Owner {
			list = append(list, option{string(role), roleWord(role), role == chosen})
		}
	}
	return list
}

func (s *Site) addMember(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	email := strings.TrimSpace(form.Get("email"))
	user, err := s.Identity.FindByEmail(r.Context(), email)
	if err == nil {
		err = s.Businesses.AddMember(r.Context(), d.business.ID, d.who.user.ID, user.ID, business.Role(form.Get("role")))
	}
	switch {
	case err == nil:
		seeOther(w, r, "/members?done=added")
		return nil
	case fault.KindOf(err) == fault.NotFound:
		return s.writeMembers(w, r, http.StatusBadRequest, d, membersView{Email: email, Wrong: "Nobody has an account here under this address. They need one first."})
	case fault.KindOf(err) == fault.Conflict:
		return s.writeMembers(w, r, wire.Status(err), d, membersView{Email: email, Wrong: fault.From(err).Text()})
	}
	return err
}

// memberView is one member, or everyone in a role: what they may do, and why.
type memberView struct {
	Name, About, Path string
	Member            *memberFacts // nil: this is a role
	Groups            []permissionGroup
	MayManage         bool // may change what is on the page
	IsOwner           bool
	Done, Wrong       string
}

type memberFacts struct {
	Email, Role, Since string
	You                bool
	Choices            []option // of roles
}

type permissionGroup struct {
	Title       string
	Permissions []permissionRow
}

type permissionRow struct {
	Name, Sentence string
	Held           bool
	Default        string   // what holds without an exception
	Exception      string   // in words; empty without one
	Choices        []option // nil: not to be changed
}

var memberPage = newPage[memberView]("business-member.html")

func (s *Site) businessMember(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.writeMember(w, r, http.StatusOK, d, memberView{Done: membersDone[r.URL.Query().Get("done")]})
}

func (s *Site) writeMember(w http.ResponseWriter, r *http.Request, status int, d *atDesk, v memberView) error {
	ctx, id := r.Context(), r.PathValue("id")
	list, err := s.Businesses.Members(ctx, d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(m business.Member) bool { return m.UserID == id })
	if at < 0 {
		return business.ErrNoMember
	}
	m := list[at]
	user, err := s.Identity.Get(ctx, id)
	if err != nil {
		return err
	}
	overrides, err := s.Businesses.Overrides(ctx, d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	v.Name, v.Path, v.About = user.DisplayName, "/members/"+id, roleAbout[m.Role]
	v.IsOwner = m.Role == business.Owner
	v.MayManage = d.access.May(business.MembersManage) && (!v.IsOwner || d.access.Role == business.Owner)
	v.Member = &memberFacts{
		Email: user.Email, Role: roleWord(m.Role), Since: day(d.facts.DateAt(m.CreatedAt)), You: id == d.who.user.ID, Choices: d.roleChoices(m.Role),
	}
	v.Groups = d.permissions(m.Role, overrides, id, v.MayManage && !v.IsOwner)
	memberPage.write(w, r, s, status, d.frame("Members", v.Name, crumb{"Members", "/members"}, crumb{v.Name, ""}), v)
	return nil
}

// permissions are all there are: what the role has, what the business says otherwise, and what may be chosen. userID is empty
// for the page of a role.
func (d *atDesk) permissions(role business.Role, overrides []business.Override, userID string, may bool) []permissionGroup {
	byRole, byMember := map[business.Permission]business.Effect{}, map[business.Permission]business.Effect{}
	for _, o := range overrides {
		switch {
		case o.Role == role && o.UserID == "":
			byRole[o.Permission] = o.Effect
		case userID != "" && o.UserID == userID:
			byMember[o.Permission] = o.Effect
		}
	}
	defaults := business.Defaults(role)
	yesNo := map[bool]string{true: "yes", false: "no"}
	var groups []permissionGroup
	for _, g := range permissionGroups {
		group := permissionGroup{Title: g.title}
		for _, p := range g.list {
			held := slices.Contains(defaults, p)
			own := byRole[p]
			if userID != "" {
				if e, ok := byRole[p]; ok {
					held = e == business.Grant
				}
				own = byMember[p]
			}
			if role == business.Owner {
				held, own = true, ""
			}
			row := permissionRow{Name: string(p), Sentence: permissionWords[p], Held: held, Default: yesNo[held]}
			switch own {
			case business.Grant:
				row.Held, row.Exception = true, "granted"
			case business.Deny:
				row.Held, row.Exception = false, "denied"
			}
			if may {
				row.Choices = options(string(own), "", "As the role: "+row.Default, "GRANT", "Yes, always", "DENY", "No, never")
				if userID == "" {
					row.Choices[0].Name = "Usual: " + row.Default
				}
			}
			group.Permissions = append(group.Permissions, row)
		}
		groups = append(groups, group)
	}
	return groups
}

func (s *Site) changeRole(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	err = s.Businesses.ChangeRole(r.Context(), d.business.ID, d.who.user.ID, id, business.Role(form.Get("role")))
	return s.afterMember(w, r, d, err, "/members/"+id+"?done=role")
}

func (s *Site) removeMember(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	if _, err := readForm(r); err != nil {
		return err
	}
	to := "/members?done=removed"
	if r.PathValue("id") == d.who.user.ID {
		to = "/" // which is another business's now
	}
	return s.afterMember(w, r, d, s.Businesses.RemoveMember(r.Context(), d.business.ID, d.who.user.ID, r.PathValue("id")), to)
}

// afterMember answers a change of a member: what the member's state forbids is told beside them.
func (s *Site) afterMember(w http.ResponseWriter, r *http.Request, d *atDesk, err error, to string) error {
	switch {
	case err == nil:
		seeOther(w, r, to)
		return nil
	case fault.KindOf(err) == fault.Conflict:
		return s.writeMember(w, r, wire.Status(err), d, memberView{Wrong: fault.From(err).Text()})
	}
	return err
}

func (s *Site) overrideMember(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	id := r.PathValue("id")
	overrides, err := s.Businesses.Overrides(r.Context(), d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	present := map[business.Permission]business.Effect{}
	for _, o := range overrides {
		if o.UserID == id {
			present[o.Permission] = o.Effect
		}
	}
	err = s.override(r, present, func(p business.Permission, e *business.Effect) error {
		return s.Businesses.SetMemberOverride(r.Context(), d.business.ID, d.who.user.ID, id, p, e)
	})
	return s.afterMember(w, r, d, err, "/members/"+id+"?done=permissions")
}

// override sets the exceptions that a form changed. A permission that the form does not name stays as it is.
func (s *Site) override(r *http.Request, present map[business.Permission]business.Effect, set func(business.Permission, *business.Effect) error) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	for _, p := range business.Permissions {
		wanted, named := business.Effect(form.Get(string(p))), form.Has(string(p))
		if !named || wanted == present[p] {
			continue
		}
		effect := &wanted
		if wanted == "" {
			effect = nil
		}
		if err := set(p, effect); err != nil {
			return err
		}
	}
	return nil
}

// roleOf is the role that an address names.
func roleOf(r *http.Request) (business.Role, error) {
	role := business.Role(strings.ToUpper(r.PathValue("role")))
	if !slices.Contains(business.Roles, role) || strings.ToLower(r.PathValue("role")) != r.PathValue("role") {
		return "", wire.ErrNotFound
	}
	return role, nil
}

func (s *Site) businessRole(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	role, err := roleOf(r)
	if err != nil {
		return err
	}
	overrides, err := s.Businesses.Overrides(r.Context(), d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	v := memberView{
		Name: roleWord(role), About: roleAbout[role], Path: "/roles/" + strings.ToLower(string(role)), IsOwner: role == business.Owner,
		MayManage: d.access.May(business.MembersManage) && role != business.Owner, Done: membersDone[r.URL.Query().Get("done")],
	}
	v.Groups = d.permissions(role, overrides, "", v.MayManage)
	memberPage.write(w, r, s, http.StatusOK, d.frame("Members", v.Name, crumb{"Members", "/members"}, crumb{v.Name, ""}), v)
	return nil
}

func (s *Site) overrideRole(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	role, err := roleOf(r)
	if err != nil {
		return err
	}
	overrides, err := s.Businesses.Overrides(r.Context(), d.business.ID, d.who.user.ID)
	if err != nil {
		return err
	}
	present := map[business.Permission]business.Effect{}
	for _, o := range overrides {
		if o.Role == role && o.UserID == "" {
			present[o.Permission] = o.Effect
		}
	}
	err = s.override(r, present, func(p business.Permission, e *business.Effect) error {
		return s.Businesses.SetRoleOverride(r.Context(), d.business.ID, d.who.user.ID, role, p, e)
	})
	if err != nil {
		return err
	}
	seeOther(w, r, "/roles/"+strings.ToLower(string(role))+"?done=permissions")
	return nil
}
