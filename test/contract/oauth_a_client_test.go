package contract_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// percent encodes every byte that is no letter or digit, as some clients do.
func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func TestClientAuthentication(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		secret := *n.app(t, syncApp).ClientSecret
		form := func(client, extra string) url.Values {
			f := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {n.issue(t, client, "olivia", bakery, "profile:read").RefreshToken}}
			return changed(t, f, extra)
		}
		for _, c := range []struct {
			name, client string
			header       http.Header
			extra        string
		}{
			{"Basic, form-encoded", syncApp, basic(syncApp, secret), ""},
			{"Basic, every sign percent-encoded", syncApp, basicRaw(percent(syncApp) + ":" + percent(secret)), ""},
			{"Basic, percent-encoded in small letters", syncApp, basicRaw(strings.ToLower(percent(syncApp)) + ":" + secret), ""},
			{"Basic, raw", syncApp, basicRaw(syncApp + ":" + secret), ""},
			{"Basic, its name in small letters", syncApp, http.Header{"Authorization": {"basic " + base64.StdEncoding.EncodeToString([]byte(syncApp+":"+secret))}}, ""},
			{"Basic, and the same client_id in the body", syncApp, basic(syncApp, secret), "client_id=" + syncApp},
			{"Basic, and an empty client_secret in the body", syncApp, basic(syncApp, secret), "client_secret="},
			{"in the body", syncApp, nil, "client_id=" + syncApp + "&client_secret=" + secret},
			{"in the body, beside a header of another kind", syncApp, http.Header{"Authorization": {"Bearer x"}}, "client_id=" + syncApp + "&client_secret=" + secret},
			{"PUBLIC by client_id", tillApp, nil, "client_id=" + tillApp},
			{"PUBLIC by client_id and an empty secret", tillApp, nil, "client_id=" + tillApp + "&client_secret="},
			{"PUBLIC by Basic with an empty secret", tillApp, basicRaw(tillApp + ":"), ""},
			{"PUBLIC by Basic with an empty secret, percent-encoded", tillApp, basicRaw(percent(tillApp) + ":"), ""},
		} {
			t.Run("CLNT-01 "+c.name, func(t *testing.T) {
				a := n.post(t, "/oauth/token", c.header, form(c.client, c.extra))
				tokens(t, a)
				if a.Header.Get("WWW-Authenticate") != "" {
					t.Errorf("a challenge: %s", a.Header.Get("WWW-Authenticate"))
				}
			})
		}
		whole := form(syncApp, "").Get("refresh_token")
		for _, c := range []struct {
			name   string
			header http.Header
			extra  string
		}{
			{"Basic and client_secret", basic(syncApp, secret), "client_secret=" + secret},
			{"Basic and both in the body", basic(syncApp, secret), "client_id=" + syncApp + "&client_secret=" + secret},
			{"Basic with a wrong secret and the right one in the body", basic(syncApp, "cs_wrong"), "client_id=" + syncApp + "&client_secret=" + secret},
			{"Basic and another client_id", basic(syncApp, secret), "client_id=" + tillApp},
			{"PUBLIC by Basic and another client_id", basicRaw(tillApp + ":"), "client_id=" + syncApp},
		} {
			t.Run("CLNT-01 refused: "+c.name, func(t *testing.T) {
				f := changed(t, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {whole}}, c.extra)
				a := n.post(t, "/oauth/token", c.header, f)
				oauthError(t, a, 400, "invalid_request", "*")
				if a.Header.Get("WWW-Authenticate") != "" {
					t.Errorf("a challenge: %s", a.Header.Get("WWW-Authenticate"))
				}
			})
		}
		for _, c := range []struct {
			name   string
			header http.Header
			extra  string
		}{
			{"nobody", nil, ""},
			{"an empty client_id", nil, "client_id="},
			{"a secret without a client_id", nil, "client_secret=" + secret},
			{"an unknown client_id", nil, "client_id=cli_nobody"},
			{"an unknown client_id with a secret", nil, "client_id=cli_nobody&client_secret=" + secret},
			{"a client_id that no store can hold", nil, "client_id=cli%00&client_secret=" + secret},
			{"a client_id that is no text", nil, "client_id=%ff&client_secret=%ff"},
			{"confidential without its secret", nil, "client_id=" + syncApp},
			{"confidential with an empty secret", nil, "client_id=" + syncApp + "&client_secret="},
			{"confidential with a wrong secret", nil, "client_id=" + syncApp + "&client_secret=cs_wrong"},
			{"confidential with the secret of another app", nil, "client_id=" + syncApp + "&client_secret=" + *n.app(t, draftApp).ClientSecret},
			{"confidential with a secret in capitals", nil, "client_id=" + syncApp + "&client_secret=" + strings.ToUpper(secret)},
			{"confidential with a secret and a blank", nil, "client_id=" + syncApp + "&client_secret=" + secret + " "},
			{"PUBLIC with a secret", nil, "client_id=" + tillApp + "&client_secret=x"},
			{"a bearer header alone", http.Header{"Authorization": {"Bearer " + secret}}, ""},
			{"Basic: a wrong secret", basic(syncApp, "cs_wrong"), ""},
			{"Basic: an unknown client", basic("cli_nobody", secret), ""},
			{"Basic: an unknown client that no store can hold", basicRaw("cli\x00:" + secret), ""},
			{"Basic: confidential with an empty secret", basicRaw(syncApp + ":"), ""},
			{"Basic: PUBLIC with a secret", basicRaw(tillApp + ":x"), ""},
			{"Basic: no colon", basicRaw(syncApp), ""},
			{"Basic: no client", basicRaw(":" + secret), ""},
			{"Basic: not base64", http.Header{"Authorization": {"Basic ***"}}, ""},
			{"Basic: nothing", http.Header{"Authorization": {"Basic"}}, ""},
			{"Basic: nothing readable, and client_id in the body", http.Header{"Authorization": {"Basic ***"}}, "client_id=" + tillApp},
		} {
			t.Run("CLNT-02 CLNT-03 "+c.name, func(t *testing.T) {
				for _, grant := range []string{"refresh_token", "authorization_code", deviceGrant, exchangeGrant, "password", ""} {
					f := url.Values{"grant_type": {grant}, "refresh_token": {whole}, "code": {"x"}, "redirect_uri": {"x"}, "device_code": {"x"}, "subject_token": {"x"}, "subject_token_type": {jwtType}}
					a := n.post(t, "/oauth/token", c.header, changed(t, f, c.extra))
					oauthError(t, a, 401, "invalid_client", "*")
					want := ""
					if strings.HasPrefix(c.name, "Basic") {
						want = `Basic realm="Daybook"`
					}
					if got := strings.Join(a.Header.Values("WWW-Authenticate"), ", "); got != want {
						t.Errorf("the challenge is %q, want %q", got, want)
					}
				}
			})
		}
		t.Run("CLNT-02 PUBLIC at token exchange, by its id alone or by Basic", func(t *testing.T) {
			f := url.Values{"grant_type": {exchangeGrant}, "subject_token": {"x"}, "subject_token_type": {jwtType}}
			a := n.post(t, "/oauth/token", basicRaw(tillApp+":"), f)
			oauthError(t, a, 401, "invalid_client", "*")
			if a.Header.Get("WWW-Authenticate") != `Basic realm="Daybook"` {
				t.Errorf("the challenge is %q", a.Header.Get("WWW-Authenticate"))
			}
			f.Set("client_id", tillApp)
			a = n.post(t, "/oauth/token", nil, f)
			oauthError(t, a, 401, "invalid_client", "*")
			if a.Header.Get("WWW-Authenticate") != "" {
				t.Errorf("the challenge is %q", a.Header.Get("WWW-Authenticate"))
			}
		})
		t.Run("CLNT-02 after all this the token is still good", func(t *testing.T) {
			tokens(t, n.refresh(t, syncApp, whole, ""))
		})
	})
}
