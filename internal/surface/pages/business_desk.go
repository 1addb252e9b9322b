package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/extension"
	"daybook/internal/tenancy/business"
)

// atDesk is a member at work in the business that their session is in.
type atDesk struct {
	who      visitor
	business business.Membership
	all      []business.Membership // they belong to
	access   business.Access
	facts    ledger.Facts
	now      time.Time
	by       record.Call
	names    names
	hosted   []extension.Guest // pages of apps that stand by themselves
	framed   []string          // origins that the page may frame
}

// deskBusiness is a business to work in.
type deskBusiness struct {
	ID, Name string
	Current  bool
}

// businessLinks are the pages of a business, each with the permission that it takes; none is for every member.
var businessLinks = []struct {
	deskLink
	permission business.Permission
}{
	{deskLink{Name: "Home", Path: "/"}, ""},
	{deskLink{Name: "Invoices", Path: "/invoices"}, business.InvoicesView},
	{deskLink{Name: "Payments", Path: "/payments"}, business.PaymentsView},
	{deskLink{Name: "Customers", Path: "/customers"}, business.CustomersView},
	{deskLink{Name: "Suppliers", Path: "/suppliers"}, business.SuppliersView},
	{deskLink{Name: "Accounts", Path: "/accounts"}, business.AccountsView},
	{deskLink{Name: "Journal", Path: "/journal"}, business.JournalView},
	{deskLink{Name: "Reports", Path: "/reports"}, business.ReportsView},
	{deskLink{Name: "Members", Path: "/members"}, ""},
	{deskLink{Name: "Apps", Path: "/apps"}, ""},
	{deskLink{Name: "Marketplace", Path: marketPath}, ""},
	{deskLink{Name: "Settings", Path: "/settings"}, ""},
}

// registerBusiness adds the pages of a business.
func (s *Site) registerBusiness(mux *http.ServeMux) {
	mux.Handle("GET /{$}", s.deskPage("", s.businessHome))
	mux.Handle("GET /invoices", s.deskPage(business.InvoicesView, s.businessInvoices))
	mux.Handle("GET /invoices/{id}", s.deskPage(business.InvoicesView, s.businessInvoice))
	mux.Handle("GET /customers", s.deskPage(business.CustomersView, s.businessParties(customers)))
	mux.Handle("GET /customers/{id}", s.deskPage(business.CustomersView, s.businessParty(customers)))
	mux.Handle("GET /suppliers", s.deskPage(business.SuppliersView, s.businessParties(suppliers)))
	mux.Handle("GET /suppliers/{id}", s.deskPage(business.SuppliersView, s.businessParty(suppliers)))
	mux.Handle("GET /payments", s.deskPage(business.PaymentsView, s.businessPayments))
	mux.Handle("GET /payments/{id}", s.deskPage(business.PaymentsView, s.businessPayment))
	mux.Handle("GET /accounts", s.deskPage(business.AccountsView, s.businessAccounts))
	mux.Handle("GET /accounts/{id}", s.deskPage(business.AccountsView, s.businessAccount))
	mux.Handle("GET /journal", s.deskPage(business.JournalView, s.businessJournal))
	mux.Handle("GET /journal/{id}", s.deskPage(business.JournalView, s.businessEntry))
	mux.Handle("GET /reports", s.deskPage(business.ReportsView, s.businessReports))
	mux.Handle("GET /reports/{name}", s.deskPage(business.ReportsView, s.businessReport))
	mux.Handle("GET /members", s.deskPage("", s.businessMembers))
	mux.Handle("POST /members", s.deskPage(business.MembersManage, s.addMember))
	mux.Handle("GET /members/{id}", s.deskPage("", s.businessMember))
	mux.Handle("POST /members/{id}/role", s.deskPage(business.MembersManage, s.changeRole))
	mux.Handle("POST /members/{id}/remove", s.deskPage(business.MembersManage, s.removeMember))
	mux.Handle("POST /members/{id}/permissions", s.deskPage(business.MembersManage, s.overrideMember))
	mux.Handle("GET /roles/{role}", s.deskPage("", s.businessRole))
	mux.Handle("POST /roles/{role}/permissions", s.deskPage(business.MembersManage, s.overrideRole))
	mux.Handle("GET /settings", s.deskPage("", s.businessSettings))
	mux.Handle("POST /settings/lock", s.deskPage(business.BooksLock, s.lockBooks))
	mux.Handle("GET /apps/{appId}/pages/{extensionId}", s.deskPage("", s.businessHosted))
	embedding.register(mux)
	for _, sort := range recordSorts {
		mux.Handle("POST /"+sort.path+"/{id}/app-data", s.deskPage(sort.resource.Permission(), s.editFields(sort)))
	}
}

// deskHandler serves a page to a member of the business that they work in.
type deskHandler func(w http.ResponseWriter, r *http.Request, d *atDesk) error

// deskPage serves a page of the business that a session works in to a member who holds a permission there; without one every
// member may. Someone without any business is sent to their account, which says what to do.
func (s *Site) deskPage(p business.Permission, h deskHandler) http.Handler {
	return s.page(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.visitor(r)
		if err != nil {
			return err
		}
		d, err := s.sitDown(r.Context(), who)
		switch {
		case err != nil:
			return err
		case d == nil && r.Method == http.MethodGet:
			seeOther(w, r, "/account")
			return nil
		case d == nil:
			return business.ErrNotFound
		case p != "" && !d.access.May(p):
			return business.ErrPermission.With(p)
		}
		return h(w, r, d)
	})
}

// sitDown finds out who works where, and what they may do; nil for someone without a business.
func (s *Site) sitDown(ctx context.Context, who visitor) (*atDesk, error) {
	all, err := s.Businesses.Of(ctx, who.user.ID)
	if err != nil {
		return nil, err
	}
	current := business.Current(who.session, all)
	if current == nil {
		return nil, nil
	}
	d := &atDesk{who: who, business: *current, all: all, now: s.Clock.Now()}
	d.by = record.Call{BusinessID: current.ID, Actor: event.Actor{Type: event.User, UserID: who.user.ID}}
	d.names = names{site: s, people: map[string]string{who.user.ID: who.user.DisplayName}, apps: map[string]string{}}
	if d.access, err = s.Businesses.Access(ctx, current.ID, who.user.ID); err != nil {
		return nil, err
	}
	if d.hosted, err = s.Extensions.Shown(ctx, d.viewer(), ""); err != nil {
		return nil, err
	}
	d.facts, err = s.Ledger.Facts(ctx, d.by)
	return d, err
}

// frame is what stands around a page of the business. open is the page of the list that it is, or belongs to.
func (d *atDesk) frame(open, title string, way ...crumb) frame {
	f := frame{Title: title + " · " + d.business.Name, Visitor: d.who.user.DisplayName, Framed: d.framed}
	f.Desk = &desk{Label: d.business.Name, Crumbs: way, Now: d.now}
	for _, l := range businessLinks {
		if l.permission != "" && !d.access.May(l.permission) {
			continue
		}
		link := l.deskLink
		if l.Name == open {
			link.Current = "page"
			if len(way) > 0 {
				link.Current = "true"
			}
		}
		f.Desk.Links = append(f.Desk.Links, link)
	}
	for _, g := range d.hosted {
		link := deskLink{Name: g.Label, Path: hostedPath(g), App: g.AppName}
		if link.Path == open {
			link.Current = "page"
		}
		f.Desk.Links = append(f.Desk.Links, link)
	}
	for _, m := range d.all {
		name := m.Name
		if m.Sandbox() {
			name += " (sandbox)"
		}
		f.Desk.Businesses = append(f.Desk.Businesses, deskBusiness{ID: m.ID, Name: name, Current: m.ID == d.business.ID})
	}
	return f
}

// today is the date where the business is.
func (d *atDesk) today() string { return d.facts.DateAt(d.now) }

// names remembers who is who while a page is made.
type names struct {
	site   *Site
	people map[string]string
	apps   map[string]string
}

func (n names) person(ctx context.Context, userID string) (string, error) {
	return remembered(n.people, userID, "someone whose account is gone", func() (string, error) {
		u, err := n.site.Identity.Get(ctx, userID)
		return u.DisplayName, err
	})
}

func (n names) app(ctx context.Context, appID string) (string, error) {
	return remembered(n.apps, appID, "an app that is gone", func() (string, error) {
		a, err := n.site.Apps.Show(ctx, appID)
		return a.Name, err
	})
}

func remembered(known map[string]string, id, gone string, find func() (string, error)) (string, error) {
	if name, ok := known[id]; ok {
		return name, nil
	}
	name, err := find()
	if fault.KindOf(err) == fault.NotFound {
		name, err = gone, nil
	}
	known[id] = cmp.Or(name, gone)
	return known[id], err
}

// author is who made a change, for people.
func (d *atDesk) author(ctx context.Context, a event.Actor) (string, error) {
	switch a.Type {
	case event.System:
		return d.names.site.Name + ", by itself", nil
	case event.App:
		app, err := d.names.app(ctx, a.AppID)
		if err != nil || a.UserID == "" {
			return app, err
		}
		person, err := d.names.person(ctx, a.UserID)
		return app + " for " + person, err
	case event.User:
		return d.names.person(ctx, a.UserID)
	}
	return "", nil
}

// madeView says who made and changed a record, and when.
type madeView struct {
	By        string // empty where it was not written down
	At        stamp
	ChangedBy string
	ChangedAt *stamp // nil: never since
}

// made tells who made a record and who changed it last.
func (d *atDesk) made(ctx context.Context, madeBy, changedBy event.Actor, at, changed time.Time, version int) (madeView, error) {
	v := madeView{At: d.stamp(at)}
	var err error
	if v.By, err = d.author(ctx, madeBy); err != nil || version <= 1 {
		return v, err
	}
	v.ChangedAt = new(d.stamp(changed))
	v.ChangedBy, err = d.author(ctx, changedBy)
	return v, err
}

// pager leads through a list.
type pager struct{ First, Next string }

// pageSize is how many rows a page of a list has.
const pageSize = "25"

// query is what a list is asked for: the filters that were given, and the place in the list.
type query struct {
	path   string
	given  url.Values // filters and cursor, as the address has them
	params map[string][]string
}

// newQuery reads the named filters of an address; an empty one is none.
func newQuery(r *http.Request, filters ...string) query {
	in := r.URL.Query()
	q := query{path: r.URL.Path, given: url.Values{}, params: map[string][]string{"limit": {pageSize}}}
	for _, name := range filters {
		if v := strings.TrimSpace(in.Get(name)); v != "" {
			q.given.Set(name, v)
		}
	}
	if v := in.Get("cursor"); v != "" {
		q.given.Set("cursor", v)
		q.params["cursor"] = []string{v}
	}
	return q
}

// get is the value of a filter.
func (q query) get(name string) string { return q.given.Get(name) }

// set gives the list a parameter.
func (q query) set(name, value string) {
	if value != "" {
		q.params[name] = []string{value}
	}
}

// pager of the page that was read.
func (q query) pager(next *string) pager {
	var p pager
	if q.given.Has("cursor") {
		p.First = q.address("")
	}
	if next != nil {
		p.Next = q.address(*next)
	}
	return p
}

func (q query) address(cursor string) string {
	v := url.Values{}
	for name := range q.given {
		if name != "cursor" {
			v.Set(name, q.given.Get(name))
		}
	}
	if cursor != "" {
		v.Set("cursor", cursor)
	}
	if len(v) == 0 {
		return q.path
	}
	return q.path + "?" + v.Encode()
}

// option is a choice of a select.
type option struct {
	Value, Name string
	Chosen      bool
}

// options are choices, one of them chosen.
func options(chosen string, pairs ...string) []option {
	var list []option
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, option{pairs[i], pairs[i+1], pairs[i] == chosen})
	}
	return list
}

// among takes a word only if it is one of the choices.
func among(word string, list []option) string {
	if slices.ContainsFunc(list, func(o option) bool { return o.Value == word }) {
		return word
	}
	return ""
}

// nameIDs is how many records are named by one call.
const nameIDs = 50

// partyNames are the names of customers or suppliers, as far as the member may see them.
func (d *atDesk) partyNames(ctx context.Context, kind record.Kind, ids []string) (map[string]string, error) {
	found := map[string]string{}
	permission := business.CustomersView
	if kind == record.Supplier {
		permission = business.SuppliersView
	}
	if !d.access.May(permission) {
		return found, nil
	}
	for some := range chunks(ids) {
		page, err := d.names.site.Parties.List(ctx, d.by, kind, map[string][]string{"ids": {strings.Join(some, ",")}})
		if err != nil {
			return nil, err
		}
		for _, p := range page.Data {
			found[p.ID] = p.DisplayName
		}
	}
	return found, nil
}

// accounts are accounts by their ids, as far as the member may see them.
func (d *atDesk) accounts(ctx context.Context, ids []string) (map[string]ledger.Account, error) {
	found := map[string]ledger.Account{}
	if !d.access.May(business.AccountsView) {
		return found, nil
	}
	for some := range chunks(ids) {
		page, err := d.names.site.Ledger.ListAccounts(ctx, d.by, map[string][]string{"ids": {strings.Join(some, ",")}})
		if err != nil {
			return nil, err
		}
		for _, a := range page.Data {
			found[a.ID] = a
		}
	}
	return found, nil
}

// chunks are the distinct ids, as many at a time as one call names.
func chunks(ids []string) func(yield func([]string) bool) {
	ids = slices.Sorted(slices.Values(ids))
	return slices.Chunk(slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" }), nameIDs)
}
