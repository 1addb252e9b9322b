package contract_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

// The apps of the demo world, by client id, and the one address they all return to.
const (
	syncApp   = "cli_demosync"     // CONFIDENTIAL, reviewed
	tillApp   = "cli_demotill"     // PUBLIC, reviewed
	draftApp  = "cli_demoforecast" // CONFIDENTIAL, not reviewed
	returnURI = "http://127.0.0.1:3000/callback"
)

// oauthNode is a development node with the flows an app and a person take through it. Its limits and lockouts are far
// out of the way, so that many cases can share one node.
type oauthNode struct {
	*harness.Node
	database string
}

// eachOAuth runs the test against a node on SQLite and one on PostgreSQL.
func eachOAuth(t *testing.T, test func(t *testing.T, n *oauthNode)) {
	t.Helper()
	harness.EachDatabase(t, func(t *testing.T, database string) {
		env := []string{"DAYBOOK_LIMIT_SCALE=1000"}
		test(t, &oauthNode{harness.Dev(t, harness.Options{Database: database, Env: env}), database})
	})
}

// app finds an app of the demo world.
func (n *oauthNode) app(t *testing.T, clientID string) harness.App {
	t.Helper()
	for _, a := range n.Apps {
		if a.ClientID == clientID {
			return a
		}
	}
	t.Fatalf("there is no app %s in the demo world", clientID)
	return harness.App{}
}

// business finds the id of a business of the demo world.
func (n *oauthNode) business(t *testing.T, name string) string {
	t.Helper()
	for _, u := range n.Users {
		for _, b := range u.Businesses {
			if b.Name == name {
				return b.ID
			}
		}
	}
	t.Fatalf("there is no business %s in the demo world", name)
	return ""
}

// in is a browser whose session works in that business.
func (n *oauthNode) in(t *testing.T, user, businessID string) *http.Client {
	t.Helper()
	c := signedIn(t, n.Node, user)
	seeOther(t, harness.PostForm(t, c, n.AuthURL+"/switch", url.Values{"business": {businessID}}), "/account")
	return c
}

// ask is a correct authorization request of an app, without PKCE; change it to make other ones.
func ask(clientID, scopes string) url.Values {
	return url.Values{"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {returnURI}, "scope": {scopes}, "state": {"st"}}
}

// withPKCE adds the challenge and gives the verifier.
func withPKCE(q url.Values) (verifier string) {
	verifier, challenge := pkcePair()
	q.Set("code_challenge", challenge)
	q.Set("code_challenge_method", "S256")
	return verifier
}

func pkcePair() (verifier, challenge string) {
	var random [32]byte
	_, _ = rand.Read(random[:])
	verifier = base64.RawURLEncoding.EncodeToString(random[:])
	return verifier, challengeOf(verifier)
}

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorize opens the address an app sends a person to.
func (n *oauthNode) authorize(t *testing.T, browser *http.Client, q url.Values) harness.Answer {
	t.Helper()
	return harness.Get(t, browser, n.AuthURL+"/oauth/authorize?"+q.Encode())
}

// held sends a correct request and gives the handle under which it waits for the person's decision.
func (n *oauthNode) held(t *testing.T, browser *http.Client, q url.Values) string {
	t.Helper()
	a := n.authorize(t, browser, q)
	to, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.Status != http.StatusSeeOther || to.Path != "/oauth/consent" || to.Query().Get("request") == "" {
		t.Fatalf("want 303 to the consent page, got %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return to.Query().Get("request")
}

// decide presses a button of the consent page: allow or deny.
func (n *oauthNode) decide(t *testing.T, browser *http.Client, handle, businessID, decision string) harness.Answer {
	t.Helper()
	return harness.PostForm(t, browser, n.AuthURL+"/oauth/consent", url.Values{"request": {handle}, "business": {businessID}, "decision": {decision}})
}

// callback is what an answer sends back to the app: the parameters on its registered address.
func callback(t *testing.T, a harness.Answer) url.Values {
	t.Helper()
	query, ok := strings.CutPrefix(a.Header.Get("Location"), returnURI+"?")
	values, err := url.ParseQuery(query)
	if a.Status != http.StatusSeeOther || !ok || err != nil {
		t.Fatalf("want 303 to %s, got %d to %q\n%s", returnURI, a.Status, a.Header.Get("Location"), a.Body)
	}
	return values
}

// code goes the whole way of a signed-in person who allows the request.
func (n *oauthNode) code(t *testing.T, browser *http.Client, q url.Values, businessID string) string {
	t.Helper()
	values := callback(t, n.decide(t, browser, n.held(t, browser, q), businessID, "allow"))
	if values.Get("code") == "" {
		t.Fatalf("no code on the callback: %v", values)
	}
	return values.Get("code")
}

// basic is the header of client_secret_basic, with both halves form-encoded.
func basic(id, secret string) http.Header {
	return basicRaw(url.QueryEscape(id) + ":" + url.QueryEscape(secret))
}

// basicRaw is a Basic header around any text.
func basicRaw(text string) http.Header {
	return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(text))}}
}

// as is how a client of the demo world proves itself: by Basic, or for a PUBLIC one by client_id alone, put into form.
func (n *oauthNode) as(t *testing.T, clientID string, form url.Values) http.Header {
	t.Helper()
	if a := n.app(t, clientID); a.ClientSecret != nil {
		return basic(clientID, *a.ClientSecret)
	}
	form.Set("client_id", clientID)
	return http.Header{}
}

// post sends a form to an endpoint of the API host.
func (n *oauthNode) post(t *testing.T, path string, header http.Header, form url.Values) harness.Answer {
	t.Helper()
	h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	for name, values := range header {
		h[name] = values
	}
	return harness.Send(t, plain(t), http.MethodPost, n.BaseURL+path, h, form.Encode())
}

// redeem asks for the tokens of a code. An empty verifier is not sent.
func (n *oauthNode) redeem(t *testing.T, clientID, code, redirectURI, verifier string) harness.Answer {
	t.Helper()
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirectURI}}
	if verifier != "" {
		form.Set("code_verifier", verifier)
	}
	return n.post(t, "/oauth/token", n.as(t, clientID, form), form)
}

// refresh asks for new tokens. An empty idempotency key is not sent.
func (n *oauthNode) refresh(t *testing.T, clientID, refreshToken, key string) harness.Answer {
	t.Helper()
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refreshToken}}
	header := n.as(t, clientID, form)
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	return n.post(t, "/oauth/token", header, form)
}

// active asks the introspection endpoint, as the app that owns the token (a CONFIDENTIAL one).
func (n *oauthNode) active(t *testing.T, clientID, token string) bool {
	t.Helper()
	a := n.post(t, "/oauth/introspect", basic(clientID, *n.app(t, clientID).ClientSecret), url.Values{"token": {token}})
	if a.Status != http.StatusOK {
		t.Fatalf("introspection: %d %s", a.Status, a.Body)
	}
	active, _ := a.JSON(t)["active"].(bool)
	if !active && strings.TrimSpace(a.Body) != `{"active":false}` {
		t.Errorf("an inactive token is told about: %s", a.Body)
	}
	return active
}

// tokenSet is a token response, read strictly.
type tokenSet struct {
	AccessToken     string `json:"access_token"`
	IssuedTokenType string `json:"issued_token_type"`
	TokenType       string `json:"token_type"`
	ExpiresIn       int    `json:"expires_in"`
	RefreshToken    string `json:"refresh_token"`
	Scope           string `json:"scope"`
}

// tokens proves that an answer is a token response.
func tokens(t *testing.T, a harness.Answer) tokenSet {
	t.Helper()
	var set tokenSet
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&set); err != nil || a.Status != http.StatusOK || set.AccessToken == "" {
		t.Fatalf("want tokens, got %d %s", a.Status, a.Body)
	}
	return set
}

// issue gives tokens in one call of the development endpoint.
func (n *oauthNode) issue(t *testing.T, clientID, user, businessID string, scopes ...string) tokenSet {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"clientId": clientID, "userEmail": n.User(t, user).Email, "businessId": businessID, "scopes": scopes})
	return tokens(t, harness.PostJSON(t, plain(t), n.BaseURL+"/dev/tokens", string(body)))
}

// oauthError proves OAuth's error shape (OERR-01, OERR-02) with that status, error and description, all byte for byte;
// an empty description must be absent, "*" stands for any that is there.
func oauthError(t *testing.T, a harness.Answer, status int, code, description string) {
	t.Helper()
	var body struct {
		Error       string  `json:"error"`
		Description *string `json:"error_description"`
		Message     string  `json:"message"`
	}
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		t.Fatalf("status %d, not OAuth's shape: %v\n%s", a.Status, err, a.Body)
	}
	if a.Status != status || body.Error != code || body.Message == "" {
		t.Errorf("want %d %s, got %d %s", status, code, a.Status, a.Body)
	}
	switch {
	case description == "" && body.Description != nil:
		t.Errorf("want %s without a description, got %s", code, a.Body)
	case description != "" && (body.Description == nil || *body.Description == "" || description != "*" && *body.Description != description):
		t.Errorf("want %s with %q, got %s", code, description, a.Body)
	}
	if got := a.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	notKept(t, a)
	requestID(t, a)
}

// notKept proves that an answer may not be cached.
func notKept(t *testing.T, a harness.Answer) {
	t.Helper()
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Pragma") != "no-cache" {
		t.Errorf("Cache-Control %q, Pragma %q", a.Header.Get("Cache-Control"), a.Header.Get("Pragma"))
	}
}
