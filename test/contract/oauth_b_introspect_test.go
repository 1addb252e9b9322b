package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// introspection holds INTR-01 to INTR-04.
func introspection(t *testing.T, n *oauthNode) {
	bakery := n.business(t, "Bakery Brandt")
	secret := *n.app(t, syncApp).ClientSecret
	olivia := n.worksIn(t, "olivia", "Bakery Brandt")
	set := n.issue(t, syncApp, "olivia", bakery, "invoices:read", "profile:read")

	t.Run("INTR-01 credentials count in the header alone", func(t *testing.T) {
		for name, form := range map[string]url.Values{
			"none": {}, "in the body": {"client_id": {syncApp}, "client_secret": {secret}}, "an id in the body": {"client_id": {tillApp}},
		} {
			t.Run(name, func(t *testing.T) {
				form.Set("token", set.AccessToken)
				a := n.post(t, "/oauth/introspect", nil, form)
				oauthError(t, a, http.StatusUnauthorized, "invalid_client", "*")
				if a.Header.Get("WWW-Authenticate") != "" {
					t.Errorf("a challenge without Basic: %q", a.Header.Get("WWW-Authenticate"))
				}
			})
		}
		for name, header := range map[string]http.Header{
			"a wrong secret": basic(syncApp, "x"), "an empty one": basic(syncApp, ""), "an unknown client": basic("cli_x", secret), "another app's": basic(draftApp, secret),
			"a PUBLIC client": basic(tillApp, ""), "no Basic at all": basicRaw("nothing"), "a token for a secret": {"Authorization": {"Bearer " + set.AccessToken}},
		} {
			t.Run(name, func(t *testing.T) {
				a := n.post(t, "/oauth/introspect", header, url.Values{"token": {set.AccessToken}})
				oauthError(t, a, http.StatusUnauthorized, "invalid_client", "*")
				basic := strings.HasPrefix(header.Get("Authorization"), "Basic")
				if got := a.Header.Get("WWW-Authenticate"); basic && got != `Basic realm="Daybook"` || !basic && got != "" {
					t.Errorf("CLNT-03 WWW-Authenticate %q", got)
				}
			})
		}
		a := n.post(t, "/oauth/introspect", basic(syncApp, secret), url.Values{"token": {set.AccessToken}, "client_secret": {"ignored"}, "token_type_hint": {"what?"}})
		if a.JSON(t)["active"] != true {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		oauthError(t, n.post(t, "/oauth/introspect", basic(syncApp, secret), url.Values{}), http.StatusBadRequest, "invalid_request", "*")
		oauthError(t, n.postJSON(t, "/oauth/introspect", basic(syncApp, secret), `{"token":"x"}`), http.StatusBadRequest, "invalid_request", "*")
	})
	t.Run("INTR-02 an active token", func(t *testing.T) {
		before := n.time(t)
		set := n.issue(t, syncApp, "olivia", bakery, "invoices:read", "profile:read")
		after := n.time(t)
		a := n.introspect(t, syncApp, set.AccessToken)
		body := a.JSON(t)
		notKept(t, a)
		if len(body) != 5 || body["active"] != true || body["client_id"] != syncApp || body["sub"] != n.User(t, "olivia").ID {
			t.Errorf("%s", a.Body)
		}
		sameScopes(t, strings.Fields(body["scope"].(string)), []string{"invoices:read", "profile:read"})
		if exp, ok := body["exp"].(float64); !ok || int64(exp) < before.Add(time.Hour).Unix() || int64(exp) > after.Add(time.Hour).Unix() {
			t.Errorf("exp %v, issued between %v and %v", body["exp"], before, after)
		}
	})
	t.Run("INTR-03 an hour", func(t *testing.T) {
		justBefore(t, func() bool {
			before := n.time(t)
			set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			n.setTime(t, before.Add(time.Hour-500*time.Millisecond))
			a := n.introspect(t, syncApp, set.AccessToken)
			if !n.time(t).Before(before.Add(time.Hour)) {
				return false
			}
			if a.JSON(t)["active"] != true {
				t.Errorf("just before its end: %s", a.Body)
			}
			return true
		})
		set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		n.setTime(t, n.time(t).Add(time.Hour))
		inactive(t, n.introspect(t, syncApp, set.AccessToken))
	})
	t.Run("INTR-03 tokens that nobody has, and other clients'", func(t *testing.T) {
		mine, theirs := n.issue(t, syncApp, "olivia", bakery, "invoices:read"), n.issue(t, tillApp, "olivia", bakery, "invoices:read")
		for _, token := range []string{"x", theirs.AccessToken, theirs.RefreshToken, mine.AccessToken + "x", strings.ToUpper(mine.AccessToken), secret, strings.Repeat("a", 3000), "\x00"} {
			inactive(t, n.introspect(t, syncApp, token))
		}
		inactive(t, n.introspect(t, draftApp, mine.AccessToken))
		n.live(t, "asked about by another", syncApp, mine.AccessToken, true)
	})
	t.Run("INTR-03 revoked, and replaced", func(t *testing.T) {
		set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		next := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
		inactive(t, n.introspect(t, syncApp, set.AccessToken))
		inactive(t, n.introspect(t, syncApp, set.RefreshToken))
		n.live(t, "the next one", syncApp, next.AccessToken, true)
		emptySuccess(t, n.revoke(t, basic(syncApp, secret), url.Values{"token": {next.RefreshToken}}))
		inactive(t, n.introspect(t, syncApp, next.AccessToken))
		inactive(t, n.introspect(t, syncApp, next.RefreshToken))
	})
	t.Run("INTR-03 a person who may not act", func(t *testing.T) {
		people, sam := n.people(t), n.User(t, "sam").ID
		sams, olivias := n.issue(t, syncApp, "sam", bakery, "invoices:read"), n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		for _, act := range []struct {
			name     string
			do, undo func() error
		}{
			{"suspended", func() error { return people.Suspend(t.Context(), sam) }, func() error { return people.Unsuspend(t.Context(), sam) }},
			{"under a processing restriction", func() error { return people.Restrict(t.Context(), sam) }, func() error { return people.Unrestrict(t.Context(), sam) }},
		} {
			must(t, act.do())
			inactive(t, n.introspect(t, syncApp, sams.AccessToken))
			inactive(t, n.introspect(t, syncApp, sams.RefreshToken))
			n.live(t, act.name+": somebody else's", syncApp, olivias.AccessToken, true)
			must(t, act.undo())
			n.live(t, act.name+", lifted", syncApp, sams.AccessToken, true)
		}
	})
	t.Run("INTR-03 uninstalled, and access revoked", func(t *testing.T) {
		set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		n.revokeAccess(t, olivia, syncApp)
		inactive(t, n.introspect(t, syncApp, set.AccessToken))
		set = n.issue(t, syncApp, "olivia", bakery, "invoices:read")
		n.uninstall(t, olivia, syncApp)
		inactive(t, n.introspect(t, syncApp, set.AccessToken))
	})
	for name, suspend := range map[string]bool{"suspended": true, "deactivated": false} {
		t.Run("INTR-04 a "+name+" app", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", bakery, "invoices:read")
			undo := n.stop(t, syncApp, suspend)
			inactive(t, n.introspect(t, syncApp, set.AccessToken))
			inactive(t, n.introspect(t, syncApp, set.RefreshToken))
			inactive(t, n.introspect(t, syncApp, "x"))
			oauthError(t, n.post(t, "/oauth/introspect", basic(syncApp, "x"), url.Values{"token": {set.AccessToken}}), http.StatusUnauthorized, "invalid_client", "*")
			undo()
			n.live(t, "running again", syncApp, set.AccessToken, true)
		})
	}
}
