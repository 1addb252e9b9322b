package pages

import (
	"html"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/usage"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"console-installations.html": bothWays(consoleInstallationsPage),
		"console-installation.html":  bothWays(consoleInstallationPage),
		"console-analytics.html":     bothWays(consoleAnalyticsPage),
		"console-requests.html":      bothWays(consoleRequestsPage),
		"console-versions.html":      bothWays(consoleVersionsPage),
		"console-organization.html":  bothWays(consoleOrganizationPage),
		"console-colleague.html":     bothWays(consoleColleaguePage),
		"console-sandboxes.html":     bothWays(consoleSandboxesPage),
		"console-new-sandbox.html":   bothWays(consoleNewSandboxPage),
		"console-sandbox.html":       bothWays(consoleSandboxPage),
	} {
		everyPage[file] = both
	}
}

// seriesOf is a series of the 30 days before noon.
func seriesOf(group usage.Group, points ...usage.Point) usage.Series {
	q := analyticsAsk{period: periods[2], grain: usage.Day, group: group}.asked(noon)
	s := usage.Series{Query: q, Points: points}
	for _, p := range points {
		s.Totals.Calls += p.Calls
		s.Totals.Errors += p.Errors
		s.Totals.RateLimited += p.RateLimited
	}
	return s
}

func TestWhatOthersWroteIsTextInTheConsole(t *testing.T) {
	in := developerOf(app.App{Name: "Sync"})
	connection := install.Connection{Installation: install.Installation{ID: "ins_1", Status: install.Active, InstalledAt: noon}, BusinessName: nasty}
	entry := reqlog.Entry{RequestID: "req_1", Method: nasty, Route: nasty, Status: 404, Code: nasty, Version: nasty}
	colleague := organization.Colleague{Member: organization.Member{UserID: "usr_1", Role: organization.Viewer}, DisplayName: nasty, Email: nasty}
	v, found := inOrganization{self: organization.Membership{Role: organization.Owner}}.colleagueView([]organization.Colleague{colleague}, "usr_1")
	if !found {
		t.Fatal("no colleague")
	}
	s := &Site{Clock: clock.NewHand(noon)}
	one := sandbox.View{Sandbox: business.Sandbox{Business: business.Business{ID: "biz_1", Name: nasty, Currency: "EUR"}}}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"installations": written(consoleInstallationsPage, in.frame("Installations", "x"), consoleInstallationsView{List: in.installationLines([]install.Connection{connection})}),
		"installation":  written(consoleInstallationPage, in.frame("Installations", "x"), in.installationView(connection, nil)),
		"requests":      written(consoleRequestsPage, in.frame("Requests", "x"), consoleRequestsView{List: in.requestLines([]reqlog.Entry{entry})}),
		"analytics":     written(consoleAnalyticsPage, in.frame("Analytics", "x"), in.analyticsView(analyticsAsk{period: periods[2], grain: usage.Day, group: usage.ByRoute}, seriesOf(usage.ByRoute, usage.Point{At: noon, Group: nasty, Sums: usage.Sums{Calls: 1}}))),
		"versions":      written(consoleVersionsPage, in.frame("Versions", "x"), in.versionsView([]usage.Use{{Version: "2026-06-01", Route: nasty, Calls: 1}})),
		"colleague":     written(consoleColleaguePage, in.frame("Overview", "x"), v),
		"sandbox":       written(consoleSandboxPage, in.frame("Overview", "x"), s.sandboxView(one, in)),
		"sandboxes":     written(consoleSandboxesPage, in.frame("Overview", "x"), consoleSandboxesView{List: []sandboxLine{s.sandboxLine(one)}}),
	} {
		t.Run(name, func(t *testing.T) {
			wantSpelledOut(t, page.Body.String())
			for _, wrong := range faults(page.Body.String()) {
				t.Error(wrong)
			}
		})
	}
}

func TestTheLifeOfATokenFamily(t *testing.T) {
	in := developerOf(app.App{})
	at := noon.Add(-time.Hour)
	for _, c := range []struct {
		name  string
		h     oauth.History
		state string
		steps []string
	}{
		{"live", oauth.History{IssuedAt: at, ExpiresAt: noon.Add(time.Hour)}, "live", []string{"Issued", "Expires unless"}},
		{"exchanged", oauth.History{IssuedAt: at, ExpiresAt: noon.Add(time.Hour), Exchange: true}, "live", []string{"Issued", "Expires"}},
		{"refreshed", oauth.History{IssuedAt: at, ExpiresAt: noon.Add(time.Hour), Refreshes: 2, RefreshedAt: &noon}, "live", []string{"Issued", "Refreshed 2 times", "Expires unless"}},
		{"reused", oauth.History{IssuedAt: at, Refreshes: 1, RefreshedAt: &at, EndedAt: &noon, Why: oauth.TokenReused}, "burnt", []string{"Issued", "Refreshed", "Burnt: a refresh token"}},
		{"replayed", oauth.History{IssuedAt: at, EndedAt: &noon, Why: oauth.CodeReplayed}, "burnt", []string{"Issued", "Burnt: the authorization code"}},
		{"access revoked, nobody knows when", oauth.History{IssuedAt: at, Why: oauth.AccessRevoked}, "ended", []string{"Issued", "Access revoked"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := in.familyView(c.h)
			if f.State.Word != c.state || len(f.Life) != len(c.steps) {
				t.Fatalf("%+v", f)
			}
			for i, want := range c.steps {
				if !strings.HasPrefix(f.Life[i].What, want) {
					t.Errorf("step %d is %q, want %q", i, f.Life[i].What, want)
				}
			}
			if last := f.Life[len(f.Life)-1]; c.h.Why != "" && (last.At == nil) != (c.h.EndedAt == nil) {
				t.Errorf("ended at %v", last.At)
			}
		})
	}
	for _, why := range []oauth.EndReason{oauth.TokenReused, oauth.CodeReplayed, oauth.RevokedByApp, oauth.AccessRevoked, oauth.Uninstalled, oauth.Expired, oauth.Revoked} {
		if step := endWords[why]; step.What == "" || why.Burnt() != (step.Tone == "bad") {
			t.Errorf("%s: %+v", why, step)
		}
	}
	if got := grantsOf(scope.Of(scope.InvoicesRead)); len(got) != 1 || got[0].Writes {
		t.Errorf("grants %+v", got)
	}
}

func TestWhatAnAddressAsksOfAnalytics(t *testing.T) {
	const biz = "biz_01jd6v3q9x4m8r2t7w5y0z1a2b"
	for query, want := range map[string]string{
		"":                                     "?by=day&period=month",
		"period=day&by=day":                    "?by=hour&period=day", // a day has hours only
		"period=week&by=day&group=route":       "?by=day&group=route&period=week",
		"period=year&by=hour":                  "?by=day&period=year",
		"period=ages&group=user&by=minute":     "?by=day&period=month",
		"business=nobody":                      "?by=day&period=month",
		"period=month&by=hour&business=" + biz: "?business=" + biz + "&by=hour&period=month",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := readAnalytics(q).query(); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		if err := readAnalytics(q).asked(noon).Check(noon); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
}

func TestAChartSaysWhatItShows(t *testing.T) {
	day := noon.Truncate(aDay)
	s := seriesOf("", usage.Point{At: day.Add(-2 * aDay), Sums: usage.Sums{Calls: 1200, Errors: 300, RateLimited: 12, P50Ms: 4, P95Ms: 80}}, usage.Point{At: day, Sums: usage.Sums{Calls: 600, P50Ms: 2, P95Ms: 20}})
	charts := seriesCharts(s)
	calls := charts[0]
	if len(calls.Bars) != 4 || calls.Width != 31*barStep || calls.First != "15 Oct 2026" || calls.Last != "14 Nov 2026" {
		t.Fatalf("%+v", calls)
	}
	if b := calls.Bars[0]; b.X != "281" || b.Y != "0.0" || b.Height != "100.0" {
		t.Errorf("the busiest day is %+v", b)
	}
	if b := calls.Bars[1]; b.X != "301" || b.Y != "50.0" || b.Height != "50.0" {
		t.Errorf("today is %+v", b)
	}
	if b := calls.Bars[2]; b.Tone != "bad" || b.Height != "25.0" {
		t.Errorf("the errors are %+v", b)
	}
	if b := calls.Bars[3]; b.Tone != "warn" || b.Height != "1.0" {
		t.Errorf("what was rate-limited is %+v", b)
	}
	drawn := []outline{{"good", "M281 0.0h8v100.0h-8zM301 50.0h8v50.0h-8z"}, {"bad", "M281 75.0h8v25.0h-8z"}, {"warn", "M281 99.0h8v1.0h-8z"}}
	if got := calls.Outlines(); !slices.Equal(got, drawn) {
		t.Errorf("it is drawn as %+v", got)
	}
	const words = "1\u202f800 calls from 15 Oct 2026 to 14 Nov 2026: 300 errors, 12 of them rate-limited. The busiest day was 12 Nov 2026 with 1\u202f200."
	if calls.Words != words {
		t.Errorf("it says %q", calls.Words)
	}
	page := written(consoleAnalyticsPage, frame{}, consoleAnalyticsView{Charts: charts}).Body.String()
	if !strings.Contains(html.UnescapeString(page), `role="img" aria-label="`+words) {
		t.Error("the picture has no words")
	}
	rows := timeRows(s)
	if len(rows) != 2 || rows[0].Name != "14 Nov 2026" || rows[1].Calls != "1\u202f200" || rows[1].P50 != "4.0 ms" || rows[1].P95 != "80 ms" {
		t.Errorf("rows %+v", rows)
	}
}

func TestGroupsAreAddedUp(t *testing.T) {
	day := noon.Truncate(aDay)
	var points []usage.Point
	for i := range 3 {
		at := day.Add(-time.Duration(2-i) * aDay)
		points = append(points, usage.Point{At: at, Group: "GET /customers", Sums: usage.Sums{Calls: 1, P95Ms: 7}}, usage.Point{At: at, Group: "GET /invoices", Sums: usage.Sums{Calls: 10, Errors: 2, P95Ms: float64(i)}})
	}
	points = append(points, usage.Point{At: day, Sums: usage.Sums{Calls: 1}})
	s := seriesOf(usage.ByRoute, points...)
	rows, charts := groupRows(s), groupCharts(s)
	if len(rows) != 3 || len(charts) != 3 || rows[0].Name != "GET /invoices" || rows[0].Calls != "30" || rows[0].Errors != "6" || rows[0].P95 != "2.0 ms" || rows[2].Name != "none" || charts[0].Title != "GET /invoices" {
		t.Errorf("%+v\n%+v", rows, charts)
	}
}

func TestErrorsAreCounted(t *testing.T) {
	for want, s := range map[string]usage.Sums{"no errors": {}, "1 error": {Errors: 1}, "1 error, 1 of them rate-limited": {Errors: 1, RateLimited: 1}, "3 errors": {Errors: 3}, "3 errors, 2 of them rate-limited": {Errors: 3, RateLimited: 2}} {
		if got := errorsOf(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSharesOfDeliveries(t *testing.T) {
	if shares(0, 0, 0) != nil {
		t.Error("nothing has a picture")
	}
	c := shares(6, 0, 2)
	if len(c.Bars) != 2 || c.Bars[0].Width != "750.0" || c.Bars[1].X != "750.0" || c.Bars[1].Tone != "bad" || c.Words != "Of all 8: 6 delivered, 0 retrying, 2 failed." {
		t.Errorf("%+v", c)
	}
}

func TestNumbersAreGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567", -100: "-100", -1000: "-1\u202f000"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestSunsetsAreTold(t *testing.T) {
	pin := "2025-10-01"
	in := developerOf(app.App{PinnedAPIVersion: &pin})
	for _, c := range []struct {
		now         time.Time
		tone, words string
	}{
		{noon, "", "2025-10-01 ends in 199 days, on 1 Jun 2027."},
		{time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC), "warn", "ends in 61 days"},
		{time.Date(2027, 5, 31, 0, 0, 0, 0, time.UTC), "bad", "ends in 1 day,"},
		{time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC), "bad", "has ended, on 1 Jun 2027."},
	} {
		in.now = c.now
		v := in.versionsView([]usage.Use{{Version: pin, Route: "GET /invoices", Calls: 2}, {Version: usage.Other, Route: "GET /customers", Calls: 1}})
		if len(v.Warnings) != 1 || v.Warnings[0].Tone != c.tone || !strings.Contains(v.Warnings[0].Words, c.words) || !strings.Contains(v.Warnings[0].Advice, "2 calls of the last 30 days") || !strings.Contains(v.Warnings[0].Advice, "pinned") {
			t.Errorf("%v: %+v", c.now, v.Warnings)
		}
		if last := v.Versions[len(v.Versions)-1]; last.Name != usage.Other || last.Calls != "1 call" || last.State != nil {
			t.Errorf("last is %+v", last)
		}
	}
}

func TestTheLogIsAskedForWhatItCouldHold(t *testing.T) {
	for word, want := range map[string]int{"": 0, "x": 0, "99": 0, "600": 0, "429": 429} {
		if got := knownAnswer(word); got != want {
			t.Errorf("%q: %d", word, got)
		}
	}
	for word, want := range map[string]bool{"/invoices/{id}": true, "\xff": false, "a\x00": false, strings.Repeat("x", longestFilter+1): false} {
		if searchable(word) != want {
			t.Errorf("%.20q", word)
		}
	}
}

func TestTheLastOwnerStays(t *testing.T) {
	member := func(id string, role organization.Role) organization.Colleague {
		return organization.Colleague{Member: organization.Member{UserID: id, Role: role}}
	}
	in := inOrganization{self: organization.Membership{Organization: organization.Organization{ID: "org_1"}, Role: organization.Owner}}
	in.who.user.ID = "usr_1"
	members := []organization.Colleague{member("usr_1", organization.Owner), member("usr_2", organization.Viewer)}
	if v, _ := in.colleagueView(members, "usr_1"); !v.Last || !v.You || v.Then != "/developer/apps" {
		t.Errorf("%+v", v)
	}
	if v, _ := in.colleagueView(members, "usr_2"); v.Last || v.You || v.Then != "/developer/organization?organization=org_1&done=removed" {
		t.Errorf("%+v", v)
	}
	if _, found := in.colleagueView(members, "usr_3"); found {
		t.Error("found nobody")
	}
	in.self.Role = organization.Viewer
	v, _ := in.colleagueView(members, "usr_2")
	if page := written(consoleColleaguePage, frame{}, v).Body.String(); strings.Contains(page, "<button class=") {
		t.Error("a viewer is offered a change")
	}
}

func TestEveryEventCanBeHadHappen(t *testing.T) {
	n := 0
	for _, g := range triggers() {
		n += len(g.Events)
	}
	if n != 45 {
		t.Errorf("%d events", n)
	}
}
