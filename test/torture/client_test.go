package torture_test

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/test/harness"
)

// client speaks to one life of the node.
type client struct {
	base string
	http *http.Client
	// what was acknowledged
	switches, signIns, signOuts atomic.Int64
	// what was asked and not answered because of the kill
	unknown atomic.Int64
}

func newClient(n *harness.Node) *client {
	return &client{base: n.AuthURL, http: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

const cookieName = "daybook_session"

// post sends a form. An error means that nobody knows whether it happened.
func (c *client) post(path, token string, form url.Values) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodPost, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		r.Header.Set("Cookie", cookieName+"="+token)
	}
	response, err := c.http.Do(r)
	if err != nil {
		c.unknown.Add(1)
		return nil, err
	}
	// The answer is acknowledged by its head; the body of a 303 says nothing more.
	_ = response.Body.Close()
	return response, nil
}

// account reads which business a session works in, and whether it is alive at all.
func (c *client) account(t *testing.T, b *browser) (business string, alive bool) {
	t.Helper()
	a := harness.Send(t, c.http, http.MethodGet, c.base+"/account", http.Header{"Cookie": {cookieName + "=" + b.token}}, "")
	switch a.Status {
	case http.StatusOK:
		return harness.CurrentBusiness(a.Body, b.person), true
	case http.StatusSeeOther:
		return "", false
	}
	t.Fatalf("GET /account: %d\n%s", a.Status, a.Body)
	return "", false
}

// step does one thing with a browser: mostly it switches, because checking a password takes long on purpose. It is
// false when the node no longer answers.
func (c *client) step(t *testing.T, b *browser, chance *rand.Rand, over *ended) bool {
	switch dice := chance.IntN(1000); {
	case b.token == "" || dice < 3:
		return c.signIn(t, b, over)
	case b.leaving || dice < 10:
		return c.signOut(t, b, over)
	}
	return c.switchTo(t, b, b.person.Businesses[chance.IntN(2)].ID)
}

// signIn opens a session, and with it ends the one the browser had.
func (c *client) signIn(t *testing.T, b *browser, over *ended) bool {
	b.leaving = b.token != ""
	response, err := c.post("/sign-in", b.token, url.Values{"email": {b.person.Email}, "password": {b.person.Password}})
	if err != nil {
		return false
	}
	if response.StatusCode != http.StatusSeeOther || len(response.Cookies()) != 1 {
		t.Errorf("POST /sign-in: %d", response.StatusCode)
		return false
	}
	c.signIns.Add(1)
	if b.token != "" {
		over.add(b.token)
	}
	b.begin(response.Cookies()[0].Value)
	return true
}

func (c *client) signOut(t *testing.T, b *browser, over *ended) bool {
	b.leaving = true
	response, err := c.post("/sign-out", b.token, nil)
	if err != nil {
		return false
	}
	if response.StatusCode != http.StatusSeeOther {
		t.Errorf("POST /sign-out: %d", response.StatusCode)
		return false
	}
	c.signOuts.Add(1)
	over.add(b.token)
	b.token, b.leaving = "", false
	return true
}

func (c *client) switchTo(t *testing.T, b *browser, business string) bool {
	b.asked[business] = true
	response, err := c.post("/switch", b.token, url.Values{"business": {business}})
	if err != nil {
		return false
	}
	if response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != "/account" {
		t.Errorf("POST /switch: %d to %q", response.StatusCode, response.Header.Get("Location"))
		return false
	}
	c.switches.Add(1)
	b.acknowledged(business)
	return true
}
