package contract_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/test/harness"
)

const sandboxes = "/developer/sandbox-businesses"

// TestSandboxBusinesses proves what the console says of an organization's sandboxes (CONS-06, INVO-02, CALL-05).
func TestSandboxBusinesses(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		dan := n.console(t, "dan")
		for user, role := range map[string]string{"sam": "DEVELOPER", "vera": "VIEWER"} {
			dan.make(t, "/developer/organization/members", object{"email": n.User(t, user).Email, "role": role})
		}
		t.Run("life", func(t *testing.T) { sandboxLife(t, n) })
		t.Run("roles", func(t *testing.T) { sandboxRoles(t, n) })
		t.Run("refusals", func(t *testing.T) { sandboxRefusals(t, n) })
		t.Run("ceilings", func(t *testing.T) { sandboxCeilings(t, n) })
		t.Run("members", func(t *testing.T) { sandboxMembers(t, n) })
		t.Run("reset", func(t *testing.T) { sandboxReset(t, n) })
		t.Run("deletion", func(t *testing.T) { sandboxDeletion(t, n) })
		t.Run("ten at most", func(t *testing.T) { sandboxLimit(t, n) })
	})
}

// lab makes an empty sandbox and gives its path.
func (n *apiNode) lab(t *testing.T, c caller) (path, id string) {
	t.Helper()
	made := c.make(t, sandboxes, object{"name": "Lab", "country": "NL", "currency": "EUR", "seed": "EMPTY"})
	return sandboxes + "/" + n.id(made), n.id(made)
}

// shownSandbox proves that an answer shows a sandbox.
func shownSandbox(t *testing.T, a harness.Answer, status int, version float64) object {
	t.Helper()
	o := tagged(t, a, status, version)
	want := strings.Fields("id organizationId name country currency timeZone seed status plan usage version createdAt updatedAt")
	if got := slices.Sorted(maps.Keys(o)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("members %q", got)
	}
	used := strings.Fields("invoices invoiceLimit turnover turnoverLimit periodStart periodEnd")
	if got := slices.Sorted(maps.Keys(o["usage"].(object))); !slices.Equal(got, slices.Sorted(slices.Values(used))) {
		t.Errorf("usage %q", got)
	}
	return o
}

func sandboxLife(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	made := shownSandbox(t, dan.do(t, "POST", sandboxes, object{"name": " Demo bakery ", "country": "NL", "currency": "EUR", "seed": "DEMO"}), http.StatusCreated, 1)
	one := sandboxes + "/" + n.id(made)
	if made["name"] != "Demo bakery" || made["timeZone"] != "Europe/Amsterdam" || made["seed"] != "DEMO" || made["status"] != "READY" || made["plan"] != "SANDBOX" ||
		made["usage"].(object)["invoices"].(float64) < 50 || made["usage"].(object)["invoiceLimit"] != 10000.0 {
		t.Errorf("made %v", made)
	}
	if shown := shownSandbox(t, dan.do(t, "GET", one, nil), http.StatusOK, 1); !same(shown, made) {
		t.Errorf("made %v, shown %v", made, shown)
	}
	page := dan.get(t, sandboxes)
	if len(page) != 3 || page["hasMore"] != false || page["nextCursor"] != nil || !slices.ContainsFunc(page["data"].([]any), func(o any) bool { return same(o, made) }) {
		t.Errorf("%v", page)
	}
	changed := shownSandbox(t, dan.and("If-Match", `"1"`).do(t, "PATCH", one, object{"name": "Bakery"}), http.StatusOK, 2)
	if changed["name"] != "Bakery" {
		t.Errorf("%v", changed)
	}
	refused(t, dan.and("If-Match", `"1"`).do(t, "PATCH", one, object{"name": "Late"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
	refused(t, dan.and("If-Match", `"1"`).do(t, "DELETE", one, nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
	app := n.with(n.issue(t, fullApp, "dan", n.id(made)).AccessToken)
	if b := app.get(t, "/business"); b["sandbox"] != true || b["name"] != "Bakery" {
		t.Errorf("%v", b)
	}
	app.balanced(t)
	gone(t, dan.and("If-Match", `"2"`).do(t, "DELETE", one, nil))
	refused(t, dan.do(t, "GET", one, nil), http.StatusNotFound, "NOT_FOUND")
}

// balanced proves that the trial balance is zero.
func (c caller) balanced(t *testing.T) {
	t.Helper()
	if r := c.get(t, "/reports/trial-balance"); r["debitTotal"] != r["creditTotal"] || r["debitTotal"] == 0.0 {
		t.Errorf("debits %v, credits %v", r["debitTotal"], r["creditTotal"])
	}
}

// sandboxCall is a route with a body that would do.
type sandboxCall struct {
	method, path string
	body         any
	looks        bool
}

func sandboxCalls(one string) []sandboxCall {
	return []sandboxCall{
		{"GET", one, nil, true},
		{"GET", one + "/members", nil, true},
		{"PATCH", one, object{"name": "Other"}, false},
		{"POST", one + "/trigger", object{"type": "customer.created"}, false},
		{"POST", one + "/members", object{"email": "a@b.test", "role": "STAFF"}, false},
		{"POST", one + "/reset", nil, false},
		{"DELETE", one, nil, false},
	}
}

func sandboxRoles(t *testing.T, n *apiNode) {
	dan, sam, vera, olivia := n.console(t, "dan"), n.console(t, "sam"), n.console(t, "vera"), n.console(t, "olivia")
	one, _ := n.lab(t, dan)
	calls := sandboxCalls(one)
	t.Run("CONS-06 a viewer looks, and changes nothing", func(t *testing.T) {
		before := dan.do(t, "GET", one, nil).Body
		for _, call := range append(calls, sandboxCall{"POST", sandboxes, object{"name": "Lab", "country": "NL", "currency": "EUR"}, false}, sandboxCall{"GET", sandboxes, nil, true}) {
			a := vera.do(t, call.method, call.path, call.body)
			if !call.looks {
				refused(t, a, http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
			} else if mine := dan.do(t, call.method, call.path, nil); a.Status != http.StatusOK || a.Body != mine.Body {
				t.Errorf("%s: %d %s", call.path, a.Status, a.Body)
			}
		}
		refused(t, vera.do(t, "POST", one+"/trigger", object{"type": 5}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		if after := dan.do(t, "GET", one, nil).Body; after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	})
	t.Run("CONS-06 to strangers there is nothing, nor are real businesses sandboxes", func(t *testing.T) {
		for _, call := range calls {
			refused(t, olivia.do(t, call.method, call.path, call.body), http.StatusNotFound, "NOT_FOUND")
			standard(t, n.nobody().do(t, call.method, call.path, call.body), http.StatusUnauthorized)
		}
		for _, call := range append(sandboxCalls(sandboxes+"/"+n.ids["shop"]), sandboxCalls(sandboxes+"/biz_"+nowhere)...) {
			refused(t, dan.do(t, call.method, call.path, call.body), http.StatusNotFound, "NOT_FOUND")
		}
		refused(t, olivia.do(t, "GET", sandboxes, nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CONS-06 a developer does everything, also in what others made", func(t *testing.T) {
		for _, call := range calls {
			if a := sam.do(t, call.method, call.path, call.body); a.Status >= 300 {
				t.Errorf("%s %s: %d %s", call.method, call.path, a.Status, a.Body)
			}
		}
	})
}

func sandboxRefusals(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	one, _ := n.lab(t, dan)
	for name, c := range map[string]struct {
		method, path string
		body         any
		named        string
	}{
		"nothing at all":             {"POST", sandboxes, object{}, "name country currency"},
		"nothing that is right":      {"POST", sandboxes, object{"name": "", "country": "nl", "currency": "X", "seed": "FULL"}, "name country currency seed"},
		"a stranger":                 {"POST", sandboxes, object{"name": "L", "country": "NL", "currency": "EUR", "plan": "FREE"}, "plan"},
		"a plan that is not offered": {"PATCH", one, object{"plan": "GOLD", "usage": object{"invoices": -1, "turnover": "x"}}, "plan usage.invoices usage.turnover"},
		"what does not change":       {"PATCH", one, object{"currency": "USD", "seed": "DEMO"}, "currency seed"},
		"a role and an address":      {"POST", one + "/members", object{"email": "x", "role": "BOSS"}, "email role"},
		"a short password":           {"POST", one + "/members", object{"email": "x@y.test", "role": "STAFF", "password": "short"}, "password"},
		"no type":                    {"POST", one + "/trigger", object{}, "type"},
		"overrides of another":       {"POST", one + "/trigger", object{"type": "customer.created", "overrides": object{"invoiceId": "inv_1", "amount": 5}}, "overrides.invoiceId overrides.amount"},
		"an app of no matter":        {"POST", one + "/trigger", object{"type": "invoice.paid", "clientId": fullApp}, "clientId"},
		"an override that is none":   {"POST", one + "/trigger", object{"type": "invoice.paid", "overrides": object{"color": "red"}}, "overrides.color"},
		"an amount of nothing":       {"POST", one + "/trigger", object{"type": "invoice.paid", "overrides": object{"amount": 0}}, "overrides.amount"},
	} {
		t.Run("SERR-02 "+name, func(t *testing.T) { offends(t, dan.do(t, c.method, c.path, c.body), strings.Fields(c.named)...) })
	}
	trigger := func(body object) harness.Answer { return dan.do(t, "POST", one+"/trigger", body) }
	refused(t, trigger(object{"type": "invoice.eaten"}), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE")
	refused(t, trigger(object{"type": "invoice.paid", "overrides": object{"invoiceId": "inv_" + nowhere}}), http.StatusNotFound, "NOT_FOUND")
	refused(t, trigger(object{"type": "invoice.created", "overrides": object{"customerId": "cus_" + nowhere}}), http.StatusBadRequest, "REFERENCE_NOT_FOUND")
	refused(t, trigger(object{"type": "customer.archived", "overrides": object{"customerId": "cus_" + nowhere}}), http.StatusNotFound, "NOT_FOUND")
	refused(t, trigger(object{"type": "app.uninstalled", "clientId": "cli_nobody"}), http.StatusNotFound, "NOT_FOUND")
	refused(t, trigger(object{"type": "app.uninstalled"}), http.StatusConflict, "APP_NOT_INSTALLED")
	refused(t, trigger(object{"type": "app.uninstalled", "clientId": fullApp}), http.StatusConflict, "APP_NOT_INSTALLED")
	refused(t, trigger(object{"type": "business.redact"}), http.StatusConflict, "APP_NOT_INSTALLED")
	refused(t, trigger(object{"type": "app.installed"}), http.StatusBadRequest, "APP_REQUIRED") // which of several?
	refused(t, trigger(object{"type": "app.installed", "clientId": fullApp, "overrides": object{"scopes": []string{"moon:read"}}}), http.StatusBadRequest, "SCOPES_NOT_REGISTERED")
	said(t, trigger(object{"type": "app.installed", "clientId": fullApp}), http.StatusOK)
	refused(t, trigger(object{"type": "app.installed", "overrides": object{"appId": n.ids["full"]}}), http.StatusConflict, "APP_ALREADY_INSTALLED")
	refused(t, trigger(object{"type": "app.scopes_updated"}), http.StatusConflict, "NO_SCOPE_LEFT")
	refused(t, trigger(object{"type": "app_data.updated"}), http.StatusConflict, "NO_APP_DATA_FIELD")
	draft := said(t, trigger(object{"type": "invoice.created"}), http.StatusOK)["record"].(object)["id"]
	refused(t, trigger(object{"type": "invoice.voided", "overrides": object{"invoiceId": draft}}), http.StatusConflict, "INVALID_STATE")
	gone(t, dan.do(t, "DELETE", one, nil))
}

func sandboxCeilings(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	one, id := n.lab(t, dan)
	app := n.with(n.issue(t, fullApp, "dan", id).AccessToken)
	customer := n.id(app.make(t, "/customers", object{"displayName": "Ada"}))
	invoice := func() harness.Answer {
		return app.do(t, "POST", "/invoices", object{"customerId": customer, "lines": []object{line("1")}, "issue": true})
	}
	use := func(plan string, usage object) object {
		return said(t, dan.do(t, "PATCH", one, object{"plan": plan, "usage": usage}), http.StatusOK)
	}
	if shown := use("FREE", object{"invoices": 499}); shown["plan"] != "FREE" || shown["usage"].(object)["invoices"] != 499.0 || shown["usage"].(object)["invoiceLimit"] != 500.0 {
		t.Errorf("%v", shown)
	}
	said(t, invoice(), http.StatusCreated)
	refused(t, invoice(), http.StatusForbidden, "PLAN_INVOICE_LIMIT_REACHED")
	use("STARTER", object{})
	said(t, invoice(), http.StatusCreated)
	use("FREE", object{"invoices": 0, "turnover": 5_000_000})
	refused(t, invoice(), http.StatusForbidden, "PLAN_TURNOVER_LIMIT_REACHED")
	use("FREE", object{"turnover": 0})
	said(t, invoice(), http.StatusCreated)
	if len(app.listed(t, "/invoices")) != 3 {
		t.Error("INVO-02 documents were made up")
	}
	gone(t, dan.do(t, "DELETE", one, nil))
}

func sandboxMembers(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	one, id := n.lab(t, dan)
	made := dan.make(t, one+"/members", object{"email": "vic@lab.test", "role": "VIEWER", "displayName": "Vic"})
	password, _ := made["password"].(string)
	if made["test"] != true || made["role"] != "VIEWER" || len(password) < 16 {
		t.Errorf("%v", made)
	}
	refused(t, dan.do(t, "POST", one+"/members", object{"email": "vic@lab.test", "role": "STAFF"}), http.StatusConflict, "ALREADY_MEMBER")
	t.Run("CONS-06 accounts of others are neither touched nor told of", func(t *testing.T) {
		known := dan.do(t, "POST", one+"/members", object{"email": n.User(t, "olivia").Email, "role": "OWNER"})
		unknown := dan.do(t, "POST", one+"/members", object{"email": "nobody@real.com", "role": "OWNER"})
		offends(t, known, "email")
		if known.Body != unknown.Body {
			t.Errorf("%s\n%s", known.Body, unknown.Body)
		}
	})
	colleague := dan.make(t, one+"/members", object{"email": n.User(t, "sam").Email, "role": "STAFF"})
	if colleague["test"] != false || colleague["password"] != nil {
		t.Errorf("%v", colleague)
	}
	t.Run("one goes, the last owner stays", func(t *testing.T) {
		path := one + "/members/" + colleague["userId"].(string)
		gone(t, dan.do(t, "DELETE", path, nil))
		refused(t, dan.do(t, "DELETE", path, nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, dan.do(t, "DELETE", one+"/members/"+n.ids["dan"], nil), http.StatusConflict, "LAST_OWNER")
		dan.make(t, one+"/members", object{"email": n.User(t, "sam").Email, "role": "STAFF"})
	})
	if list := rowsOf(dan.get(t, one+"/members")); len(list) != 3 || list[0]["email"] != n.User(t, "dan").Email {
		t.Errorf("%v", list)
	}
	t.Run("CALL-05 a test user tries what a role may not do", func(t *testing.T) {
		browser := harness.Browser(t)
		n.SignIn(t, browser, harness.User{Email: "vic@lab.test", Password: password})
		vic := caller{n.BaseURL, browser, http.Header{}}
		if b := vic.get(t, "/business"); b["id"] != id {
			t.Fatalf("%v", b)
		}
		refused(t, vic.do(t, "POST", "/customers", object{"displayName": "Ada"}), http.StatusForbidden, "PERMISSION_DENIED")
		gone(t, dan.do(t, "DELETE", one, nil))
		standard(t, vic.do(t, "GET", "/business", nil), http.StatusUnauthorized) // went with the sandbox
	})
}

// ledgerOf is everything that is booked in a business, and what was told of it.
func (n *apiNode) ledgerOf(t *testing.T, c caller, business string) string {
	t.Helper()
	parts := []string{c.do(t, "GET", "/reports/trial-balance", nil).Body, c.do(t, "GET", "/journal-entries?limit=100", nil).Body, c.do(t, "GET", "/invoices?limit=100", nil).Body}
	for _, e := range n.told(t, business) {
		parts = append(parts, e.id)
	}
	return strings.Join(parts, "\n")
}

func sandboxReset(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	one, id := n.lab(t, dan)
	app := n.with(n.issue(t, fullApp, "dan", id).AccessToken)
	canary := n.clerk(t, n.by(t, fullApp, "olivia", "shop"))
	canary.invoice(t, nil, line("100"))
	before := n.ledgerOf(t, canary.caller, n.ids["shop"])
	accounts := len(app.listed(t, "/accounts"))
	k := n.clerk(t, app)
	due := n.id(k.invoice(t, nil, line("100")))
	k.receipt(t, 4000, nil, due)
	use := said(t, dan.do(t, "PATCH", one, object{"plan": "STARTER", "usage": object{"invoices": 7}}), http.StatusOK)
	events := rowsOf(app.get(t, "/events"))
	last := events[len(events)-1]["id"].(string)
	var wait sync.WaitGroup
	answers := make([]harness.Answer, 8)
	for i := range answers {
		wait.Go(func() { answers[i] = dan.do(t, "POST", one+"/reset", nil) })
	}
	wait.Wait()
	done := 0
	for _, a := range answers {
		if a.Status == http.StatusOK {
			done++
			continue
		}
		refused(t, a, http.StatusConflict, "SANDBOX_BUSY")
	}
	if done < 1 {
		t.Error("nobody reset it")
	}
	shown := dan.get(t, one)
	if shown["usage"].(object)["invoices"] != 0.0 || shown["plan"] != use["plan"] || shown["status"] != "READY" {
		t.Errorf("%v", shown)
	}
	refused(t, app.do(t, "GET", "/invoices/"+due, nil), http.StatusNotFound, "NOT_FOUND")
	if len(app.listed(t, "/invoices"))+len(app.listed(t, "/customers"))+len(app.listed(t, "/journal-entries")) != 0 || len(app.listed(t, "/accounts")) != accounts {
		t.Error("the books are not as they were at first")
	}
	t.Run("EVTS-01 events go on, and so does the installation", func(t *testing.T) {
		if got := rowsOf(app.get(t, "/events")); len(got) != len(events) || got[0]["id"] != events[0]["id"] {
			t.Errorf("%d events, were %d", len(got), len(events))
		}
		fresh := n.id(app.make(t, "/customers", object{"displayName": "New"}))
		got := rowsOf(app.get(t, "/events?after="+last))
		if len(got) != 1 || got[0]["type"] != "customer.created" || got[0]["data"].(object)["customerId"] != fresh {
			t.Errorf("%v", got)
		}
	})
	n.clerk(t, app).invoice(t, nil, line("5"))
	app.balanced(t)
	if n.ledgerOf(t, canary.caller, n.ids["shop"]) != before {
		t.Error("INVO-04 the books of others changed")
	}
	gone(t, dan.do(t, "DELETE", one, nil))
}

func sandboxDeletion(t *testing.T, n *apiNode) {
	dan, box := n.console(t, "dan"), newPostbox(t)
	one, id := n.lab(t, dan)
	h := n.hook(t, dan, "twin", box.URL, "app.uninstalled", "business.redact", "customer.created")
	set := n.issue(t, twinApp, "dan", id)
	app := n.with(set.AccessToken)
	canary := n.clerk(t, n.by(t, twinApp, "olivia", "store"))
	canary.invoice(t, nil, line("100"))
	before := n.ledgerOf(t, canary.caller, n.ids["store"])
	n.clerk(t, app).invoice(t, nil, line("100"))
	app.make(t, "/customers", object{"displayName": "Ada"})
	n.settle(t)
	var wait sync.WaitGroup
	answers := make([]harness.Answer, 8)
	for i := range answers {
		wait.Go(func() { answers[i] = dan.do(t, "DELETE", one, nil) })
	}
	wait.Wait()
	done := 0
	for _, a := range answers {
		if a.Status == http.StatusNoContent {
			done++
			continue
		}
		refused(t, a, http.StatusNotFound, "NOT_FOUND")
	}
	if done != 1 {
		t.Errorf("%d deleted it", done)
	}
	standard(t, app.do(t, "GET", "/invoices", nil), http.StatusUnauthorized)
	n.settle(t)
	var told []string
	for _, l := range box.letters(t, 2) {
		if strings.Contains(l.body, id) && !strings.Contains(l.body, "customer.created") {
			told = append(told, l.header.Get("X-Webhook-Event"))
			if strings.Contains(l.body, "business.redact") && !strings.Contains(l.body, `"reason":"BUSINESS_CLOSED"`) {
				t.Errorf("%s", l.body)
			}
		}
	}
	if slices.Sort(told); !slices.Equal(told, []string{"app.uninstalled", "business.redact"}) {
		t.Errorf("INST-01 the app was told %q", told)
	}
	for _, table := range strings.Fields("invoices parties accounts journal_entries journal_lines tax_rates books events event_counters installations sandboxes business_members app_data token_families") {
		if left := n.counted(t, `SELECT count(*) FROM `+table+` WHERE business_id = $1`, id); left != 0 {
			t.Errorf("%d rows of %s are left", left, table)
		}
	}
	if n.counted(t, `SELECT count(*) FROM businesses WHERE id = $1`, id) != 0 || n.counted(t, `SELECT count(*) FROM deliveries WHERE business_id = $1 AND type = 'customer.created'`, id) != 0 {
		t.Error("something is left")
	}
	if n.ledgerOf(t, canary.caller, n.ids["store"]) != before {
		t.Error("INVO-04 the books of others changed")
	}
	gone(t, dan.do(t, "DELETE", h.path, nil))
}

func sandboxLimit(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	there := len(rowsOf(dan.get(t, sandboxes)))
	var wait sync.WaitGroup
	answers := make([]harness.Answer, 32)
	for i := range answers {
		wait.Go(func() {
			answers[i] = dan.do(t, "POST", sandboxes, object{"name": "Lab", "country": "DE", "currency": "EUR"})
		})
	}
	wait.Wait()
	made := 0
	for _, a := range answers {
		if a.Status == http.StatusCreated {
			made++
			continue
		}
		refused(t, a, http.StatusBadRequest, "SANDBOX_LIMIT_REACHED")
	}
	if made != 10-there || len(rowsOf(dan.get(t, sandboxes))) != 10 {
		t.Errorf("%d made, and %d were there", made, there)
	}
}
