package browser

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"daybook/test/harness"
)

const verifier = "a verifier is a long word that nobody guesses"

// client is an app that registered itself, and the page that people return to.
type client struct {
	id       string
	callback string
}

// register makes a client whose callback is served, so that the browser really arrives there. It is unreviewed: it
// connects to Dan's sandbox and nowhere else.
func register(w *window) client {
	w.t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Back</title><link rel=icon href=data:,><h1>Back at the app</h1>"))
	}))
	w.t.Cleanup(server.Close)
	c := client{callback: server.URL + "/callback"}
	answer := harness.PostJSON(w.t, http.DefaultClient, w.node.BaseURL+"/oauth/register",
		`{"client_name":"Shelf Counter","redirect_uris":["`+c.callback+`"],"token_endpoint_auth_method":"none","scope":"invoices:read invoices:write"}`)
	if answer.Status != http.StatusCreated {
		w.t.Fatal(answer.Body)
	}
	c.id, _ = answer.JSON(w.t)["client_id"].(string)
	return c
}

func (c client) authorize() string {
	challenge := sha256.Sum256([]byte(strings.ReplaceAll(verifier, " ", "-")))
	return "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {c.callback}, "scope": {"invoices:read invoices:write"}, "state": {"a+b %&é"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}.Encode()
}

// arrived reads what the app got when the browser came back.
func (c client) arrived(w *window) url.Values {
	w.t.Helper()
	address, query, _ := strings.Cut(w.path(), "?")
	if address != c.callback {
		w.t.Fatalf("at %s, want %s", w.path(), c.callback)
	}
	answer, err := url.ParseQuery(query)
	if err != nil {
		w.t.Fatal(err)
	}
	if answer.Get("state") != "a+b %&é" || answer.Get("iss") != w.node.BaseURL {
		w.t.Errorf("AUTHZ-07: came back with %v", answer)
	}
	return answer
}

func TestConsent(t *testing.T) {
	w := open(t)
	c := register(w)
	dan := w.node.User(t, "dan")
	t.Run("AUTHZ-01 a signed-out person signs in, reads and allows", func(t *testing.T) {
		w := w.in(t)
		w.visit(c.authorize())
		w.fill("email", dan.Email)
		w.fill("password", dan.Password)
		w.click("Sign in")
		page := w.text("main")
		for _, words := range []string{"Shelf Counter wants to connect", "not reviewed", strings.TrimPrefix(strings.TrimSuffix(c.callback, "/callback"), "http://"),
			"See invoices", "Create and change invoices", "Acme Lab"} {
			if !strings.Contains(page, words) {
				t.Errorf("the page does not say %q:\n%s", words, page)
			}
		}
		w.click("Allow") // the policy's form-action lets the redirect through
		if answer := c.arrived(w); answer.Get("code") == "" {
			t.Errorf("no code: %v", answer)
		}
	})
	t.Run("AUTHZ-07 a denial returns too, and cannot be taken back", func(t *testing.T) {
		w := w.in(t)
		w.visit(c.authorize())
		consent := w.path()
		w.click("Deny")
		if answer := c.arrived(w); answer.Get("error") != "access_denied" || answer.Has("code") {
			t.Errorf("came back with %v", answer)
		}
		w.visit(consent)
		if got := w.text("[role=alert]"); got != "invalid_request: authorization request not found or expired" {
			t.Errorf("AUTHZ-14: it says %q", got)
		}
	})
	t.Run("AUTHZ-18 works without scripts", func(t *testing.T) {
		w := w.in(t)
		ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		defer ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
		w.visit(c.authorize())
		w.click("Allow")
		if !strings.HasPrefix(w.path(), c.callback+"?code=") {
			t.Errorf("at %s", w.path())
		}
	})
	t.Run("AUTHZ-18 another site cannot allow in a person's name", func(t *testing.T) {
		w := w.in(t)
		w.visit(c.authorize())
		_, query, _ := strings.Cut(w.path(), "?")
		request, _ := url.ParseQuery(query)
		attack(w, "127.0.0.1", "/oauth/consent", url.Values{"request": {request.Get("request")}, "decision": {"allow"}, "business": {dan.Businesses[0].ID}})
		w.visit("/oauth/consent?" + query) // still open
		w.click("Deny")
		c.arrived(w)
	})
	t.Run("AUTHZ-13 an unreviewed app finds no business of somebody else", func(t *testing.T) {
		w := w.in(t).another()
		w.signIn("olivia")
		w.visit(c.authorize())
		if got := w.text("[role=alert]"); got != "This app has not completed review and can only connect to its own sandbox businesses" {
			t.Errorf("it says %q", got)
		}
	})
}
