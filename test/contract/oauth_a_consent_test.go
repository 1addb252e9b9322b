package contract_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestTheWayToConsent(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		olivia, bakery, catering := n.User(t, "olivia"), n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering")
		browser := n.in(t, "olivia", bakery)
		t.Run("AUTHZ-01 someone signed out is led through sign-in, with every byte of the request", func(t *testing.T) {
			c, q := harness.Browser(t), ask(syncApp, "profile:read invoices:read")
			q.Set("state", awkward)
			a := n.authorize(t, c, q)
			to, err := url.Parse(a.Header.Get("Location"))
			if err != nil || a.Status != http.StatusSeeOther || to.Path != "/sign-in" {
				t.Fatalf("%d to %q", a.Status, a.Header.Get("Location"))
			}
			form := url.Values{"email": {olivia.Email}, "password": {olivia.Password}, "next": {to.Query().Get("next")}}
			back := harness.PostForm(t, c, n.AuthURL+"/sign-in", form)
			seeOther(t, back, "/oauth/authorize?"+q.Encode())
			handle := n.held(t, c, q)
			if got := callback(t, n.decide(t, c, handle, bakery, "allow")).Get("state"); got != awkward {
				t.Errorf("state came back as %q", got)
			}
		})
		t.Run("AUTHZ-01 AUTHZ-15 someone signed in comes straight to a page that says what is asked", func(t *testing.T) {
			text := page(t, harness.Get(t, browser, n.AuthURL+"/oauth/consent?request="+n.held(t, browser, ask(syncApp, "profile:read invoices:write"))), http.StatusOK)
			for _, want := range []string{"Ledger Sync", "Acme Apps", "127.0.0.1:3000", "See your name", "Create and change invoices", `name="request"`,
				`name="business"`, `value="` + bakery + `"`, `value="` + catering + `"`, `name="decision" value="allow"`, `name="decision" value="deny"`, ">Allow<", ">Deny<", ">Business<"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %s on the page", want)
				}
			}
			for _, other := range []string{n.business(t, "Acme Lab"), "See payments"} {
				if strings.Contains(text, other) {
					t.Errorf("%s is on the page", other)
				}
			}
		})
		t.Run("AUTHZ-02 each registered address is good and is the one returned to", func(t *testing.T) {
			q := ask(syncApp, "profile:read")
			q.Set("redirect_uri", "http://localhost:3000/callback")
			if to := n.decide(t, browser, n.held(t, browser, q), bakery, "allow").Header.Get("Location"); !strings.HasPrefix(to, "http://localhost:3000/callback?") {
				t.Errorf("returned to %q", to)
			}
		})
		t.Run("AUTHZ-03 any part of what the app registered may be asked for, in any order", func(t *testing.T) {
			for _, scopes := range [][]string{n.app(t, syncApp).Scopes, {"events:read", "profile:read"}, {"profile:read", "profile:read"}} {
				n.held(t, browser, ask(syncApp, strings.Join(scopes, " ")))
			}
		})
		t.Run("AUTHZ-05 S256 is good for both kinds of client, and no PKCE for a confidential one", func(t *testing.T) {
			for _, client := range []string{tillApp, syncApp} {
				q := ask(client, "profile:read")
				withPKCE(q)
				n.held(t, browser, q)
			}
			n.held(t, browser, ask(syncApp, "profile:read"))
		})
		t.Run("AUTHZ-06 a resource on the API origin, up to 512 characters", func(t *testing.T) {
			for _, resource := range []string{n.BaseURL, n.BaseURL + "/", n.BaseURL + "/any/path?and=query", sized(n.BaseURL, 512), ""} {
				q := ask(syncApp, "profile:read")
				q.Set("resource", resource)
				n.held(t, browser, q)
			}
		})
		t.Run("AUTHZ-07 approval returns code, state and issuer, and nothing else", func(t *testing.T) {
			a := n.decide(t, browser, n.held(t, browser, ask(syncApp, "profile:read")), bakery, "allow")
			values := callback(t, a)
			if len(values) != 3 || values.Get("code") == "" || values.Get("state") != "st" || values.Get("iss") != n.BaseURL {
				t.Errorf("got %v", values)
			}
			guarded(t, a)
		})
		t.Run("AUTHZ-07 denial returns access_denied, state and issuer, and connects nothing", func(t *testing.T) {
			q := ask(tillApp, "profile:read")
			withPKCE(q)
			// A person who denies need not choose a business, and may have none to choose.
			for _, business := range []string{catering, "", "biz_nowhere"} {
				values := callback(t, n.decide(t, browser, n.held(t, browser, q), business, "deny"))
				if len(values) != 3 || values.Get("error") != "access_denied" || values.Get("state") != "st" || values.Get("iss") != n.BaseURL {
					t.Errorf("got %v", values)
				}
			}
			if id, _ := n.installation(t, n.in(t, "olivia", catering), tillApp); id != "" {
				t.Errorf("it is installed as %s", id)
			}
		})
		t.Run("AUTHZ-07 a form that decides nothing redirects nowhere and leaves the request open", func(t *testing.T) {
			handle := n.held(t, browser, ask(syncApp, "profile:read"))
			for _, decision := range []string{"", "maybe", "ALLOW"} {
				page(t, n.decide(t, browser, handle, bakery, decision), http.StatusBadRequest)
			}
			for _, elsewhere := range []string{n.business(t, "Acme Lab"), "biz_nowhere", "", "biz\x00", "\xff"} {
				if a := n.decide(t, browser, handle, elsewhere, "allow"); a.Status < 400 || a.Status >= 500 || a.Header.Get("Location") != "" {
					t.Errorf("business %q: %d to %q", elsewhere, a.Status, a.Header.Get("Location"))
				}
			}
			callback(t, n.decide(t, browser, handle, bakery, "allow"))
		})
	})
}

// awkward has every byte that encodings quarrel about.
const awkward = "a+b c%20d%2Be&f=g;h?i#j/k\\l\"m'<n>é—🧾 "

func TestStateComesBackByteForByte(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		browser, bakery := signedIn(t, n.Node, "olivia"), n.business(t, "Bakery Brandt")
		for name, state := range map[string]string{
			"everything awkward": awkward, "a plus": "+", "a percent sign": "%", "an ampersand": "&", "an equals sign": "=", "a letter with an accent": "é",
			"an emoji": "🧾", "an encoded plus": "%2B", "a blank": " ", "a line break": "a\r\nb", "2048 bytes": strings.Repeat("s", 2048),
			"1024 letters of two bytes": strings.Repeat("é", 1024), "JSON": `{"to":"/a?b=c"}`, "a callback of its own": "&code=stolen&iss=x",
		} {
			t.Run("AUTHZ-04 "+name, func(t *testing.T) {
				for _, decision := range []string{"allow", "deny"} {
					q := ask(syncApp, "profile:read")
					q.Set("state", state)
					values := callback(t, n.decide(t, browser, n.held(t, browser, q), bakery, decision))
					if got := values["state"]; len(got) != 1 || got[0] != state || len(values) != 3 {
						t.Errorf("%s: state %q came back as %q", decision, state, got)
					}
				}
			})
		}
		for name, state := range map[string]string{"a zero byte": "a\x00b", "bytes that are no text": "a\xff\xfeb"} {
			t.Run("AUTHZ-04 AUTHZ-19 "+name+": echoed as it is, or refused, but never changed", func(t *testing.T) {
				q := ask(syncApp, "profile:read")
				q.Set("state", state)
				a := n.authorize(t, browser, q)
				if shown := alert.FindStringSubmatch(a.Body); a.Status == http.StatusBadRequest && shown != nil && strings.HasPrefix(shown[1], "invalid_request") {
					return
				}
				if got := callback(t, n.decide(t, browser, n.held(t, browser, q), bakery, "allow")).Get("state"); got != state {
					t.Errorf("state %q came back as %q", state, got)
				}
			})
		}
		t.Run("AUTHZ-04 no state, or an empty one: nothing is echoed", func(t *testing.T) {
			for _, q := range []url.Values{ask(syncApp, "profile:read"), ask(syncApp, "profile:read")} {
				q.Del("state")
				values := callback(t, n.decide(t, browser, n.held(t, browser, q), bakery, "allow"))
				if values.Has("state") || len(values) != 2 {
					t.Errorf("got %v", values)
				}
				q.Set("state", "")
			}
		})
		t.Run("AUTHZ-19 state of 2050 bytes in 1025 letters", func(t *testing.T) {
			q := ask(syncApp, "profile:read")
			q.Set("state", strings.Repeat("é", 1025))
			refusedPage(t, n.authorize(t, browser, q), "invalid_request: state must have at most 2048 bytes")
		})
	})
}

func TestWhoMayConnectWhat(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery, catering, lab := n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering"), n.business(t, "Acme Lab")
		olivia, dan := signedIn(t, n.Node, "olivia"), signedIn(t, n.Node, "dan")
		t.Run("AUTHZ-13 an unreviewed app and a person without a sandbox", func(t *testing.T) {
			handle := n.held(t, olivia, ask(draftApp, "profile:read"))
			refusedPage(t, harness.Get(t, olivia, n.AuthURL+"/oauth/consent?request="+handle), notReview)
			for _, business := range []string{bakery, catering} {
				refusedPage(t, n.decide(t, olivia, handle, business, "allow"), notReview)
			}
			if id, _ := n.installation(t, n.in(t, "olivia", bakery), draftApp); id != "" {
				t.Errorf("it is installed as %s", id)
			}
		})
		t.Run("AUTHZ-13 an unreviewed app and a sandbox of its own organization", func(t *testing.T) {
			handle := n.held(t, dan, ask(draftApp, "profile:read"))
			if text := page(t, harness.Get(t, dan, n.AuthURL+"/oauth/consent?request="+handle), http.StatusOK); !strings.Contains(text, `value="`+lab+`"`) || strings.Contains(text, bakery) {
				t.Errorf("the page offers something else:\n%s", text)
			}
			code := callback(t, n.decide(t, dan, handle, lab, "allow")).Get("code")
			tokens(t, n.redeem(t, draftApp, code, returnURI, ""))
		})
		t.Run("AUTHZ-15 someone who may connect apps nowhere is told so", func(t *testing.T) {
			vera := signedIn(t, n.Node, "vera")
			handle := n.held(t, vera, ask(syncApp, "profile:read"))
			page(t, harness.Get(t, vera, n.AuthURL+"/oauth/consent?request="+handle), http.StatusForbidden)
			page(t, n.decide(t, vera, handle, bakery, "allow"), http.StatusForbidden)
		})
		t.Run("AUTHZ-15 the tokens belong to the business that was picked", func(t *testing.T) {
			q := ask(tillApp, "profile:read")
			verifier := withPKCE(q)
			tokens(t, n.redeem(t, tillApp, n.code(t, olivia, q, catering), returnURI, verifier))
			if id, granted := n.installation(t, n.in(t, "olivia", catering), tillApp); id == "" || !slices.Equal(granted, []string{"profile:read"}) {
				t.Errorf("in the one picked: %q with %v", id, granted)
			}
			if id, _ := n.installation(t, n.in(t, "olivia", bakery), tillApp); id != "" {
				t.Errorf("in the other: %q", id)
			}
		})
		t.Run("AUTHZ-15 granted scopes are a union, a re-install begins anew", func(t *testing.T) {
			c := n.in(t, "olivia", catering)
			var last string
			for _, step := range []struct{ asked, granted string }{
				{"invoices:read", "invoices:read"}, {"profile:read payments:read", "profile:read invoices:read payments:read"}, {"invoices:read", "profile:read invoices:read payments:read"},
			} {
				set := tokens(t, n.redeem(t, syncApp, n.code(t, c, ask(syncApp, step.asked), catering), returnURI, ""))
				id, granted := n.installation(t, c, syncApp)
				if set.Scope != step.asked || strings.Join(granted, " ") != step.granted || last != "" && id != last {
					t.Errorf("asked for %s, token has %s, installation %s has %v", step.asked, set.Scope, id, granted)
				}
				last = id
			}
			n.uninstall(t, c, syncApp)
			n.code(t, c, ask(syncApp, "events:read"), catering)
			if id, granted := n.installation(t, c, syncApp); id == last || !slices.Equal(granted, []string{"events:read"}) {
				t.Errorf("installed again as %s with %v", id, granted)
			}
		})
	})
}
