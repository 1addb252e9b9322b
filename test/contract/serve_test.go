package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// operator makes the first person of a production database.
func operator(t *testing.T, dir, database string) (email, password string) {
	t.Helper()
	args := []string{"operator", "create", "--email", "rosa@example.test", "--password-stdin", "--database", database}
	if status, _, stderr := harness.Run(t, dir, nil, "a-good-password\n", args...); status != 0 {
		t.Fatalf("operator create: %d\n%s", status, stderr)
	}
	return "rosa@example.test", "a-good-password"
}

func TestProductionHasNoDevelopmentEndpoints(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		n := harness.Serve(t, harness.ServeOptions{Args: []string{"--database", database}})
		for _, path := range []string{"/dev/clock", "/dev/tokens", "/dev", "/dev/", "/metrics", "/debug/pprof/", "/debug/vars"} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
				t.Run("SERR-03 "+method+" "+path, func(t *testing.T) {
					header := http.Header{"Content-Type": {"application/json"}}
					standard(t, harness.Send(t, plain(t), method, n.BaseURL+path, header, `{"advance":"1h"}`), http.StatusNotFound)
					page(t, harness.Send(t, plain(t), method, n.AuthURL+path, header, `{"advance":"1h"}`), http.StatusNotFound)
				})
			}
		}
		t.Run("and no demo people", func(t *testing.T) {
			page(t, signIn(t, n, plain(t), "olivia@brandt.test", "olivia-owns-it"), http.StatusUnauthorized)
		})
	})
}

func TestTheCookieOfAnHTTPSHost(t *testing.T) {
	for _, c := range []struct{ name, domain, cookie string }{
		{"a host of its own", "", "__Host-daybook_session"},
		{"a domain shared by both hosts", "example.com", "__Secure-daybook_session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			email, password := operator(t, dir, "daybook.db")
			args := []string{}
			if c.domain != "" {
				args = append(args, "--cookie-domain", c.domain)
			}
			n := harness.Serve(t, harness.ServeOptions{Dir: dir, BaseURL: "https://api.example.com", AuthURL: "https://app.example.com", Args: args})
			a := signIn(t, n, plain(t), email, password)
			seeOther(t, a, "/")
			got := sessionCookie(t, a)
			if got.Name != c.cookie || !got.Secure || !got.HttpOnly || got.Path != "/" || got.Domain != c.domain || got.SameSite != http.SameSiteLaxMode {
				t.Errorf("cookie %s", got.Raw)
			}
			if hsts := a.Header.Get("Strict-Transport-Security"); !strings.HasPrefix(hsts, "max-age=") {
				t.Errorf("Strict-Transport-Security %q", hsts)
			}
			page(t, withCookie(t, n, got.Name, got.Value), http.StatusOK)
			alive(t, n, &http.Cookie{Name: "daybook_session", Value: got.Value}, false)
		})
	}
}

// Behind a proxy the lock follows the client that the proxy saw, not the proxy.
func TestBehindAProxyTheClientIsLocked(t *testing.T) {
	dir := t.TempDir()
	email, password := operator(t, dir, "daybook.db")
	n := harness.Serve(t, harness.ServeOptions{Dir: dir, Args: []string{"--trusted-proxies", "127.0.0.1"}})
	from := func(address, password string) harness.Answer {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "X-Forwarded-For": {address}}
		return harness.Send(t, plain(t), http.MethodPost, n.AuthURL+"/sign-in", header, url.Values{"email": {email}, "password": {password}}.Encode())
	}
	for range 11 {
		page(t, from("198.51.100.7, 192.0.2.1", wrong), http.StatusUnauthorized)
	}
	locked(t, from("192.0.2.1", password))
	locked(t, from("203.0.113.9, 192.0.2.1", password)) // what stands further left is only the client's own claim
	seeOther(t, from("192.0.2.2", password), "/")
	for i := range 11 { // whoever has one address of an IPv6 network has all of them
		page(t, from("2001:db8:1:2::"+string(rune('1'+i%9)), wrong), http.StatusUnauthorized)
	}
	locked(t, from("2001:db8:1:2:ffff::1", password))
	seeOther(t, from("2001:db8:1:3::1", password), "/")
}
