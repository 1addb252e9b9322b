package contract_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

const formType = "application/x-www-form-urlencoded"

// send posts a body as it is to the token endpoint, in the name of the confidential app.
func (n *oauthNode) send(t *testing.T, contentType, query, body string) harness.Answer {
	t.Helper()
	header := n.as(t, syncApp, url.Values{})
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return harness.Send(t, plain(t), http.MethodPost, n.BaseURL+"/oauth/token"+query, header, body)
}

func TestTokenRequests(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		browser := signedIn(t, n.Node, "olivia")
		fresh := func() url.Values {
			return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {n.issue(t, syncApp, "olivia", bakery, "profile:read").RefreshToken}}
		}
		good := func(t *testing.T, a harness.Answer) {
			t.Helper()
			set := tokens(t, a)
			if set.TokenType != "Bearer" || set.ExpiresIn != 3600 || set.RefreshToken == "" || set.Scope != "profile:read" || set.IssuedTokenType != "" {
				t.Errorf("got %s", a.Body)
			}
			if a.Header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Errorf("Content-Type %q", a.Header.Get("Content-Type"))
			}
			notKept(t, a)
			requestID(t, a)
		}
		t.Run("TOK-02 the answer to a code and to a refresh token", func(t *testing.T) {
			good(t, n.redeem(t, syncApp, n.code(t, browser, ask(syncApp, "profile:read"), bakery), returnURI, ""))
			good(t, n.send(t, formType, "", fresh().Encode()))
		})
		for _, contentType := range []string{formType + "; charset=utf-8", "Application/X-WWW-Form-Urlencoded"} {
			t.Run("TOK-01 content type "+contentType, func(t *testing.T) { good(t, n.send(t, contentType, "", fresh().Encode())) })
		}
		whole := fresh()
		for _, c := range []struct{ name, contentType, query, body string }{
			{"JSON", "application/json", "", `{"grant_type":"refresh_token","refresh_token":"` + whole.Get("refresh_token") + `"}`},
			{"a form that says it is JSON", "application/json", "", whole.Encode()},
			{"no content type", "", "", whole.Encode()},
			{"plain text", "text/plain", "", whole.Encode()},
			{"multipart", "multipart/form-data; boundary=x", "", "--x\r\nContent-Disposition: form-data; name=\"grant_type\"\r\n\r\nrefresh_token\r\n--x--"},
			{"a content type that is none", "application/", "", whole.Encode()},
			{"every parameter in the address", formType, "?" + whole.Encode(), ""},
			{"one parameter in the address", formType, "?grant_type=refresh_token", whole.Encode()},
			{"a percent sign alone", formType, "", whole.Encode() + "&x=%"},
			{"a semicolon", formType, "", strings.ReplaceAll(whole.Encode(), "&", ";")},
			{"65 parameters", formType, "", whole.Encode() + others(63)},
			{"OERR-04 65537 bytes", formType, "", filled(whole, 65537)},
			{"OERR-04 two megabytes", formType, "", filled(whole, 2<<20)},
			{"OERR-04 no body", formType, "", ""},
		} {
			t.Run("TOK-01 OERR-04 "+c.name, func(t *testing.T) {
				oauthError(t, n.send(t, c.contentType, c.query, c.body), 400, "invalid_request", "*")
			})
		}
		for _, name := range []string{"grant_type", "refresh_token", "client_id", "client_secret", "scope", "code", "x"} {
			for _, second := range []string{"a", ""} {
				t.Run("TOK-01 "+name+" sent twice, the second time as "+second, func(t *testing.T) {
					form := url.Values{name: {whole.Get(name)}}
					for k, v := range whole {
						form[k] = v
					}
					if form.Get(name) == "" {
						form.Set(name, "a")
					}
					form.Add(name, second)
					oauthError(t, n.send(t, formType, "", form.Encode()), 400, "invalid_request", "*")
				})
			}
		}
		for name, change := range map[string]string{
			"sent twice": "+resource=" + n.BaseURL, "sent twice, once empty": "+resource=", "relative": "resource=/a", "another origin": "resource=https://other.test",
			"the app host": "resource=" + n.AuthURL, "a fragment": "resource=" + n.BaseURL + "%23a", "513 characters": "resource=" + sized(n.BaseURL, 513), "no URI": "resource=api",
			"a look-alike": "resource=" + n.BaseURL + "@evil.test",
		} {
			for _, grant := range []url.Values{
				whole, {"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {returnURI}}, {"grant_type": {deviceGrant}, "device_code": {"x"}},
				{"grant_type": {exchangeGrant}, "subject_token": {"x"}, "subject_token_type": {jwtType}},
			} {
				t.Run("TOK-05 TOK-01 resource "+name+" at "+grant.Get("grant_type"), func(t *testing.T) {
					form := url.Values{"resource": {n.BaseURL}}
					for k, v := range grant {
						form[k] = v
					}
					oauthError(t, n.send(t, formType, "", changed(t, form, change).Encode()), 400, "invalid_target", "*")
				})
			}
		}
		// Nothing so far has used up the token that all these requests carried.
		t.Run("TOK-01 64 parameters and 65536 bytes are not too many", func(t *testing.T) {
			text := whole.Encode() + others(61) // two parameters before, and one below
			good(t, n.send(t, formType, "", text+"&pad="+strings.Repeat("p", 65536-len(text)-len("&pad="))))
		})
		for _, resource := range []string{n.BaseURL, n.BaseURL + "/invoices?x=1", sized(n.BaseURL, 512), ""} {
			t.Run("TOK-05 a good resource", func(t *testing.T) {
				form := fresh()
				form.Set("resource", resource)
				good(t, n.send(t, formType, "", form.Encode()))
			})
		}
		for _, c := range []struct{ rule, missing, body string }{
			{"TOK-03", "grant_type", "refresh_token=x"},
			{"TOK-03", "grant_type, sent empty", "grant_type=&refresh_token=x"},
			{"TOK-03", "code", "grant_type=authorization_code&redirect_uri=x"},
			{"TOK-03", "code, sent empty", "grant_type=authorization_code&redirect_uri=x&code="},
			{"TOK-03", "redirect_uri", "grant_type=authorization_code&code=x"},
			{"TOK-03", "refresh_token", "grant_type=refresh_token"},
			{"TOK-03", "device_code", "grant_type=" + deviceGrant},
			{"TOK-03", "subject_token", "grant_type=" + exchangeGrant + "&subject_token_type=" + jwtType},
			{"TOK-03", "subject_token_type", "grant_type=" + exchangeGrant + "&subject_token=x"},
			{"TOK-03", "a subject_token_type that we know", "grant_type=" + exchangeGrant + "&subject_token=x&subject_token_type=saml"},
			{"TOK-03", "a requested_token_type that we know", "grant_type=" + exchangeGrant + "&subject_token=x&subject_token_type=" + jwtType + "&requested_token_type=saml"},
		} {
			t.Run(c.rule+" without "+c.missing, func(t *testing.T) { oauthError(t, n.send(t, formType, "", c.body), 400, "invalid_request", "*") })
		}
		t.Run("TOK-03 without the verifier of a code that has a challenge, and the code stays good", func(t *testing.T) {
			q := ask(syncApp, "profile:read")
			verifier := withPKCE(q)
			code := n.code(t, browser, q, bakery)
			oauthError(t, n.redeem(t, syncApp, code, returnURI, ""), 400, "invalid_request", "*")
			tokens(t, n.redeem(t, syncApp, code, returnURI, verifier))
		})
		for _, grant := range []string{"password", "client_credentials", "implicit", "AUTHORIZATION_CODE", "refresh_token ", "urn:ietf:params:oauth:grant-type:jwt-bearer", "\x00"} {
			t.Run("TOK-04 grant_type "+grant, func(t *testing.T) {
				oauthError(t, n.send(t, formType, "", url.Values{"grant_type": {grant}, "username": {"a"}, "password": {"b"}}.Encode()), 400, "unsupported_grant_type", "*")
			})
		}
		t.Run("TOK-07 TOK-02 no answer is given to another business's app without an installation", func(t *testing.T) {
			set := n.issue(t, syncApp, "olivia", n.business(t, "Brandt Catering"), "profile:read")
			n.uninstall(t, n.in(t, "olivia", n.business(t, "Brandt Catering")), syncApp)
			oauthError(t, n.refresh(t, syncApp, set.RefreshToken, ""), 400, "invalid_grant", "")
		})
	})
}

// others is so many more parameters, each another one.
func others(count int) (text string) {
	for i := range count {
		text += fmt.Sprintf("&x%d=", i)
	}
	return text
}

// filled is a form of so many bytes.
func filled(form url.Values, size int) string {
	text := form.Encode() + "&pad="
	return text + strings.Repeat("p", size-len(text))
}

func TestASuspendedAppGetsNoTokens(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		for name, suspend := range map[string]bool{"suspended": true, "deactivated": false} {
			for _, client := range []string{syncApp, tillApp} {
				t.Run("TOK-08 CLNT-02 "+name+" "+client, func(t *testing.T) {
					q := ask(client, "profile:read")
					verifier := withPKCE(q)
					code := n.code(t, signedIn(t, n.Node, "olivia"), q, bakery)
					set := n.issue(t, client, "olivia", bakery, "profile:read")
					undo := n.stop(t, client, suspend)
					for _, form := range []url.Values{
						{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {returnURI}, "code_verifier": {verifier}},
						{"grant_type": {"refresh_token"}, "refresh_token": {set.RefreshToken}},
						{"grant_type": {deviceGrant}, "device_code": {"x"}},
						{"grant_type": {exchangeGrant}, "subject_token": {"x"}, "subject_token_type": {jwtType}},
						{"grant_type": {"password"}},
						{},
					} {
						oauthError(t, n.post(t, "/oauth/token", n.as(t, client, form), form), 401, "invalid_client", "*")
					}
					if client == syncApp && n.active(t, syncApp, set.AccessToken) {
						t.Error("its token is active")
					}
					undo()
					// Nothing was consumed or burnt meanwhile.
					tokens(t, n.redeem(t, client, code, returnURI, verifier))
					tokens(t, n.refresh(t, client, set.RefreshToken, ""))
				})
			}
		}
	})
}
