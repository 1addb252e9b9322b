package pages

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

func deskIn(zone, currency string, now time.Time) *atDesk {
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return &atDesk{now: now, facts: ledger.Facts{Zone: location, Currency: money.MustCurrency(currency)}}
}

func TestInstantsAreThoseOfTheBusiness(t *testing.T) {
	now := time.Date(2026, 11, 14, 23, 30, 0, 0, time.UTC)
	d := deskIn("Asia/Tokyo", "JPY", now)
	if got := d.today(); got != "2026-11-15" {
		t.Errorf("today is %s", got)
	}
	for ago, want := range map[time.Duration]string{
		0: "just now", 5 * time.Minute: "5 min ago", 23 * time.Hour: "23 h ago", 24 * time.Hour: "14 Nov 2026, 08:30", -time.Minute: "15 Nov 2026, 08:31",
	} {
		s := d.stamp(now.Add(-ago))
		if s.Shown != want {
			t.Errorf("%s ago is shown as %q, want %q", ago, s.Shown, want)
		}
		if ago == 0 && (s.Exact != "Sunday 15 November 2026, 08:30:00 JST" || s.Machine != "2026-11-14T23:30:00Z") {
			t.Errorf("exactly: %+v", s)
		}
	}
}

func TestFiguresFollowTheirCurrency(t *testing.T) {
	for _, c := range []struct {
		amount money.Amount
		code   string
		want   string
	}{{123456789, "EUR", "EUR 1,234,567.89"}, {-5, "EUR", "EUR −0.05"}, {1234, "JPY", "JPY 1,234"}, {1234, "KWD", "KWD 1.234"}, {0, "GBP", "GBP 0.00"}} {
		if got := sumOf(c.amount, c.code).String(); got != c.want {
			t.Errorf("%d %s is %q", c.amount, c.code, got)
		}
	}
	for factor, want := range map[string]string{"2.7": "2.70", "19": "19.00", "0.125": "0.125", "-3": "-3.00"} {
		if got := price(money.MustFactor(factor), "EUR"); got != want {
			t.Errorf("a price of %s is %s", factor, got)
		}
	}
	if got := price(money.MustFactor("19"), "JPY"); got != "19" {
		t.Errorf("a price in yen is %s", got)
	}
	d := deskIn("UTC", "EUR", noon)
	if d.orBlank(0) != "" || d.orBlank(1) != "0.01" {
		t.Error("zero is left blank, nothing else")
	}
	for _, c := range []struct {
		used, most int64
		want       int
	}{{0, 10, 0}, {-5, 10, 0}, {1, 1000, 0}, {999, 1000, 99}, {1000, 1000, 100}, {2000, 1000, 100}, {1, 0, 0}} {
		if got := percent(c.used, c.most); got != c.want {
			t.Errorf("%d of %d is %d", c.used, c.most, got)
		}
	}
}

func TestEverythingHasWords(t *testing.T) {
	var grouped []business.Permission
	for _, g := range permissionGroups {
		grouped = append(grouped, g.list...)
	}
	slices.Sort(grouped)
	if !slices.Equal(grouped, business.Permissions) {
		t.Errorf("the groups hold %v", grouped)
	}
	for _, p := range business.Permissions {
		if permissionWords[p] == "" {
			t.Errorf("no words for %s", p)
		}
	}
	for _, role := range business.Roles {
		if roleAbout[role] == "" {
			t.Errorf("no words for %s", role)
		}
	}
	for _, e := range event.Catalog {
		if did[e.Type] == "" && e.Type != event.AppDataUpdated {
			t.Errorf("no words for %s", e.Type)
		}
		if e.Scope != "" && e.Scope != "profile:read" && scopePermissions[e.Scope] == "" {
			t.Errorf("no permission for %s", e.Scope)
		}
	}
}

func TestPermissionsAreExplained(t *testing.T) {
	d := &atDesk{}
	overrides := []business.Override{
		{Role: business.Staff, Permission: business.ReportsView, Effect: business.Grant},
		{Role: business.Viewer, Permission: business.JournalView, Effect: business.Deny},
		{UserID: "usr_sam", Permission: business.InvoicesView, Effect: business.Deny},
		{UserID: "usr_other", Permission: business.JournalPost, Effect: business.Grant},
	}
	row := func(groups []permissionGroup, p business.Permission) permissionRow {
		for _, g := range groups {
			for _, r := range g.Permissions {
				if r.Name == string(p) {
					return r
				}
			}
		}
		t.Fatalf("no %s", p)
		return permissionRow{}
	}
	sam := d.permissions(business.Staff, overrides, "usr_sam", true)
	for p, want := range map[business.Permission]permissionRow{
		business.ReportsView:   {Held: true, Default: "yes"}, // by the exception of the role
		business.InvoicesView:  {Held: false, Default: "yes", Exception: "denied"},
		business.JournalPost:   {Held: false, Default: "no"},
		business.CustomersView: {Held: true, Default: "yes"},
	} {
		got := row(sam, p)
		if got.Held != want.Held || got.Default != want.Default || got.Exception != want.Exception || len(got.Choices) != 3 {
			t.Errorf("%s: %+v", p, got)
		}
	}
	staff := row(d.permissions(business.Staff, overrides, "", true), business.ReportsView)
	if !staff.Held || staff.Default != "no" || staff.Exception != "granted" || !staff.Choices[1].Chosen {
		t.Errorf("the role: %+v", staff)
	}
	if r := row(d.permissions(business.Owner, overrides, "usr_sam", false), business.InvoicesView); !r.Held || r.Choices != nil {
		t.Errorf("an owner: %+v", r)
	}
}

// What people and apps stored is on the page as text, and nothing in it hides or turns anything around.
func TestStoredTextIsShownAsItIs(t *testing.T) {
	const stored = "<script>alert(1)</script>\"'&\x1b[31m\u202etxt.exe\x7f\u2066\ufeff\u200f"
	f := frame{Title: stored, Visitor: stored, Desk: &desk{Label: stored, Crumbs: []crumb{{stored, "/"}}, Businesses: []deskBusiness{{"a", stored, true}, {"b", stored, false}}}}
	pages := map[string]string{
		"home":    written(homePage, f, homeView{Business: stored, Apps: []homeApp{{Name: stored}}, News: []happening{{What: stored, Who: stored, Path: "/"}}}).Body.String(),
		"party":   written(partyPage, f, partyView{Name: stored, Notes: stored, Facts: facts("Email", stored), Address: []string{stored}}).Body.String(),
		"invoice": written(invoicePage, f, invoiceView{Customer: stored, Lines: []invoiceLine{{Description: stored}}, Notes: stored, Made: madeView{By: stored}}).Body.String(),
		"fields": written(invoicePage, f, invoiceView{Apps: []appFields{{App: stored, Editable: true, Fields: []appField{
			{Label: stored, Kind: "area", Value: stored}, {Label: stored, Kind: "choice", Choices: []option{{stored, stored, true}}}, {Label: stored, Shown: stored, Hint: stored},
		}}}}).Body.String(),
		"members": written(membersPage, f, membersView{Business: stored, Members: []memberRow{{Name: stored, Email: stored}}, Wrong: stored, MayManage: true}).Body.String(),
		"journal": written(journalPage, f, journalView{Entries: []entryView{{Memo: stored, Lines: []entryLine{{Name: stored, Text: stored}}}}}).Body.String(),
	}
	for name, page := range pages {
		for _, wrong := range faults(page) {
			t.Errorf("%s: %s", name, wrong)
		}
		if strings.Contains(page, "<script>alert") || strings.ContainsAny(page, "\x1b\x7f\u202e\u2066\ufeff\u200f") {
			t.Errorf("%s: something stored acts in the page", name)
		}
		if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;") || !strings.Contains(page, "\ufffd[31m\ufffdtxt.exe") {
			t.Errorf("%s: what was stored is not there to read", name)
		}
	}
}

func TestALinkToAnotherSchemeIsNoLink(t *testing.T) {
	d := deskIn("UTC", "EUR", noon)
	for value, want := range map[string]string{`"https://a.example/x"`: "https://a.example/x", `"javascript:alert(1)"`: "", `"http://a.example"`: ""} {
		var v appField
		d.showValue(&v, "URL", []byte(value))
		if v.Link != want {
			t.Errorf("%s leads to %q", value, v.Link)
		}
	}
}
