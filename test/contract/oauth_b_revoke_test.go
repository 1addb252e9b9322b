package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// revoke sends a token to the revocation endpoint.
func (n *oauthNode) revoke(t *testing.T, header http.Header, form url.Values) harness.Answer {
	t.Helper()
	return n.post(t, "/oauth/revoke", header, form)
}

// emptySuccess proves that an answer says that all is well, and nothing else.
func emptySuccess(t *testing.T, a harness.Answer) {
	t.Helper()
	if body := strings.TrimSpace(a.Body); a.Status != http.StatusOK || body != "{}" && body != "" {
		t.Errorf("want 200 and an empty result, got %d %s", a.Status, a.Body)
	}
	notKept(t, a)
}

// revocation holds REVO-01 to REVO-07.
func revocation(t *testing.T, n *oauthNode) {
	bakery := n.business(t, "Bakery Brandt")
	secret := *n.app(t, syncApp).ClientSecret
	proof := basic(syncApp, secret)
	fresh := func(t *testing.T, clientID string) tokenSet {
		t.Helper()
		return n.issue(t, clientID, "olivia", bakery, "invoices:read")
	}
	t.Run("REVO-01 a token is required", func(t *testing.T) {
		oauthError(t, n.revoke(t, proof, url.Values{}), http.StatusBadRequest, "invalid_request", "*")
		oauthError(t, n.revoke(t, proof, url.Values{"token": {""}}), http.StatusBadRequest, "invalid_request", "*")
		oauthError(t, n.revoke(t, nil, url.Values{"token_type_hint": {"access_token"}}), http.StatusBadRequest, "invalid_request", "*")
	})
	t.Run("REVO-01 the body is a form", func(t *testing.T) {
		set := fresh(t, syncApp)
		oauthError(t, n.postJSON(t, "/oauth/revoke", proof, `{"token":"`+set.AccessToken+`"}`), http.StatusBadRequest, "invalid_request", "*")
		oauthError(t, n.post(t, "/oauth/revoke?token="+set.AccessToken, proof, url.Values{}), http.StatusBadRequest, "invalid_request", "*")
		oauthError(t, n.revoke(t, proof, url.Values{"token": {set.AccessToken, set.AccessToken}}), http.StatusBadRequest, "invalid_request", "*")
		n.live(t, "after refusals", syncApp, set.AccessToken, true)
	})
	for _, hint := range []string{"", "access_token", "refresh_token", "id_token", "what?"} {
		t.Run("REVO-01 whatever the hint is: "+hint, func(t *testing.T) {
			set := fresh(t, syncApp)
			emptySuccess(t, n.revoke(t, proof, url.Values{"token": {set.AccessToken}, "token_type_hint": {hint}}))
			n.live(t, "an access token", syncApp, set.AccessToken, false)
			emptySuccess(t, n.revoke(t, proof, url.Values{"token": {set.RefreshToken}, "token_type_hint": {hint}}))
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
		})
	}
	t.Run("REVO-07 an access token goes alone", func(t *testing.T) {
		set := fresh(t, syncApp)
		emptySuccess(t, n.revoke(t, proof, url.Values{"token": {set.AccessToken}}))
		n.live(t, "the access token", syncApp, set.AccessToken, false)
		next := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
		n.live(t, "the next access token", syncApp, next.AccessToken, true)
	})
	t.Run("REVO-07 a refresh token takes its family with it, and no other", func(t *testing.T) {
		set, other := fresh(t, syncApp), fresh(t, syncApp)
		next := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
		emptySuccess(t, n.revoke(t, proof, url.Values{"token": {next.RefreshToken}}))
		n.live(t, "its access token", syncApp, next.AccessToken, false)
		oauthError(t, n.refresh(t, syncApp, next.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
		n.live(t, "another family's", syncApp, other.AccessToken, true)
		tokens(t, n.refresh(t, syncApp, other.RefreshToken, ""))
	})
	t.Run("REVO-02 unknown, foreign and dead tokens are no errors, and look alike", func(t *testing.T) {
		mine, foreign := fresh(t, syncApp), fresh(t, tillApp)
		bodies := map[string]bool{}
		for _, token := range []string{mine.AccessToken, mine.AccessToken, mine.RefreshToken, mine.RefreshToken, foreign.RefreshToken, "x",
			mine.AccessToken[:len(mine.AccessToken)-1] + "0", strings.Repeat("é", 500), "at_\x00"} {
			a := n.revoke(t, proof, url.Values{"token": {token}})
			emptySuccess(t, a)
			bodies[a.Body] = true
		}
		if len(bodies) != 1 {
			t.Errorf("answers differ: %v", bodies)
		}
		tokens(t, n.refresh(t, tillApp, foreign.RefreshToken, ""))
	})
	t.Run("REVO-03 a CONFIDENTIAL client needs its secret", func(t *testing.T) {
		set := fresh(t, syncApp)
		for _, form := range []url.Values{{"client_id": {syncApp}}, {"client_id": {syncApp}, "client_secret": {""}}} {
			form.Set("token", set.AccessToken)
			oauthError(t, n.revoke(t, nil, form), http.StatusUnauthorized, "invalid_client", "*")
		}
		oauthError(t, n.revoke(t, basic(syncApp, ""), url.Values{"token": {set.AccessToken}}), http.StatusUnauthorized, "invalid_client", "*")
		n.live(t, "after refusals", syncApp, set.AccessToken, true)
		emptySuccess(t, n.revoke(t, nil, url.Values{"client_id": {syncApp}, "client_secret": {secret}, "token": {set.AccessToken}}))
		n.live(t, "by client_secret_post", syncApp, set.AccessToken, false)
	})
	t.Run("REVO-04 a PUBLIC client revokes its own by client_id alone", func(t *testing.T) {
		set := fresh(t, tillApp)
		emptySuccess(t, n.revoke(t, nil, url.Values{"client_id": {tillApp}, "token": {set.RefreshToken}}))
		oauthError(t, n.refresh(t, tillApp, set.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
		set = fresh(t, tillApp)
		emptySuccess(t, n.revoke(t, basic(tillApp, ""), url.Values{"token": {set.RefreshToken}}))
		oauthError(t, n.refresh(t, tillApp, set.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
	})
	t.Run("REVO-04 nobody revokes another client's", func(t *testing.T) {
		set := fresh(t, syncApp)
		for _, token := range []string{set.AccessToken, set.RefreshToken} {
			emptySuccess(t, n.revoke(t, nil, url.Values{"client_id": {tillApp}, "token": {token}}))
			emptySuccess(t, n.revoke(t, basic(tillApp, ""), url.Values{"token": {token}}))
			emptySuccess(t, n.revoke(t, basic(draftApp, *n.app(t, draftApp).ClientSecret), url.Values{"token": {token}}))
		}
		n.live(t, "another client's access token", syncApp, set.AccessToken, true)
		tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
	})
	t.Run("REVO-05 without a client_id holding the token suffices", func(t *testing.T) {
		set, till := fresh(t, syncApp), fresh(t, tillApp)
		emptySuccess(t, n.revoke(t, nil, url.Values{"token": {set.AccessToken}}))
		n.live(t, "an access token", syncApp, set.AccessToken, false)
		emptySuccess(t, n.revoke(t, nil, url.Values{"token": {set.RefreshToken}}))
		oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
		emptySuccess(t, n.revoke(t, nil, url.Values{"token": {till.RefreshToken}}))
		oauthError(t, n.refresh(t, tillApp, till.RefreshToken, ""), http.StatusBadRequest, "invalid_grant", "revoked")
		emptySuccess(t, n.revoke(t, nil, url.Values{"token": {"x"}}))
	})
	t.Run("REVO-06 who does not prove to be the client", func(t *testing.T) {
		set, till := fresh(t, syncApp), fresh(t, tillApp)
		for name, try := range map[string]func() harness.Answer{
			"a wrong secret": func() harness.Answer { return n.revoke(t, basic(syncApp, "x"), url.Values{"token": {set.AccessToken}}) },
			"a wrong secret of a PUBLIC": func() harness.Answer {
				return n.revoke(t, basic(tillApp, "x"), url.Values{"token": {till.RefreshToken}})
			},
			"an unknown client": func() harness.Answer {
				return n.revoke(t, nil, url.Values{"client_id": {"cli_x"}, "token": {set.AccessToken}})
			},
			"a secret without a client": func() harness.Answer {
				return n.revoke(t, nil, url.Values{"client_secret": {secret}, "token": {set.AccessToken}})
			},
			"a wrong secret, and unknown": func() harness.Answer { return n.revoke(t, basic("cli_x", "x"), url.Values{"token": {"x"}}) },
		} {
			t.Run(name, func(t *testing.T) { oauthError(t, try(), http.StatusUnauthorized, "invalid_client", "*") })
		}
		for _, suspend := range []bool{true, false} {
			undo := n.stop(t, syncApp, suspend)
			oauthError(t, n.revoke(t, proof, url.Values{"token": {set.AccessToken}}), http.StatusUnauthorized, "invalid_client", "*")
			undo()
			undo = n.stop(t, tillApp, suspend)
			oauthError(t, n.revoke(t, nil, url.Values{"client_id": {tillApp}, "token": {till.RefreshToken}}), http.StatusUnauthorized, "invalid_client", "*")
			undo()
		}
		n.live(t, "after refusals", syncApp, set.AccessToken, true)
		tokens(t, n.refresh(t, tillApp, till.RefreshToken, ""))
	})
}
