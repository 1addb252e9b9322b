package wire

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"daybook/internal/base/secret"
)

func TestTheSessionCookie(t *testing.T) {
	for _, c := range []struct {
		name   string
		cookie SessionCookie
		want   string
	}{
		{"over http", SessionCookie{}, "daybook_session"},
		{"over https", SessionCookie{Secure: true}, "__Host-daybook_session"},
		{"over https, shared", SessionCookie{Secure: true, Domain: "example.com"}, "__Secure-daybook_session"},
		{"over http, shared", SessionCookie{Domain: "example.com"}, "daybook_session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			c.cookie.Set(w, secret.Of("value"))
			c.cookie.Clear(w)
			set := w.Result().Cookies()
			if len(set) != 2 {
				t.Fatal(w.Header())
			}
			for _, one := range set {
				if one.Name != c.want || !one.HttpOnly || one.Secure != c.cookie.Secure || one.Domain != c.cookie.Domain || one.Path != "/" || one.SameSite != http.SameSiteLaxMode {
					t.Errorf("%s", one.Raw)
				}
			}
			if set[0].Value != "value" || set[0].MaxAge != 0 || set[1].Value != "" || set[1].MaxAge >= 0 {
				t.Errorf("set %s, cleared %s", set[0].Raw, set[1].Raw)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if !c.cookie.Read(r).Empty() {
				t.Error("a token without a cookie")
			}
			r.AddCookie(&http.Cookie{Name: c.want, Value: "value"})
			if c.cookie.Read(r).Reveal() != "value" {
				t.Error("the token was not read")
			}
		})
	}
}
