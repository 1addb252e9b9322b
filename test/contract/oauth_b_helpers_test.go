package contract_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/tenancy/identity"
	"daybook/test/harness"
)

// The grants that this half of the tests asks for.
const (
	deviceGrant   = "urn:ietf:params:oauth:grant-type:device_code"
	exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
	jwtType       = "urn:ietf:params:oauth:token-type:jwt"
	accessType    = "urn:ietf:params:oauth:token-type:access_token"
)

// time is the instant the node's clock shows. It runs on, so an instant before and one after a request enclose it.
func (n *oauthNode) time(t *testing.T) time.Time {
	t.Helper()
	return now(t, harness.Get(t, plain(t), n.BaseURL+"/dev/clock"))
}

// setTime moves the node's clock to an instant; false when it is already past it.
func (n *oauthNode) setTime(t *testing.T, to time.Time) bool {
	t.Helper()
	a := harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", `{"set":"`+to.Format(time.RFC3339Nano)+`"}`)
	return a.Status == http.StatusOK
}

// justBefore makes a request when the clock is a moment before an edge. The clock runs on meanwhile: try reports whether
// the request was made in time, and is called anew while it was not.
func justBefore(t *testing.T, try func() bool) {
	t.Helper()
	for range 30 {
		if try() {
			return
		}
	}
	t.Fatal("the machine was too slow to make a request a moment before the edge")
}

// deviceStart is a device authorization response, read strictly.
type deviceStart struct {
	DeviceCode string `json:"device_code"`
	UserCode   string `json:"user_code"`
	Page       string `json:"verification_uri"`
	Complete   string `json:"verification_uri_complete"`
	ExpiresIn  int    `json:"expires_in"`
	Interval   int    `json:"interval"`
}

// started proves that an answer is a device authorization response.
func started(t *testing.T, a harness.Answer) deviceStart {
	t.Helper()
	var d deviceStart
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil || a.Status != http.StatusOK || d.DeviceCode == "" || d.UserCode == "" {
		t.Fatalf("want a device code, got %d %s", a.Status, a.Body)
	}
	notKept(t, a)
	return d
}

// startDevice begins a device flow of an app of the demo world. Empty scopes are not sent.
func (n *oauthNode) startDevice(t *testing.T, clientID, scopes string) deviceStart {
	t.Helper()
	form := url.Values{}
	if scopes != "" {
		form.Set("scope", scopes)
	}
	return started(t, n.post(t, "/oauth/device/authorize", n.as(t, clientID, form), form))
}

// poll asks for the tokens of a device code.
func (n *oauthNode) poll(t *testing.T, clientID, deviceCode string) harness.Answer {
	t.Helper()
	form := url.Values{"grant_type": {deviceGrant}, "device_code": {deviceCode}}
	return n.post(t, "/oauth/token", n.as(t, clientID, form), form)
}

// typeCode is what a person types on the device page before they press Continue.
func (n *oauthNode) typeCode(t *testing.T, browser *http.Client, code string) harness.Answer {
	t.Helper()
	return harness.PostForm(t, browser, n.AuthURL+"/device", url.Values{"user_code": {code}})
}

// decideDevice presses Allow or Deny. An empty business is not sent.
func (n *oauthNode) decideDevice(t *testing.T, browser *http.Client, code, businessID, decision string) harness.Answer {
	t.Helper()
	form := url.Values{"user_code": {code}, "decision": {decision}}
	if businessID != "" {
		form.Set("business", businessID)
	}
	return harness.PostForm(t, browser, n.AuthURL+"/device", form)
}

// approved is a device flow that a person has allowed and the device has not collected yet.
func (n *oauthNode) approved(t *testing.T, browser *http.Client, clientID, scopes, businessID string) deviceStart {
	t.Helper()
	d := n.startDevice(t, clientID, scopes)
	if a := n.decideDevice(t, browser, d.UserCode, businessID, "allow"); a.Status != http.StatusSeeOther {
		t.Fatalf("allowing a device: %d %s", a.Status, a.Body)
	}
	return d
}

// sessionToken asks for a session token as the host page of an embedded app does. members are added to the request.
func (n *oauthNode) sessionToken(t *testing.T, browser *http.Client, clientID string, members map[string]string) string {
	t.Helper()
	a := n.askSessionToken(t, browser, clientID, members)
	var body struct {
		SessionToken string `json:"sessionToken"`
		ExpiresIn    int    `json:"expiresIn"`
	}
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil || a.Status != http.StatusOK || body.SessionToken == "" || body.ExpiresIn != 60 {
		t.Fatalf("want a session token for 60 seconds, got %d %s", a.Status, a.Body)
	}
	return body.SessionToken
}

func (n *oauthNode) askSessionToken(t *testing.T, browser *http.Client, clientID string, members map[string]string) harness.Answer {
	t.Helper()
	all := map[string]string{"clientId": clientID}
	for name, value := range members {
		all[name] = value
	}
	body, _ := json.Marshal(all)
	return harness.PostJSON(t, browser, n.BaseURL+"/embedded/session-token", string(body))
}

// exchange asks for the access token of a session token. extra is added to the correct request, or replaces it.
func (n *oauthNode) exchange(t *testing.T, clientID, token string, extra url.Values) harness.Answer {
	t.Helper()
	form := url.Values{"grant_type": {exchangeGrant}, "subject_token": {token}, "subject_token_type": {jwtType}}
	for name, values := range extra {
		form[name] = values
	}
	return n.post(t, "/oauth/token", n.as(t, clientID, form), form)
}

// introspect asks about a token as an app of the demo world.
func (n *oauthNode) introspect(t *testing.T, clientID, token string) harness.Answer {
	t.Helper()
	return n.post(t, "/oauth/introspect", basic(clientID, *n.app(t, clientID).ClientSecret), url.Values{"token": {token}})
}

// inactive proves that an answer is exactly that (INTR-03).
func inactive(t *testing.T, a harness.Answer) {
	t.Helper()
	if a.Status != http.StatusOK || strings.TrimSuffix(a.Body, "\n") != `{"active":false}` {
		t.Errorf(`want 200 {"active":false}, got %d %s`, a.Status, a.Body)
	}
	notKept(t, a)
}

// live proves that a token of an app counts, or that it does not.
func (n *oauthNode) live(t *testing.T, what, clientID, token string, want bool) {
	t.Helper()
	if got := n.active(t, clientID, token); got != want {
		t.Errorf("%s: active is %v, want %v", what, got, want)
	}
}

// people opens the node's database behind its back, as an operator's tool would, to suspend or restrict a person.
func (n *oauthNode) people(t *testing.T) *identity.Service {
	t.Helper()
	return &identity.Service{DB: n.open(t)}
}

func (n *oauthNode) open(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Options{Database: n.database, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// worksIn is a browser with a session of that person of the demo world, working in that business.
func (n *oauthNode) worksIn(t *testing.T, name, business string) *http.Client {
	t.Helper()
	c := signedIn(t, n.Node, name)
	n.switchTo(t, c, n.business(t, business))
	return c
}

// switchTo makes a business the one a session works in.
func (n *oauthNode) switchTo(t *testing.T, browser *http.Client, businessID string) {
	t.Helper()
	seeOther(t, harness.PostForm(t, browser, n.AuthURL+"/switch", url.Values{"business": {businessID}}), "/account")
}

// must stops a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refusalPage proves that an answer is a page with that status and that sentence, and no redirect.
func refusalPage(t *testing.T, a harness.Answer, status int, sentence string) {
	t.Helper()
	if text := page(t, a, status); !strings.Contains(text, sentence) {
		t.Errorf("the page does not say %q:\n%s", sentence, text)
	}
	if to := a.Header.Get("Location"); to != "" {
		t.Errorf("a refusal leads to %q", to)
	}
}

// notReviewed is what the page of an app says that may not connect to a business yet (AUTHZ-13).
const notReviewed = "This app has not completed review and can only connect to its own sandbox businesses"
