package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/test/harness"
)

func init() { sights = append(sights, operatorSights...) }

// operatorSights are the pages of those who look after the service.
var operatorSights = []sight{
	{"operator apps", "Apps · Operator", 200, asRosa("/operator")},
	{"operator no app like that", "Apps · Operator", 200, asRosa("/operator/apps?search=%3Cb%3Enobody&status=SUSPENDED")},
	{"operator app", "Ledger Sync · Operator", 200, func(w *window) int {
		return asRosa("/operator/apps/" + w.node.app(w.t, "Ledger Sync"))(w)
	}},
	{"operator suspended app", "Night Books · Operator", 200, func(w *window) int {
		w.node = startNode(w.t)
		app := strings.Replace(newDeveloper(w, "dan").app("Night Books", "invoices:read", "customers:read"), "developer", "operator", 1)
		newDeveloper(w, "rosa").do("POST", app+"/suspend", map[string]any{"reason": hostileReason})
		return asRosa(app)(w)
	}},
	{"operator people", "People · Operator", 200, func(w *window) int {
		w.node = startNode(w.t)
		newDeveloper(w, "rosa").do("POST", "/operator/users/"+w.node.User(w.t, "sam").ID+"/suspend", map[string]any{"reason": hostileReason})
		return asRosa("/operator/users?search=" + w.node.User(w.t, "olivia").Email)(w)
	}},
	{"operator nobody like that", "People · Operator", 200, asRosa("/operator/users?search=nobody%3Cb%3E@example.test&held=RESTRICTED")},
	{"operator person", "{h1} · Operator", 200, func(w *window) int {
		return asRosa("/operator/users/" + w.node.User(w.t, "olivia").ID)(w)
	}},
	{"operator person held", "{h1} · Operator", 200, func(w *window) int {
		w.node = startNode(w.t)
		sam, rosa := "/operator/users/"+w.node.User(w.t, "sam").ID, newDeveloper(w, "rosa")
		rosa.do("POST", sam+"/suspend", map[string]any{"reason": hostileReason})
		rosa.do("POST", sam+"/restrict", nil)
		return asRosa(sam)(w)
	}},
	{"operator themselves", "{h1} · Operator", 200, func(w *window) int {
		return asRosa("/operator/users/" + w.node.User(w.t, "rosa").ID)(w)
	}},
	{"operator health", "Health · Operator", 200, asRosa("/operator/health")},
	{"operator audit", "Audit log · Operator", 200, asRosa("/operator/audit")},
	{"operator audit like none", "Audit log · Operator", 200, asRosa("/operator/audit?who=%3Cb%3E&what=x&from=2026-01-01T00:00")},
	{"operator no such app", "Page not found", 404, asRosa("/operator/apps/app_x")},
	{"operator pages for somebody else", "Page not found", 404, asDan("/operator/apps")},
}

const hostileReason = `<script>document.title="owned"</script> sends "too" much & more`

func asRosa(path string) func(w *window) int {
	return func(w *window) int {
		w.begin("rosa")
		return w.visit(path)
	}
}

// token gives one of the reviewed app for the owner of the bakery.
func (n *node) token(t *testing.T) string {
	t.Helper()
	olivia := n.User(t, "olivia")
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", `{"clientId":"cli_demosync","userEmail":"`+olivia.Email+`","businessId":"`+olivia.Businesses[0].ID+`","scopes":["profile:read","invoices:read"]}`)
	token, _ := a.JSON(t)["access_token"].(string)
	return token
}

// calls proves what the app's next call is answered with.
func (n *node) calls(t *testing.T, token string, want int) {
	t.Helper()
	a := harness.Send(t, http.DefaultClient, http.MethodGet, n.BaseURL+"/invoices", http.Header{"Authorization": {"Bearer " + token}}, "")
	if a.Status != want {
		t.Errorf("the app's call: %d %s, want %d", a.Status, a.Body, want)
	}
}

// TestOperatorPages is an operator at work.
func TestOperatorPages(t *testing.T) {
	w := open(t)
	token := w.node.token(t)
	w.node.calls(t, token, http.StatusOK)
	w.begin("rosa")
	seen := watch(w)
	w.visit("/account")
	w.follow("Operator pages")
	w.wantPath("/operator/apps")
	t.Run("INST-03 suspends an app, whose calls are refused from then on", func(t *testing.T) {
		w := w.in(t)
		w.fill("search", "ledger")
		w.click("Show")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 1 {
			t.Errorf("%d apps are found", n)
		}
		w.follow("Ledger Sync")
		w.wantWords("Acme Apps", "cli_demosync", "active")
		w.tap("Suspend…")
		run(w, noValidation)
		w.tap("Suspend app")
		w.await("that a reason is missing", `document.querySelector("[name=reason]").ariaInvalid == "true"`)
		w.wantFocus("reason")
		w.node.calls(t, token, http.StatusOK)
		w.fill("reason", hostileReason)
		w.click("Suspend app")
		w.wantWords("The app is suspended", "suspended", hostileReason, "app.suspended", "Rosa")
		w.node.calls(t, token, http.StatusUnauthorized)
	})
	t.Run("and lifts it", func(t *testing.T) {
		w := w.in(t)
		w.click("Lift the suspension")
		w.wantWords("The suspension is lifted", "active", "app.unsuspended")
		w.node.calls(t, token, http.StatusOK)
	})
	t.Run("INST-04 restricts a person, suspends them, and lifts both", func(t *testing.T) {
		w := w.in(t)
		olivia := w.node.User(t, "olivia")
		w.follow("People")
		w.wantWords("Nobody")
		w.fill("search", olivia.Email)
		w.click("Find")
		w.followFirst("tbody th a")
		w.wantWords(olivia.Email, "Bakery Brandt", "active")
		w.tap("Restrict…")
		w.click("Restrict person")
		w.wantWords("Apps may no longer act", "restricted", "user.restricted")
		w.node.calls(t, token, http.StatusUnauthorized)
		w.tap("Suspend…")
		run(w, chromedp.Evaluate[chromedp.Void](`document.querySelector("#suspend textarea").value = "fraud"`))
		w.click("Suspend person")
		w.wantWords("signed out everywhere", "suspended", "restricted", "user.suspended", "fraud")
		other := w.another()
		if status := other.signInAs(olivia.Email, olivia.Password); status == http.StatusOK {
			t.Error("they sign in all the same")
		}
		w.visit("/operator/users")
		w.wantWords(olivia.Email)
		w.followFirst("tbody th a")
		w.click("Lift what is in force")
		w.wantWords("is lifted", "active", "user.lifted")
		w.node.calls(t, token, http.StatusOK)
	})
	t.Run("sees how the service does, live", func(t *testing.T) {
		w := w.in(t)
		w.follow("Health")
		w.wantWords("All is well.", "Queue of deliveries", "keeps up", "SQLite", "in process", "Retention", "7 days", "13 months", "Nodes that send")
		d, r := newDeveloper(w, "dan"), newReceiver(t)
		r.answers(http.StatusServiceUnavailable, "not now")
		d.test(d.webhook(d.app("Night Books", "invoices:read"), r.url, "invoice.paid"), "invoice.paid")
		w.wantText("#health", "1\nwait for a later attempt")
	})
	t.Run("and what was done, by whom and from where", func(t *testing.T) {
		w := w.in(t)
		w.follow("Audit log")
		w.wantWords("app.suspended", "user.lifted", "127.0.0.1", "req_", hostileReason[:10])
		w.fill("what", "app.suspended")
		w.fill("who", w.node.User(t, "rosa").Email)
		w.click("Show")
		if n := eval[int](w, `document.querySelectorAll("tbody tr").length`); n != 1 {
			t.Errorf("%d rows", n)
		}
		w.followFirst("tbody td a")
		w.wantWords("user.restricted")
		w.visit("/operator/audit?to=2020-01-01T00:00")
		w.wantWords("None like that")
		if status := w.visit("/operator/audit?cursor=nonsense"); status != http.StatusBadRequest {
			t.Errorf("a cursor of nobody: %d", status)
		}
	})
	if title := eval[string](w, `document.title`); title == "owned" {
		t.Error("a reason ran in the page")
	}
	t.Run("the session ends", func(t *testing.T) {
		w := w.in(t)
		w.visit("/operator/apps/" + w.node.app(t, "Ledger Sync"))
		w.forget()
		w.tap("Suspend…")
		w.fill("reason", "too late")
		w.tap("Suspend app")
		w.wantText("[role=alert]", "There is nothing at")
		w.follow("Load this page again")
		if got := w.path(); !strings.HasPrefix(got, "/sign-in?next=%2Foperator%2F") {
			t.Errorf("at %s", got)
		}
	})
	seen.requests(w)
}

// What strangers call themselves, their business and their app is text, on the pages of operators and in the console.
func TestOperatorPagesShowNamesAsText(t *testing.T) {
	w := open(t)
	loadHostile(t, w.node)
	w.node.hostileRecords(t)
	w.begin("rosa")
	seen := watch(w)
	plain := func(page string, words ...string) {
		t.Helper()
		if status := w.visit(page); status != http.StatusOK {
			t.Errorf("%s: %d", page, status)
		}
		w.wantWords(words...)
		if title := eval[string](w, `document.title`); title == "owned" || eval[bool](w, `!!document.querySelector("main script, main i, main u, main s")`) {
			t.Errorf("%s: a name became markup; the title is %q", page, title)
		}
	}
	plain("/operator/apps?search=cli_hostile", "<s>App</s>", "<u>Markup Ltd</u>")
	w.followFirst("tbody th a")
	app := strings.TrimPrefix(w.path(), "/operator/apps/")
	plain("/operator/apps/"+app, "<s>App</s>", "<u>Markup Ltd</u>", "<i>Mallory</i>")
	plain("/operator/users?search="+hostileEmail, "<i>Mallory</i>")
	w.followFirst("tbody th a")
	plain(w.path(), "<i>Mallory</i>", hostileName, "<u>Markup Ltd</u>")
	plain("/operator/audit?who="+hostileEmail, "<i>Mallory</i>", "user.signed_in")
	w.forget()
	w.signInAs(hostileEmail, hostilePassword)
	plain("/developer/apps/"+app+"/events", "customer.created", hostileName)
	plain("/developer/apps/"+app+"/installations", hostileName)
	seen.complaints(w)
	seen.requests(w)
}
