package contract_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"daybook/test/harness"
)

// The OAuth endpoints, and which of them pages of other origins may call.
var endpoints = map[string]bool{
	"/oauth/token": true, "/oauth/revoke": true, "/oauth/introspect": false, "/oauth/device/authorize": true, "/oauth/register": true,
}

func TestOAuthErrors(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		for path := range endpoints {
			address, form, jsonType := n.BaseURL+path, http.Header{"Content-Type": {formType}}, http.Header{"Content-Type": {"application/json"}}
			send := func(header http.Header, body string) harness.Answer {
				return harness.Send(t, plain(t), http.MethodPost, address, header, body)
			}
			t.Run("OERR-01 OERR-02 OERR-04 "+path+": a body that cannot be read", func(t *testing.T) {
				oauthError(t, send(http.Header{"Content-Type": {"text/plain"}}, "x"), 400, "invalid_request", "*")
				oauthError(t, send(nil, "x"), 400, "invalid_request", "*")
				if path == "/oauth/register" {
					oauthError(t, send(jsonType, `{`), 400, "invalid_request", "*")
					oauthError(t, send(jsonType, `{"x":"`+strings.Repeat("x", 2<<20)+`"}`), 400, "invalid_request", "*")
					return
				}
				oauthError(t, send(form, "token=%"), 400, "invalid_request", "*")
				oauthError(t, send(form, "token="+strings.Repeat("x", 1<<16)), 400, "invalid_request", "*")
				oauthError(t, send(form, "token="+strings.Repeat("x", 2<<20)), 400, "invalid_request", "*")
				oauthError(t, send(form, "a=1&a=2"), 400, "invalid_request", "*")
			})
			if path != "/oauth/register" {
				t.Run("OERR-03 "+path+": invalid_client is a 401", func(t *testing.T) {
					a := n.post(t, path, basic("cli_nobody", "x"), url.Values{"token": {"x"}})
					oauthError(t, a, 401, "invalid_client", "*")
					if a.Header.Get("WWW-Authenticate") != `Basic realm="Daybook"` { // CLNT-03
						t.Errorf("the challenge is %q", a.Header.Get("WWW-Authenticate"))
					}
					if open := a.Header.Get("Access-Control-Allow-Origin") == "*"; open != endpoints[path] {
						t.Errorf("open to pages of other origins: %v", open)
					}
				})
			}
			t.Run("OERR-01 "+path+": another method is refused in OAuth's shape too", func(t *testing.T) {
				for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
					a := harness.Send(t, plain(t), method, address, nil, "")
					body := a.JSON(t)
					if a.Status != http.StatusBadRequest && a.Status != http.StatusMethodNotAllowed || body["error"] != "invalid_request" || body["statusCode"] != nil || body["code"] != nil {
						t.Errorf("%s: %d %s", method, a.Status, a.Body)
					}
				}
			})
			t.Run("OERR-01 OERR-02 "+path+": a page of another origin", func(t *testing.T) {
				header := http.Header{"Origin": {"https://app.test"}, "Sec-Fetch-Site": {"cross-site"}, "Content-Type": {"text/plain"}}
				a := send(header, "x")
				allowed := a.Header.Get("Access-Control-Allow-Origin")
				if endpoints[path] {
					oauthError(t, a, 400, "invalid_request", "*")
					if allowed != "*" || a.Header.Get("Access-Control-Allow-Credentials") != "" || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "Retry-After") {
						t.Errorf("CORS headers %v", a.Header)
					}
				} else if body := a.JSON(t); allowed != "" || a.Status < 400 || body["statusCode"] != nil || body["code"] != nil {
					t.Errorf("open to %q, %d %s", allowed, a.Status, a.Body)
				}
			})
			t.Run("OERR-02 "+path+": the question before a call from another origin", func(t *testing.T) {
				header := http.Header{"Origin": {"https://app.test"}, "Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {"authorization,content-type"}}
				a := harness.Send(t, plain(t), http.MethodOptions, address, header, "")
				if !endpoints[path] {
					if a.Status < 400 || a.Header.Get("Access-Control-Allow-Origin") != "" {
						t.Errorf("%d %v", a.Status, a.Header)
					}
					return
				}
				allowed := strings.ToLower(a.Header.Get("Access-Control-Allow-Headers"))
				if a.Status != http.StatusNoContent || a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("Access-Control-Allow-Methods") != "POST" ||
					!strings.Contains(allowed, "authorization") || !strings.Contains(allowed, "content-type") ||
					!strings.Contains(allowed, "idempotency-key") || a.Header.Get("Access-Control-Allow-Credentials") != "" {
					t.Errorf("%d %v", a.Status, a.Header)
				}
			})
		}
		t.Run("META-01 META-06 discovery is open to pages of other origins, the app host is not", func(t *testing.T) {
			origin := http.Header{"Origin": {"https://app.test"}}
			for _, path := range []string{metadataPath, keysPath} {
				if a := harness.Send(t, plain(t), http.MethodGet, n.BaseURL+path, origin, ""); a.Status != http.StatusOK || a.Header.Get("Access-Control-Allow-Origin") != "*" {
					t.Errorf("%s: %d %v", path, a.Status, a.Header)
				}
			}
			for _, path := range []string{"/oauth/authorize", "/oauth/consent", "/device", "/sign-in", "/apps"} {
				for _, method := range []string{http.MethodGet, http.MethodOptions} {
					if a := harness.Send(t, plain(t), method, n.AuthURL+path, origin, ""); a.Header.Get("Access-Control-Allow-Origin") != "" {
						t.Errorf("%s %s is open to %s", method, path, a.Header.Get("Access-Control-Allow-Origin"))
					}
				}
			}
		})
		t.Run("OERR-02 TOK-02 no good answer may be kept either", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", n.business(t, "Bakery Brandt"), "profile:read")
			notKept(t, n.refresh(t, syncApp, set.RefreshToken, ""))
			for _, path := range []string{"/oauth/introspect", "/oauth/revoke", "/oauth/device/authorize"} {
				a := n.post(t, path, n.as(t, syncApp, nil), url.Values{"token": {"x"}})
				if notKept(t, a); a.Status != http.StatusOK {
					t.Errorf("%s: %d %s", path, a.Status, a.Body)
				}
			}
			a := harness.PostJSON(t, plain(t), n.BaseURL+"/oauth/register", `{"client_name":"A","redirect_uris":["`+returnURI+`"]}`)
			if notKept(t, a); a.Status != http.StatusCreated {
				t.Errorf("register: %d %s", a.Status, a.Body)
			}
		})
		t.Run("OERR-03 OERR-01 a failure of ours is a server_error", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", n.business(t, "Bakery Brandt"), "profile:read")
			n.sql(t, `ALTER TABLE refresh_tokens RENAME TO elsewhere`)
			a := n.refresh(t, syncApp, set.RefreshToken, "")
			n.sql(t, `ALTER TABLE elsewhere RENAME TO refresh_tokens`)
			if a.Status < 500 {
				t.Errorf("status %d", a.Status)
			}
			oauthError(t, a, a.Status, "server_error", "*")
			if strings.Contains(a.Body, "elsewhere") || strings.Contains(a.Body, "refresh_tokens") || strings.Contains(strings.ToLower(a.Body), "sql") {
				t.Errorf("it tells of our insides: %s", a.Body)
			}
			tokens(t, n.refresh(t, syncApp, set.RefreshToken, "")) // and nothing was used up
		})
	})
}

func TestTooManyOAuthRequests(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		n := &oauthNode{harness.Dev(t, harness.Options{Database: database}), database}
		t.Run("OERR-03 OERR-01 a limit is a 429 that says when to come back", func(t *testing.T) {
			for range 31 {
				oauthError(t, n.post(t, "/oauth/token", basic(syncApp, "cs_wrong"), url.Values{}), 401, "invalid_client", "*")
			}
			a := n.post(t, "/oauth/token", basic(syncApp, "cs_wrong"), url.Values{})
			seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
			if err != nil || seconds < 1 || seconds > 60 {
				t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
			}
			oauthError(t, a, 429, "temporarily_unavailable", fmt.Sprintf("too many requests, retry after %d seconds", seconds))
			if a.Header.Get("WWW-Authenticate") != "" {
				t.Error("a 429 carries no challenge")
			}
		})
	})
}
