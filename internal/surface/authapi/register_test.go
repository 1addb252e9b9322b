package authapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

func TestObjects(t *testing.T) {
	for _, good := range []string{`{}`, ` { "a" : 1 } `, `{"a":1,"A":2}`, `{"a":{"a":1}}`, `{"":null}`, "{\"a\":\"\\u0000\"}\n"} {
		if _, no := readObject([]byte(good)); no != nil {
			t.Errorf("%s: %v", good, no)
		}
	}
	for _, bad := range []string{
		``, ` `, `null`, `[]`, `"a"`, `1`, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1}}`, `{"a":1}{}`, `{"a":1} x`, `{"a":1,"a":1}`,
		`{"a":1,"\u0061":2}`, `{a:1}`, `{'a':1}`, `{"a":01}`, `{"a":1 "b":2}`,
		"\ufeff{}", `{"a":[1,2}`, strings.Repeat(`{"a":`, 20000),
	} {
		if members, no := readObject([]byte(bad)); no == nil || no.denial.Code != "invalid_request" || no.status != 400 {
			t.Errorf("%.40s: %v, %v", bad, members, no)
		}
	}
	members, _ := readObject([]byte(`{"Client_ID":1,"client_id":"x"}`))
	if string(members["client_id"]) != `"x"` || len(members) != 2 {
		t.Errorf("names are folded: %v", members)
	}
}

const redirects = `"redirect_uris":["https://app.example/cb"]`

// REGI-02, REGI-03, REGI-04.
func TestRegistrations(t *testing.T) {
	with := func(more string) string { return "{" + redirects + more + "}" }
	list := func(n int) string {
		uris := make([]string, n)
		for i := range uris {
			uris[i] = fmt.Sprintf(`"https://app.example/%d"`, i)
		}
		return `{"redirect_uris":[` + strings.Join(uris, ",") + `]}`
	}
	uri := func(s string) string { return `{"redirect_uris":["` + s + `"]}` }
	const ok, uris, meta, request = "", "invalid_redirect_uri", "invalid_client_metadata", "invalid_request"
	for _, c := range []struct{ name, text, code string }{
		{"the least", with(``), ok},
		{"five addresses", list(5), ok},
		{"six addresses", list(6), uris},
		{"one twice", `{"redirect_uris":["https://a/b","https://a/b"]}`, uris},
		{"no address", `{"redirect_uris":[]}`, uris},
		{"none named", `{}`, uris},
		{"null", `{"redirect_uris":null}`, uris},
		{"one that is no list", `{"redirect_uris":"https://app.example/cb"}`, uris},
		{"one that is no text", `{"redirect_uris":[1]}`, uris},
		{"a null among them", `{"redirect_uris":[null]}`, uris},
		{"loopback", uri("http://127.0.0.1:1/cb"), ok},
		{"http elsewhere", uri("http://app.example/cb"), uris},
		{"a wildcard", uri("https://*.example/cb"), uris},
		{"a query", uri("https://app.example/cb?a"), uris},
		{"a fragment", uri("https://app.example/cb#"), uris},
		{"512 characters", uri("https://app.example/" + strings.Repeat("a", 492)), ok},
		{"513 characters", uri("https://app.example/" + strings.Repeat("a", 493)), uris},
		{"another scheme", uri("app://cb"), uris},
		{"every way of authentication", with(`,"token_endpoint_auth_method":"none"`), ok},
		{"an unknown one", with(`,"token_endpoint_auth_method":"private_key_jwt"`), meta},
		{"an empty one", with(`,"token_endpoint_auth_method":""`), meta},
		{"one of the wrong type", with(`,"token_endpoint_auth_method":1`), meta},
		{"all grants", with(`,"grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:token-exchange"]`), ok},
		{"the implicit grant", with(`,"grant_types":["implicit"]`), meta},
		{"no grant", with(`,"grant_types":[]`), meta},
		{"grants as text", with(`,"grant_types":"authorization_code"`), meta},
		{"another response", with(`,"response_types":["token"]`), meta}, {"the response", with(`,"response_types":["code"]`), ok},
		{"scopes", with(`,"scope":"profile:read invoices:read"`), ok},
		{"a blank scope", with(`,"scope":" "`), ok},
		{"an unknown scope", with(`,"scope":"everything"`), meta},
		{"a scope of ours", with(`,"scope":"console:manage"`), meta},
		{"scopes as a list", with(`,"scope":["profile:read"]`), meta},
		{"a name", with(`,"client_name":"Ledger"`), ok},
		{"a name that is none", with(`,"client_name":{}`), meta},
		{"a long name", with(`,"client_name":"` + strings.Repeat("a", 2001) + `"`), meta},
		{"members nobody knows", with(`,"jwks":{"keys":[]},"contacts":7`), ok}, {"capitals are other members", with(`,"SCOPE":7`), ok},
		{"no JSON", `{`, request}, {"a list", `[]`, request}, {"a member twice", with(`,` + redirects), request},
	} {
		reg, no := parseRegistration([]byte(c.text))
		if code := codeOf(no); code != c.code {
			t.Errorf("%s: %q, want %q (%v)", c.name, code, c.code, no)
		}
		if no == nil {
			checkRegistration(t, reg)
		}
	}
	reg, _ := parseRegistration([]byte(with(``)))
	if reg.AuthMethod != "client_secret_basic" || !slices.Equal(reg.GrantTypes, []string{grantCode, grantRefresh}) || !slices.Equal(reg.Responses, []string{"code"}) || reg.Scopes.String() != "profile:read" {
		t.Errorf("without more it is %+v", reg) // RFC 7591, 2
	}
}

func codeOf(no *refusal) string {
	if no == nil {
		return ""
	}
	return no.denial.Code
}

// checkRegistration is what every accepted registration holds.
func checkRegistration(t *testing.T, reg registration) {
	t.Helper()
	if len(reg.RedirectURIs) < 1 || len(reg.RedirectURIs) > maxRegistered || len(reg.Scopes) == 0 || len(reg.GrantTypes) == 0 || !slices.Contains(authMethods, reg.AuthMethod) {
		t.Fatalf("accepted as %+v", reg)
	}
	for _, uri := range reg.RedirectURIs {
		if problem := app.CheckRedirectURI(uri); problem != "" {
			t.Fatalf("%q %s", uri, problem)
		}
	}
	for _, s := range reg.Scopes {
		if !scope.Partner(s) {
			t.Fatalf("with the scope %q", s)
		}
	}
	for _, g := range reg.GrantTypes {
		if !slices.Contains(allGrants, g) {
			t.Fatalf("with the grant %q", g)
		}
	}
	for name, text := range reg.texts {
		if !slices.Contains(echoed, name) || len(text) > 2000 {
			t.Fatalf("%q is echoed with %d bytes", name, len(text))
		}
	}
}

// What is wrong is told in the same words every time.
func TestARegistrationWithTwoMistakesIsToldTheSame(t *testing.T) {
	text := []byte("{" + redirects + `,"grant_types":1,"scope":1,"response_types":1,"token_endpoint_auth_method":1}`)
	_, first := parseRegistration(text)
	for range 50 {
		if _, again := parseRegistration(text); description(again) != description(first) {
			t.Fatalf("told %q and %q", description(first), description(again))
		}
	}
}

// DEVC-01: JSON or a form, to the same effect.
func TestDeviceBodies(t *testing.T) {
	for _, c := range []struct{ name, contentType, body, id, resource, problem string }{
		{"a form", formType, "client_id=a&resource=r", "a", "r", ""},
		{"JSON", "application/json", `{"client_id":"a","resource":"r"}`, "a", "r", ""},
		{"JSON with a list", "application/json", `{"client_id":"a","resource":["r"]}`, "a", "r", ""},
		{"JSON with null", "application/json", `{"client_id":"a","scope":null,"resource":null}`, "a", "", ""},
		{"JSON of the wrong type", "application/json", `{"client_id":1}`, "", "", "client_id must be a string"},
		{"a list of scopes", "application/json", `{"client_id":"a","scope":["b"]}`, "", "", "scope must be a string"},
		{"a member twice", "application/json", `{"client_id":"a","client_id":"b"}`, "", "", "the body must be one JSON object, without repeated members"},
		{"text", "text/plain", "client_id=a", "", "", "the body must be form-encoded: Content-Type " + formType},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		f, no := readEither(r)
		if description(no) != c.problem || f.get("client_id") != c.id || f.get("resource") != c.resource {
			t.Errorf("%s: %v, %v", c.name, f, no)
		}
	}
}

// Whatever is accepted keeps the rules, and a second reading gives the same.
func FuzzRegistration(f *testing.F) {
	for _, s := range []string{
		"{" + redirects + "}", `{}`, `{"redirect_uris":["https://a/b"],"scope":"profile:read","grant_types":["refresh_token"]}`,
		"{" + redirects + `,"response_types":null,"client_name":null}`, `[`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		members, no := readObject(text)
		var any map[string]json.RawMessage
		if err := json.Unmarshal(text, &any); no == nil && (err != nil || len(any) != len(members)) {
			t.Fatalf("%q is read as %v: %v", text, members, err)
		}
		reg, no := parseRegistration(text)
		if no != nil {
			for _, c := range []byte(no.denial.Description) {
				if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
					t.Fatalf("described as %q", no.denial.Description)
				}
			}
			if no.status != 400 || !slices.Contains([]string{"invalid_request", "invalid_redirect_uri", "invalid_client_metadata"}, no.denial.Code) {
				t.Fatalf("refused with %v", no)
			}
			return
		}
		checkRegistration(t, reg)
	})
}
