package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

const reuse = "refresh token reuse detected"

func TestRefreshing(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		browser := n.in(t, "olivia", bakery)
		fresh := func(t *testing.T) tokenSet {
			return n.issue(t, syncApp, "olivia", bakery, "profile:read", "invoices:read")
		}
		dead := func(t *testing.T, all ...string) {
			t.Helper()
			for _, token := range all {
				if n.active(t, syncApp, token) {
					t.Errorf("%s… is active", token[:6])
				}
			}
		}
		alive := func(t *testing.T, all ...string) {
			t.Helper()
			for _, token := range all {
				if !n.active(t, syncApp, token) {
					t.Errorf("%s… is not active", token[:6])
				}
			}
		}
		t.Run("REF-01 new tokens, and the old ones are dead at once", func(t *testing.T) {
			old := fresh(t)
			set := tokens(t, n.refresh(t, syncApp, old.RefreshToken, ""))
			if set.AccessToken == old.AccessToken || set.RefreshToken == old.RefreshToken || set.Scope != old.Scope {
				t.Errorf("got %+v", set)
			}
			dead(t, old.AccessToken, old.RefreshToken)
			alive(t, set.AccessToken, set.RefreshToken)
		})
		t.Run("REF-02 REF-03 reuse burns the whole family and no other one", func(t *testing.T) {
			first, bystander := fresh(t), fresh(t)
			second := tokens(t, n.refresh(t, syncApp, first.RefreshToken, ""))
			third := tokens(t, n.refresh(t, syncApp, second.RefreshToken, ""))
			oauthError(t, n.refresh(t, syncApp, first.RefreshToken, ""), 400, "invalid_grant", reuse)
			dead(t, third.AccessToken, third.RefreshToken)
			oauthError(t, n.refresh(t, syncApp, third.RefreshToken, ""), 400, "invalid_grant", "revoked")
			for _, used := range []string{first.RefreshToken, second.RefreshToken} {
				oauthError(t, n.refresh(t, syncApp, used, ""), 400, "invalid_grant", reuse)
			}
			alive(t, bystander.AccessToken, bystander.RefreshToken)
		})
		t.Run("REF-02 the same for a public client", func(t *testing.T) {
			first := n.issue(t, tillApp, "olivia", bakery, "profile:read")
			second := tokens(t, n.refresh(t, tillApp, first.RefreshToken, ""))
			oauthError(t, n.refresh(t, tillApp, first.RefreshToken, ""), 400, "invalid_grant", reuse)
			oauthError(t, n.refresh(t, tillApp, second.RefreshToken, ""), 400, "invalid_grant", "revoked")
		})
		t.Run("REF-03 revoked by the app", func(t *testing.T) {
			set := fresh(t)
			form := url.Values{"token": {set.RefreshToken}}
			if a := n.post(t, "/oauth/revoke", n.as(t, syncApp, form), form); a.Status != http.StatusOK {
				t.Fatalf("%d %s", a.Status, a.Body)
			}
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "revoked")
			dead(t, set.AccessToken)
		})
		t.Run("REF-03 revoked by the business, and connecting again does not help", func(t *testing.T) {
			set := fresh(t)
			n.revokeAccess(t, browser, syncApp)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "revoked")
			dead(t, set.AccessToken, set.RefreshToken)
			again := fresh(t)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "revoked")
			dead(t, set.AccessToken, set.RefreshToken)
			alive(t, again.AccessToken, again.RefreshToken)
		})
		t.Run("REF-05 an unknown token, or another client's, says nothing and burns nothing", func(t *testing.T) {
			set := fresh(t)
			for _, unknown := range []string{"nothing", "rt_0000000000000000000000000000000000000000000", set.RefreshToken + "x", strings.ToUpper(set.RefreshToken), set.AccessToken, "\xff", "a\x00"} {
				oauthError(t, n.refresh(t, syncApp, unknown, ""), 400, "invalid_grant", "")
			}
			for _, other := range []string{tillApp, draftApp} {
				oauthError(t, n.refresh(t, other, set.RefreshToken, ""), 400, "invalid_grant", "")
			}
			alive(t, set.AccessToken, set.RefreshToken)
			next := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			oauthError(t, n.refresh(t, tillApp, set.RefreshToken, ""), 400, "invalid_grant", "") // used, but a stranger learns nothing
			alive(t, next.AccessToken, next.RefreshToken)
			oauthError(t, n.post(t, "/oauth/token", basic(syncApp, "cs_wrong"), url.Values{"grant_type": {"refresh_token"}, "refresh_token": {set.RefreshToken}}), 401, "invalid_client", "*")
			alive(t, next.AccessToken, next.RefreshToken) // a replay without the secret burns nothing either
		})
		t.Run("REF-06 TOK-07 uninstalled, and installing again never revives", func(t *testing.T) {
			set := fresh(t)
			n.uninstall(t, browser, syncApp)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "")
			dead(t, set.AccessToken, set.RefreshToken)
			again := fresh(t)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "")
			dead(t, set.AccessToken, set.RefreshToken)
			alive(t, again.AccessToken, again.RefreshToken)
		})
		t.Run("REF-06 TOK-07 a person who left the business", func(t *testing.T) {
			set, bystander := n.issue(t, syncApp, "sam", bakery, "profile:read"), fresh(t)
			n.sql(t, `DELETE FROM business_members WHERE business_id = $1 AND user_id = $2`, bakery, n.User(t, "sam").ID)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "")
			dead(t, set.AccessToken, set.RefreshToken)
			alive(t, bystander.AccessToken, bystander.RefreshToken)
		})
		narrowed := func(t *testing.T, token, scope string) harness.Answer {
			form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}, "scope": {scope}}
			return n.post(t, "/oauth/token", n.as(t, syncApp, form), form)
		}
		t.Run("REF-07 scope narrows the access token, not the grant", func(t *testing.T) {
			set := tokens(t, narrowed(t, fresh(t).RefreshToken, "profile:read"))
			in := n.post(t, "/oauth/introspect", n.as(t, syncApp, nil), url.Values{"token": {set.AccessToken}}).JSON(t)
			if set.Scope != "profile:read" || in["scope"] != "profile:read" {
				t.Errorf("told %q, introspection says %v", set.Scope, in["scope"])
			}
			set = tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			if set.Scope != "profile:read invoices:read" {
				t.Errorf("the next one has %q", set.Scope)
			}
			if set = tokens(t, narrowed(t, set.RefreshToken, "invoices:read profile:read")); set.Scope != "profile:read invoices:read" {
				t.Errorf("all of it: %q", set.Scope)
			}
		})
		for _, scope := range []string{"profile:read payments:read", "customers:read", "everything", "platform:review", "PROFILE:READ"} {
			t.Run("REF-07 scope never widens, and asking for it uses nothing up: "+scope, func(t *testing.T) {
				// payments and customers are granted to the installation, and registered, but not to this token
				n.issue(t, syncApp, "olivia", bakery, "payments:read", "customers:read")
				set := fresh(t)
				oauthError(t, narrowed(t, set.RefreshToken, scope), 400, "invalid_scope", "*")
				alive(t, set.AccessToken, set.RefreshToken)
			})
		}
		t.Run("REF-07 a blank scope is refused or counts as none, but never gives a token without scopes", func(t *testing.T) {
			if a := narrowed(t, fresh(t).RefreshToken, " "); a.Status == http.StatusOK && tokens(t, a).Scope != "profile:read invoices:read" {
				t.Errorf("got %s", a.Body)
			}
		})
	})
}

// CODE-09 for refresh tokens: two things are wrong, and the earlier one in the rule's order is told.
func TestTheOrderOfReasonsForARefreshToken(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		use := func(t *testing.T, token string) { tokens(t, n.refresh(t, syncApp, token, "")) }
		revoke := func(t *testing.T, token string) {
			form := url.Values{"token": {token}}
			n.post(t, "/oauth/revoke", n.as(t, syncApp, form), form)
		}
		wait := func(t *testing.T, _ string) { n.Advance(t, "30d") }
		uninstall := func(t *testing.T, _ string) { n.uninstall(t, n.in(t, "olivia", bakery), syncApp) }
		revokeAccess := func(t *testing.T, _ string) { n.revokeAccess(t, n.in(t, "olivia", bakery), syncApp) }
		type step = func(*testing.T, string)
		for _, c := range []struct {
			name        string
			steps       []step
			client      string
			description string
		}{
			{"another client's before used", []step{use}, tillApp, ""},
			{"another client's before revoked", []step{revoke}, tillApp, ""},
			{"another client's before expired", []step{wait}, tillApp, ""},
			{"used before revoked by the app", []step{use, revoke}, syncApp, reuse},
			{"used before revoked by the business", []step{use, revokeAccess}, syncApp, reuse},
			{"used before expired", []step{use, wait}, syncApp, reuse},
			{"used before installation", []step{use, uninstall}, syncApp, reuse},
			{"revoked by the app before expired", []step{revoke, wait}, syncApp, "revoked"},
			{"revoked by the business before expired", []step{revokeAccess, wait}, syncApp, "revoked"},
			{"revoked by the app before installation", []step{revoke, uninstall}, syncApp, "revoked"},
			{"revoked by the business before installation", []step{revokeAccess, uninstall}, syncApp, "revoked"},
			{"expired before installation", []step{uninstall, wait}, syncApp, "expired"},
			{"installation last", []step{uninstall}, syncApp, ""},
		} {
			t.Run("CODE-09 REF-03 "+c.name, func(t *testing.T) {
				set := n.issue(t, syncApp, "olivia", bakery, "profile:read")
				for _, do := range c.steps {
					do(t, set.RefreshToken)
				}
				oauthError(t, n.refresh(t, c.client, set.RefreshToken, ""), 400, "invalid_grant", c.description)
			})
		}
	})
}
