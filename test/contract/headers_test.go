package contract_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"daybook/test/harness"
)

// on every HTML answer of the app host, errors and redirects included.
var pageHeaders = map[string]string{
	"X-Frame-Options":            "DENY",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cache-Control":              "no-store",
}

func guarded(t *testing.T, a harness.Answer) {
	t.Helper()
	for name, want := range pageHeaders {
		if got := a.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	policy := a.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy %q does not say %s", policy, part)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
		t.Errorf("the policy allows scripts: %q", policy)
	}
}

func TestEveryPageIsGuarded(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		c := signedIn(t, n, "olivia")
		form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		for _, one := range []struct {
			name, method, path string
			header             http.Header
			client             *http.Client
			status             int
		}{
			{"sign-in", "GET", "/sign-in", nil, plain(t), 200},
			{"sign-in without its text", "HEAD", "/sign-in", nil, plain(t), 200},
			{"sign-in that failed", "POST", "/sign-in", form, plain(t), 401},
			{"account", "GET", "/account", nil, c, 200},
			{"an unknown path", "GET", "/nothing", nil, plain(t), 404},
			{"an unclean path", "GET", "/a/../b", nil, plain(t), 404},
			{"a wrong method", "PUT", "/sign-in", nil, plain(t), 405},
			{"a form that is none", "POST", "/sign-in", nil, plain(t), 400},
			{"a post from elsewhere", "POST", "/sign-in", http.Header{"Origin": {"https://evil.test"}}, plain(t), 403},
			{"a foreign business", "POST", "/switch", form, c, 404},
			{"a redirect to sign-in", "GET", "/account", nil, plain(t), 303},
			{"the home page", "GET", "/", nil, c, 200},
			{"the home page's redirect", "GET", "/", nil, plain(t), 303},
		} {
			t.Run("A-7 "+one.name, func(t *testing.T) {
				a := harness.Send(t, one.client, one.method, n.AuthURL+one.path, one.header, "")
				if a.Status != one.status {
					t.Fatalf("%d, want %d", a.Status, one.status)
				}
				if strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
					guarded(t, a)
				} else if one.status != http.StatusSeeOther {
					t.Errorf("not a page: %s", a.Header.Get("Content-Type"))
				}
			})
		}
	})
}

var stylesheetLink = regexp.MustCompile(`href="(/static/[^"]+\.css)"`)

func TestPagesLoadNothingButTheirStylesheet(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	c := signedIn(t, n, "olivia")
	for _, path := range []string{"/sign-in?next=/x", "/account", "/nothing"} {
		client := c
		if strings.HasPrefix(path, "/sign-in") {
			client = plain(t)
		}
		text := harness.Get(t, client, n.AuthURL+path).Body
		for _, forbidden := range []string{"<script", "style=", "onclick", "http://", "https://", "<img", "<iframe"} {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s holds %s", path, forbidden)
			}
		}
		m := stylesheetLink.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%s has no stylesheet", path)
		}
		css := harness.Get(t, plain(t), n.AuthURL+m[1])
		if css.Status != http.StatusOK || css.Header.Get("Content-Type") != "text/css; charset=utf-8" || css.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(css.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", m[1], css.Status, css.Header)
		}
	}
}
