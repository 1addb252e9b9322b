package contract_test

import (
	"net/http"
	"net/url"
	"testing"

	"daybook/test/harness"
)

// crossing is a request as some browser, or no browser, sends it.
type crossing struct {
	name, origin, site string
	refused            bool
}

func crossings(n *harness.Node) []crossing {
	app, api := n.AuthURL, n.BaseURL
	return []crossing{
		{"neither header, as a script sends it", "", "", false},
		{"our own origin", app, "", false},
		{"our own origin, told by the browser", app, "same-origin", false},
		{"typed by the person", "", "none", false},
		{"the API host's origin", api, "same-site", false},
		{"another site", "https://evil.test", "", true},
		{"another site, told by the browser", "https://evil.test", "cross-site", true},
		{"another site without an origin", "", "cross-site", true},
		{"a sister site without an origin", "", "same-site", true},
		{"an origin that is hidden", "null", "", true},
		{"our host on another port", "http://127.0.0.1:1", "", true},
		{"our host as the beginning of another", app + ".evil.test", "", true},
		{"nonsense in the browser's word", "", "yes", true},
	}
}

func TestAPostFromAnotherSiteIsRefused(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		c := signedIn(t, n, "olivia")
		bakery, catering := olivia.Businesses[0], olivia.Businesses[1]
		for _, one := range crossings(n) {
			t.Run(one.name, func(t *testing.T) {
				header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
				if one.origin != "" {
					header.Set("Origin", one.origin)
				}
				if one.site != "" {
					header.Set("Sec-Fetch-Site", one.site)
				}
				a := harness.Send(t, c, http.MethodPost, n.AuthURL+"/switch", header, url.Values{"business": {catering.ID}}.Encode())
				want := catering.ID
				if one.refused {
					want = bakery.ID
					page(t, a, http.StatusForbidden)
				} else {
					seeOther(t, a, "/account")
				}
				if got := current(t, n, c); got != want {
					t.Errorf("the session works in %q, want %q", got, want)
				}
				harness.PostForm(t, c, n.AuthURL+"/switch", url.Values{"business": {bakery.ID}})
			})
		}
		cross := http.Header{"Origin": {"https://evil.test"}, "Content-Type": {"application/x-www-form-urlencoded"}}
		t.Run("signing in and out from another site", func(t *testing.T) {
			form := url.Values{"email": {olivia.Email}, "password": {olivia.Password}}.Encode()
			if a := harness.Send(t, plain(t), http.MethodPost, n.AuthURL+"/sign-in", cross, form); a.Status != http.StatusForbidden || a.Header.Get("Set-Cookie") != "" {
				t.Errorf("%d, cookie %q", a.Status, a.Header.Get("Set-Cookie"))
			}
			page(t, harness.Send(t, c, http.MethodPost, n.AuthURL+"/sign-out", cross, ""), http.StatusForbidden)
			page(t, harness.Get(t, c, n.AuthURL+"/account"), http.StatusOK)
		})
		t.Run("reading from another site is no post", func(t *testing.T) {
			page(t, harness.Send(t, c, http.MethodGet, n.AuthURL+"/account", cross, ""), http.StatusOK)
		})
		t.Run("SERR-01 on the API host it is refused in the standard shape", func(t *testing.T) {
			r := standard(t, harness.Send(t, plain(t), http.MethodPost, n.BaseURL+"/dev/clock", cross, `{"advance":"1h"}`), http.StatusForbidden)
			if r.Code == nil || *r.Code != "CROSS_ORIGIN" || r.Params != nil {
				t.Errorf("%q, params %v", r.text, r.Params)
			}
		})
	})
}
