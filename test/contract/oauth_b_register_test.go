package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/internal/tenancy/business"
	"daybook/test/harness"
)

// TestRegistration holds REGI-01 to REGI-05 on nodes that all its cases share.
func TestRegistration(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		t.Run("a client registers itself", func(t *testing.T) { registration(t, n) })
		t.Run("a registered client connects", func(t *testing.T) { registeredSandboxes(t, n) })
	})
}

const registerPath = "/oauth/register"

func (n *oauthNode) register(t *testing.T, members map[string]any) harness.Answer {
	t.Helper()
	body, _ := json.Marshal(members)
	return n.postJSON(t, registerPath, nil, string(body))
}

// registered proves that an answer is a registration response (RFC 7591, 3.2.1).
func registered(t *testing.T, a harness.Answer) map[string]any {
	t.Helper()
	if a.Status != http.StatusCreated {
		t.Fatalf("want 201, got %d %s", a.Status, a.Body)
	}
	notKept(t, a)
	return a.JSON(t)
}

// uris is a list of that many redirect URIs.
func uris(count int) []string {
	list := []string{}
	for i := range count {
		list = append(list, fmt.Sprintf("https://app.example/callback/%d", i))
	}
	return list
}

// registration holds REGI-01 to REGI-04.
func registration(t *testing.T, n *oauthNode) {
	t.Run("REGI-01 a CONFIDENTIAL client, with the defaults", func(t *testing.T) {
		before := n.time(t)
		body := registered(t, n.register(t, map[string]any{"redirect_uris": uris(1)}))
		id, _ := body["client_id"].(string)
		secret, _ := body["client_secret"].(string)
		if id == "" || strings.HasPrefix(id, "https://") || len(secret) < 43 || body["client_secret_expires_at"] != float64(0) {
			t.Errorf("%v", body)
		}
		if at, _ := body["client_id_issued_at"].(float64); int64(at) < before.Unix() || int64(at) > n.time(t).Unix() {
			t.Errorf("client_id_issued_at %v", body["client_id_issued_at"])
		}
		for name, want := range map[string]string{
			"token_endpoint_auth_method": "client_secret_basic", "grant_types": "[authorization_code refresh_token]", "response_types": "[code]",
			"scope": "profile:read", "redirect_uris": "[https://app.example/callback/0]",
		} {
			if got := fmt.Sprint(body[name]); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		started(t, n.post(t, devicePath, basic(id, secret), url.Values{}))
		oauthError(t, n.post(t, devicePath, basic(id, secret+"x"), url.Values{}), http.StatusUnauthorized, "invalid_client", "*")
		if body["registration_access_token"] != nil || body["registration_client_uri"] != nil {
			t.Errorf("management that does not exist is promised: %v", body)
		}
	})
	t.Run("REGI-01 a PUBLIC client, with all metadata", func(t *testing.T) {
		asked := map[string]any{
			"redirect_uris": []string{"http://localhost:8123/cb", "https://app.example/cb"}, "token_endpoint_auth_method": "none", "client_name": "Grüner Stift",
			"grant_types": []string{"authorization_code", "refresh_token", deviceGrant}, "response_types": []string{"code"}, "scope": "invoices:read profile:read",
			"client_uri": "https://app.example/", "logo_uri": "https://app.example/l.png", "policy_uri": "https://app.example/p", "tos_uri": "https://app.example/t",
			"software_id": "stift", "software_version": "1.2", "contacts": []string{"a@app.example"}, "jwks": map[string]any{"keys": []any{}}, "client_id": "mine", "unheard_of": true,
		}
		a := n.register(t, asked)
		body := registered(t, a)
		for name, value := range asked {
			switch got := fmt.Sprint(body[name]); {
			case name == "client_id" || name == "contacts" || name == "jwks" || name == "unheard_of": // ignored
				if got == fmt.Sprint(value) {
					t.Errorf("%s is echoed: %s", name, a.Body)
				}
			case name == "scope":
				sameScopes(t, strings.Fields(got), strings.Fields(value.(string)))
			case got != fmt.Sprint(value):
				t.Errorf("%s is %s, want %v", name, got, value)
			}
		}
		if strings.Contains(a.Body, "client_secret") {
			t.Errorf("a secret for a PUBLIC client: %s", a.Body)
		}
		started(t, n.post(t, devicePath, nil, url.Values{"client_id": {body["client_id"].(string)}}))
	})
	t.Run("REGI-01 two never share an id or a secret", func(t *testing.T) {
		one, two := registered(t, n.register(t, map[string]any{"redirect_uris": uris(1)})), registered(t, n.register(t, map[string]any{"redirect_uris": uris(1)}))
		if one["client_id"] == two["client_id"] || one["client_secret"] == two["client_secret"] {
			t.Errorf("%v, %v", one, two)
		}
	})
	t.Run("REGI-02", func(t *testing.T) { registeredURIs(t, n) })
	t.Run("REGI-03", func(t *testing.T) { registeredMetadata(t, n) })
	t.Run("REGI-04", func(t *testing.T) { registeredBodies(t, n) })
}

func registeredURIs(t *testing.T, n *oauthNode) {
	long := "https://app.example/" + strings.Repeat("a", 512-len("https://app.example/"))
	for name, list := range map[string]any{
		"one": uris(1), "five": uris(5), "512 characters": []string{long}, "loopback": []string{"http://127.0.0.1:1/cb", "http://[::1]:65535/cb", "http://localhost/cb", "http://127.1.2.3/"},
		"a bare host": []string{"https://app.example"}, "an escape": []string{"https://app.example/%2Fa%20b"},
	} {
		t.Run("good: "+name, func(t *testing.T) { registered(t, n.register(t, map[string]any{"redirect_uris": list})) })
	}
	for name, list := range map[string]any{
		"none": []string{}, "six": uris(6), "null": nil, "a string": "https://app.example/cb", "numbers": []int{1}, "an empty one": []string{""}, "null in the list": []any{nil},
		"513 characters": []string{long + "a"}, "http": []string{"http://app.example/cb"}, "a loopback name elsewhere": []string{"http://localhost.example/cb"},
		"an address that looks like loopback": []string{"http://127.0.0.1.example/cb"}, "a wildcard": []string{"https://*.app.example/cb"}, "a wildcard in the path": []string{"https://app.example/*"},
		"a query": []string{"https://app.example/cb?a=b"}, "an empty query": []string{"https://app.example/cb?"}, "a fragment": []string{"https://app.example/cb#a"},
		"an empty fragment": []string{"https://app.example/cb#"}, "a scheme of its own": []string{"com.example.app:/cb"}, "javascript": []string{"javascript:alert(1)"}, "data": []string{"data:text/html,x"},
		"relative": []string{"/cb"}, "without a scheme": []string{"//app.example/cb"}, "without a host": []string{"https:///cb"}, "user info": []string{"https://a:b@app.example/cb"},
		"a space": []string{"https://app.example/c b"}, "a line break": []string{"https://app.example/cb\r\nX: y"}, "a backslash": []string{`https://app.example\cb`},
		"one good and one bad": []string{"https://app.example/cb", "http://app.example/cb"},
	} {
		t.Run("bad: "+name, func(t *testing.T) {
			oauthError(t, n.register(t, map[string]any{"redirect_uris": list}), http.StatusBadRequest, "invalid_redirect_uri", "*")
		})
	}
	t.Run("bad: missing", func(t *testing.T) {
		oauthError(t, n.register(t, map[string]any{"client_name": "x"}), http.StatusBadRequest, "invalid_redirect_uri", "*")
		oauthError(t, n.register(t, map[string]any{"Redirect_URIs": uris(1)}), http.StatusBadRequest, "invalid_redirect_uri", "*")
	})
	t.Run("the same one twice is a matter of redirect_uris too", func(t *testing.T) {
		a := n.register(t, map[string]any{"redirect_uris": []string{"https://app.example/cb", "https://app.example/cb"}})
		if a.Status != http.StatusCreated {
			oauthError(t, a, http.StatusBadRequest, "invalid_redirect_uri", "*")
		}
	})
}

func registeredMetadata(t *testing.T, n *oauthNode) {
	for name, member := range map[string]map[string]any{
		"an auth method nobody has": {"token_endpoint_auth_method": "private_key_jwt"}, "an auth method that is no string": {"token_endpoint_auth_method": []string{"none"}},
		"a grant nobody has": {"grant_types": []string{"password"}}, "the implicit grant": {"grant_types": []string{"authorization_code", "implicit"}}, "grants that are no list": {"grant_types": "authorization_code"},
		"a response nobody has": {"response_types": []string{"token"}}, "responses that are no list": {"response_types": "code"},
		"a scope nobody has": {"scope": "unheard:of"}, "a scope that apps may not have": {"scope": "profile:read console:manage"}, "scopes that are a list": {"scope": []string{"profile:read"}},
		"a name that is no string": {"client_name": 7}, "a name that deceives": {"client_name": "Daybook official"}, "an address that is no string": {"client_uri": map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			member["redirect_uris"] = uris(1)
			oauthError(t, n.register(t, member), http.StatusBadRequest, "invalid_client_metadata", "*")
		})
	}
}

func registeredBodies(t *testing.T, n *oauthNode) {
	good := `{"redirect_uris":["https://app.example/cb"]`
	for name, body := range map[string]string{
		"nothing": ``, "no JSON": `redirect_uris=x`, "an array": `[` + good + `}]`, "a string": `"x"`, "null": `null`, "half an object": good, "something behind it": good + `}x`, "two objects": good + `}{}`,
		"a member twice": good + `,"redirect_uris":["https://app.example/cb"]}`, "an unknown member twice": good + `,"x":1,"x":2}`, "a name twice, once escaped": good + `,"scope":"profile:read","\u0073cope":"profile:read"}`,
		"a comma too many": good + `,}`, "deep": strings.Repeat(`{"a":`, 20000),
	} {
		t.Run(name, func(t *testing.T) {
			oauthError(t, n.postJSON(t, registerPath, nil, body), http.StatusBadRequest, "invalid_request", "*")
		})
	}
	for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "text/json"} {
		t.Run("Content-Type "+media, func(t *testing.T) {
			a := harness.Send(t, plain(t), http.MethodPost, n.BaseURL+registerPath, http.Header{"Content-Type": {media}}, good+"}")
			oauthError(t, a, http.StatusBadRequest, "invalid_request", "*")
		})
	}
	t.Run("64 KiB and a byte more", func(t *testing.T) {
		sized := func(size int) string {
			start := good + `,"padding":"`
			return start + strings.Repeat("p", size-len(start)-2) + `"}`
		}
		registered(t, n.postJSON(t, registerPath, nil, sized(64<<10)))
		oauthError(t, n.postJSON(t, registerPath, nil, sized(64<<10+1)), http.StatusBadRequest, "invalid_request", "*")
	})
}

// registeredSandboxes holds REGI-05.
func registeredSandboxes(t *testing.T, n *oauthNode) {
	lab, bakery := n.business(t, "Acme Lab"), n.business(t, "Bakery Brandt")
	// Olivia works in the sandbox too, and is not of the organization that it belongs to.
	members := &business.Service{DB: n.open(t)}
	must(t, members.AddMember(t.Context(), lab, n.User(t, "dan").ID, n.User(t, "olivia").ID, business.Admin))
	olivia, dan := n.worksIn(t, "olivia", "Bakery Brandt"), signedIn(t, n.Node, "dan")
	client := func(t *testing.T) (id string, q url.Values, verifier string) {
		body := registered(t, n.register(t, map[string]any{"redirect_uris": []string{returnURI}, "token_endpoint_auth_method": "none", "client_name": "Newcomer"}))
		q = ask(body["client_id"].(string), "profile:read")
		return body["client_id"].(string), q, withPKCE(q)
	}
	redeem := func(t *testing.T, id, code, verifier string) tokenSet {
		return tokens(t, n.post(t, "/oauth/token", nil, url.Values{"grant_type": {"authorization_code"}, "client_id": {id}, "code": {code}, "redirect_uri": {returnURI}, "code_verifier": {verifier}}))
	}
	t.Run("REGI-05 whoever is of no organization connects it to nothing", func(t *testing.T) {
		id, q, _ := client(t)
		handle := n.held(t, olivia, q)
		refusalPage(t, harness.Get(t, olivia, n.AuthURL+"/oauth/consent?request="+handle), http.StatusBadRequest, notReviewed)
		for _, b := range []string{bakery, lab} {
			refusalPage(t, n.decide(t, olivia, handle, b, "allow"), http.StatusBadRequest, notReviewed)
		}
		d := started(t, n.post(t, devicePath, nil, url.Values{"client_id": {id}}))
		for _, b := range []string{bakery, lab} {
			refusalPage(t, n.decideDevice(t, olivia, d.UserCode, b, "allow"), http.StatusBadRequest, notReviewed)
		}
	})
	t.Run("REGI-05 a member connects it to their organization's sandbox", func(t *testing.T) {
		id, q, verifier := client(t)
		set := redeem(t, id, n.code(t, dan, q, lab), verifier)
		form := url.Values{"grant_type": {"refresh_token"}, "client_id": {id}, "refresh_token": {set.RefreshToken}}
		tokens(t, n.post(t, "/oauth/token", nil, form))
		text := page(t, harness.Get(t, dan, n.AuthURL+"/oauth/consent?request="+n.held(t, dan, q)), http.StatusOK)
		if !strings.Contains(text, "Newcomer") || !strings.Contains(text, lab) || strings.Contains(text, bakery) {
			t.Errorf("the consent page:\n%s", text)
		}
		refusalPage(t, n.decide(t, olivia, n.held(t, olivia, q), bakery, "allow"), http.StatusBadRequest, notReviewed) // still not reviewed
	})
	t.Run("REGI-05 by the device flow too", func(t *testing.T) {
		id, _, _ := client(t)
		d := started(t, n.post(t, devicePath, nil, url.Values{"client_id": {id}}))
		seeOther(t, n.decideDevice(t, dan, d.UserCode, lab, "allow"), "/device/done?decision=allow")
		tokens(t, n.post(t, "/oauth/token", nil, url.Values{"grant_type": {deviceGrant}, "client_id": {id}, "device_code": {d.DeviceCode}}))
	})
}
