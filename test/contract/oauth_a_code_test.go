package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestRedeemingACode(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		browser := n.in(t, "olivia", bakery)
		// with makes a code of a client with PKCE, without one of the confidential app without.
		with := func(client string) (code, verifier string) {
			q := ask(client, "profile:read")
			verifier = withPKCE(q)
			return n.code(t, browser, q, bakery), verifier
		}
		without := func() string { return n.code(t, browser, ask(syncApp, "profile:read invoices:read"), bakery) }
		t.Run("CODE-01 with PKCE and without, confidential and public", func(t *testing.T) {
			for _, client := range []string{syncApp, tillApp} {
				code, verifier := with(client)
				tokens(t, n.redeem(t, client, code, returnURI, verifier))
			}
			if set := tokens(t, n.redeem(t, syncApp, without(), returnURI, "")); set.Scope != "profile:read invoices:read" || !n.active(t, syncApp, set.AccessToken) {
				t.Errorf("got %+v", set)
			}
		})
		t.Run("CODE-02 a second redemption is refused and ends what the first one gave", func(t *testing.T) {
			code := without()
			set := tokens(t, n.redeem(t, syncApp, code, returnURI, ""))
			later := tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			for range 2 {
				oauthError(t, n.redeem(t, syncApp, code, returnURI, ""), 400, "invalid_grant", "code already used")
			}
			if n.active(t, syncApp, later.AccessToken) || n.active(t, syncApp, later.RefreshToken) {
				t.Error("the tokens live on")
			}
			oauthError(t, n.refresh(t, syncApp, later.RefreshToken, ""), 400, "invalid_grant", "revoked")
		})
		t.Run("CODE-02 a replay that is not fully right ends nothing", func(t *testing.T) {
			q := ask(syncApp, "profile:read")
			verifier := withPKCE(q)
			code := n.code(t, browser, q, bakery)
			set := tokens(t, n.redeem(t, syncApp, code, returnURI, verifier))
			wrong, _ := pkcePair()
			oauthError(t, n.redeem(t, syncApp, code, returnURI, wrong), 400, "invalid_grant", "code already used")
			oauthError(t, n.redeem(t, syncApp, code, returnURI, ""), 400, "invalid_grant", "code already used")
			oauthError(t, n.redeem(t, syncApp, code, returnURI+"/", verifier), 400, "invalid_grant", "code already used")
			oauthError(t, n.redeem(t, tillApp, code, returnURI, verifier), 400, "invalid_grant", "")
			form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {returnURI}, "code_verifier": {verifier}}
			oauthError(t, n.post(t, "/oauth/token", basic(syncApp, "cs_wrong"), form), 401, "invalid_client", "*")
			if !n.active(t, syncApp, set.AccessToken) || !n.active(t, syncApp, set.RefreshToken) {
				t.Error("the tokens are dead")
			}
		})
		t.Run("CODE-04 CODE-07 another redirect_uri is refused and does not use the code up", func(t *testing.T) {
			code, verifier := with(tillApp)
			for _, uri := range []string{"http://localhost:3000/callback", returnURI + "/", strings.ToUpper(returnURI), "x", returnURI + "?"} {
				oauthError(t, n.redeem(t, tillApp, code, uri, verifier), 400, "invalid_grant", "redirect_uri mismatch")
			}
			tokens(t, n.redeem(t, tillApp, code, returnURI, verifier))
		})
		t.Run("CODE-05 CODE-07 a wrong verifier is refused and does not use the code up", func(t *testing.T) {
			code, verifier := with(tillApp)
			other, _ := pkcePair()
			for _, wrong := range []string{other, challengeOf(verifier), verifier + "A", verifier[:42], strings.ToLower(verifier), "wrong", verifier + "=", " " + verifier} {
				oauthError(t, n.redeem(t, tillApp, code, returnURI, wrong), 400, "invalid_grant", "PKCE verification failed")
			}
			tokens(t, n.redeem(t, tillApp, code, returnURI, verifier))
		})
		t.Run("CODE-05 a verifier for a code without a challenge is a downgrade", func(t *testing.T) {
			code, verifier := without(), ""
			verifier, _ = pkcePair()
			oauthError(t, n.redeem(t, syncApp, code, returnURI, verifier), 400, "invalid_grant", "PKCE verification failed")
			oauthError(t, n.redeem(t, syncApp, code, returnURI, "short"), 400, "invalid_grant", "PKCE verification failed")
			tokens(t, n.redeem(t, syncApp, code, returnURI, ""))
		})
		for _, c := range []struct {
			name     string
			verifier string
			good     bool
		}{
			{"42 characters", strings.Repeat("v", 42), false},
			{"43 characters", strings.Repeat("v", 43), true},
			{"128 characters", strings.Repeat("v", 128), true},
			{"129 characters", strings.Repeat("v", 129), false},
			{"every character that is allowed", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", true},
			{"a character that is not", strings.Repeat("v", 42) + "+", false},
			{"a letter with an accent", strings.Repeat("v", 42) + "é", false},
		} {
			t.Run("CODE-05 a matching verifier of "+c.name, func(t *testing.T) {
				q := ask(tillApp, "profile:read")
				q.Set("code_challenge", challengeOf(c.verifier))
				q.Set("code_challenge_method", "S256")
				a := n.redeem(t, tillApp, n.code(t, browser, q, bakery), returnURI, c.verifier)
				if c.good {
					tokens(t, a)
				} else {
					oauthError(t, a, 400, "invalid_grant", "PKCE verification failed")
				}
			})
		}
		t.Run("CODE-06 CODE-07 an unknown code, or another client's, says nothing and uses nothing up", func(t *testing.T) {
			code, verifier := with(tillApp)
			handle := n.held(t, browser, ask(syncApp, "profile:read"))
			for _, unknown := range []string{
				"nothing", "ac_0000000000000000000000000000000000000000000", code + "x", code[:len(code)-1], strings.ToLower(code), handle,
				"\xff", "a\x00", strings.Repeat("c", 5000),
			} {
				oauthError(t, n.redeem(t, tillApp, unknown, returnURI, verifier), 400, "invalid_grant", "")
			}
			for _, other := range []string{syncApp, draftApp} {
				oauthError(t, n.redeem(t, other, code, returnURI, verifier), 400, "invalid_grant", "")
			}
			tokens(t, n.redeem(t, tillApp, code, returnURI, verifier))
		})
		for name, end := range map[string]func(*testing.T, *http.Client, string){"uninstall": n.uninstall, "revoked access": n.revokeAccess} {
			t.Run("CODE-08 TOK-07 after "+name+" a code is dead, also when the app is connected again", func(t *testing.T) {
				code, verifier := with(tillApp)
				end(t, browser, tillApp)
				oauthError(t, n.redeem(t, tillApp, code, returnURI, verifier), 400, "invalid_grant", "")
				again, second := with(tillApp)
				oauthError(t, n.redeem(t, tillApp, code, returnURI, verifier), 400, "invalid_grant", "")
				tokens(t, n.redeem(t, tillApp, again, returnURI, second))
			})
		}
	})
}

// CODE-09, row by row: each code has two things wrong with it, and the earlier one in the rule's order is told.
func TestTheOrderOfReasonsForACode(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		wrong, _ := pkcePair()
		const foreignURI = "http://localhost:3000/callback"
		made := func(t *testing.T) (code, verifier string) {
			q := ask(tillApp, "profile:read")
			verifier = withPKCE(q)
			return n.code(t, n.in(t, "olivia", bakery), q, bakery), verifier
		}
		use := func(t *testing.T, code, verifier string) { tokens(t, n.redeem(t, tillApp, code, returnURI, verifier)) }
		wait := func(t *testing.T) { n.Advance(t, "10m") }
		uninstall := func(t *testing.T) { n.uninstall(t, n.in(t, "olivia", bakery), tillApp) }
		for _, c := range []struct {
			name        string
			used        bool
			then        func(*testing.T)
			client, uri string
			wrong       bool
			description string
		}{
			{"another client's before used", true, nil, syncApp, returnURI, false, ""},
			{"another client's before expired", false, wait, syncApp, returnURI, false, ""},
			{"another client's before redirect_uri and PKCE", false, nil, syncApp, foreignURI, true, ""},
			{"used before expired", true, wait, tillApp, returnURI, false, "code already used"},
			{"used before redirect_uri", true, nil, tillApp, foreignURI, false, "code already used"},
			{"used before PKCE", true, nil, tillApp, returnURI, true, "code already used"},
			{"used before installation", true, uninstall, tillApp, returnURI, false, "code already used"},
			{"expired before redirect_uri", false, wait, tillApp, foreignURI, false, "expired"},
			{"expired before PKCE", false, wait, tillApp, returnURI, true, "expired"},
			{"expired before installation", false, func(t *testing.T) { uninstall(t); wait(t) }, tillApp, returnURI, false, "expired"},
			{"redirect_uri before PKCE", false, nil, tillApp, foreignURI, true, "redirect_uri mismatch"},
			{"redirect_uri before installation", false, uninstall, tillApp, foreignURI, false, "redirect_uri mismatch"},
			{"PKCE before installation", false, uninstall, tillApp, returnURI, true, "PKCE verification failed"},
			{"installation last", false, uninstall, tillApp, returnURI, false, ""},
		} {
			t.Run("CODE-09 "+c.name, func(t *testing.T) {
				code, verifier := made(t)
				if c.used {
					use(t, code, verifier)
				}
				if c.then != nil {
					c.then(t)
				}
				if c.wrong {
					verifier = wrong
				}
				oauthError(t, n.redeem(t, c.client, code, c.uri, verifier), 400, "invalid_grant", c.description)
			})
		}
	})
}
