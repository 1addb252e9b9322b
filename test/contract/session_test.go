package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// withCookie asks for the account page with one cookie and nothing else.
func withCookie(t *testing.T, n *harness.Node, name, value string) harness.Answer {
	t.Helper()
	return harness.Send(t, plain(t), http.MethodGet, n.AuthURL+"/account", http.Header{"Cookie": {name + "=" + value}}, "")
}

func alive(t *testing.T, n *harness.Node, c *http.Cookie, want bool) {
	t.Helper()
	a := withCookie(t, n, c.Name, c.Value)
	if got := a.Status == http.StatusOK; got != want || !got && a.Status != http.StatusSeeOther {
		t.Errorf("the session answers %d, want it alive: %v", a.Status, want)
	}
}

func TestASessionIsNewAtEachSignIn(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		browser := harness.Browser(t)
		first := sessionCookie(t, signIn(t, n, browser, olivia.Email, olivia.Password))
		elsewhere := sessionCookie(t, signIn(t, n, plain(t), olivia.Email, olivia.Password))
		second := sessionCookie(t, signIn(t, n, browser, olivia.Email, olivia.Password))
		if first.Value == second.Value || first.Value == elsewhere.Value {
			t.Error("a session came twice")
		}
		alive(t, n, first, false) // the browser's old one ended with the new sign-in
		alive(t, n, second, true)
		alive(t, n, elsewhere, true)

		planted := &http.Cookie{Name: first.Name, Value: "ds_" + strings.Repeat("A", 43)}
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Cookie": {planted.String()}}
		form := url.Values{"email": {olivia.Email}, "password": {olivia.Password}}.Encode()
		a := harness.Send(t, plain(t), http.MethodPost, n.AuthURL+"/sign-in", header, form)
		if given := sessionCookie(t, a); given.Value == planted.Value {
			t.Error("a planted session was taken over")
		}
		alive(t, n, planted, false)
	})
}

func TestSigningOut(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		browser := harness.Browser(t)
		session := sessionCookie(t, signIn(t, n, browser, olivia.Email, olivia.Password))
		other := sessionCookie(t, signIn(t, n, plain(t), olivia.Email, olivia.Password))
		a := harness.PostForm(t, browser, n.AuthURL+"/sign-out", nil)
		seeOther(t, a, "/sign-in")
		if c := sessionCookie(t, a); c.MaxAge >= 0 || c.Value != "" || c.Path != "/" {
			t.Errorf("the cookie stays: %s", c.Raw)
		}
		alive(t, n, session, false)
		alive(t, n, other, true)
		t.Run("again, or without a session, it does nothing and says the same", func(t *testing.T) {
			for _, cookie := range []string{"", session.Name + "=" + session.Value, session.Name + "=nonsense"} {
				a := harness.Send(t, plain(t), http.MethodPost, n.AuthURL+"/sign-out", http.Header{"Cookie": {cookie}}, "")
				seeOther(t, a, "/sign-in")
			}
			alive(t, n, other, true)
		})
	})
}

func TestASessionEndsWhenItIsNotUsed(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		used := sessionCookie(t, signIn(t, n, plain(t), olivia.Email, olivia.Password))
		unused := sessionCookie(t, signIn(t, n, plain(t), olivia.Email, olivia.Password))
		n.Advance(t, "11h59m")
		alive(t, n, used, true)
		n.Advance(t, "1m1s")
		alive(t, n, unused, false) // twelve hours and a second without use
		alive(t, n, used, true)
		for range 13 { // in use all the time, until the seventh day is over
			n.Advance(t, "11h")
			alive(t, n, used, true)
		}
		n.Advance(t, "13h")
		alive(t, n, used, false)
	})
}

func TestAForgedCookieIsNobody(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	olivia := n.User(t, "olivia")
	real := sessionCookie(t, signIn(t, n, plain(t), olivia.Email, olivia.Password))
	for name, value := range map[string]string{
		"an empty value":            "",
		"another name's prefix":     "cs_" + real.Value[3:],
		"one character changed":     real.Value[:len(real.Value)-1] + swap(real.Value[len(real.Value)-1]),
		"one character more":        real.Value + "0",
		"in lower case":             strings.ToLower(real.Value) + "x",
		"SQL":                       "' OR 1=1 --",
		"a very long value":         "ds_" + strings.Repeat("A", 8000),
		"an id in place of a token": olivia.ID,
	} {
		t.Run(name, func(t *testing.T) { alive(t, n, &http.Cookie{Name: real.Name, Value: value}, false) })
	}
	t.Run("the cookie of https is not read over http", func(t *testing.T) {
		alive(t, n, &http.Cookie{Name: "__Host-" + real.Name, Value: real.Value}, false)
	})
}

func swap(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}
