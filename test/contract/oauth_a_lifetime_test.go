package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

func (n *oauthNode) clock(t *testing.T) time.Time {
	t.Helper()
	return now(t, harness.Get(t, plain(t), n.BaseURL+"/dev/clock"))
}

func (n *oauthNode) setClock(t *testing.T, to time.Time) {
	t.Helper()
	now(t, harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", `{"set":"`+to.Format(time.RFC3339Nano)+`"}`))
}

// atEdge makes a thing that lives so long and uses it a second before its end, then another at its end. The clock runs
// while requests are under way: where making it took most of that second, another one is made.
func atEdge[T any](t *testing.T, n *oauthNode, life time.Duration, make func() T, before, after func(T)) {
	t.Helper()
	for try := 1; ; try++ {
		begun := n.clock(t)
		thing := make()
		n.setClock(t, n.clock(t).Add(life-time.Second)) // made by then, so it is at least that old
		if spare := begun.Add(life).Sub(n.clock(t)); spare > 600*time.Millisecond || try == 10 {
			before(thing)
			break
		}
	}
	thing := make()
	n.setClock(t, n.clock(t).Add(life))
	after(thing)
}

func TestLifetimesOfRequestAndCode(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		type held struct {
			browser *http.Client
			handle  string
		}
		hold := func() held {
			c := signedIn(t, n.Node, "olivia")
			return held{c, n.held(t, c, ask(syncApp, "profile:read"))}
		}
		for _, decision := range []string{"allow", "deny"} {
			t.Run("AUTHZ-14 AUTHZ-17 a request can be decided at 4m59s and not at 5m: "+decision, func(t *testing.T) {
				atEdge(t, n, 5*time.Minute, hold,
					func(h held) { callback(t, n.decide(t, h.browser, h.handle, bakery, decision)) },
					func(h held) {
						refusedPage(t, harness.Get(t, h.browser, n.AuthURL+"/oauth/consent?request="+h.handle), notFound)
						refusedPage(t, n.decide(t, h.browser, h.handle, bakery, decision), notFound)
					})
			})
		}
		t.Run("AUTHZ-14 the page is there at 4m59s", func(t *testing.T) {
			atEdge(t, n, 5*time.Minute, hold,
				func(h held) {
					page(t, harness.Get(t, h.browser, n.AuthURL+"/oauth/consent?request="+h.handle), http.StatusOK)
				},
				func(held) {})
		})
		t.Run("CODE-03 CODE-01 AUTHZ-17 a code is good at 9m59s and expired at 10m", func(t *testing.T) {
			atEdge(t, n, 10*time.Minute,
				func() string { return n.code(t, signedIn(t, n.Node, "olivia"), ask(syncApp, "profile:read"), bakery) },
				func(code string) { tokens(t, n.redeem(t, syncApp, code, returnURI, "")) },
				func(code string) {
					oauthError(t, n.redeem(t, syncApp, code, returnURI, ""), 400, "invalid_grant", "expired")
				})
		})
		t.Run("REF-04 REF-01 a refresh token is good at 29d23h59m59s and expired at 30d", func(t *testing.T) {
			atEdge(t, n, 30*24*time.Hour,
				func() tokenSet { return n.issue(t, syncApp, "olivia", bakery, "profile:read") },
				func(set tokenSet) { tokens(t, n.refresh(t, syncApp, set.RefreshToken, "")) },
				func(set tokenSet) {
					oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "expired")
					if n.active(t, syncApp, set.RefreshToken) {
						t.Error("introspection says it is active")
					}
				})
		})
		t.Run("REF-04 each new refresh token has thirty days of its own", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", bakery, "profile:read")
			for range 3 {
				n.Advance(t, "29d")
				set = tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			}
		})
		t.Run("TOK-02 an access token lives 3600 seconds", func(t *testing.T) {
			atEdge(t, n, time.Hour,
				func() tokenSet { return n.issue(t, syncApp, "olivia", bakery, "profile:read") },
				func(set tokenSet) {
					if !n.active(t, syncApp, set.AccessToken) {
						t.Error("dead at 59m59s")
					}
				},
				func(set tokenSet) {
					if n.active(t, syncApp, set.AccessToken) {
						t.Error("alive at 60m")
					}
				})
		})
	})
}

func TestARequestIsDecidedOnceByItsOwnBrowser(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		c := signedIn(t, n.Node, "olivia")
		for _, pair := range [][2]string{{"allow", "allow"}, {"allow", "deny"}, {"deny", "allow"}, {"deny", "deny"}} {
			t.Run("AUTHZ-14 decided already: "+pair[0]+", then "+pair[1], func(t *testing.T) {
				handle := n.held(t, c, ask(syncApp, "profile:read"))
				callback(t, n.decide(t, c, handle, bakery, pair[0]))
				refusedPage(t, n.decide(t, c, handle, bakery, pair[1]), notFound)
				refusedPage(t, harness.Get(t, c, n.AuthURL+"/oauth/consent?request="+handle), notFound)
			})
		}
		for _, handle := range []string{"", "nothing", "ar_0000000000000000000000000000000000000000000", "\xff", "a\x00"} {
			t.Run("AUTHZ-14 no such request", func(t *testing.T) {
				refusedPage(t, harness.Get(t, c, n.AuthURL+"/oauth/consent?request="+url.QueryEscape(handle)), notFound)
				for _, decision := range []string{"allow", "deny"} {
					refusedPage(t, n.decide(t, c, handle, bakery, decision), notFound)
				}
			})
		}
		t.Run("AUTHZ-18 AUTHZ-14 another browser cannot decide it, even of the same person", func(t *testing.T) {
			handle := n.held(t, c, ask(syncApp, "profile:read"))
			for _, other := range []*http.Client{signedIn(t, n.Node, "olivia"), signedIn(t, n.Node, "sam")} {
				refusedPage(t, harness.Get(t, other, n.AuthURL+"/oauth/consent?request="+handle), notFound)
				refusedPage(t, n.decide(t, other, handle, bakery, "allow"), notFound)
			}
			seeOther(t, n.decide(t, plain(t), handle, bakery, "allow"), "/sign-in")
			callback(t, n.decide(t, c, handle, bakery, "allow"))
		})
		t.Run("AUTHZ-18 another site's page cannot decide it", func(t *testing.T) {
			handle := n.held(t, c, ask(syncApp, "profile:read"))
			form := url.Values{"request": {handle}, "business": {bakery}, "decision": {"allow"}}.Encode()
			for _, header := range []http.Header{{"Origin": {"https://evil.test"}}, {"Sec-Fetch-Site": {"cross-site"}}, {"Origin": {"null"}}} {
				header.Set("Content-Type", "application/x-www-form-urlencoded")
				for _, path := range []string{"/oauth/consent", "/device"} {
					a := harness.Send(t, c, http.MethodPost, n.AuthURL+path, header, form)
					page(t, a, http.StatusForbidden)
					guarded(t, a)
				}
			}
			page(t, harness.Get(t, c, n.AuthURL+"/oauth/consent?request="+handle), http.StatusOK)
			// Opening an address never decides, whatever it says.
			page(t, harness.Get(t, c, n.AuthURL+"/oauth/consent?"+form), http.StatusOK)
			callback(t, n.decide(t, c, handle, bakery, "allow"))
		})
		t.Run("AUTHZ-18 consent and device pages cannot be framed, run no scripts and send no referrer", func(t *testing.T) {
			consent := harness.Get(t, c, n.AuthURL+"/oauth/consent?request="+n.held(t, c, ask(syncApp, "profile:read")))
			guarded(t, consent)
			if policy := consent.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' http://127.0.0.1:3000;") {
				t.Errorf("the answer could not reach the app in every browser: %s", policy)
			}
			for _, a := range []harness.Answer{
				consent, harness.Get(t, c, n.AuthURL+"/device"), harness.Get(t, c, n.AuthURL+"/device?user_code=BCDF-GHJK"), n.authorize(t, c, ask(syncApp, "profile:read")),
			} {
				guarded(t, a)
				if strings.Contains(a.Body, "<script") || a.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("a script, or open to other sites:\n%s", a.Body)
				}
			}
		})
	})
}
