package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"daybook/internal/platform/app"
	"daybook/test/harness"
)

// TestAppsInTheConsole proves what a developer does with an app: C.9.1, C.9.2 and INST-03.
func TestAppsInTheConsole(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("life", func(t *testing.T) { appLife(t, n) })
		t.Run("refusals", func(t *testing.T) { appRefusals(t, n) })
		t.Run("lists", func(t *testing.T) { appLists(t, n) })
		t.Run("switches", func(t *testing.T) { appSwitches(t, n) })
		t.Run("secrets", func(t *testing.T) { appSecrets(t, n) })
		t.Run("roles", func(t *testing.T) { consoleRoles(t, n) })
	})
}

const (
	theApps    = "/developer/apps"
	appMembers = `id appId organizationId origin name description appUrl supportEmail privacyUrl termsUrl clientId clientType redirectUris scopes
		status deactivatedAt suspendedAt suspensionReason reviewStatus pinnedApiVersion version createdAt updatedAt`
)

// draft is an app as it is asked for, with changes.
func draft(change object) object {
	body := object{"name": "Ledger Sync", "clientType": "CONFIDENTIAL", "redirectUris": []string{"https://app.example/callback"}, "scopes": []string{"invoices:read", "profile:read"}}
	for name, value := range change {
		body[name] = value
	}
	return body
}

// newApp makes one and gives its path with what was answered.
func (n *apiNode) newApp(t *testing.T, c caller, change object) (string, object) {
	t.Helper()
	made := c.make(t, theApps, draft(change))
	return theApps + "/" + n.id(made), made
}

func appLife(t *testing.T, n *apiNode) {
	sam := n.console(t, "sam")
	a := sam.do(t, "POST", theApps, draft(object{"appUrl": "https://app.example/"}))
	made := tagged(t, a, http.StatusCreated, 1)
	one := theApps + "/" + n.id(made)
	t.Run("C.9.1 the answer has the client id and, once, the secret", func(t *testing.T) {
		has(t, made, appMembers+" clientSecret")
		secret, _ := made["clientSecret"].(string)
		if !strings.HasPrefix(secret, "cs_") || len(secret) != 46 || !strings.HasPrefix(made["clientId"].(string), "cli_") || made["appId"] != made["id"] || made["organizationId"] != n.ids["acme"] ||
			made["status"] != "ACTIVE" || made["reviewStatus"] != "UNREVIEWED" || made["origin"] != "CONSOLE" || made["pinnedApiVersion"] != nil || !same(made["scopes"], []any{"profile:read", "invoices:read"}) {
			t.Errorf("%v", made)
		}
		shown := tagged(t, sam.do(t, "GET", one, nil), http.StatusOK, 1)
		has(t, shown, appMembers)
		for name, value := range shown {
			if !same(made[name], value) {
				t.Errorf("%s was %v, is %v", name, made[name], value)
			}
		}
		if strings.Contains(sam.do(t, "GET", theApps, nil).Body, secret) {
			t.Error("the secret is shown again")
		}
		if a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("a secret may be kept: %v", a.Header)
		}
		_, public := n.newApp(t, sam, object{"clientType": "PUBLIC"})
		if has(t, public, appMembers+" clientSecret"); public["clientSecret"] != nil {
			t.Errorf("%v", public)
		}
	})
	t.Run("C.9.1 members change, arrays not here", func(t *testing.T) {
		patch := object{
			"name": " Bridge ", "description": "Moves.", "appUrl": nil, "supportEmail": "help@app.example", "privacyUrl": "https://app.example/p", "termsUrl": "https://app.example/t",
			"pinnedApiVersion": "2026-06-01",
		}
		o := tagged(t, sam.and("If-Match", `"1"`).do(t, "PATCH", one, patch), http.StatusOK, 2)
		patch["name"] = "Bridge"
		for name, value := range patch {
			if o[name] != value {
				t.Errorf("%s is %v, want %v", name, o[name], value)
			}
		}
		o = tagged(t, sam.and("Content-Type", "application/merge-patch+json").do(t, "PATCH", one, object{"description": nil}), http.StatusOK, 3)
		if o["description"] != nil || o["supportEmail"] != "help@app.example" || o["pinnedApiVersion"] != "2026-06-01" {
			t.Errorf("%v", o)
		}
		refused(t, sam.and("If-Match", `"2"`).do(t, "PATCH", one, object{"name": "Late"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		offends(t, sam.do(t, "PATCH", one, object{"scopes": []string{}, "clientId": "x", "status": "ACTIVE", "reviewStatus": "APPROVED"}), "scopes", "clientId", "status", "reviewStatus")
	})
	t.Run("C.10 only versions in use are pinned", func(t *testing.T) {
		for _, version := range []string{"2025-03-01", "2026-06-02", "", "newest"} {
			refused(t, sam.do(t, "PATCH", one, object{"pinnedApiVersion": version}), http.StatusBadRequest, "UNSUPPORTED_API_VERSION")
		}
		if o := said(t, sam.do(t, "PATCH", one, object{"pinnedApiVersion": nil}), http.StatusOK); o["pinnedApiVersion"] != nil {
			t.Errorf("%v", o)
		}
	})
	t.Run("C.0 of several who saw the same version one changes it", func(t *testing.T) {
		version := sam.get(t, one)["version"]
		var wait sync.WaitGroup
		answers := make([]harness.Answer, 8)
		for i := range answers {
			wait.Go(func() {
				answers[i] = sam.and("If-Match", `"`+shown(version)+`"`).do(t, "PATCH", one, object{"description": fmt.Sprint("racer ", i)})
			})
		}
		wait.Wait()
		won := 0
		for _, a := range answers {
			if a.Status == http.StatusOK {
				won++
				continue
			}
			refused(t, a, http.StatusPreconditionFailed, "VERSION_CONFLICT")
		}
		if won != 1 {
			t.Errorf("%d changed it", won)
		}
	})
}

func appRefusals(t *testing.T, n *apiNode) {
	sam := n.console(t, "sam")
	one, _ := n.newApp(t, sam, nil)
	eleven := make([]string, 11)
	for i := range eleven {
		eleven[i] = fmt.Sprint("https://app.example/", i)
	}
	for _, c := range []struct {
		name   string
		change object
		named  string
	}{
		{"nothing right", object{"name": "", "clientType": "x", "redirectUris": []string{}, "scopes": []string{}, "appUrl": "x"}, "name clientType redirectUris scopes appUrl"},
		{"what is missing", object{"name": nil, "redirectUris": nil}, "name redirectUris"},
		{"wrong types, and wrong values beside them", object{"name": 5, "clientType": "x", "owner": "me", "scopes": "profile:read"}, "name clientType owner scopes"},
		{"a name that deceives", object{"name": "Daybook official"}, "name"},
		{"too many URIs", object{"redirectUris": eleven}, "redirectUris"},
		{"two kinds of entries", object{"redirectUris": []string{"x"}, "scopes": []string{"x"}}, "redirectUris.0 scopes.0"},
	} {
		t.Run("SERR-02 "+c.name, func(t *testing.T) {
			offends(t, sam.do(t, "POST", theApps, draft(c.change)), strings.Fields(c.named)...)
		})
	}
	t.Run("C.12 UNKNOWN_SCOPE", func(t *testing.T) {
		for _, scopes := range [][]string{{"zebra:read"}, {"profile:read", "console:manage"}, {""}} {
			refused(t, sam.do(t, "POST", theApps, draft(object{"scopes": scopes})), http.StatusBadRequest, "UNKNOWN_SCOPE")
			refused(t, sam.do(t, "PUT", one+"/scopes", object{"scopes": scopes}), http.StatusBadRequest, "UNKNOWN_SCOPE")
		}
		offends(t, sam.do(t, "PUT", one+"/scopes", object{"scopes": []string{}}), "scopes")
		offends(t, sam.do(t, "PUT", one+"/scopes", object{"scopes": []any{5}, "x": 1}), "scopes.0", "x")
		offends(t, sam.do(t, "PUT", one+"/scopes", object{}), "scopes")
	})
	t.Run("C.12 REDIRECT_URI_INVALID", func(t *testing.T) {
		for _, uri := range []string{"http://app.example/", "https://app.example/*", "https://app.example/?a=b", "https://app.example/#x", "app://x", "", "https://app.example/" + strings.Repeat("x", 500)} {
			refused(t, sam.do(t, "POST", theApps, draft(object{"redirectUris": []string{uri}})), http.StatusBadRequest, "REDIRECT_URI_INVALID")
			refused(t, sam.do(t, "PUT", one+"/redirect-uris", object{"redirectUris": []string{"https://app.example/", uri}}), http.StatusBadRequest, "REDIRECT_URI_INVALID")
		}
		refused(t, sam.do(t, "PUT", one+"/redirect-uris", object{"redirectUris": []string{"https://app.example/", "https://app.example/"}}), http.StatusBadRequest, "REDIRECT_URI_INVALID")
		offends(t, sam.do(t, "PUT", one+"/redirect-uris", object{"redirectUris": eleven}), "redirectUris")
		offends(t, sam.do(t, "PUT", one+"/redirect-uris", object{"redirectUris": []string{}}), "redirectUris")
	})
	t.Run("SERR-02 a patch", func(t *testing.T) {
		offends(t, sam.and("If-Match", "7").do(t, "PATCH", one+"?x=1", object{"name": nil, "appUrl": "x", "supportEmail": "x", "termsUrl": 5}), "If-Match", "x", "name", "appUrl", "supportEmail", "termsUrl")
	})
	t.Run("SERR-03 what does not belong", func(t *testing.T) {
		offends(t, sam.do(t, "GET", theApps+"?limit=5", nil), "limit")
		standard(t, sam.do(t, "POST", theApps, nil), http.StatusUnsupportedMediaType)
		refused(t, sam.do(t, "DELETE", one, nil), http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		refused(t, sam.do(t, "GET", one+"/nothing", nil), http.StatusNotFound, "NOT_FOUND")
	})
	if o := sam.get(t, one); o["version"] != 1.0 {
		t.Errorf("what was refused changed %v", o)
	}
}

func appLists(t *testing.T, n *apiNode) {
	sam := n.console(t, "sam")
	one, made := n.newApp(t, sam, nil)
	t.Run("C.9.1 redirect URIs and scopes are replaced whole", func(t *testing.T) {
		uris := []any{"http://127.0.0.1:3000/callback", "https://b.example/", "https://a.example/"}
		if o := tagged(t, sam.and("If-Match", `"1"`).do(t, "PUT", one+"/redirect-uris", object{"redirectUris": uris}), http.StatusOK, 2); !same(o["redirectUris"], uris) {
			t.Errorf("%v", o)
		}
		refused(t, sam.and("If-Match", `"1"`).do(t, "PUT", one+"/redirect-uris", object{"redirectUris": uris}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		if o := tagged(t, sam.do(t, "PUT", one+"/scopes", object{"scopes": []string{"events:read", "customers:read", "events:read"}}), http.StatusOK, 3); !same(o["scopes"], []any{"customers:read", "events:read"}) {
			t.Errorf("%v", o)
		}
		refused(t, sam.and("If-Match", `"2"`).do(t, "PUT", one+"/scopes", object{"scopes": []string{"events:read"}}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		if list := rowsOf(sam.get(t, theApps)); !listedOnce(list, made["id"]) {
			t.Errorf("%v", list)
		}
	})
	t.Run("C.9.1 a scope that is taken away is gone at once, for new grants and for deliveries", func(t *testing.T) {
		path, box := theApps+"/"+n.ids["twin"], newPostbox(t)
		token := n.by(t, twinApp, "olivia", "store")
		h := n.hook(t, n.console(t, "dan"), "twin", box.URL, "customer.created")
		n.customer(t, token)
		n.settle(t)
		said(t, sam.do(t, "PUT", path+"/scopes", object{"scopes": []string{"profile:read", "customers:write"}}), http.StatusOK)
		n.customer(t, token) // the token keeps what it has (CALL-09)
		n.settle(t)
		if list := h.deliveries(t, ""); len(list) != 1 {
			t.Errorf("%v", list)
		}
		asked := strings.Join([]string{"profile:read", "customers:read"}, " ")
		page := harness.Get(t, signedIn(t, n.Node, "olivia"), n.AuthURL+"/oauth/authorize?"+url.Values{
			"response_type": {"code"}, "client_id": {twinApp}, "redirect_uri": {"http://127.0.0.1:3000/callback"}, "scope": {asked}, "state": {"x"},
		}.Encode())
		if page.Status == http.StatusOK || page.Status == http.StatusSeeOther && strings.Contains(page.Header.Get("Location"), "/oauth/consent") {
			t.Errorf("a scope that the app gave up is still asked for: %d %s", page.Status, page.Header.Get("Location"))
		}
	})
}

// listedOnce reports whether a list has a record, once.
func listedOnce(list []object, id any) bool {
	count := 0
	for _, o := range list {
		if o["id"] == id {
			count++
		}
	}
	return count == 1
}

// appSwitches proves C.9.2 and INST-03 by the console.
func appSwitches(t *testing.T, n *apiNode) {
	dan, path := n.console(t, "dan"), theApps+"/"+n.ids["full"]
	token := n.by(t, fullApp, "olivia", "shop")
	t.Run("INST-03 the developer's own switch", func(t *testing.T) {
		refused(t, dan.and("If-Match", `"9"`).do(t, "POST", path+"/deactivate", nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		if o := dan.act(t, path+"/deactivate", nil); o["status"] != "DEACTIVATED" || o["deactivatedAt"] == nil {
			t.Errorf("%v", o)
		}
		standard(t, token.do(t, "GET", "/business", nil), http.StatusUnauthorized)
		if o := dan.act(t, path+"/deactivate", object{}); o["status"] != "DEACTIVATED" { // again
			t.Errorf("%v", o)
		}
		if o := dan.act(t, path+"/reactivate", nil); o["status"] != "ACTIVE" || o["deactivatedAt"] != nil {
			t.Errorf("%v", o)
		}
		token.get(t, "/business") // tokens were refused, not deleted
		offends(t, dan.do(t, "POST", path+"/deactivate", object{"reason": "x"}), "reason")
	})
	t.Run("C.9.2 a suspension is the operator's", func(t *testing.T) {
		apps := &app.Service{DB: n.store(t)}
		if _, err := apps.Suspend(context.Background(), n.ids["full"], "Sends spam."); err != nil {
			t.Fatal(err)
		}
		if o := dan.get(t, path); o["status"] != "SUSPENDED" || o["suspensionReason"] != "Sends spam." || o["suspendedAt"] == nil {
			t.Errorf("%v", o)
		}
		refused(t, dan.do(t, "POST", path+"/reactivate", nil), http.StatusConflict, "APP_SUSPENDED")
		if _, err := apps.Unsuspend(context.Background(), n.ids["full"]); err != nil {
			t.Fatal(err)
		}
	})
}

// appSecrets proves that secrets change over without a pause, and that their use is told.
func appSecrets(t *testing.T, n *apiNode) {
	sam := n.console(t, "sam")
	one, made := n.newApp(t, sam, nil)
	all, clientID := one+"/secrets", made["clientId"].(string)
	proves := func(secret any) bool {
		a := n.post(t, "/oauth/introspect", basic(clientID, secret.(string)), url.Values{"token": {"at_x"}})
		return a.Status == http.StatusOK
	}
	first := rowsOf(sam.get(t, all))
	if len(first) != 1 || first[0]["lastUsedAt"] != nil {
		t.Fatalf("%v", first)
	}
	has(t, first[0], "id createdAt lastUsedAt")
	t.Run("C.9.1 the value is shown once, and both work", func(t *testing.T) {
		added := sam.make(t, all, nil)
		has(t, added, "id secret createdAt lastUsedAt")
		refused(t, sam.do(t, "POST", all, object{}), http.StatusConflict, "SECRET_LIMIT_REACHED")
		list := sam.do(t, "GET", all, nil)
		if strings.Contains(list.Body, added["secret"].(string)) || len(rowsOf(list.JSON(t))) != 2 {
			t.Errorf("%s", list.Body)
		}
		if !proves(made["clientSecret"]) || !proves(added["secret"]) || proves("cs_"+strings.Repeat("x", 43)) {
			t.Error("the wrong secrets count")
		}
		gone(t, sam.do(t, "DELETE", all+"/"+first[0]["id"].(string), nil))
		if proves(made["clientSecret"]) || !proves(added["secret"]) {
			t.Error("a secret that ended counts, or the other one does not")
		}
		refused(t, sam.do(t, "DELETE", all+"/"+n.id(added), nil), http.StatusConflict, "LAST_SECRET")
		for _, odd := range []string{first[0]["id"].(string), "sec_" + nowhere, "x", "%00"} {
			refused(t, sam.do(t, "DELETE", all+"/"+odd, nil), http.StatusNotFound, "NOT_FOUND")
		}
	})
	t.Run("C.9.1 its last use is written down", func(t *testing.T) {
		n.Advance(t, "1m")
		list := rowsOf(sam.get(t, all))
		if at := moment(t, list[0]["lastUsedAt"]); at.Before(moment(t, list[0]["createdAt"])) || at.After(n.time(t)) {
			t.Errorf("%v", list)
		}
	})
	t.Run("C.9.1 a PUBLIC app has none", func(t *testing.T) {
		path, _ := n.newApp(t, sam, object{"clientType": "PUBLIC"})
		refused(t, sam.do(t, "POST", path+"/secrets", nil), http.StatusConflict, "PUBLIC_CLIENT")
		if list := rowsOf(sam.get(t, path+"/secrets")); len(list) != 0 {
			t.Errorf("%v", list)
		}
	})
}
