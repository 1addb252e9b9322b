package contract_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestSigningIn(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		t.Run("the form has the documented fields", func(t *testing.T) {
			text := page(t, harness.Get(t, plain(t), n.AuthURL+"/sign-in"), http.StatusOK)
			for _, want := range []string{`name="email"`, `name="password"`, `name="next"`, `method="post" action="/sign-in"`, ">Sign in<"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %s in\n%s", want, text)
				}
			}
		})
		t.Run("the right password is answered by 303 and a session", func(t *testing.T) {
			a := signIn(t, n, plain(t), olivia.Email, olivia.Password)
			seeOther(t, a, "/")
			c := sessionCookie(t, a)
			if c.Name != "daybook_session" || !strings.HasPrefix(c.Value, "ds_") || len(c.Value) < 40 {
				t.Errorf("cookie %s=%s", c.Name, c.Value)
			}
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.Secure || c.MaxAge != 0 || c.RawExpires != "" {
				t.Errorf("cookie attributes: %s", c.Raw)
			}
		})
		t.Run("the address may be in capitals and padded", func(t *testing.T) {
			seeOther(t, signIn(t, n, plain(t), "  "+strings.ToUpper(olivia.Email)+" ", olivia.Password), "/")
		})
		t.Run("a session opens the account page, and the home page of the business", func(t *testing.T) {
			c := signedIn(t, n, "olivia")
			if text := page(t, harness.Get(t, c, n.AuthURL+"/"), http.StatusOK); !strings.Contains(text, "<h1>"+olivia.Businesses[0].Name+"</h1>") {
				t.Error("the home page is not that of her first business")
			}
			text := page(t, harness.Get(t, c, n.AuthURL+"/account"), http.StatusOK)
			for _, want := range []string{olivia.Name, olivia.Email, olivia.Businesses[0].Name, olivia.Businesses[1].Name} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q on the account page", want)
				}
			}
		})
		t.Run("someone without a business has an account page too", func(t *testing.T) {
			c := signedIn(t, n, "rosa")
			seeOther(t, harness.Get(t, c, n.AuthURL+"/"), "/account")
			page(t, harness.Get(t, c, n.AuthURL+"/account"), http.StatusOK)
		})
		t.Run("without a session pages lead to sign-in and back", func(t *testing.T) {
			seeOther(t, harness.Get(t, plain(t), n.AuthURL+"/account?done=password"), "/sign-in?next=%2Faccount%3Fdone%3Dpassword")
			seeOther(t, harness.PostForm(t, plain(t), n.AuthURL+"/switch", url.Values{"business": {"x"}}), "/sign-in")
		})
	})
}

func TestAWrongSignInIsAPageThatKeepsTheAddress(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		olivia := n.User(t, "olivia")
		const hostile = `"><script>alert(1)</script>@example.test`
		for _, c := range []struct{ name, email, password string }{
			{"a wrong password", olivia.Email, "not-" + olivia.Password},
			{"an empty password", olivia.Email, ""},
			{"a password of a megabyte's beginning", olivia.Email, strings.Repeat("p", 50_000)},
			{"somebody unknown", "nobody@example.test", olivia.Password},
			{"an address that would be markup", hostile, "x"},
			{"nothing at all", "", ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				a := harness.PostForm(t, plain(t), n.AuthURL+"/sign-in", url.Values{"email": {c.email}, "password": {c.password}, "next": {"/account"}})
				text := page(t, a, http.StatusUnauthorized)
				if !strings.Contains(html.UnescapeString(text), `value="`+c.email+`"`) {
					t.Errorf("the address is lost:\n%s", text)
				}
				if !strings.Contains(text, `name="next" value="/account"`) {
					t.Errorf("where to go next is lost:\n%s", text)
				}
				if c.password != "" && strings.Contains(text, c.password) && len(c.password) > 1 {
					t.Error("the page repeats the password")
				}
				if strings.Contains(text, "<script") {
					t.Error("the address became markup")
				}
				if a.Header.Get("Set-Cookie") != "" {
					t.Errorf("a cookie: %s", a.Header.Get("Set-Cookie"))
				}
			})
		}
	})
}

func TestAFormThatIsNone(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	for _, c := range []struct {
		name, contentType, body string
		status                  int
	}{
		{"JSON", "application/json", `{"email":"a"}`, 400},
		{"no content type", "", "email=a", 400},
		{"a form with files", "multipart/form-data; boundary=x", "--x--", 400},
		{"a percent sign alone", "application/x-www-form-urlencoded", "email=%", 400},
		{"a field sent twice", "application/x-www-form-urlencoded", "email=a&email=b", 400},
		{"more than 64 KiB", "application/x-www-form-urlencoded", "email=" + strings.Repeat("a", 64<<10), 413},
	} {
		t.Run("SERR-03 "+c.name, func(t *testing.T) {
			header := http.Header{}
			if c.contentType != "" {
				header.Set("Content-Type", c.contentType)
			}
			page(t, harness.Send(t, plain(t), http.MethodPost, n.AuthURL+"/sign-in", header, c.body), c.status)
		})
	}
	t.Run("fields in the address count for nothing", func(t *testing.T) {
		u := n.User(t, "olivia")
		q := url.Values{"email": {u.Email}, "password": {u.Password}}
		a := harness.PostForm(t, plain(t), n.AuthURL+"/sign-in?"+q.Encode(), nil)
		page(t, a, http.StatusUnauthorized)
	})
}

// What a person types and what a browser sends must not reach the log.
func TestTheLogHoldsNoSecrets(t *testing.T) {
	n := harness.Dev(t, harness.Options{Args: []string{"--log-level", "debug"}})
	c := plain(t)
	olivia := n.User(t, "olivia")
	cookie := sessionCookie(t, signIn(t, n, c, olivia.Email, olivia.Password))
	signIn(t, n, c, olivia.Email, "canary-password")
	header := http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}, "Authorization": {"Bearer canary-token"}, "X-Forwarded-For": {"canary-address"}}
	harness.Send(t, c, http.MethodGet, n.AuthURL+"/account?code=canary-code", header, "")
	harness.Send(t, c, http.MethodGet, n.BaseURL+"/dev/clock?access_token=canary-query", header, "")
	harness.PostJSON(t, c, n.BaseURL+"/dev/clock", `{"advance":"canary-body"}`)
	log := n.Log()
	if !strings.Contains(log, "path=/account") {
		t.Fatalf("the requests are not in the log:\n%s", log)
	}
	for _, secret := range []string{"canary", cookie.Value, olivia.Password} {
		if strings.Contains(log, secret) {
			t.Errorf("%q is in the log:\n%s", secret, log)
		}
	}
}
