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

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// TestOperators proves what those who look after the service can do, and nobody else (INST-03, INST-04).
func TestOperators(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("nobody else", func(t *testing.T) { onlyOperators(t, n) })
		t.Run("apps", func(t *testing.T) { operatedApps(t, n) })
		t.Run("search", func(t *testing.T) { searchedApps(t, n) })
		t.Run("people", func(t *testing.T) { operatedPeople(t, n) })
		t.Run("health", func(t *testing.T) { operatorHealth(t, n) })
		t.Run("trail", func(t *testing.T) { auditOfEverything(t, n) })
		t.Run("audit list", func(t *testing.T) { auditList(t, n) })
		t.Run("append only", func(t *testing.T) { auditAppendOnly(t, n) })
		t.Run("retention", func(t *testing.T) { auditRetention(t, n) })
	})
}

// operatorCalls are all calls of operators, by method.
func (n *apiNode) operatorCalls() [][2]string {
	app, user := "/operator/apps/"+n.ids["full"], "/operator/users/"+n.ids["vera"]
	return [][2]string{
		{"GET", "/operator/apps"}, {"GET", app}, {"GET", user}, {"GET", "/operator/users?held=SUSPENDED"}, {"POST", app + "/suspend"}, {"POST", app + "/unsuspend"}, {"GET", "/operator/users?email=dan@acme.test"},
		{"POST", user + "/suspend"}, {"POST", user + "/unsuspend"}, {"POST", user + "/restrict"}, {"POST", user + "/unrestrict"}, {"POST", user + "/lift"},
		{"GET", "/operator/health"}, {"GET", "/operator/audit"}, {"GET", "/operator/queue"}, {"GET", "/operator/revisions/rev_" + nowhere}, {"POST", "/operator/revisions/rev_" + nowhere + "/claim"},
	}
}

func onlyOperators(t *testing.T, n *apiNode) {
	strangers := map[string]caller{"a developer": n.console(t, "sam"), "an owner of a business": n.console(t, "olivia"), "nobody": n.nobody()}
	before := n.dump(t, "audit_log") // signing in is kept, too
	for name, c := range strangers {
		for _, call := range n.operatorCalls() {
			var body any
			if call[0] == "POST" {
				body = object{"reason": "because"}
			}
			a := c.do(t, call[0], call[1], body)
			path, _, _ := strings.Cut(call[1], "?")
			r := refused(t, a, http.StatusNotFound, "NOT_FOUND")
			// In the words of a path where there is nothing.
			if want := "There is nothing at " + call[0] + " " + path + "."; !strings.HasPrefix(r.text, want) {
				t.Errorf("%s, %s: %s", name, call, a.Body)
			}
		}
	}
	t.Run("nor on the app host", func(t *testing.T) { onlyOperatorsSeePages(t, n) })
	app := n.by(t, fullApp, "olivia", "shop")
	refused(t, app.do(t, "GET", "/operator/apps", nil), http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
	said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
	if strings.Contains(strings.TrimPrefix(n.dump(t, "audit_log"), before), "suspended") {
		t.Error("something was done all the same")
	}
}

// onlyOperatorsSeePages walks through the pages of operators and the calls that their script makes.
func onlyOperatorsSeePages(t *testing.T, n *apiNode) {
	pages := []string{"/operator", "/operator/apps", "/operator/apps/" + n.ids["full"], "/operator/users?search=dan@acme.test", "/operator/users/" + n.ids["vera"], "/operator/health", "/operator/audit"}
	rosa := harness.Browser(t)
	n.SignIn(t, rosa, n.User(t, "rosa"))
	for _, name := range []string{"dan", "olivia", "nobody"} {
		client := harness.Browser(t)
		if name != "nobody" {
			n.SignIn(t, client, n.User(t, name))
		}
		for _, page := range pages {
			a := harness.Get(t, client, n.AuthURL+page)
			if name == "nobody" && a.Status == http.StatusSeeOther && strings.HasPrefix(a.Header.Get("Location"), "/sign-in?next=%2Foperator") {
				continue
			}
			if a.Status != http.StatusNotFound || strings.Contains(a.Body, "cli_") || strings.Contains(a.Body, "@") || strings.Contains(a.Body, "Audit log") {
				t.Errorf("%s at %s: %d %s", name, page, a.Status, a.Body)
			}
		}
		for _, call := range n.operatorCalls() {
			a := harness.Send(t, client, call[0], n.AuthURL+"/rest"+call[1], nil, "")
			refused(t, a, http.StatusNotFound, "NOT_FOUND")
		}
	}
	for _, page := range pages[1:] {
		if a := harness.Get(t, rosa, n.AuthURL+page); a.Status != http.StatusOK {
			t.Errorf("an operator at %s: %d", page, a.Status)
		}
	}
	// Another site's page does nothing in an operator's name.
	a := harness.Send(t, rosa, "POST", n.AuthURL+"/rest/operator/apps/"+n.ids["full"]+"/suspend", http.Header{"Origin": {"https://elsewhere.example"}, "Content-Type": {"application/json"}}, `{"reason":"x"}`)
	if a.Status != http.StatusForbidden {
		t.Errorf("from another site: %d %s", a.Status, a.Body)
	}
}

func operatedApps(t *testing.T, n *apiNode) {
	rosa, app := n.console(t, "rosa"), n.by(t, fullApp, "olivia", "shop")
	one := "/operator/apps/" + n.ids["full"]
	said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
	for _, body := range []any{nil, object{}, object{"reason": " "}, object{"reason": strings.Repeat("x", 501)}} {
		offends(t, rosa.do(t, "POST", one+"/suspend", body), "reason")
	}
	offends(t, rosa.do(t, "POST", one+"/suspend", object{"reason": 1, "other": 2}), "reason", "other")
	offends(t, rosa.do(t, "POST", one+"/unsuspend", object{"reason": "x"}), "reason")
	refused(t, rosa.do(t, "POST", "/operator/apps/app_none/suspend", object{"reason": "x"}), http.StatusNotFound, "NOT_FOUND")
	t.Run("INST-03 suspended at once, and lifted", func(t *testing.T) {
		a := rosa.do(t, "POST", one+"/suspend", object{"reason": " sends too much "})
		is := said(t, a, http.StatusOK)
		if is["status"] != "SUSPENDED" || is["suspensionReason"] != "sends too much" || is["suspendedAt"] == nil || is["appId"] != n.ids["full"] || is["clientId"] != fullApp {
			t.Errorf("%v", is)
		}
		ended := app.do(t, "GET", "/me", nil)
		refused(t, ended, http.StatusUnauthorized, "INVALID_TOKEN")
		n.logged(t, n.console(t, "dan"), "full", ended)
		refused(t, n.console(t, "dan").do(t, "POST", "/developer/apps/"+n.ids["full"]+"/reactivate", nil), http.StatusConflict, "APP_SUSPENDED")
		is = rosa.act(t, one+"/unsuspend", nil)
		if is["status"] != "ACTIVE" || is["suspensionReason"] != nil || is["suspendedAt"] != nil {
			t.Errorf("%v", is)
		}
		said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
		n.kept(t, rosa, a, "app.suspended", object{"userId": n.ids["rosa"], "objectType": "app", "objectId": n.ids["full"], "organizationId": n.ids["acme"], "details": object{"reason": "sends too much"}})
	})
}

// kept proves that what a call did is in the audit log once, under the call's request id, and with those members.
func (n *apiNode) kept(t *testing.T, operator caller, a harness.Answer, action string, members object) {
	t.Helper()
	var found []object
	for _, row := range operator.listed(t, "/operator/audit?action="+action) {
		if row["requestId"] == a.Header.Get("Request-Id") {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		t.Errorf("%s after %d %s: %v", action, a.Status, a.Body, found)
		return
	}
	if found[0]["ip"] != "127.0.0.1" || found[0]["actor"] != "USER" || !strings.HasPrefix(fmt.Sprint(found[0]["userAgent"]), "Go-http-client") {
		t.Errorf("%v", found[0])
	}
	for name, want := range members {
		if !reflect.DeepEqual(found[0][name], want) {
			t.Errorf("%s: %s is %v, want %v", action, name, found[0][name], want)
		}
	}
}

func searchedApps(t *testing.T, n *apiNode) {
	rosa := n.console(t, "rosa")
	names := func(query string) (all []string) {
		t.Helper()
		for _, one := range rosa.listed(t, "/operator/apps"+query) {
			all = append(all, one["clientId"].(string))
		}
		slices.Sort(all)
		return all
	}
	everyone := names("")
	for _, known := range n.Apps { // those of the demo world, and ours
		if !slices.Contains(everyone, known.ClientID) {
			t.Errorf("%s is missing in %v", known.ClientID, everyone)
		}
	}
	for query, want := range map[string][]string{
		"?search=FUL": {"cli_full"}, "?search=cli_twin": {"cli_twin"}, "?search=" + n.ids["other"]: {"cli_other"}, "?search=%25": nil, "?search=_": nil,
		"?search=nobody+has+this": nil, "?status=SUSPENDED": nil, "?search=twin&status=ACTIVE": {"cli_twin"},
	} {
		if got := names(query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	page := rosa.get(t, "/operator/apps?limit=2")
	if len(rowsOf(page)) != 2 || page["hasMore"] != true {
		t.Errorf("%v", page)
	}
	refused(t, rosa.do(t, "GET", "/operator/apps?status=ACTIVE&cursor="+page["nextCursor"].(string), nil), http.StatusBadRequest, "INVALID_CURSOR")
	offends(t, rosa.do(t, "GET", "/operator/apps?status=active&limit=0", nil), "status", "limit")
	offends(t, rosa.do(t, "GET", "/operator/apps?q=x", nil), "q")
}

func operatedPeople(t *testing.T, n *apiNode) {
	rosa := n.console(t, "rosa")
	offends(t, rosa.do(t, "GET", "/operator/users", nil), "email")
	if got := rowsOf(rosa.get(t, "/operator/users?email=nobody@example.test")); len(got) != 0 {
		t.Errorf("%v", got)
	}
	found := rowsOf(rosa.get(t, "/operator/users?email="+url.QueryEscape("OLIVIA@brandt.test")))
	if len(found) != 1 || found[0]["id"] != n.ids["olivia"] || found[0]["status"] != "ACTIVE" || found[0]["restrictedAt"] != nil || found[0]["operator"] != false {
		t.Fatalf("%v", found)
	}
	one := "/operator/users/" + n.ids["olivia"]
	if is := rosa.get(t, one); is["email"] != "olivia@brandt.test" {
		t.Errorf("%v", is)
	}
	offends(t, rosa.do(t, "GET", "/operator/users?held=x&email=a", nil), "held")
	refused(t, rosa.do(t, "GET", "/operator/users/usr_none", nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, rosa.do(t, "GET", "/operator/apps/app_none", nil), http.StatusNotFound, "NOT_FOUND")
	held := func(by string) (ids []any) {
		t.Helper()
		for _, u := range rosa.listed(t, "/operator/users?held="+by) {
			ids = append(ids, u["id"])
		}
		return ids
	}
	offends(t, rosa.do(t, "POST", one+"/suspend", nil), "reason")
	refused(t, rosa.do(t, "POST", "/operator/users/usr_none/lift", nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, rosa.do(t, "POST", "/operator/users/"+n.ids["rosa"]+"/suspend", object{"reason": "x"}), http.StatusConflict, "OWN_ACCOUNT")
	app, browser := n.by(t, fullApp, "olivia", "shop"), n.session(t, "olivia", "shop")
	t.Run("INST-04 suspended, then lifted", func(t *testing.T) {
		a := rosa.do(t, "POST", one+"/suspend", object{"reason": "fraud"})
		if is := said(t, a, http.StatusOK); is["status"] != "SUSPENDED" || is["suspendedAt"] == nil {
			t.Errorf("%v", is)
		}
		refused(t, app.do(t, "GET", "/me", nil), http.StatusUnauthorized, "INVALID_TOKEN")
		refused(t, browser.do(t, "GET", "/me", nil), http.StatusUnauthorized, "SIGN_IN_REQUIRED")
		n.kept(t, rosa, a, "user.suspended", object{"userId": n.ids["rosa"], "objectType": "user", "objectId": n.ids["olivia"], "details": object{"reason": "fraud"}})
		if is := rosa.act(t, one+"/unsuspend", object{"reason": "a mistake"}); is["status"] != "ACTIVE" {
			t.Errorf("%v", is)
		}
		said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
	})
	t.Run("INST-04 restricted, then lifted", func(t *testing.T) {
		a := rosa.do(t, "POST", one+"/restrict", nil)
		if is := said(t, a, http.StatusOK); is["status"] != "ACTIVE" || is["restrictedAt"] == nil {
			t.Errorf("%v", is)
		}
		refused(t, app.do(t, "GET", "/me", nil), http.StatusUnauthorized, "INVALID_TOKEN")
		n.kept(t, rosa, a, "user.restricted", object{"userId": n.ids["rosa"], "objectId": n.ids["olivia"], "details": object{}})
		if is := rosa.act(t, one+"/unrestrict", nil); is["restrictedAt"] != nil {
			t.Errorf("%v", is)
		}
		said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
	})
	t.Run("INST-04 both, and one word lifts both", func(t *testing.T) {
		rosa.act(t, one+"/restrict", nil)
		rosa.act(t, one+"/suspend", object{"reason": "fraud"})
		if s, r := held("SUSPENDED"), held("RESTRICTED"); len(s) != 1 || s[0] != n.ids["olivia"] || len(r) != 1 || r[0] != n.ids["olivia"] {
			t.Errorf("suspended %v, restricted %v", s, r)
		}
		a := rosa.do(t, "POST", one+"/lift", object{})
		if s, r := held("SUSPENDED"), held("RESTRICTED"); len(s)+len(r) != 0 {
			t.Errorf("suspended %v, restricted %v", s, r)
		}
		if is := said(t, a, http.StatusOK); is["status"] != "ACTIVE" || is["restrictedAt"] != nil {
			t.Errorf("%v", is)
		}
		said(t, app.do(t, "GET", "/me", nil), http.StatusOK)
		n.kept(t, rosa, a, "user.lifted", object{"objectId": n.ids["olivia"]})
	})
}

func operatorHealth(t *testing.T, n *apiNode) {
	rosa := n.console(t, "rosa")
	box := newPostbox(t)
	release := box.holds(http.StatusOK)
	defer release()
	hook := n.hook(t, n.console(t, "dan"), "full", box.URL, "customer.created")
	n.customer(t, n.by(t, fullApp, "olivia", "shop"))
	box.letters(t, 1)
	h := rosa.get(t, "/operator/health")
	queue := h["queue"].(object)
	nodes := objects(queue["nodes"])
	if len(nodes) != 1 || nodes[0]["inHand"] != 1.0 || nodes[0]["startedAt"] == nil || !strings.HasPrefix(n.id(nodes[0]), "nod_") || queue["waiting"] != 0.0 || queue["due"] != 0.0 || queue["oldestDue"] != nil {
		t.Errorf("%v", queue)
	}
	store := h["store"].(object)
	want := map[bool]string{true: "PostgreSQL", false: "SQLite"}[db.IsPostgres(n.options.Database)]
	if bytes, _ := store["bytes"].(float64); store["kind"] != want || bytes < 100_000 || h["limits"] != "in process" || h["requestLog"].(object)["lost"] != 0.0 {
		t.Errorf("%v", h)
	}
	ran := map[string]bool{}
	for _, job := range objects(h["jobs"]) {
		ran[job["name"].(string)] = job["lastRunAt"] != nil && job["failed"] == false && job["everySeconds"].(float64) > 0
	}
	for _, name := range []string{"request log clean-up", "audit log clean-up", "delivery clean-up", "event clean-up", "session clean-up"} {
		if !ran[name] {
			t.Errorf("%s: %v", name, h["jobs"])
		}
	}
	release()
	gone(t, hook.c.do(t, "DELETE", hook.path, nil))
	offends(t, rosa.do(t, "GET", "/operator/health?x=1", nil), "x")
}

// auditOfEverything does what is to be kept, and proves that it is, each with its call.
func auditOfEverything(t *testing.T, n *apiNode) {
	rosa, dan := n.console(t, "rosa"), n.console(t, "dan")
	acme, rival := object{"userId": n.ids["dan"], "organizationId": n.ids["acme"]}, n.ids["olivia"]
	and := func(members object, more object) object {
		all := object{}
		for _, m := range []object{members, more} {
			for name, value := range m {
				all[name] = value
			}
		}
		return all
	}
	// done proves the answer and what is kept of it.
	done := func(t *testing.T, a harness.Answer, action string, members object) object {
		t.Helper()
		if a.Status >= 300 {
			t.Fatalf("%s: %d %s", action, a.Status, a.Body)
		}
		n.kept(t, rosa, a, action, members)
		if a.Body == "" {
			return nil
		}
		return a.JSON(t)
	}
	made := done(t, dan.do(t, "POST", "/developer/apps", object{
		"name": "Audited", "clientType": "CONFIDENTIAL", "redirectUris": []string{"https://a.example/cb"}, "scopes": []string{"profile:read"},
	}), "app.created", acme)
	appID := made["appId"].(string)
	app, ofApp := "/developer/apps/"+appID, and(acme, object{"objectType": "app", "objectId": appID})
	t.Run("the console's", func(t *testing.T) {
		done(t, dan.do(t, "PATCH", app, object{"name": "Audited twice", "description": "text"}), "app.changed", and(ofApp, object{"details": object{"changes": []any{"name", "description"}}}))
		done(t, dan.do(t, "PUT", app+"/scopes", object{"scopes": []string{"invoices:read"}}), "app.scopes_changed",
			and(ofApp, object{"details": object{"added": []any{"invoices:read"}, "removed": []any{"profile:read"}}}))
		done(t, dan.do(t, "PUT", app+"/redirect-uris", object{"redirectUris": []string{"https://a.example/cb", "https://a.example/cb2"}}), "app.redirect_uris_changed",
			and(ofApp, object{"details": object{"redirectUris": 2.0}}))
		secret := done(t, dan.do(t, "POST", app+"/secrets", nil), "app.secret_added", ofApp)
		done(t, dan.do(t, "DELETE", app+"/secrets/"+secret["id"].(string), nil), "app.secret_deleted", and(ofApp, object{"details": object{"secretId": secret["id"]}}))
		done(t, dan.do(t, "POST", app+"/deactivate", nil), "app.deactivated", ofApp)
		done(t, dan.do(t, "POST", app+"/reactivate", nil), "app.reactivated", ofApp)
		box := newPostbox(t)
		box.says(http.StatusInternalServerError)
		hook := done(t, dan.do(t, "POST", app+"/webhooks", object{"url": box.URL, "events": []string{"invoice.paid"}}), "webhook.created", acme)
		one, ofHook := app+"/webhooks/"+n.id(hook), and(acme, object{"objectType": "webhook", "objectId": hook["id"]})
		done(t, dan.do(t, "PATCH", one, object{"description": "text", "url": box.URL + "/x"}), "webhook.changed", and(ofHook, object{"details": object{"appId": appID, "changes": []any{"description", "url"}}}))
		done(t, dan.do(t, "POST", one+"/rotate-secret", nil), "webhook.secret_rotated", ofHook)
		test := said(t, dan.do(t, "POST", one+"/test", nil), http.StatusCreated)
		n.Advance(t, "10h") // all six attempts fail
		rosa, dan = n.console(t, "rosa"), n.console(t, "dan")
		done(t, dan.do(t, "POST", one+"/deliveries/"+n.id(test)+"/redeliver", nil), "webhook.redelivered", and(ofHook, object{"details": object{"appId": appID, "deliveryId": test["id"]}}))
		done(t, dan.do(t, "DELETE", one, nil), "webhook.deleted", ofHook)
		members, person := "/developer/organization/members", and(acme, object{"objectType": "user", "objectId": n.ids["olivia"]})
		done(t, dan.do(t, "POST", members, object{"email": "olivia@brandt.test", "role": "VIEWER"}), "organization.member_added", and(person, object{"details": object{"role": "VIEWER"}}))
		done(t, dan.do(t, "PATCH", members+"/"+rival, object{"role": "DEVELOPER"}), "organization.role_changed", and(person, object{"details": object{"role": "DEVELOPER"}}))
		done(t, dan.do(t, "DELETE", members+"/"+rival, nil), "organization.member_removed", person)
	})
	t.Run("a business's", func(t *testing.T) {
		olivia := n.session(t, "olivia", "shop")
		shop := object{"userId": n.ids["olivia"], "businessId": n.ids["shop"]}
		vera := and(shop, object{"objectType": "user", "objectId": n.ids["vera"]})
		done(t, olivia.do(t, "POST", "/members", object{"email": "vera@brandt.test", "role": "STAFF"}), "business.member_added", and(vera, object{"details": object{"role": "STAFF"}}))
		done(t, olivia.do(t, "PATCH", "/members/"+n.ids["vera"], object{"role": "ADMIN"}), "business.role_changed", and(vera, object{"details": object{"role": "ADMIN"}}))
		done(t, olivia.do(t, "DELETE", "/members/"+n.ids["vera"], nil), "business.member_removed", vera)
		done(t, olivia.do(t, "PUT", "/books/lock", object{"lockDate": "2026-01-31"}), "books.lock_date_changed", and(shop, object{
			"objectType": "business", "objectId": n.ids["shop"], "details": object{"lockDate": "2026-01-31", "previousLockDate": nil},
		}))
		n.by(t, twinApp, "olivia", "shop")
		if rows := rowsOf(rosa.get(t, "/operator/audit?action=app.connected&businessId="+n.ids["shop"]+"&limit=1")); len(rows) != 1 || rows[0]["userId"] != n.ids["olivia"] || rows[0]["details"].(object)["appId"] != n.ids["twin"] {
			t.Errorf("%v", rows)
		}
		id, _ := n.installation(t, olivia.http, twinApp)
		connection := and(shop, object{"objectType": "installation", "objectId": id, "details": object{"appId": n.ids["twin"]}})
		done(t, olivia.do(t, "POST", "/installations/"+id+"/revoke-access", nil), "app.access_revoked", connection)
		done(t, olivia.do(t, "DELETE", "/installations/"+id, nil), "app.uninstalled", connection)
	})
	t.Run("a person's", func(t *testing.T) {
		browser := harness.Browser(t)
		in := signIn(t, n.Node, browser, "vera@brandt.test", "vera-looks-on")
		if in.Status != http.StatusSeeOther {
			t.Fatalf("%d", in.Status)
		}
		vera := object{"userId": n.ids["vera"], "objectType": "user", "objectId": n.ids["vera"]}
		n.kept(t, rosa, in, "user.signed_in", vera)
		changed := harness.PostForm(t, browser, n.AuthURL+"/account/password", url.Values{"password": {"vera-looks-on"}, "newPassword": {"vera-looks-off"}})
		if changed.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", changed.Status, changed.Body)
		}
		n.kept(t, rosa, changed, "user.password_changed", vera)
		for range 3 {
			signIn(t, n.Node, plain(t), "vera@brandt.test", "wrong")
		}
		signIn(t, n.Node, plain(t), "nobody@brandt.test", "wrong")
		n.Advance(t, "61s")
		rows := rowsOf(rosa.get(t, "/operator/audit?action=user.sign_in_failed&objectId="+n.ids["vera"]))
		if len(rows) != 1 || rows[0]["actor"] != "SYSTEM" || rows[0]["userId"] != nil || rows[0]["ip"] != "127.0.0.1" || !reflect.DeepEqual(rows[0]["details"], object{"times": 3.0}) {
			t.Errorf("%v", rows)
		}
	})
	t.Run("what is refused leaves nothing", func(t *testing.T) {
		sam := n.console(t, "sam")
		before := len(rosa.listed(t, "/operator/audit"))
		refused(t, dan.do(t, "PATCH", app, object{"pinnedApiVersion": "1999-01-01"}), http.StatusBadRequest, "UNSUPPORTED_API_VERSION")
		secrets := rowsOf(dan.get(t, app+"/secrets"))
		refused(t, dan.do(t, "DELETE", app+"/secrets/"+n.id(secrets[0]), nil), http.StatusConflict, "LAST_SECRET")
		refused(t, dan.do(t, "PATCH", "/developer/organization/members/"+n.ids["dan"], object{"role": "VIEWER"}), http.StatusConflict, "LAST_OWNER")
		refused(t, sam.do(t, "POST", app+"/deactivate", nil), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		if after := len(rosa.listed(t, "/operator/audit")); after != before {
			t.Errorf("%d rows, then %d", before, after)
		}
	})
}

func auditList(t *testing.T, n *apiNode) {
	rosa := n.console(t, "rosa")
	page := rosa.get(t, "/operator/audit?limit=1")
	row := rowsOf(page)[0]
	if len(row) != 13 || row["action"] != "user.signed_in" || row["userId"] != n.ids["rosa"] || !strings.HasPrefix(n.id(row), "aud_") {
		t.Errorf("%v", row)
	}
	moment(t, row["at"])
	refused(t, rosa.do(t, "GET", "/operator/audit?action=x&cursor="+page["nextCursor"].(string), nil), http.StatusBadRequest, "INVALID_CURSOR")
	offends(t, rosa.do(t, "GET", "/operator/audit?limit=no&from=then&action=&x=1", nil), "x")
	offends(t, rosa.do(t, "GET", "/operator/audit?limit=no&from=then&action=", nil), "limit", "from", "action")
	loaded := rosa.listed(t, "/operator/audit?action=app.created&objectId="+n.ids["full"])
	if len(loaded) != 1 || loaded[0]["actor"] != "COMMAND" || loaded[0]["userAgent"] != "fixture load" || loaded[0]["ip"] != nil {
		t.Errorf("%v", loaded)
	}
	if rows := rosa.listed(t, "/operator/audit?action=operator.created"); len(rows) != 1 || rows[0]["objectId"] != n.ids["rosa"] {
		t.Errorf("%v", rows)
	}
}

// auditAppendOnly tries to change what is kept, with all that the program's own connection may do.
func auditAppendOnly(t *testing.T, n *apiNode) {
	before, ctx := n.dump(t, "audit_log"), context.Background()
	for _, sql := range []string{`UPDATE audit_log SET user_id = NULL`, `DELETE FROM audit_log`, `DELETE FROM audit_log WHERE action = 'app.suspended'`} {
		err := n.store(t).Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "an audit row") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if after := n.dump(t, "audit_log"); after != before {
		t.Error("it has changed")
	}
}

func auditRetention(t *testing.T, n *apiNode) {
	n.Advance(t, "9000h")
	rosa := n.console(t, "rosa")
	if len(rosa.listed(t, "/operator/audit?action=app.suspended")) == 0 {
		t.Error("a row went after 12 months")
	}
	n.Advance(t, "1000h")
	rosa = n.console(t, "rosa")
	if rows := rosa.listed(t, "/operator/audit?action=app.suspended"); len(rows) != 0 {
		t.Errorf("rows stay after 13 months: %v", rows)
	}
	if rows := rosa.listed(t, "/operator/audit?action=audit.cleaned"); len(rows) == 0 || rows[0]["actor"] != "SYSTEM" {
		t.Errorf("%v", rows)
	}
}
