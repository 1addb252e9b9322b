package contract_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/test/harness"
)

var alert = regexp.MustCompile(`role="alert">([^<]*)<`)

// refusedPage proves that an answer is a page that shows exactly that message and leads nowhere (AUTHZ-07).
func refusedPage(t *testing.T, a harness.Answer, message string) {
	t.Helper()
	text := page(t, a, http.StatusBadRequest)
	guarded(t, a)
	shown := alert.FindStringSubmatch(text)
	if shown == nil || html.UnescapeString(shown[1]) != message {
		t.Errorf("the page shows %q, want %q", shown, message)
	}
	if a.Header.Get("Location") != "" || a.Header.Get("Refresh") != "" || strings.Contains(text, `http-equiv`) {
		t.Errorf("the page leads to %q", a.Header.Get("Location"))
	}
	if a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("other sites may read the page")
	}
}

const (
	noMatch   = "redirect_uri does not match any registered URI"
	noScope   = "Requested scopes not permitted for this client"
	noPKCE    = "PKCE is required for public clients"
	noClient  = "Invalid client_id"
	noTarget  = "invalid_target: resource must be one absolute URI on the API origin"
	notFound  = "invalid_request: authorization request not found or expired"
	notReview = "This app has not completed review and can only connect to its own sandbox businesses"
	onlyS256  = "invalid_request: code_challenge_method must be S256"
	badForm   = "invalid_request: code_challenge must be the base64url SHA-256 of the verifier, 43 characters"
)

// A request that is refused is refused to everybody, signed in or not: nobody signs in only to learn that it was no use.
func TestAuthorizeRefuses(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		_, challenge := pkcePair()
		browsers := []*http.Client{plain(t), signedIn(t, n.Node, "olivia")}
		origin := n.BaseURL
		for _, c := range []struct {
			name, client, change, message string // change: parameters to set; -name removes, +name adds a second
		}{
			{"AUTHZ-08 unknown client", syncApp, "client_id=cli_nobody", noClient},
			{"AUTHZ-08 the client id in capitals", syncApp, "client_id=CLI_DEMOSYNC", noClient},
			{"AUTHZ-08 a client id that no store can hold", syncApp, "client_id=cli%00", noClient},
			{"AUTHZ-08 a client id that is no text", syncApp, "client_id=%ff%fe", noClient},
			{"AUTHZ-09 AUTHZ-02 another scheme", syncApp, "redirect_uri=https://127.0.0.1:3000/callback", noMatch},
			{"AUTHZ-09 AUTHZ-02 another host", syncApp, "redirect_uri=http://127.0.0.2:3000/callback", noMatch},
			{"AUTHZ-09 AUTHZ-02 another port", syncApp, "redirect_uri=http://127.0.0.1:3001/callback", noMatch},
			{"AUTHZ-09 AUTHZ-02 another path", syncApp, "redirect_uri=http://127.0.0.1:3000/other", noMatch},
			{"AUTHZ-09 AUTHZ-02 a trailing slash", syncApp, "redirect_uri=http://127.0.0.1:3000/callback/", noMatch},
			{"AUTHZ-09 AUTHZ-02 a host in capitals", syncApp, "redirect_uri=http://LOCALHOST:3000/callback", noMatch},
			{"AUTHZ-09 AUTHZ-02 a query", syncApp, "redirect_uri=http://127.0.0.1:3000/callback?a=b", noMatch},
			{"AUTHZ-09 AUTHZ-02 an encoded path", syncApp, "redirect_uri=http://127.0.0.1:3000/%2563allback", noMatch},
			{"AUTHZ-09 AUTHZ-02 a script", syncApp, "redirect_uri=javascript:alert(1)", noMatch},
			{"AUTHZ-09 AUTHZ-02 one that another app registered", draftApp, "redirect_uri=http://localhost:3000/callback", noMatch},
			{"AUTHZ-10 AUTHZ-03 a scope that does not exist", syncApp, "scope=profile:read everything", noScope},
			{"AUTHZ-10 AUTHZ-03 a scope the app did not register", tillApp, "scope=journal:write", noScope},
			{"AUTHZ-10 AUTHZ-03 one good and one too many", tillApp, "scope=profile:read journal:read", noScope},
			{"AUTHZ-10 AUTHZ-03 a scope of our own", syncApp, "scope=platform:review", noScope},
			{"AUTHZ-10 AUTHZ-03 a scope in capitals", syncApp, "scope=PROFILE:READ", noScope},
			{"AUTHZ-11 AUTHZ-05 a public client without a challenge", tillApp, "", noPKCE},
			{"AUTHZ-11 AUTHZ-05 with a method only", tillApp, "code_challenge_method=S256", noPKCE},
			{"AUTHZ-11 AUTHZ-05 with an empty challenge", tillApp, "code_challenge=&code_challenge_method=S256", noPKCE},
			{"AUTHZ-05 plain, by a public client", tillApp, "code_challenge=" + challenge + "&code_challenge_method=plain", onlyS256},
			{"AUTHZ-05 plain, by a confidential client", syncApp, "code_challenge=" + challenge + "&code_challenge_method=plain", onlyS256},
			{"AUTHZ-05 no method, by a public client", tillApp, "code_challenge=" + challenge, onlyS256},
			{"AUTHZ-05 no method, by a confidential client", syncApp, "code_challenge=" + challenge, onlyS256},
			{"AUTHZ-05 the method in small letters", tillApp, "code_challenge=" + challenge + "&code_challenge_method=s256", onlyS256},
			{"AUTHZ-05 S512", syncApp, "code_challenge=" + challenge + "&code_challenge_method=S512", onlyS256},
			{"AUTHZ-05 a challenge of 42 characters", tillApp, "code_challenge=" + challenge[:42] + "&code_challenge_method=S256", badForm},
			{"AUTHZ-05 a challenge of 44 characters", tillApp, "code_challenge=" + challenge + "A&code_challenge_method=S256", badForm},
			{"AUTHZ-05 a padded challenge", tillApp, "code_challenge=" + challenge + "%3D&code_challenge_method=S256", badForm},
			{"AUTHZ-05 a challenge in the other base64", tillApp, "code_challenge=" + challenge[:42] + "%2B&code_challenge_method=S256", badForm},
			{"AUTHZ-05 a challenge with a slash", syncApp, "code_challenge=" + challenge[:42] + "/&code_challenge_method=S256", badForm},
			{"AUTHZ-12 AUTHZ-06 a relative resource", syncApp, "resource=/invoices", noTarget},
			{"AUTHZ-12 AUTHZ-06 another origin", syncApp, "resource=https://other.test/", noTarget},
			{"AUTHZ-12 AUTHZ-06 the app host", syncApp, "resource=" + n.AuthURL, noTarget},
			{"AUTHZ-12 AUTHZ-06 another port", syncApp, "resource=http://127.0.0.1:1/", noTarget},
			{"AUTHZ-12 AUTHZ-06 another scheme", syncApp, "resource=" + strings.Replace(origin, "http:", "https:", 1), noTarget},
			{"AUTHZ-12 AUTHZ-06 our origin as the beginning of another", syncApp, "resource=" + origin + ".evil.test/", noTarget},
			{"AUTHZ-12 AUTHZ-06 our origin as a user's name", syncApp, "resource=" + origin + "@evil.test/", noTarget},
			{"AUTHZ-12 AUTHZ-06 a user's name before our origin", syncApp, "resource=" + strings.Replace(origin, "//", "//me@", 1), noTarget},
			{"AUTHZ-12 AUTHZ-06 a fragment", syncApp, "resource=" + origin + "/%23part", noTarget},
			{"AUTHZ-12 AUTHZ-06 an empty fragment", syncApp, "resource=" + origin + "/%23", noTarget},
			{"AUTHZ-12 AUTHZ-06 513 characters", syncApp, "resource=" + sized(origin, 513), "invalid_target: resource must have at most 512 characters"},
			{"AUTHZ-12 AUTHZ-06 sent twice", syncApp, "resource=" + origin + "&+resource=" + origin, "invalid_target: resource must be sent at most once"},
			{"AUTHZ-19 no response_type", syncApp, "-response_type", "invalid_request: response_type is missing; it must be code"},
			{"AUTHZ-19 response_type token", syncApp, "response_type=token", "invalid_request: response_type must be code"},
			{"AUTHZ-19 response_type of two", syncApp, "response_type=code token", "invalid_request: response_type must be code"},
			{"AUTHZ-19 no client_id", syncApp, "-client_id", "invalid_request: client_id is missing"},
			{"AUTHZ-19 an empty client_id", syncApp, "client_id=", "invalid_request: client_id is missing"},
			{"AUTHZ-19 no redirect_uri", syncApp, "-redirect_uri", "invalid_request: redirect_uri is missing"},
			{"AUTHZ-19 no scope", syncApp, "-scope", "invalid_request: scope is missing"},
			{"AUTHZ-19 an empty scope", syncApp, "scope= ", "invalid_request: scope is missing"},
			{"AUTHZ-19 client_id twice", syncApp, "+client_id=" + syncApp, "invalid_request: client_id must be sent at most once"},
			{"AUTHZ-19 redirect_uri twice", syncApp, "+redirect_uri=" + returnURI, "invalid_request: redirect_uri must be sent at most once"},
			{"AUTHZ-19 scope twice", syncApp, "+scope=profile:read", "invalid_request: scope must be sent at most once"},
			{"AUTHZ-19 state twice", syncApp, "+state=st", "invalid_request: state must be sent at most once"},
			{"AUTHZ-19 response_type twice", syncApp, "+response_type=code", "invalid_request: response_type must be sent at most once"},
			{"AUTHZ-19 code_challenge twice", tillApp, "code_challenge=" + challenge + "&+code_challenge=" + challenge, "invalid_request: code_challenge must be sent at most once"},
			{"AUTHZ-19 state of 2049 bytes", syncApp, "state=" + strings.Repeat("s", 2049), "invalid_request: state must have at most 2048 bytes"},
			{"AUTHZ-19 a request object", syncApp, "request=eyJ", "invalid_request: request is not supported; send the parameters themselves"},
			{"AUTHZ-19 a request by reference", syncApp, "request_uri=https://a.test/r", "invalid_request: request_uri is not supported; send the parameters themselves"},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := changed(t, ask(c.client, "profile:read"), c.change)
				for _, browser := range browsers {
					refusedPage(t, n.authorize(t, browser, q), c.message)
				}
			})
		}
		for _, raw := range []string{"state=%zz", "state=a%", "state=a;b", "scope=profile:read;x"} {
			t.Run("AUTHZ-19 AUTHZ-04 what is not form encoding is refused, not dropped: "+raw, func(t *testing.T) {
				q := ask(syncApp, "profile:read")
				q.Del(strings.Split(raw, "=")[0])
				a := harness.Get(t, browsers[1], n.AuthURL+"/oauth/authorize?"+q.Encode()+"&"+raw)
				if shown := alert.FindStringSubmatch(a.Body); a.Status != http.StatusBadRequest || shown == nil || !strings.HasPrefix(shown[1], "invalid_request") {
					t.Errorf("%d to %q, %q", a.Status, a.Header.Get("Location"), shown)
				}
			})
		}
		for name, suspend := range map[string]bool{"suspended": true, "deactivated": false} {
			t.Run("AUTHZ-08 an app that is "+name, func(t *testing.T) {
				olivia := browsers[1]
				handle := n.held(t, olivia, ask(syncApp, "profile:read"))
				undo := n.stop(t, syncApp, suspend)
				for _, browser := range browsers {
					refusedPage(t, n.authorize(t, browser, ask(syncApp, "profile:read")), noClient)
				}
				refusedPage(t, harness.Get(t, olivia, n.AuthURL+"/oauth/consent?request="+handle), noClient)
				refusedPage(t, n.decide(t, olivia, handle, n.business(t, "Bakery Brandt"), "allow"), noClient)
				undo()
				callback(t, n.decide(t, olivia, handle, n.business(t, "Bakery Brandt"), "allow"))
			})
		}
	})
}

// sized makes an address below origin with so many characters.
func sized(origin string, size int) string {
	return origin + "/" + strings.Repeat("p", size-len(origin)-1)
}

// changed applies a change of the table to a request.
func changed(t *testing.T, q url.Values, change string) url.Values {
	t.Helper()
	for part := range strings.SplitSeq(change, "&") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.PathUnescape(value)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case name == "":
		case name[0] == '-':
			q.Del(name[1:])
		case name[0] == '+':
			q.Add(name[1:], value)
		default:
			q.Set(name, value)
		}
	}
	return q
}
