package torture_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/test/harness"
)

const (
	pkceVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	pkceChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// oauthClient is an app of the demo world and the browser of somebody who may connect it.
type oauthClient struct {
	app      harness.App
	business string
	person   harness.User
	browser  *http.Client
}

func newOAuthClient(t *testing.T, n *harness.Node) *oauthClient {
	t.Helper()
	c := &oauthClient{browser: harness.Browser(t), person: n.User(t, "olivia")}
	for _, a := range n.Apps {
		if a.ClientSecret != nil && a.ReviewStatus == "APPROVED" {
			c.app = a
		}
	}
	if c.app.ClientID == "" {
		t.Fatal("the demo world has no reviewed app with a secret")
	}
	c.business = c.person.Businesses[0].ID
	n.SignIn(t, c.browser, c.person)
	return c
}

// request begins an authorization and gives its handle.
func (c *oauthClient) request(t *testing.T, n *harness.Node) string {
	t.Helper()
	q := url.Values{
		"response_type": {"code"}, "client_id": {c.app.ClientID}, "redirect_uri": {c.app.RedirectURIs[0]}, "scope": {"profile:read invoices:read"},
		"state": {"a-state-nobody-guesses"}, "code_challenge": {pkceChallenge}, "code_challenge_method": {"S256"},
	}
	a := harness.Get(t, c.browser, n.AuthURL+"/oauth/authorize?"+q.Encode())
	target, err := url.Parse(a.Header.Get("Location"))
	must(t, err)
	if a.Status != http.StatusSeeOther || target.Query().Get("request") == "" {
		t.Fatalf("GET /oauth/authorize: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return target.Query().Get("request")
}

// code approves a request on the consent page.
func (c *oauthClient) code(t *testing.T, n *harness.Node, request string) string {
	t.Helper()
	if a := harness.Get(t, c.browser, n.AuthURL+"/oauth/consent?request="+url.QueryEscape(request)); a.Status != http.StatusOK {
		t.Fatalf("GET /oauth/consent: %d\n%s", a.Status, a.Body)
	}
	a := harness.PostForm(t, c.browser, n.AuthURL+"/oauth/consent", url.Values{"request": {request}, "business": {c.business}, "decision": {"allow"}})
	target, err := url.Parse(a.Header.Get("Location"))
	must(t, err)
	if target.Query().Get("code") == "" {
		t.Fatalf("POST /oauth/consent: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return target.Query().Get("code")
}

// token asks the token endpoint of a node.
func (c *oauthClient) token(t *testing.T, via *http.Client, n *harness.Node, grant url.Values, header http.Header) harness.Answer {
	t.Helper()
	h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	for name, values := range header {
		h[name] = values
	}
	form := url.Values{"client_id": {c.app.ClientID}, "client_secret": {*c.app.ClientSecret}}
	for name, values := range grant {
		form[name] = values
	}
	return harness.Send(t, via, http.MethodPost, n.BaseURL+"/oauth/token", h, form.Encode())
}

func (c *oauthClient) redemption(code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {c.app.RedirectURIs[0]}, "code_verifier": {pkceVerifier}}
}

func renewal(token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
}

// active asks a node about a token.
func (c *oauthClient) active(t *testing.T, n *harness.Node, token string) bool {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, n.BaseURL+"/oauth/introspect", strings.NewReader(url.Values{"token": {token}}.Encode()))
	must(t, err)
	r.SetBasicAuth(c.app.ClientID, *c.app.ClientSecret)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	a := harness.Send(t, c.browser, r.Method, r.URL.String(), r.Header, url.Values{"token": {token}}.Encode())
	if a.Status != http.StatusOK {
		t.Fatalf("POST /oauth/introspect: %d\n%s", a.Status, a.Body)
	}
	return a.JSON(t)["active"] == true
}

// member is a text member of a JSON answer.
func member(t *testing.T, a harness.Answer, status int, name string) string {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%d, want %d\n%s", a.Status, status, a.Body)
	}
	text, ok := a.JSON(t)[name].(string)
	if !ok {
		t.Fatalf("no %s in\n%s", name, a.Body)
	}
	return text
}
