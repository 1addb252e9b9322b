package pages

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestNextIsAPathOfOurs(t *testing.T) {
	for _, c := range []struct {
		name, next string
		ok         bool
	}{
		{"the home page", "/", true},
		{"a page", "/account", true},
		{"a page with a query", "/account?done=password", true},
		{"an authorization request", "/oauth/authorize?redirect_uri=http://127.0.0.1:3000/callback&login_hint=ada@example.com&state=a%2Fb", true},
		{"a page with a fragment", "/account#password", true},
		{"two slashes in a query", "/a?b=//c", true},
		{"escaped letters", "/caf%C3%A9", true},
		{"as long as it may be", "/" + strings.Repeat("a", maxNext-1), true},

		{"a byte longer", "/" + strings.Repeat("a", maxNext), false},
		{"nothing", "", false},
		{"a relative path", "account", false},
		{"only a query", "?a=b", false},
		{"only a fragment", "#a", false},
		{"another site", "https://evil.example", false},
		{"another site without a scheme", "//evil.example", false},
		{"three slashes", "///evil.example", false},
		{"a backslash", `/\evil.example`, false},
		{"two backslashes", `\\evil.example`, false},
		{"a backslash further on", `/a\b`, false},
		{"a tab that browsers drop", "/\t/evil.example", false},
		{"a line break that browsers drop", "/\n/evil.example", false},
		{"a carriage return", "/a\rSet-Cookie: b=c", false},
		{"a null byte", "/a\x00b", false},
		{"a delete byte", "/a\x7fb", false},
		{"a space before", " //evil.example", false},
		{"a space inside", "/a b", false},
		{"letters outside ASCII", "/é", false},
		{"an escaped slash that would be decoded", "/%2Fevil.example", false},
		{"dots before two slashes", "/.//evil.example", false},
		{"two slashes further on", "/a//b", false},
		{"a user in the path", "/@evil.example", false},
		{"a user further on", "/a:b@evil.example", false},
		{"a scheme without slashes", "http:evil.example", false},
		{"a script", "javascript:alert(1)", false},
		{"a broken escape", "/%zz", false},
		{"a broken host", "/[::1", true}, // a path like any other
	} {
		t.Run("A-4 "+c.name, func(t *testing.T) {
			want := "/"
			if c.ok {
				want = c.next
			}
			if got := safeNext(c.next); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzNext(f *testing.F) {
	for _, seed := range []string{"/", "/account?a=b#c", "//evil.example", `/\evil.example`, "/\t/evil.example", "/%2f%2fevil.example", "/.//x", "/a@b", "http://evil.example", "/?//evil"} {
		f.Add(seed)
	}
	base, err := url.Parse("http://host.example/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, next string) {
		w := httptest.NewRecorder()
		seeOther(w, httptest.NewRequest(http.MethodPost, "/sign-in", nil), safeNext(next))
		for what, got := range map[string]string{"accepted": safeNext(next), "sent": w.Header().Get("Location")} {
			if !strings.HasPrefix(got, "/") || strings.HasPrefix(got, "//") {
				t.Errorf("%s %q does not begin with exactly one slash", what, got)
			}
			if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
				t.Errorf("%s %q has what browsers read differently", what, got)
			}
			u, err := url.Parse(got)
			if err != nil {
				t.Fatalf("%s %q: %v", what, got, err)
			}
			if to := base.ResolveReference(u); to.Scheme != "http" || to.Host != "host.example" || to.User != nil || strings.HasPrefix(to.Path, "//") {
				t.Errorf("%s %q leads to %s", what, got, to)
			}
		}
	})
}
