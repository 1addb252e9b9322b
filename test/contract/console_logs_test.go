package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/platform/reqlog"
	"daybook/test/harness"
)

// TestRequestLog proves what the console says of the calls that an app made (CONS-06).
func TestRequestLog(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("calls", func(t *testing.T) { loggedCalls(t, n) })
		t.Run("refusals", func(t *testing.T) { loggedRefusals(t, n) })
		t.Run("filters", func(t *testing.T) { logFilters(t, n) })
		t.Run("people", func(t *testing.T) { peopleOfLogs(t, n) })
		t.Run("ended tokens", func(t *testing.T) { loggedEndedTokens(t, n) })
		t.Run("secrets", func(t *testing.T) { noSecretsInLogs(t, n) })
		t.Run("retention", func(t *testing.T) { logRetention(t, n) })
		t.Run("stop", func(t *testing.T) { logAtStop(t, n) })
	})
}

func (n *apiNode) logs(app string) string { return "/developer/apps/" + n.ids[app] + "/logs" }

// logged waits for a call to be in the log, which takes less than a second, and gives its entry.
func (n *apiNode) logged(t *testing.T, c caller, app string, a harness.Answer) object {
	t.Helper()
	answered := time.Now()
	path := n.logs(app) + "?requestId=" + requestID(t, a)
	for {
		late := time.Since(answered)
		if list := rowsOf(c.get(t, path)); len(list) == 1 {
			return list[0]
		}
		if late > time.Second {
			t.Fatalf("%d %s is not in the log after %v", a.Status, a.Body, late)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func loggedCalls(t *testing.T, n *apiNode) {
	dan, app := n.console(t, "dan"), n.by(t, fullApp, "olivia", "shop")
	customer := n.customer(t, app)
	a := app.do(t, "GET", "/customers/"+customer+"?", nil)
	said(t, a, http.StatusOK)
	e := n.logged(t, dan, "full", a)
	if at := moment(t, e["at"]); at.After(n.time(t)) || at.Before(n.time(t).Add(-time.Minute)) {
		t.Errorf("it came at %v", at)
	}
	if ms, ok := e["ms"].(float64); !ok || ms < 0 || ms > 10_000 {
		t.Errorf("it took %v", e["ms"])
	}
	delete(e, "at")
	delete(e, "ms")
	want := object{
		"requestId": a.Header.Get("Request-Id"), "method": "GET", "route": "/customers/{id}", "status": 200.0, "code": nil, "version": "2026-06-01",
		"businessId": n.ids["shop"], "userId": n.ids["olivia"],
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%v, want %v", e, want)
	}
	old := app.and("Daybook-Version", "2025-10-01").do(t, "GET", "/customers", nil)
	if e := n.logged(t, dan, "full", old); e["version"] != "2025-10-01" || e["route"] != "/customers" {
		t.Errorf("%v", e)
	}
}

func loggedRefusals(t *testing.T, n *apiNode) {
	dan, app, narrow := n.console(t, "dan"), n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "shop", "profile:read")
	keyed := app.and("Idempotency-Key", "logged-refusal")
	const none = "/customers/cus_01jd6v3q9x4m8r2t7w5y0z1a2b"
	for _, c := range []struct {
		name   string
		answer harness.Answer
		status float64
		method string
		route  any
		code   any
	}{
		{"a scope that is missing", narrow.do(t, "GET", "/customers", nil), 403, "GET", "/customers", "INSUFFICIENT_SCOPE"},
		{"a record that is not there", app.do(t, "GET", none, nil), 404, "GET", "/customers/{id}", "NOT_FOUND"},
		{"a body of the wrong shape", app.do(t, "POST", "/customers", object{"displayName": 1}), 400, "POST", "/customers", nil},
		{"a version that is not there", app.and("Daybook-Version", "1999-01-01").do(t, "GET", "/customers", nil), 400, "GET", "/customers", "UNSUPPORTED_API_VERSION"},
		{"a route for our own pages", app.do(t, "GET", "/members", nil), 403, "GET", "/members", "ENDPOINT_NOT_EXPOSED"},
		{"no route", app.do(t, "DELETE", "/nowhere/at_all", nil), 403, "DELETE", nil, "ENDPOINT_NOT_EXPOSED"},
		{"a route of the console", app.do(t, "GET", n.logs("full"), nil), 403, "GET", nil, "ENDPOINT_NOT_EXPOSED"},
		{"a refusal under a key", keyed.do(t, "PATCH", none, object{"displayName": "B"}), 404, "PATCH", "/customers/{id}", "NOT_FOUND"},
		{"and again", keyed.do(t, "PATCH", none, object{"displayName": "B"}), 404, "PATCH", "/customers/{id}", "NOT_FOUND"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := n.logged(t, dan, "full", c.answer)
			if e["status"] != c.status || float64(c.answer.Status) != c.status || e["method"] != c.method || e["route"] != c.route || e["code"] != c.code {
				t.Errorf("%v of %d %s", e, c.answer.Status, c.answer.Body)
			}
		})
	}
}

func logFilters(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	app, elsewhere := n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "store")
	begun := n.time(t)
	var last harness.Answer
	for range 3 {
		app.do(t, "GET", "/suppliers", nil)
		elsewhere.do(t, "GET", "/suppliers", nil)
		app.do(t, "GET", "/suppliers?limit=0", nil)
		last = app.do(t, "GET", "/suppliers/sup_none", nil)
	}
	n.logged(t, dan, "full", last)
	since := "from=" + url.QueryEscape(begun.Format(time.RFC3339Nano))
	list := func(filter string) (all []string) {
		t.Helper()
		for _, e := range dan.listed(t, n.logs("full")+"?"+since+"&"+filter) {
			all = append(all, fmt.Sprint(e["route"], " ", e["status"], " ", e["businessId"] == n.ids["shop"]))
		}
		return all
	}
	whole := list("route=" + url.QueryEscape("/suppliers"))
	if !slices.Equal(whole, []string{"/suppliers 400 true", "/suppliers 200 false", "/suppliers 200 true", "/suppliers 400 true", "/suppliers 200 false", "/suppliers 200 true",
		"/suppliers 400 true", "/suppliers 200 false", "/suppliers 200 true"}) {
		t.Errorf("%v", whole)
	}
	for filter, want := range map[string]int{
		"status=404": 3, "code=NOT_FOUND": 3, "status=404&code=NOT_FOUND": 3, "status=200&code=NOT_FOUND": 0, "businessId=" + n.ids["store"]: 3,
		"businessId=" + n.ids["store"] + "&status=400": 0, "businessId=" + n.ids["shop"] + "&status=400&route=%2Fsuppliers": 3, "route=%2Fsuppliers%2F%7Bid%7D": 3,
	} {
		if got := list(filter); len(got) != want {
			t.Errorf("%s: %v, want %d", filter, got, want)
		}
	}
	page := dan.get(t, n.logs("full")+"?limit=2&status=200")
	if len(rowsOf(page)) != 2 || page["hasMore"] != true {
		t.Fatalf("%v", page)
	}
	next := "cursor=" + page["nextCursor"].(string)
	refused(t, dan.do(t, "GET", n.logs("full")+"?limit=2&status=404&"+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
	refused(t, dan.do(t, "GET", n.logs("twin")+"?limit=2&status=200&"+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
	refused(t, dan.do(t, "GET", n.logs("full")+"?cursor=abc", nil), http.StatusBadRequest, "INVALID_CURSOR")
	offends(t, dan.do(t, "GET", n.logs("full")+"?status=two&limit=101&requestId=x&businessId=y&from=z&code=&other=1", nil),
		"status", "limit", "requestId", "businessId", "from", "code", "other")
	offends(t, dan.do(t, "GET", n.logs("full")+"?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", nil), "to")
	if got := rowsOf(dan.get(t, n.logs("twin"))); len(got) != 0 {
		t.Errorf("an app that never called: %v", got)
	}
}

func peopleOfLogs(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "shop")
	a := app.do(t, "GET", "/me", nil)
	n.logged(t, n.console(t, "dan"), "full", a)
	for _, member := range []string{"sam", "vera"} {
		n.logged(t, n.console(t, member), "full", a)
	}
	for _, stranger := range []string{"rosa", "olivia"} {
		c := n.console(t, stranger)
		refused(t, c.do(t, "GET", n.logs("full"), nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, c.do(t, "GET", n.logs("full")+"?cursor=abc", nil), http.StatusNotFound, "NOT_FOUND")
	}
	refused(t, n.console(t, "dan").do(t, "GET", n.logs("other"), nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, n.nobody().do(t, "GET", n.logs("full"), nil), http.StatusUnauthorized, "SIGN_IN_REQUIRED")
}

// A token that no longer counts has an app all the same, whose developers want to know why it is refused.
func loggedEndedTokens(t *testing.T, n *apiNode) {
	dan, app := n.console(t, "dan"), n.by(t, fullApp, "olivia", "store")
	said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
	calls := func() any {
		day := n.time(t).Format("2006-01-02")
		return dan.get(t, "/developer/apps/"+n.ids["full"]+"/analytics?from="+day+"T00:00:00Z&businessId="+n.ids["store"])["totals"].(object)["calls"]
	}
	n.Advance(t, "10s")
	before := calls()
	browser := n.oauthNode.in(t, "olivia", n.ids["store"])
	n.revokeAccess(t, browser, fullApp)
	a := app.do(t, "GET", "/customers", nil)
	refused(t, a, http.StatusUnauthorized, "INVALID_TOKEN")
	e := n.logged(t, dan, "full", a)
	if e["status"] != 401.0 || e["code"] != "INVALID_TOKEN" || e["version"] != nil || e["route"] != "/customers" || e["businessId"] != n.ids["store"] || e["userId"] != n.ids["olivia"] {
		t.Errorf("%v", e)
	}
	n.Advance(t, "10s")
	if after := calls(); after != before {
		t.Errorf("analytics counts a dead token: %v, then %v", before, after)
	}
}

// noSecretsInLogs looks for every secret that was around in everything that is kept.
func noSecretsInLogs(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	tokens := n.issue(t, fullApp, "olivia", n.ids["shop"])
	app := n.with(tokens.AccessToken)
	hook := n.hook(t, dan, "full", newPostbox(t).URL+"/hook?key=receiver-key", "invoice.paid")
	fresh, _ := hook.rotate(t)
	made := said(t, dan.do(t, "POST", "/developer/apps/"+n.ids["full"]+"/secrets", nil), http.StatusCreated)
	app.do(t, "GET", "/customers?"+url.Values{"access_token": {tokens.AccessToken}, "code": {"ac_in-the-query"}}.Encode(), nil)
	app.do(t, "GET", "/customers/"+tokens.AccessToken, nil)
	app.and("Idempotency-Key", "idempotency-key-value").do(t, "POST", "/customers", object{"displayName": "Private Person", "email": "private@person.test"})
	signIn(t, n.Node, plain(t), "dan@acme.test", "a-wrong-password")
	n.Advance(t, "61s")
	kept := n.dump(t, "request_blocks") + n.calls(t, "full", reqlog.Filter{}) + n.dump(t, "audit_log")
	for _, secret := range []string{
		tokens.AccessToken, tokens.RefreshToken, hook.secret, fresh, made["secret"].(string), "cs_full", "dan-builds-apps", "a-wrong-password", "ac_in-the-query",
		"receiver-key", "idempotency-key-value", "Private Person", "private@person.test",
	} {
		if secret == "" || strings.Contains(kept, secret) {
			t.Errorf("%q is kept", secret)
		}
		if secret != "Private Person" && secret != tokens.AccessToken && strings.Contains(n.Log(), secret) { // the access log shows paths, whatever callers put there
			t.Errorf("%q is in the process's log", secret)
		}
	}
	for _, word := range []string{"whsec_", "cs_", "at_", "rt_", "ds_", "argon2"} {
		if strings.Contains(kept, `"`+word) || strings.Contains(kept, " "+word) {
			t.Errorf("something that begins with %s is kept", word)
		}
	}
	if !strings.Contains(kept, "webhook.secret_rotated") || !strings.Contains(kept, "/customers/{id}") || !strings.Contains(kept, "user.sign_in_failed") {
		t.Error("the dump does not hold what was done")
	}
}

// dump is every row of a table as text, word by word.
func (n *apiNode) dump(t *testing.T, table string) string {
	t.Helper()
	columns := map[string]int{"request_blocks": 6, "audit_log": 13}[table]
	ctx := context.Background()
	var all strings.Builder
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) error {
		_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
			words := make([]anyValue, columns)
			into := make([]any, columns)
			for i := range words {
				into[i] = &words[i]
			}
			err := scan(into...)
			fmt.Fprintln(&all, words)
			return struct{}{}, err
		}, `SELECT * FROM `+table)
		return err
	}))
	return all.String()
}

// anyValue is a column of whatever type; bytes are shown as they are.
type anyValue struct{ any }

// Scan implements sql.Scanner.
func (v *anyValue) Scan(src any) error {
	if bytes, is := src.([]byte); is {
		src = string(bytes)
	}
	v.any = src
	return nil
}

// calls is every entry that the log of an app has, as text, word by word; a node need not run for that.
func (n *apiNode) calls(t *testing.T, app string, f reqlog.Filter) string {
	t.Helper()
	log := &reqlog.Log{DB: n.store(t), Clock: clock.System{}}
	var all strings.Builder
	for at := ""; ; {
		page, err := log.List(context.Background(), n.ids[app], n.ids["dan"], f, at, reqlog.MaxPage)
		must(t, err)
		for _, e := range page.Entries {
			fmt.Fprintln(&all, e)
		}
		if page.Next == nil {
			return all.String()
		}
		at = *page.Next
	}
}

func logRetention(t *testing.T, n *apiNode) {
	a := n.by(t, fullApp, "olivia", "shop").do(t, "GET", "/me", nil)
	n.logged(t, n.console(t, "dan"), "full", a)
	path := n.logs("full") + "?requestId=" + a.Header.Get("Request-Id")
	n.Advance(t, "167h")
	if got := rowsOf(n.console(t, "dan").get(t, path)); len(got) != 1 {
		t.Error("it went before 7 days were over")
	}
	n.Advance(t, "61m")
	if got := rowsOf(n.console(t, "dan").get(t, path)); len(got) != 0 {
		t.Errorf("it is shown after 7 days: %v", got)
	}
	n.Advance(t, "25h") // PostgreSQL drops whole days
	if ends := n.stored(t, `SELECT COALESCE(min(first_id), '') FROM request_blocks`); ends != "" && ends <= a.Header.Get("Request-Id") {
		t.Error("it is still there")
	}
}

// What waits when a node is told to stop is written.
func logAtStop(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "shop")
	var last harness.Answer
	for range 20 {
		last = app.do(t, "GET", "/me", nil)
	}
	if status := n.Stop(); status != 0 {
		t.Fatalf("exit status %d\n%s", status, n.Log())
	}
	if id := last.Header.Get("Request-Id"); !strings.Contains(n.calls(t, "full", reqlog.Filter{RequestID: id}), id) {
		t.Error("the last call before the end is not in the log")
	}
}
