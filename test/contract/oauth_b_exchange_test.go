package contract_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"daybook/test/harness"
)

// TestTokensOnceTheyAreThere holds token exchange, revocation and introspection on nodes that all its cases share.
func TestTokensOnceTheyAreThere(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		t.Run("exchange", func(t *testing.T) { embeddedExchange(t, n) })
		t.Run("revocation", func(t *testing.T) { revocation(t, n) })
		t.Run("introspection", func(t *testing.T) { introspection(t, n) })
	})
}

// claims are a session token's claims, by name.
type claims map[string]any

// verified checks a session token as an app's backend does: with the published keys and nothing else.
func (n *oauthNode) verified(t *testing.T, token string) (header jose.Header, body claims) {
	t.Helper()
	var set jose.JSONWebKeySet
	must(t, json.Unmarshal([]byte(harness.Get(t, plain(t), n.BaseURL+"/.well-known/jwks.json").Body), &set))
	signed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
	must(t, err)
	header = signed.Signatures[0].Protected
	keys := set.Key(header.KeyID)
	if len(keys) != 1 || !keys[0].IsPublic() || keys[0].Use != "sig" || keys[0].Algorithm != "ES256" {
		t.Fatalf("the key set has no one public key %q for signatures: %+v", header.KeyID, keys)
	}
	text, err := signed.Verify(keys[0])
	must(t, err)
	must(t, json.Unmarshal(text, &body))
	return header, body
}

// embeddedExchange holds EXCH-01 to EXCH-05.
func embeddedExchange(t *testing.T, n *oauthNode) {
	olivia, sam := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt")
	bakery := n.business(t, "Bakery Brandt")
	t.Run("EXCH-02", func(t *testing.T) { sessionTokens(t, n, olivia, bakery) })
	t.Run("EXCH-05 the tokens are the session's person's, in the session's business", func(t *testing.T) {
		set := exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, sam, syncApp, nil), nil)) // sam never consented
		body := n.introspect(t, syncApp, set.AccessToken).JSON(t)
		if body["active"] != true || body["sub"] != n.User(t, "sam").ID || body["client_id"] != syncApp {
			t.Errorf("%v", body)
		}
		_, granted := n.installation(t, olivia, syncApp)
		sameScopes(t, strings.Fields(set.Scope), granted)
		sameScopes(t, strings.Fields(body["scope"].(string)), granted)
	})
	t.Run("EXCH-05 both names of the subject's type, and the requested type, are understood", func(t *testing.T) {
		exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, sam, syncApp, nil), url.Values{
			"subject_token_type": {"urn:ietf:params:oauth:token-type:id_token"}, "requested_token_type": {accessType}, "resource": {n.BaseURL + "/invoices"}}))
	})
	t.Run("EXCH-05 scope may narrow", func(t *testing.T) {
		set := exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, olivia, syncApp, nil), url.Values{"scope": {"invoices:read profile:read"}}))
		sameScopes(t, strings.Fields(set.Scope), []string{"invoices:read", "profile:read"})
	})
	t.Run("EXCH-02 a session token works once", func(t *testing.T) {
		token := n.sessionToken(t, olivia, syncApp, nil)
		set := exchanged(t, n.exchange(t, syncApp, token, nil))
		invalidGrant(t, n.exchange(t, syncApp, token, nil))
		invalidGrant(t, n.exchange(t, syncApp, token, url.Values{"scope": {"profile:read"}}))
		n.live(t, "a replay burns nothing", syncApp, set.AccessToken, true)
	})
	t.Run("EXCH-02 of eight at once one wins", func(t *testing.T) {
		token, won := n.sessionToken(t, olivia, syncApp, nil), 0
		for _, a := range eightTimes(func() harness.Answer { return n.exchange(t, syncApp, token, nil) }) {
			if a.Status == http.StatusOK {
				won++
			} else {
				invalidGrant(t, a)
			}
		}
		if won != 1 {
			t.Errorf("%d exchanges got tokens", won)
		}
	})
	t.Run("EXCH-01 a PUBLIC client", func(t *testing.T) {
		n.issue(t, tillApp, "olivia", bakery, "invoices:read")
		token := n.sessionToken(t, olivia, tillApp, nil)
		oauthError(t, n.exchange(t, tillApp, token, nil), http.StatusUnauthorized, "invalid_client", "*")
		oauthError(t, n.exchange(t, tillApp, "x", url.Values{"subject_token_type": {"x"}}), http.StatusUnauthorized, "invalid_client", "*")
	})
	t.Run("EXCH-03", func(t *testing.T) { exchangeRequests(t, n, olivia) })
	t.Run("EXCH-04", func(t *testing.T) { exchangeRefusals(t, n, olivia, bakery) })
}

// exchanged proves the answer of RFC 8693: an access token, its type, and no refresh token.
func exchanged(t *testing.T, a harness.Answer) tokenSet {
	t.Helper()
	set := tokens(t, a)
	if set.IssuedTokenType != accessType || set.TokenType != "Bearer" || set.ExpiresIn != 3600 || set.RefreshToken != "" || strings.Contains(a.Body, "refresh_token") {
		t.Errorf("%s", a.Body)
	}
	notKept(t, a)
	return set
}

func sessionTokens(t *testing.T, n *oauthNode, olivia *http.Client, bakery string) {
	installation, _ := n.installation(t, olivia, syncApp)
	before := n.time(t)
	header, body := n.verified(t, n.sessionToken(t, olivia, syncApp, map[string]string{"businessId": bakery}))
	after := n.time(t)
	t.Run("it is a signed JWT with the promised claims", func(t *testing.T) {
		if header.ExtraHeaders[jose.HeaderType] != "session+jwt" || header.Algorithm != "ES256" || header.JSONWebKey != nil {
			t.Errorf("header %+v", header)
		}
		for name, want := range map[string]string{
			"iss": n.BaseURL, "aud": syncApp, "sub": n.User(t, "olivia").ID, "business_id": bakery, "installation_id": installation,
		} {
			if body[name] != want {
				t.Errorf("%s is %v, want %v", name, body[name], want)
			}
		}
		iat, _ := body["iat"].(float64)
		if body["exp"] != iat+60 || body["nbf"] != iat || int64(iat) < before.Unix() || int64(iat) > after.Unix() {
			t.Errorf("iat %v, nbf %v, exp %v", body["iat"], body["nbf"], body["exp"])
		}
		if jti, _ := body["jti"].(string); len(jti) < 22 {
			t.Errorf("jti %q", body["jti"])
		}
		if sid, _ := body["sid"].(string); sid == "" || body["locale"] == "" {
			t.Errorf("sid %q, locale %q", body["sid"], body["locale"])
		}
		for _, name := range []string{"ext", "res"} { // nobody named any: extension_token_test.go does
			if value, there := body[name]; there {
				t.Errorf("%s %v", name, value)
			}
		}
	})
	t.Run("two are never the same", func(t *testing.T) {
		_, again := n.verified(t, n.sessionToken(t, olivia, syncApp, nil))
		if again["jti"] == body["jti"] || again["sid"] != body["sid"] {
			t.Errorf("%v after %v", again, body)
		}
	})
	t.Run("who gets none", func(t *testing.T) {
		standard(t, n.askSessionToken(t, plain(t), syncApp, nil), http.StatusUnauthorized)
		unknown := standard(t, n.askSessionToken(t, olivia, "cli_nobody", nil), http.StatusNotFound)
		elsewhere := standard(t, n.askSessionToken(t, olivia, draftApp, nil), http.StatusNotFound)
		if unknown.text != elsewhere.text {
			t.Errorf("%q for an unknown app, %q for one that is not installed", unknown.text, elsewhere.text)
		}
		foreign := map[string]string{"businessId": n.business(t, "Acme Lab")}
		standard(t, n.askSessionToken(t, olivia, syncApp, foreign), http.StatusNotFound)
		standard(t, n.askSessionToken(t, olivia, syncApp, map[string]string{"businessId": n.business(t, "Brandt Catering")}), http.StatusNotFound)
		for _, suspend := range []bool{true, false} {
			undo := n.stop(t, syncApp, suspend)
			standard(t, n.askSessionToken(t, olivia, syncApp, nil), http.StatusNotFound)
			undo()
		}
		header := http.Header{"Content-Type": {"application/json"}, "Origin": {"https://elsewhere.example"}, "Sec-Fetch-Site": {"cross-site"}}
		standard(t, harness.Send(t, olivia, http.MethodPost, n.BaseURL+"/embedded/session-token", header, `{"clientId":"`+syncApp+`"}`), http.StatusForbidden)
	})
}

func exchangeRequests(t *testing.T, n *oauthNode, olivia *http.Client) {
	token := n.sessionToken(t, olivia, syncApp, nil)
	for name, change := range map[string]url.Values{
		"without a subject_token": {"subject_token": nil}, "without its type": {"subject_token_type": nil}, "an empty type": {"subject_token_type": {""}},
		"an access token as subject": {"subject_token_type": {accessType}}, "an unknown type": {"subject_token_type": {"jwt"}},
		"a refresh token is wanted": {"requested_token_type": {"urn:ietf:params:oauth:token-type:refresh_token"}}, "a JWT is wanted": {"requested_token_type": {jwtType}},
		"an actor": {"actor_token": {token}, "actor_token_type": {jwtType}}, "the subject twice": {"subject_token": {token, token}},
	} {
		t.Run(name, func(t *testing.T) {
			oauthError(t, n.exchange(t, syncApp, token, change), http.StatusBadRequest, "invalid_request", "*")
		})
	}
	t.Run("TOK-05 a resource elsewhere", func(t *testing.T) {
		oauthError(t, n.exchange(t, syncApp, token, url.Values{"resource": {"https://elsewhere.example/"}}), http.StatusBadRequest, "invalid_target", "*")
	})
	exchanged(t, n.exchange(t, syncApp, token, nil)) // none of it used the token up
}

func exchangeRefusals(t *testing.T, n *oauthNode, olivia *http.Client, bakery string) {
	t.Run("scopes beyond what the business granted", func(t *testing.T) {
		_, granted := n.installation(t, olivia, syncApp)
		beyond := "journal:write" // registered by the app, not granted
		if slices.Contains(granted, beyond) {
			t.Fatalf("granted already: %v", granted)
		}
		for _, scopes := range []string{beyond, "profile:read " + beyond, "console:manage", "unheard:of"} {
			invalidGrant(t, n.exchange(t, syncApp, n.sessionToken(t, olivia, syncApp, nil), url.Values{"scope": {scopes}}))
		}
	})
	t.Run("another app's token", func(t *testing.T) {
		n.issue(t, draftApp, "dan", n.business(t, "Acme Lab"), "invoices:read")
		token := n.sessionToken(t, signedIn(t, n.Node, "dan"), draftApp, nil)
		invalidGrant(t, n.exchange(t, syncApp, token, nil))
		exchanged(t, n.exchange(t, draftApp, token, nil)) // which does not use it up
	})
	t.Run("60 seconds and 5 of grace", func(t *testing.T) {
		justBefore(t, func() bool {
			token := n.sessionToken(t, olivia, syncApp, nil)
			_, body := n.verified(t, token)
			end := time.Unix(int64(body["exp"].(float64)), 0).Add(5 * time.Second)
			n.setTime(t, end.Add(-200*time.Millisecond))
			a := n.exchange(t, syncApp, token, nil)
			if !n.time(t).Before(end) {
				return false
			}
			exchanged(t, a)
			return true
		})
		token := n.sessionToken(t, olivia, syncApp, nil)
		_, body := n.verified(t, token)
		n.setTime(t, time.Unix(int64(body["exp"].(float64)), 0).Add(5*time.Second))
		invalidGrant(t, n.exchange(t, syncApp, token, nil))
	})
	t.Run("an app that is stopped", func(t *testing.T) {
		token := n.sessionToken(t, olivia, syncApp, nil)
		for _, suspend := range []bool{true, false} {
			undo := n.stop(t, syncApp, suspend)
			oauthError(t, n.exchange(t, syncApp, token, nil), http.StatusUnauthorized, "invalid_client", "*")
			undo()
		}
		exchanged(t, n.exchange(t, syncApp, token, nil))
	})
	t.Run("a session that has ended, and its tokens end with it", func(t *testing.T) {
		browser := n.worksIn(t, "olivia", "Bakery Brandt")
		set, token := exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, browser, syncApp, nil), nil)), n.sessionToken(t, browser, syncApp, nil)
		n.live(t, "before signing out", syncApp, set.AccessToken, true)
		other := exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, olivia, syncApp, nil), nil))
		seeOther(t, harness.PostForm(t, browser, n.AuthURL+"/sign-out", nil), "/sign-in")
		n.live(t, "after signing out", syncApp, set.AccessToken, false)
		n.live(t, "another session's", syncApp, other.AccessToken, true)
		invalidGrant(t, n.exchange(t, syncApp, token, nil))
	})
	t.Run("an uninstalled app", func(t *testing.T) {
		n.issue(t, draftApp, "dan", n.business(t, "Acme Lab"), "invoices:read")
		dan := signedIn(t, n.Node, "dan")
		set, token := exchanged(t, n.exchange(t, draftApp, n.sessionToken(t, dan, draftApp, nil), nil)), n.sessionToken(t, dan, draftApp, nil)
		n.uninstall(t, dan, draftApp)
		invalidGrant(t, n.exchange(t, draftApp, token, nil))
		n.live(t, "an exchanged token", draftApp, set.AccessToken, false)
		n.issue(t, draftApp, "dan", n.business(t, "Acme Lab"), "invoices:read")
		invalidGrant(t, n.exchange(t, draftApp, token, nil)) // it was another installation's
		n.live(t, "an exchanged token of the former installation", draftApp, set.AccessToken, false)
	})
	t.Run("a person who may not act", func(t *testing.T) {
		sam, people := n.worksIn(t, "sam", "Bakery Brandt"), n.people(t)
		token := n.sessionToken(t, sam, syncApp, nil)
		must(t, people.Restrict(t.Context(), n.User(t, "sam").ID))
		invalidGrant(t, n.exchange(t, syncApp, token, nil))
		must(t, people.Unrestrict(t.Context(), n.User(t, "sam").ID))
		exchanged(t, n.exchange(t, syncApp, token, nil))
	})
	t.Run("after revoked access it still works", func(t *testing.T) {
		n.issue(t, syncApp, "olivia", bakery, "profile:read")
		n.revokeAccess(t, olivia, syncApp)
		exchanged(t, n.exchange(t, syncApp, n.sessionToken(t, olivia, syncApp, nil), nil))
	})
}
