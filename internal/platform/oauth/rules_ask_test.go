package oauth

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/app"
)

// goodAsk is a request that nothing is wrong with.
func goodAsk() url.Values {
	return url.Values{
		"client_id": {"cli_1"}, "redirect_uri": {callback}, "response_type": {"code"}, "scope": {"profile:read"}, "state": {"s"},
		"code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
}

// AUTHZ-19: no parameter twice, none in disguise, and a client.
func TestARequestNamesItsClientOnce(t *testing.T) {
	for name := range goodAsk() {
		q := goodAsk()
		q.Add(name, q.Get(name))
		if id, message := ParseAsk(q); id != "" || message != "invalid_request: "+name+" must be sent at most once" {
			t.Errorf("%s twice: %q, %q", name, id, message)
		}
	}
	for _, c := range []struct{ name, value, message string }{
		{"client_id", "", "invalid_request: client_id is missing"},
		{"request", "x", "invalid_request: request is not supported; send the parameters themselves"},
		{"request_uri", "x", "invalid_request: request_uri is not supported; send the parameters themselves"},
		{"request", "", ""}, {"prompt", "consent", ""}, {"resource", "x", ""},
	} {
		q := goodAsk()
		q.Set(c.name, c.value)
		if _, message := ParseAsk(q); message != c.message {
			t.Errorf("%s=%q: %q, want %q", c.name, c.value, message, c.message)
		}
	}
	q := goodAsk()
	q["unknown"] = []string{"a", "b"}
	if id, message := ParseAsk(q); id != "cli_1" || message != "" {
		t.Errorf("an unknown parameter twice: %q, %q", id, message)
	}
}

// AUTHZ-02, AUTHZ-03, AUTHZ-05, AUTHZ-06, AUTHZ-08…AUTHZ-12, AUTHZ-19.
func TestWhatIsWrongWithARequestIsSaid(t *testing.T) {
	confidential := app.App{ClientID: "cli_1", ClientType: app.Confidential, RedirectURIs: []string{callback, "http://127.0.0.1:8000/cb"}, Scopes: registered}
	public := confidential
	public.ClientType = app.Public
	off, banned := confidential, confidential
	off.DeactivatedAt, banned.SuspendedAt = &early, &early
	const method, form = "invalid_request: code_challenge_method must be S256", "invalid_request: code_challenge must be the base64url SHA-256 of the verifier, 43 characters"
	for _, c := range []struct {
		name    string
		app     app.App
		change  url.Values
		message string
	}{
		{"all is well", confidential, nil, ""},
		{"a public client with PKCE", public, nil, ""},
		{"without PKCE", confidential, url.Values{"code_challenge": nil, "code_challenge_method": nil}, ""},
		{"a public client without PKCE", public, url.Values{"code_challenge": nil, "code_challenge_method": nil}, MessagePKCE},
		{"a public client with a method alone", public, url.Values{"code_challenge": nil}, MessagePKCE},
		{"a deactivated app", off, nil, MessageInvalidClient},
		{"a suspended app", banned, url.Values{"redirect_uri": {"x"}}, MessageInvalidClient},
		{"no redirect URI", confidential, url.Values{"redirect_uri": nil}, "invalid_request: redirect_uri is missing"},
		{"an empty redirect URI", confidential, url.Values{"redirect_uri": {""}}, "invalid_request: redirect_uri is missing"},
		{"a slash more", confidential, url.Values{"redirect_uri": {callback + "/"}}, MessageRedirectURI},
		{"a query more", confidential, url.Values{"redirect_uri": {callback + "?a=b"}}, MessageRedirectURI},
		{"another case", confidential, url.Values{"redirect_uri": {strings.ToUpper(callback)}}, MessageRedirectURI},
		{"a blank before", confidential, url.Values{"redirect_uri": {" " + callback}}, MessageRedirectURI},
		{"another port", confidential, url.Values{"redirect_uri": {"http://127.0.0.1:8001/cb"}}, MessageRedirectURI},
		{"the registered port", confidential, url.Values{"redirect_uri": {"http://127.0.0.1:8000/cb"}}, ""},
		{"no response type", confidential, url.Values{"response_type": nil}, "invalid_request: response_type is missing; it must be code"},
		{"another response type", confidential, url.Values{"response_type": {"token"}}, "invalid_request: response_type must be code"},
		{"a second response type", confidential, url.Values{"response_type": {"code token"}}, "invalid_request: response_type must be code"},
		{"no scope", confidential, url.Values{"scope": nil}, "invalid_request: scope is missing"},
		{"a blank scope", confidential, url.Values{"scope": {"  "}}, "invalid_request: scope is missing"},
		{"a scope too many", confidential, url.Values{"scope": {"profile:read payments:read"}}, MessageScopes},
		{"an unknown scope", confidential, url.Values{"scope": {"profile:read everything"}}, MessageScopes},
		{"another case of a scope", confidential, url.Values{"scope": {"PROFILE:READ"}}, MessageScopes},
		{"a scope twice", confidential, url.Values{"scope": {"profile:read profile:read"}}, ""},
		{"the plain method", confidential, url.Values{"code_challenge_method": {"plain"}}, method},
		{"no method", confidential, url.Values{"code_challenge_method": nil}, method},
		{"another case of the method", confidential, url.Values{"code_challenge_method": {"s256"}}, method},
		{"a method without a challenge", confidential, url.Values{"code_challenge": nil}, "invalid_request: code_challenge_method without a code_challenge"},
		{"a short challenge", confidential, url.Values{"code_challenge": {challenge[1:]}}, form},
		{"a padded challenge", confidential, url.Values{"code_challenge": {challenge + "="}}, form},
		{"a challenge in plain base64", confidential, url.Values{"code_challenge": {"+" + challenge[1:]}}, form},
		{"a challenge of another alphabet", confidential, url.Values{"code_challenge": {"~" + challenge[1:]}}, form},
		{"a state of 2048 bytes", confidential, url.Values{"state": {strings.Repeat("s", 2048)}}, ""},
		{"a state of 2049 bytes", confidential, url.Values{"state": {strings.Repeat("s", 2049)}}, "invalid_request: state must have at most 2048 bytes"},
		{"a resource", confidential, url.Values{"resource": {issuer + "/any/path"}}, ""},
		{"a foreign resource", confidential, url.Values{"resource": {"https://evil.example/"}}, "invalid_target: resource must be one absolute URI on the API origin"},
		{"two resources", confidential, url.Values{"resource": {issuer, issuer}}, "invalid_target: resource must be sent at most once"},
		{"a long resource", confidential, url.Values{"resource": {issuer + "/" + strings.Repeat("a", 512)}}, "invalid_target: resource must have at most 512 characters"},
	} {
		q := goodAsk()
		for name, values := range c.change {
			if q[name] = values; values == nil {
				delete(q, name)
			}
		}
		ask, message := CheckAsk(q, c.app, issuer)
		if message != c.message {
			t.Errorf("%s: %q, want %q", c.name, message, c.message)
		}
		if message == "" && (ask.RedirectURI != q.Get("redirect_uri") || ask.Challenge != q.Get("code_challenge") || ask.State == nil || *ask.State != q.Get("state")) {
			t.Errorf("%s: read as %+v", c.name, ask)
		}
	}
}

// AUTHZ-04: the state comes back byte for byte, whatever its bytes are, on every store.
func TestTheStateComesBackByteForByte(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, state := range map[string]string{
			"plain": "af0ifjsldkj", "signs": "a=b&c=d?e#f%20+ g", "umlauts": "Zürich", "a kiss": "💋", "a line end": "a\r\nSet-Cookie: x=y",
			"a zero byte": "a\x00b", "no UTF-8": "\xff\xfe", "half of a rune": "a\xe2\x82", "a replacement character": "\ufffd",
		} {
			ask, message := CheckAsk(url.Values{
				"redirect_uri": {callback}, "response_type": {"code"}, "scope": {"profile:read"}, "state": {state},
			}, w.mine.App, issuer)
			if message != "" {
				if !strings.HasPrefix(message, "invalid_request: state ") {
					t.Errorf("%s: refused with %q", name, message)
				}
				continue // refusing is fine; changing is not
			}
			handle, err := w.Hold(ctx, w.mine.App, ask, w.session)
			must(t, err)
			target, err := w.Decide(ctx, handle, w.yes())
			must(t, err)
			u, err := url.Parse(target)
			must(t, err)
			if got := u.Query().Get("state"); got != state {
				t.Errorf("%s: %q came back as %q", name, state, got)
			}
			if u.Query().Get("iss") != issuer || len(u.Query()) != 3 { // META-07
				t.Errorf("%s: %q", name, target)
			}
		}
	})
}

func TestARequestIsHeldForFiveMinutesAndOneBrowser(t *testing.T) { // AUTHZ-14, AUTHZ-17
	each(t, func(t *testing.T, w *world) {
		handle := w.hold(t, w.mine)
		for after, open := range map[time.Duration]bool{0: true, 5*time.Minute - time.Millisecond: true, 5 * time.Minute: false, time.Hour: false} {
			w.Clock.Set(w.Clock.Now().Add(after))
			held, err := w.Held(ctx, handle, w.session)
			if must(t, err); (held != nil) != open {
				t.Errorf("after %v it is open: %v", after, held != nil)
			}
			if strange, err := w.Held(ctx, handle, "ses_another"); strange != nil || err != nil {
				t.Errorf("another browser sees it: %v", err)
			}
			w.Clock.Set(w.Clock.Now().Add(-after))
		}
	})
}
