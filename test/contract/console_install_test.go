package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestInstallationsInTheConsole proves what a developer sees of where an app is installed, and of the life of its tokens.
func TestInstallationsInTheConsole(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("list", func(t *testing.T) { installationList(t, n) })
		t.Run("tokens", func(t *testing.T) { tokenTimeline(t, n) })
	})
}

const connectionMembers = "id appId businessId businessName sandbox status grantedScopes installedAt uninstalledAt redactAt lastUsedAt"

func installationList(t *testing.T, n *apiNode) {
	vera, all := n.console(t, "vera"), theApps+"/"+n.ids["full"]+"/installations"
	app := n.by(t, fullApp, "olivia", "shop", "profile:read")
	n.by(t, fullApp, "olivia", "store", "profile:read")
	app.get(t, "/me")
	n.Advance(t, "1m") // uses are written down every half minute
	list := rowsOf(vera.get(t, all))
	if len(list) != 2 || list[0]["businessId"] != n.ids["store"] || list[1]["businessId"] != n.ids["shop"] {
		t.Fatalf("%v", list)
	}
	t.Run("C.9.1 an installation shows its business, scopes, state and last call", func(t *testing.T) {
		shop := list[1]
		has(t, shop, connectionMembers)
		if shop["businessName"] != "Corner Shop" || shop["sandbox"] != false || shop["status"] != "ACTIVE" || len(shop["grantedScopes"].([]any)) != len(everyScope) || shop["uninstalledAt"] != nil || shop["redactAt"] != nil {
			t.Errorf("%v", shop)
		}
		if at := moment(t, shop["lastUsedAt"]); at.Before(moment(t, shop["installedAt"])) || at.After(n.time(t)) {
			t.Errorf("%v", shop)
		}
		one := vera.get(t, all+"/"+n.id(shop))
		has(t, one, connectionMembers+" tokenFamilies")
	})
	t.Run("C.0.2 pages and filters", func(t *testing.T) {
		first := vera.get(t, all+"?limit=1")
		next, _ := first["nextCursor"].(string)
		if first["hasMore"] != true || next == "" || rowsOf(first)[0]["id"] != list[0]["id"] {
			t.Fatalf("%v", first)
		}
		second := vera.get(t, all+"?limit=1&cursor="+next)
		if second["hasMore"] != false || second["nextCursor"] != nil || rowsOf(second)[0]["id"] != list[1]["id"] {
			t.Errorf("%v", second)
		}
		if got := rowsOf(vera.get(t, all+"?businessId="+n.ids["shop"])); len(got) != 1 || got[0]["id"] != list[1]["id"] {
			t.Errorf("%v", got)
		}
		if got := rowsOf(vera.get(t, all+"?status=UNINSTALLED")); len(got) != 0 {
			t.Errorf("%v", got)
		}
		refused(t, vera.do(t, "GET", all+"?status=ACTIVE&cursor="+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
		refused(t, vera.do(t, "GET", theApps+"/"+n.ids["twin"]+"/installations?cursor="+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
		refused(t, vera.do(t, "GET", all+"?cursor=x", nil), http.StatusBadRequest, "INVALID_CURSOR")
		offends(t, vera.do(t, "GET", all+"?limit=0&status=x&businessId=x&x=1", nil), "limit", "status", "businessId", "x")
		offends(t, vera.do(t, "GET", all+"?limit=101", nil), "limit")
	})
	t.Run("INST-01 what is uninstalled is told", func(t *testing.T) {
		n.uninstall(t, n.in(t, "olivia", n.ids["store"]), fullApp)
		got := rowsOf(vera.get(t, all+"?status=UNINSTALLED"))
		if len(got) != 1 || got[0]["id"] != list[0]["id"] || got[0]["uninstalledAt"] == nil || got[0]["redactAt"] == nil {
			t.Errorf("%v", got)
		}
	})
}

// tokenTimeline proves that families tell when they began, how often they were refreshed, and how they ended.
func tokenTimeline(t *testing.T, n *apiNode) {
	vera, olivia := n.console(t, "vera"), n.in(t, "olivia", n.ids["shop"])
	installed, _ := n.installation(t, olivia, fullApp)
	one := theApps + "/" + n.ids["full"] + "/installations/" + installed
	families := func() []object { return objects(vera.get(t, one)["tokenFamilies"]) }
	before := len(families())

	live := n.issue(t, fullApp, "olivia", n.ids["shop"])
	burnt := n.issue(t, fullApp, "olivia", n.ids["shop"])
	next := tokens(t, n.refresh(t, fullApp, burnt.RefreshToken, ""))
	tokens(t, n.refresh(t, fullApp, next.RefreshToken, ""))
	oauthError(t, n.refresh(t, fullApp, burnt.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "refresh token reuse detected")
	revoked := n.issue(t, fullApp, "olivia", n.ids["shop"])
	form := url.Values{"token": {revoked.RefreshToken}}
	if a := n.revoke(t, n.as(t, fullApp, form), form); a.Status != http.StatusOK {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	exchanged := tokens(t, n.exchange(t, fullApp, n.sessionToken(t, olivia, fullApp, nil), nil))

	answer := vera.do(t, "GET", one, nil)
	list := objects(said(t, answer, http.StatusOK)["tokenFamilies"])
	if len(list) != before+4 {
		t.Fatalf("%v", list)
	}
	for i, want := range []struct {
		name, grant, state string
		refreshes          float64
		why                any
	}{
		{"an exchange", "TOKEN_EXCHANGE", "LIVE", 0, nil},
		{"one that the app gave back", "CONSENT", "ENDED", 0, "REVOKED_BY_APP"},
		{"one whose refresh token came twice", "CONSENT", "BURNT", 2, "TOKEN_REUSED"},
		{"a quiet one", "CONSENT", "LIVE", 0, nil},
	} {
		t.Run("C.9.1 "+want.name, func(t *testing.T) {
			f := list[i]
			has(t, f, "id userId grant scopes issuedAt refreshes lastRefreshedAt expiresAt state endedAt endReason")
			if f["grant"] != want.grant || f["state"] != want.state || f["refreshes"] != want.refreshes || f["endReason"] != want.why || (f["endedAt"] == nil) != (want.why == nil) ||
				(f["lastRefreshedAt"] == nil) != (want.refreshes == 0) || f["userId"] != n.User(t, "olivia").ID {
				t.Errorf("%v", f)
			}
		})
	}
	t.Run("C.9.1 no token is shown", func(t *testing.T) {
		for _, set := range []tokenSet{live, burnt, next, revoked, exchanged} {
			for _, token := range []string{set.AccessToken, set.RefreshToken} {
				if token != "" && strings.Contains(answer.Body, token) {
					t.Errorf("%s", answer.Body)
				}
			}
		}
	})
	t.Run("INST-02 revoked access ends them", func(t *testing.T) {
		n.revokeAccess(t, olivia, fullApp)
		for _, f := range families() {
			if f["state"] == "LIVE" {
				t.Errorf("%v", f)
			}
		}
		if f := families(); f[3]["endReason"] != "ACCESS_REVOKED" || f[2]["endReason"] != "TOKEN_REUSED" || f[0]["endReason"] != "ACCESS_REVOKED" {
			t.Errorf("%v", f)
		}
	})
	t.Run("CONS-06 an installation of another app", func(t *testing.T) {
		for _, odd := range []string{"ins_" + nowhere, "x", "%00", "%ff"} {
			refused(t, vera.do(t, "GET", theApps+"/"+n.ids["full"]+"/installations/"+odd, nil), http.StatusNotFound, "NOT_FOUND")
		}
		refused(t, vera.do(t, "GET", theApps+"/"+n.ids["twin"]+"/installations/"+installed, nil), http.StatusNotFound, "NOT_FOUND")
	})
}
