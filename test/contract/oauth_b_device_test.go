package contract_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TestTheDeviceFlow holds DEVC-01 to DEVC-12 on nodes that all its cases share.
func TestTheDeviceFlow(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		t.Run("a device asks for a code", func(t *testing.T) { deviceAsks(t, n) })
		t.Run("a device polls", func(t *testing.T) { devicePolls(t, n) })
		t.Run("a person approves", func(t *testing.T) { deviceApproval(t, n) })
		t.Run("a person guesses", func(t *testing.T) { deviceGuesses(t, n) })
	})
}

const devicePath = "/oauth/device/authorize"

// postJSON sends a JSON body to an endpoint of the API host.
func (n *oauthNode) postJSON(t *testing.T, path string, header http.Header, body string) harness.Answer {
	t.Helper()
	h := http.Header{"Content-Type": {"application/json"}}
	for name, values := range header {
		h[name] = values
	}
	return harness.Send(t, plain(t), http.MethodPost, n.BaseURL+path, h, body)
}

var userCodeForm = regexp.MustCompile(`^[A-Z0-9]{4}-[A-Z0-9]{4}$`)

// deviceAsks holds DEVC-01 to DEVC-04.
func deviceAsks(t *testing.T, n *oauthNode) {
	secret := *n.app(t, syncApp).ClientSecret
	seen := map[string]bool{}
	for name, ask := range map[string]func(t *testing.T) harness.Answer{
		"a form with Basic": func(t *testing.T) harness.Answer {
			return n.post(t, devicePath, basic(syncApp, secret), url.Values{"scope": {"invoices:read"}})
		},
		"a form with the secret in it": func(t *testing.T) harness.Answer {
			return n.post(t, devicePath, nil, url.Values{"client_id": {syncApp}, "client_secret": {secret}})
		},
		"JSON with Basic": func(t *testing.T) harness.Answer {
			return n.postJSON(t, devicePath, basic(syncApp, secret), `{"scope":"invoices:read","later":{"a":[1]}}`)
		},
		"JSON with the secret in it": func(t *testing.T) harness.Answer {
			return n.postJSON(t, devicePath, nil, `{"client_id":"`+syncApp+`","client_secret":"`+secret+`"}`)
		},
		"a PUBLIC client's form": func(t *testing.T) harness.Answer {
			return n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}})
		},
		"a PUBLIC client's JSON": func(t *testing.T) harness.Answer {
			return n.postJSON(t, devicePath, nil, `{"client_id":"`+tillApp+`"}`)
		},
		"a PUBLIC client's Basic": func(t *testing.T) harness.Answer { return n.post(t, devicePath, basic(tillApp, ""), url.Values{}) },
		"a resource in JSON": func(t *testing.T) harness.Answer {
			return n.postJSON(t, devicePath, nil, `{"client_id":"`+tillApp+`","resource":"`+n.BaseURL+`/invoices"}`)
		},
	} {
		t.Run("DEVC-01 "+name, func(t *testing.T) {
			d := started(t, ask(t))
			if d.ExpiresIn != 600 || d.Interval != 5 || d.Page != n.AuthURL+"/device" {
				t.Errorf("%+v", d)
			}
			if !userCodeForm.MatchString(d.UserCode) {
				t.Errorf("user code %q is not two groups of four", d.UserCode)
			}
			complete, err := url.Parse(d.Complete)
			if err != nil || !strings.HasPrefix(d.Complete, d.Page+"?") || complete.Query().Get("user_code") != d.UserCode {
				t.Errorf("verification_uri_complete %q does not carry %q", d.Complete, d.UserCode)
			}
			if len(d.DeviceCode) < 43 || strings.Contains(d.DeviceCode, strings.ReplaceAll(d.UserCode, "-", "")) || seen[d.DeviceCode] || seen[d.UserCode] {
				t.Errorf("device code %q, user code %q: not new and unguessable", d.DeviceCode, d.UserCode)
			}
			seen[d.DeviceCode], seen[d.UserCode] = true, true
		})
	}
	t.Run("DEVC-02", func(t *testing.T) { deviceClients(t, n, secret) })
	t.Run("DEVC-03", func(t *testing.T) { deviceScopes(t, n) })
	t.Run("DEVC-04", func(t *testing.T) { deviceResources(t, n) })
	t.Run("OERR-04", func(t *testing.T) { deviceBodies(t, n) })
}

func deviceClients(t *testing.T, n *oauthNode, secret string) {
	for name, ask := range map[string]func() harness.Answer{
		"nobody":                   func() harness.Answer { return n.post(t, devicePath, nil, url.Values{"scope": {"invoices:read"}}) },
		"nobody in JSON":           func() harness.Answer { return n.postJSON(t, devicePath, nil, `{}`) },
		"an unknown client":        func() harness.Answer { return n.post(t, devicePath, nil, url.Values{"client_id": {"cli_nobody"}}) },
		"a secret that is missing": func() harness.Answer { return n.post(t, devicePath, nil, url.Values{"client_id": {syncApp}}) },
		"an empty secret":          func() harness.Answer { return n.post(t, devicePath, basic(syncApp, ""), url.Values{}) },
		"a wrong secret":           func() harness.Answer { return n.post(t, devicePath, basic(syncApp, secret+"x"), url.Values{}) },
		"a wrong secret in JSON": func() harness.Answer {
			return n.postJSON(t, devicePath, nil, `{"client_id":"`+syncApp+`","client_secret":"x"}`)
		},
		"another app's secret": func() harness.Answer { return n.post(t, devicePath, basic(draftApp, secret), url.Values{}) },
		"a secret of a PUBLIC client": func() harness.Answer {
			return n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}, "client_secret": {"x"}})
		},
		"a PUBLIC client's, by Basic": func() harness.Answer { return n.post(t, devicePath, basic(tillApp, "x"), url.Values{}) },
		"a wrong secret and a wrong scope": func() harness.Answer {
			return n.post(t, devicePath, basic(syncApp, "x"), url.Values{"scope": {"nothing:such"}})
		},
	} {
		t.Run(name, func(t *testing.T) { oauthError(t, ask(), http.StatusUnauthorized, "invalid_client", "*") })
	}
	for name, suspend := range map[string]bool{"a suspended app": true, "a deactivated app": false} {
		t.Run(name, func(t *testing.T) {
			undo := n.stop(t, syncApp, suspend)
			oauthError(t, n.post(t, devicePath, basic(syncApp, secret), url.Values{}), http.StatusUnauthorized, "invalid_client", "*")
			undo()
			n.startDevice(t, syncApp, "")
		})
	}
}

func deviceScopes(t *testing.T, n *oauthNode) {
	for _, one := range []struct{ name, scopes, named string }{
		{"a scope the app did not register", "invoices:read reports:read", "reports:read"},
		{"a scope that apps may not have", "console:manage", "console:manage"},
		{"a scope that does not exist", "unheard:of", "unheard:of"},
	} {
		t.Run(one.name, func(t *testing.T) {
			a := n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}, "scope": {one.scopes}})
			oauthError(t, a, http.StatusBadRequest, "invalid_scope", "*")
			if text, _ := a.JSON(t)["error_description"].(string); !strings.Contains(text, one.named) {
				t.Errorf("the description does not name %s: %s", one.named, a.Body)
			}
			oauthError(t, n.postJSON(t, devicePath, nil, `{"client_id":"`+tillApp+`","scope":"`+one.scopes+`"}`), http.StatusBadRequest, "invalid_scope", "*")
		})
	}
	t.Run("a scope whose characters may not be repeated", func(t *testing.T) {
		a := n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}, "scope": {"a\"b\\cé"}})
		oauthError(t, a, http.StatusBadRequest, "invalid_scope", "*")
		if text, _ := a.JSON(t)["error_description"].(string); strings.ContainsAny(text, "\"\\é") {
			t.Errorf("the description repeats them: %s", a.Body)
		}
	})
	olivia := n.worksIn(t, "olivia", "Bakery Brandt")
	t.Run("no scope asks for all that the app registered", func(t *testing.T) {
		d := n.approved(t, olivia, tillApp, "", n.business(t, "Bakery Brandt"))
		got := strings.Fields(tokens(t, n.poll(t, tillApp, d.DeviceCode)).Scope)
		sameScopes(t, got, n.app(t, tillApp).Scopes)
	})
	t.Run("fewer scopes are fewer", func(t *testing.T) {
		d := n.approved(t, olivia, tillApp, "invoices:read profile:read", n.business(t, "Bakery Brandt"))
		sameScopes(t, strings.Fields(tokens(t, n.poll(t, tillApp, d.DeviceCode)).Scope), []string{"profile:read", "invoices:read"})
	})
}

func deviceResources(t *testing.T, n *oauthNode) {
	for name, resource := range map[string]string{
		"another origin": "https://elsewhere.example/", "a relative one": "/invoices", "a fragment": n.BaseURL + "/#a",
		"one beyond 512 characters": n.BaseURL + "/" + strings.Repeat("a", 512-len(n.BaseURL)), "user info": "http://" + strings.TrimPrefix(n.BaseURL, "http://") + "@elsewhere.example/",
	} {
		t.Run(name, func(t *testing.T) {
			oauthError(t, n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}, "resource": {resource}}), http.StatusBadRequest, "invalid_target", "*")
			oauthError(t, n.postJSON(t, devicePath, nil, `{"client_id":"`+tillApp+`","resource":"`+resource+`"}`), http.StatusBadRequest, "invalid_target", "*")
		})
	}
	t.Run("two", func(t *testing.T) {
		two := url.Values{"client_id": {tillApp}, "resource": {n.BaseURL + "/a", n.BaseURL + "/b"}}
		oauthError(t, n.post(t, devicePath, nil, two), http.StatusBadRequest, "invalid_target", "*")
		oauthError(t, n.postJSON(t, devicePath, nil, `{"client_id":"`+tillApp+`","resource":["`+n.BaseURL+`/a","`+n.BaseURL+`/b"]}`), http.StatusBadRequest, "invalid_target", "*")
	})
	t.Run("512 characters are not too many", func(t *testing.T) {
		started(t, n.post(t, devicePath, nil, url.Values{"client_id": {tillApp}, "resource": {n.BaseURL + strings.Repeat("/a", 256)[:512-len(n.BaseURL)]}}))
	})
}

// deviceBodies are bodies that cannot be read.
func deviceBodies(t *testing.T, n *oauthNode) {
	for name, body := range map[string]string{
		"no JSON": `client_id=` + tillApp, "an array": `["` + tillApp + `"]`, "nothing": ``, "half an object": `{"client_id":"` + tillApp + `"`,
		"a member twice": `{"client_id":"` + tillApp + `","scope":"invoices:read","scope":"profile:read"}`, "two objects": `{"client_id":"` + tillApp + `"}{}`,
		"a scope that is no string": `{"client_id":"` + tillApp + `","scope":["invoices:read"]}`, "too much": `{"client_id":"` + tillApp + `","x":"` + strings.Repeat("x", 64<<10) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			oauthError(t, n.postJSON(t, devicePath, nil, body), http.StatusBadRequest, "invalid_request", "*")
		})
	}
	t.Run("another type", func(t *testing.T) {
		a := harness.Send(t, plain(t), http.MethodPost, n.BaseURL+devicePath, http.Header{"Content-Type": {"text/plain"}}, "client_id="+tillApp)
		oauthError(t, a, http.StatusBadRequest, "invalid_request", "*")
	})
	t.Run("a parameter twice", func(t *testing.T) {
		oauthError(t, n.post(t, devicePath, nil, url.Values{"client_id": {tillApp, tillApp}}), http.StatusBadRequest, "invalid_request", "*")
	})
	t.Run("two ways at once", func(t *testing.T) {
		secret := *n.app(t, syncApp).ClientSecret
		oauthError(t, n.postJSON(t, devicePath, basic(syncApp, secret), `{"client_secret":"`+secret+`"}`), http.StatusBadRequest, "invalid_request", "*")
	})
}

// sameScopes compares lists of scopes whatever their order.
func sameScopes(t *testing.T, got, want []string) {
	t.Helper()
	count := map[string]int{}
	for _, s := range got {
		count[s]++
	}
	for _, s := range want {
		count[s]--
	}
	for s, n := range count {
		if n != 0 {
			t.Errorf("scopes %v, want %v (%s)", got, want, s)
			return
		}
	}
}
