package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

func init() { sights = append(sights, consoleMoreSights...) }

// consoleMoreSights are the pages about where an app runs and how it does, and those of the organization around it.
var consoleMoreSights = []sight{
	{"console not installed", "Installations · Night Books", 200, withApp("/installations")},
	{"console no analytics", "Analytics · Night Books", 200, withApp("/analytics")},
	{"console no requests", "Requests · Night Books", 200, withApp("/requests")},
	{"console no versions", "Versions · Night Books", 200, withApp("/versions")},
	{"console installations", "Installations · Pocket Till", 200, ofTill("/installations")},
	{"console installation", "Acme Lab · Pocket Till", 200, func(w *window) int {
		ofTill("/installations")(w)
		return w.follow("Acme Lab")
	}},
	{"console analytics", "Analytics · Pocket Till", 200, func(w *window) int {
		ofTill("/analytics")(w)
		d, r := newDeveloper(w, "dan"), newReceiver(w.t)
		hook := d.webhook(tillPath(w), r.url, "invoice.created", "invoice.paid")
		for range 3 {
			d.test(hook, "invoice.paid")
		}
		w.node.Advance(w.t, "1s")
		r.answers(http.StatusServiceUnavailable, hostileAnswer)
		d.test(hook, "invoice.created")
		w.node.Advance(w.t, "1s")
		return w.visit(tillPath(w) + "/analytics?period=day")
	}},
	{"console analytics by route", "Analytics · Pocket Till", 200, ofTill("/analytics?period=week&group=route")},
	{"console requests", "Requests · Pocket Till", 200, ofTill("/requests")},
	{"console requests like none", "Requests · Pocket Till", 200, ofTill("/requests?status=418&route=%3Cb%3E")},
	{"console versions", "Versions · Pocket Till", 200, ofTill("/versions")},
	{"console organization", "Organization", 200, asDan("/developer/organization")},
	{"console organization member", "Dan Okafor", 200, func(w *window) int {
		return asDan("/developer/organization/members/" + w.node.User(w.t, "dan").ID)(w)
	}},
	{"console sandboxes", "Sandbox businesses", 200, asDan("/developer/sandbox-businesses")},
	{"console sandboxes without an organization", "Sandbox businesses", 200, func(w *window) int {
		w.begin("sam")
		return w.visit("/developer/sandbox-businesses")
	}},
	{"console new sandbox", "Create a sandbox", 200, asDan("/developer/sandbox-businesses/new")},
	{"console sandbox", "Acme Lab", 200, func(w *window) int {
		w.node = startNode(w.t)
		path := "/developer/sandbox-businesses/" + w.node.User(w.t, "dan").Businesses[0].ID
		newDeveloper(w, "dan").do("POST", path+"/trigger", map[string]any{"type": "invoice.paid"})
		return asDan(path)(w)
	}},
}

// ofTill opens a page of an app that has been at work.
func ofTill(below string) func(w *window) int {
	return func(w *window) int {
		w.node = startNode(w.t) // whose clock moves on
		w.begin("dan")
		atWork(w, 0)
		return w.visit(tillPath(w) + below)
	}
}

// tillPath is the page of the app that devices of the demo world are connected by.
func tillPath(w *window) string {
	w.t.Helper()
	for _, a := range w.node.Apps {
		if a.ClientID == "cli_demotill" {
			return "/developer/apps/" + a.AppID
		}
	}
	w.t.Fatal("there is no till")
	return ""
}

// atWork connects a device in the name of whoever is signed in, and has it call, be refused, refresh, and burn its tokens, and
// makes so many calls more. It gives the id of the call that was refused.
func atWork(w *window, more int) (refused string) {
	w.t.Helper()
	till := newDevice(w)
	w.toDevice(till)
	w.click("Allow")
	grant := func(form url.Values) harness.Answer {
		form.Set("client_id", "cli_demotill")
		return harness.PostForm(w.t, http.DefaultClient, w.node.BaseURL+"/oauth/token", form)
	}
	first := grant(url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {till.code}}).JSON(w.t)
	call := func(path, version string) harness.Answer {
		header := http.Header{"Authorization": {"Bearer " + first["access_token"].(string)}, "Daybook-Version": {version}}
		return harness.Send(w.t, http.DefaultClient, "GET", w.node.BaseURL+path, header, "")
	}
	for range 3 + more {
		call("/invoices", "2026-06-01")
	}
	call("/customers", "2026-06-01")
	call("/payments", "2025-10-01")
	refused = call("/invoices?limit=0", "2025-10-01").Header.Get("Request-Id")
	refresh := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {first["refresh_token"].(string)}}
	if a := grant(refresh); a.Status != http.StatusOK {
		w.t.Fatalf("refreshing: %d %s", a.Status, a.Body)
	}
	w.node.Advance(w.t, "5m")
	if a := grant(refresh); a.Status != http.StatusBadRequest {
		w.t.Fatalf("refreshing with a token that was used: %d %s", a.Status, a.Body)
	}
	w.node.Advance(w.t, "5m")
	return refused
}

func TestConsoleOfAnAppAtWork(t *testing.T) {
	w := open(t)
	w.begin("dan")
	refused := atWork(w, 50)
	till := tillPath(w)
	seen := watch(w)
	w.visit(till)
	t.Run("where it is installed, and how its tokens ended", func(t *testing.T) {
		w := w.in(t)
		w.follow("Installations")
		w.wantWords("Acme Lab", "sandbox", "active")
		w.follow("Acme Lab")
		w.wantWords("See invoices", "Issued", "Refreshed", "Burnt: a refresh token came twice", "burnt")
		if page := w.text("main"); strings.Contains(page, "at_") || strings.Contains(page, "rt_") {
			t.Errorf("a token is shown:\n%s", page)
		}
		w.visit(till + "/installations?status=UNINSTALLED")
		w.wantWords("None like that")
	})
	t.Run("how much it calls", func(t *testing.T) {
		w := w.in(t)
		w.follow("Analytics")
		w.wantWords("56\ncalls", "3\nerrors", "0\nrate-limited", "The busiest day was")
		w.follow("24 hours")
		w.wantWords("Calls by hour", "Time to answer by hour")
		w.follow("each route")
		w.wantWords("GET /invoices", "GET /customers", "54 calls from")
		w.follow("each status")
		w.wantWords("200", "400", "403")
		w.follow("each version")
		w.wantWords("2025-10-01", "2026-06-01")
		if words := eval[string](w, `document.querySelector("svg[role=img]").getAttribute("aria-label")`); !strings.Contains(words, " calls from ") {
			t.Errorf("the picture says %q", words)
		}
		w.visit(till + "/analytics?business=" + w.node.User(t, "olivia").Businesses[0].ID)
		w.wantWords("No calls in this time", "Show those of all businesses")
	})
	t.Run("each of its requests", func(t *testing.T) {
		w := w.in(t)
		w.follow("Requests")
		w.wantWords("GET /payments", refused, "2025-10-01", "refused: INSUFFICIENT_SCOPE")
		w.follow("Next page")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 6 || eval[bool](w, `!!document.querySelector("[rel=next]")`) {
			t.Errorf("%d requests on the second page", n)
		}
		w.follow("Back to the first")
		if status := w.visit(till + "/requests?cursor=nonsense"); status != http.StatusBadRequest {
			t.Errorf("a cursor of nobody: %d", status)
		}
		w.visit(till + "/requests")
		w.fill("id", refused)
		w.click("Show")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 1 {
			t.Errorf("%d requests have that id", n)
		}
		w.wantWords("400")
		w.visit(till + "/requests?route=/customers")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 1 {
			t.Errorf("%d requests of that route", n)
		}
		w.visit(till + "/requests?from=2020-01-01T00:00&to=2020-01-02T00:00")
		w.wantWords("None like that")
		w.visit(till + "/requests?from=2020-01-01T00:00&route=/customers")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 1 {
			t.Errorf("%d requests since then", n)
		}
		for _, odd := range []string{"?from=yesterday&to=%3Cb%3E", "?status=418", "?id=%00%ff", "?code=%3Cscript%3E&status=200"} {
			if status := w.visit(till + "/requests" + odd); status != http.StatusOK {
				t.Errorf("%s: %d", odd, status)
			}
		}
	})
	t.Run("which versions it speaks", func(t *testing.T) {
		w := w.in(t)
		w.follow("Versions")
		w.wantWords("2025-10-01 ends in", "2 calls of the last 30 days used it", "GET /payments", "deprecated", "current")
	})
	seen.complaints(w)
	seen.requests(w)
}

func TestConsoleOrganization(t *testing.T) {
	w := open(t)
	w.begin("dan")
	seen := watch(w)
	w.visit("/developer")
	w.follow("Organization")
	w.wantWords("Acme Apps", "Dan Okafor (you)", "Owner")
	t.Run("the last owner stays", func(t *testing.T) {
		w := w.in(t)
		w.follow("Dan Okafor (you)")
		w.wantWords("An organization needs an owner")
		w.follow("Organization")
	})
	t.Run("takes somebody in", func(t *testing.T) {
		w := w.in(t)
		w.fill("email", "nobody@example.test")
		w.tap("Add member")
		w.await("what is wrong", `document.querySelector("[name=email]").ariaInvalid == "true"`)
		w.wantFocus("email")
		w.fill("email", w.node.User(t, "sam").Email)
		w.choose("role", "VIEWER")
		w.click("Add member")
		w.wantWords("They belong to the organization now", "Sam Petrov", "Viewer")
	})
	t.Run("who looks on changes nothing", func(t *testing.T) {
		w := w.in(t).another()
		w.begin("sam")
		w.visit("/developer/organization")
		w.wantWords("Owners of the organization may change")
		w.visit("/developer/sandbox-businesses")
		w.follow("Acme Lab")
		w.wantWords("Owners and developers of the organization may change it.")
		if status := w.visit("/developer/sandbox-businesses/new"); status != http.StatusForbidden {
			t.Errorf("a viewer creates a sandbox: %d", status)
		}
	})
	t.Run("gives a role and takes it away", func(t *testing.T) {
		w := w.in(t)
		w.follow("Sam Petrov")
		w.choose("role", "DEVELOPER")
		w.click("Save role")
		w.wantWords("The role is changed.", "Developer")
		w.follow("Sam Petrov")
		w.tap("Remove from the organization…")
		w.click("Remove member")
		w.wantWords("They no longer belong")
		if strings.Contains(w.text("main"), "Sam Petrov") {
			t.Error("they are still there")
		}
	})
	t.Run("another name", func(t *testing.T) {
		w := w.in(t)
		w.fill("name", "Acme <i>Apps</i>")
		w.click("Save name")
		w.wantWords("Your changes are saved.", "Acme <i>Apps</i>")
	})
	seen.complaints(w)
	seen.requests(w)
}

func TestConsoleSandboxes(t *testing.T) {
	w := open(t)
	w.begin("dan")
	seen := watch(w)
	w.visit("/developer")
	w.follow("Sandboxes")
	w.wantWords("Acme Lab", "1 of at most 10")
	t.Run("creates one", func(t *testing.T) {
		w := w.in(t)
		w.follow("Create a sandbox")
		w.fill("name", "Tea <b>House</b>")
		w.fill("currency", "ZZZ")
		w.tap("Create sandbox")
		w.await("what is wrong", `document.querySelector("[name=currency]").ariaInvalid == "true"`)
		w.fill("country", "GB")
		w.fill("currency", "GBP")
		w.click("Create sandbox")
		w.wantWords("The sandbox is made", "Tea <b>House</b>", "GBP", "Dan Okafor")
	})
	t.Run("has events happen in it", func(t *testing.T) {
		w := w.in(t)
		if n := eval[int](w, `document.querySelectorAll("[name=type] option").length`); n != 45 {
			t.Errorf("%d events to choose from", n)
		}
		w.click("Have it happen")
		w.wantWords("invoice.paid happened.", "invoice.created", "payment.received")
		w.choose("type", "app.installed")
		w.tap("Have it happen")
		w.await("what is missing", `document.querySelector("[name=clientId]").ariaInvalid == "true"`)
		w.choose("clientId", "cli_demotill")
		w.click("Have it happen")
		w.wantWords("app.installed happened.")
	})
	t.Run("adds a test user", func(t *testing.T) {
		w := w.in(t)
		w.tap("Add a test user")
		w.fill("email", "tess@tea.test")
		w.tap("Add member")
		w.await("the password", `document.querySelector("#password").textContent.length > 8 && !document.querySelector("#joined").hidden`)
		w.follow("Show all members")
		w.wantWords("tess@tea.test", "test user", "Staff")
		w.click("Remove tess")
		w.wantWords("They no longer belong to the sandbox.")
		if strings.Contains(w.text("#members"), "tess@tea.test") {
			t.Error("they are still there")
		}
	})
	t.Run("its apps see what happened", func(t *testing.T) {
		w := w.in(t).another()
		w.begin("dan")
		w.visit(tillPath(w) + "/events")
		w.wantWords("Lately", "app.installed", "Tea <b>House</b>", "The catalog")
		w.tap("app.installed")
		w.wantWords("evt_", `"installationId"`)
		w.visit(tillPath(w) + "/events?business=biz_x")
		w.wantWords("Not installed anywhere yet")
	})
	t.Run("tries a ceiling", func(t *testing.T) {
		w := w.in(t)
		w.tap("Rename it, or try the ceilings of plans")
		w.fill("name", "Tea House")
		w.fill("usage.invoices", "7")
		w.click("Save changes")
		w.wantWords("Your changes are saved.", "7 of")
	})
	t.Run("resets it", func(t *testing.T) {
		w := w.in(t)
		w.tap("Reset its books…")
		w.click("Reset books")
		w.wantWords("The books are back at their beginning.")
	})
	t.Run("deletes it", func(t *testing.T) {
		w := w.in(t)
		w.tap("Delete this sandbox…")
		w.click("Delete sandbox")
		w.wantWords("The sandbox is deleted.", "1 of at most 10")
	})
	seen.complaints(w)
	seen.requests(w)
}

// CONS-06: to others there is nothing of it.
func TestConsoleIsNotForOthers(t *testing.T) {
	w := open(t)
	dan := w.node.User(t, "dan")
	organization := "?organization=" + *dan.OrganizationID
	pages := []string{"/developer/organization" + organization, "/developer/organization/members/" + dan.ID + organization, "/developer/sandbox-businesses" + organization, "/developer/sandbox-businesses/" + dan.Businesses[0].ID}
	for _, below := range []string{"/installations", "/installations/ins_x", "/analytics", "/requests", "/versions"} {
		pages = append(pages, tillPath(w)+below)
	}
	w.begin("olivia")
	for _, page := range pages {
		if status := w.visit(page); status != http.StatusNotFound {
			t.Errorf("%s: %d", page, status)
		}
	}
	w.forget()
	w.begin("dan")
	for _, page := range []string{tillPath(w) + "/installations/ins_x", "/developer/sandbox-businesses/biz_x", "/developer/organization/members/usr_x", "/developer/organization?organization=org_x"} {
		if status := w.visit(page); status != http.StatusNotFound {
			t.Errorf("%s: %d", page, status)
		}
	}
}
