package contract_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// connectedApps holds the shape of GET /installations and CALL-06 for its ids.
func connectedApps(t *testing.T, n *oauthNode) {
	bakery, catering, lab := n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering"), n.business(t, "Acme Lab")
	olivia, vera, dan := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "vera", "Bakery Brandt"), signedIn(t, n.Node, "dan")
	list := func(t *testing.T, browser *http.Client) []map[string]any {
		t.Helper()
		a := harness.Get(t, browser, n.BaseURL+"/installations")
		var body struct{ Data []map[string]any }
		decoder := json.NewDecoder(strings.NewReader(a.Body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&body); err != nil || a.Status != http.StatusOK || body.Data == nil {
			t.Fatalf("%d %s: %v", a.Status, a.Body, err)
		}
		return body.Data
	}
	t.Run("AUTHZ-15 exactly the promised members", func(t *testing.T) {
		before := n.time(t)
		n.issue(t, tillApp, "olivia", bakery, "invoices:read")
		all := list(t, olivia)
		i := slices.IndexFunc(all, func(one map[string]any) bool { return one["clientId"] == tillApp })
		if len(all) != 2 || i < 0 {
			t.Fatalf("%v", all)
		}
		one := all[i]
		for name, want := range map[string]any{"appId": n.app(t, tillApp).AppID, "appName": "Pocket Till", "businessId": bakery, "status": "ACTIVE", "lastUsedAt": nil} {
			if got, there := one[name]; !there || got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		id, _ := one["id"].(string)
		text, _ := one["installedAt"].(string)
		at, err := time.Parse("2006-01-02T15:04:05.000Z", text)
		if len(one) != 9 || !strings.HasPrefix(id, "ins_") || err != nil || at.Before(before) || at.After(n.time(t)) {
			t.Errorf("%v", one)
		}
		if scopes, _ := one["grantedScopes"].([]any); len(scopes) != 1 || scopes[0] != "invoices:read" {
			t.Errorf("grantedScopes %v", one["grantedScopes"])
		}
	})
	t.Run("AUTHZ-16 a second approval adds to the first", func(t *testing.T) {
		id, before := n.installation(t, olivia, tillApp)
		n.issue(t, tillApp, "olivia", bakery, before...) // nothing new
		again, granted := n.installation(t, olivia, tillApp)
		if again != id || len(granted) != len(before) {
			t.Errorf("%s with %v, was %s with %v", again, granted, id, before)
		}
		set := n.issue(t, tillApp, "sam", bakery, "customers:read")
		again, granted = n.installation(t, olivia, tillApp)
		if again != id || set.Scope != "customers:read" {
			t.Errorf("%s, was %s; the token has %q", again, id, set.Scope)
		}
		sameScopes(t, granted, append(before, "customers:read"))
		n.issue(t, tillApp, "olivia", bakery, "invoices:read") // fewer take nothing away
		_, after := n.installation(t, olivia, tillApp)
		sameScopes(t, after, granted)
	})
	t.Run("every member sees them, nobody else does", func(t *testing.T) {
		if got := list(t, vera); len(got) != 2 {
			t.Errorf("%v", got)
		}
		if got := list(t, dan); len(got) != 0 {
			t.Errorf("another company sees %v", got)
		}
		standard(t, harness.Get(t, plain(t), n.BaseURL+"/installations"), http.StatusUnauthorized)
		standard(t, harness.Get(t, olivia, n.BaseURL+"/installations?businessId="+catering), http.StatusBadRequest)
	})
	t.Run("CALL-06 an installation of another business is not found", func(t *testing.T) {
		n.issue(t, draftApp, "dan", lab, "invoices:read")
		elsewhere := n.issue(t, syncApp, "olivia", catering, "invoices:read")
		foreign, _ := n.installation(t, dan, draftApp)
		other := n.worksIn(t, "olivia", "Brandt Catering")
		own, _ := n.installation(t, other, syncApp)
		for name, id := range map[string]string{"somebody else's": foreign, "of their own other business": own, "unknown": "ins_00000000000000000000000000", "no id": "x"} {
			for _, call := range [][2]string{{http.MethodDelete, ""}, {http.MethodPost, "/revoke-access"}} {
				r := standard(t, harness.Send(t, olivia, call[0], n.BaseURL+"/installations/"+id+call[1], nil, ""), http.StatusNotFound)
				if r.text != "There is no such installation." {
					t.Errorf("%s: %q tells it from an unknown one", name, r.text)
				}
			}
			for _, button := range []string{"/uninstall", "/revoke-access"} {
				page(t, harness.PostForm(t, olivia, n.AuthURL+"/apps/"+id+button, nil), http.StatusNotFound)
			}
		}
		n.live(t, "their own other business's", syncApp, elsewhere.AccessToken, true)
		if still, _ := n.installation(t, dan, draftApp); still != foreign {
			t.Errorf("%q, was %q", still, foreign)
		}
	})
	t.Run("the page of connected apps", func(t *testing.T) {
		text := page(t, harness.Get(t, olivia, n.AuthURL+"/apps"), http.StatusOK)
		for _, want := range []string{"Ledger Sync", "Pocket Till", "Acme Apps", "Revoke access", "Uninstall", "See invoices"} {
			if !strings.Contains(text, want) {
				t.Errorf("it does not show %q:\n%s", want, text)
			}
		}
		if text := page(t, harness.Get(t, vera, n.AuthURL+"/apps"), http.StatusOK); strings.Contains(text, "/uninstall") {
			t.Errorf("a viewer is offered to uninstall:\n%s", text)
		}
		if a := harness.Get(t, plain(t), n.AuthURL+"/apps"); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/sign-in") {
			t.Errorf("signed out: %d to %q", a.Status, a.Header.Get("Location"))
		}
	})
}

// devTokens holds POST /dev/tokens: it gives what the platform gives, and refuses what it refuses.
func devTokens(t *testing.T, n *oauthNode) {
	bakery, lab := n.business(t, "Bakery Brandt"), n.business(t, "Acme Lab")
	email := func(name string) string { return n.User(t, name).Email }
	call := func(t *testing.T, client, user, business string, scopes ...string) harness.Answer {
		body, _ := json.Marshal(map[string]any{"clientId": client, "userEmail": user, "businessId": business, "scopes": scopes})
		return harness.PostJSON(t, plain(t), n.BaseURL+"/dev/tokens", string(body))
	}
	t.Run("TOK-02 it gives a token response", func(t *testing.T) {
		set := tokens(t, call(t, syncApp, email("olivia"), bakery, "invoices:read"))
		if set.TokenType != "Bearer" || set.ExpiresIn != 3600 || set.Scope != "invoices:read" {
			t.Errorf("%+v", set)
		}
		if got := n.introspect(t, syncApp, set.AccessToken).JSON(t); got["active"] != true || got["sub"] != n.User(t, "olivia").ID {
			t.Errorf("%v", got)
		}
		next := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
		inactive(t, n.introspect(t, syncApp, set.AccessToken))
		n.live(t, "refreshed", syncApp, next.AccessToken, true)
	})
	t.Run("TOK-02 without scopes all that the app registered", func(t *testing.T) {
		body := `{"clientId":"` + tillApp + `","userEmail":"` + email("olivia") + `","businessId":"` + bakery + `"}`
		set := tokens(t, harness.PostJSON(t, plain(t), n.BaseURL+"/dev/tokens", body))
		sameScopes(t, strings.Fields(set.Scope), n.app(t, tillApp).Scopes)
	})
	for name, one := range map[string]struct {
		a      harness.Answer
		status int
	}{
		"AUTHZ-08 an unknown client":                {call(t, "cli_x", email("olivia"), bakery, "invoices:read"), http.StatusNotFound},
		"AUTHZ-10 a scope the app did not register": {call(t, tillApp, email("olivia"), bakery, "journal:write"), http.StatusBadRequest},
		"AUTHZ-13 an app without review":            {call(t, draftApp, email("olivia"), bakery, "invoices:read"), http.StatusForbidden},
		"AUTHZ-15 a person of another company":      {call(t, syncApp, email("dan"), bakery, "invoices:read"), http.StatusNotFound},
		"AUTHZ-15 a person who may not connect":     {call(t, syncApp, email("vera"), bakery, "invoices:read"), http.StatusForbidden},
		"AUTHZ-15 a person nobody knows":            {call(t, syncApp, "nobody@example.test", bakery, "invoices:read"), http.StatusNotFound},
		"AUTHZ-15 a business nobody has":            {call(t, syncApp, email("olivia"), "biz_x", "invoices:read"), http.StatusNotFound},
		"AUTHZ-19 no scope at all":                  {call(t, syncApp, email("olivia"), bakery, ""), http.StatusBadRequest},
		"SERR-02 a member nobody knows":             {harness.PostJSON(t, plain(t), n.BaseURL+"/dev/tokens", `{"client":"x"}`), http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) { standard(t, one.a, one.status) })
	}
	t.Run("AUTHZ-13 its own sandbox", func(t *testing.T) {
		tokens(t, call(t, draftApp, email("dan"), lab, "invoices:read"))
	})
	t.Run("AUTHZ-08 an app that is stopped", func(t *testing.T) {
		undo := n.stop(t, syncApp, true)
		a := call(t, syncApp, email("olivia"), bakery, "invoices:read")
		undo()
		if r := standard(t, a, http.StatusBadRequest); !strings.Contains(r.text, "Invalid client_id") {
			t.Errorf("%q", r.text)
		}
	})
}
