package torture_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/test/harness"
)

// What the pair is called by its clients. Both processes have the same name, as behind a load balancer: a session token
// says who issued it, and either of them must take it.
const pairAPI, pairApp, pairCallback = "http://localhost:8080", "http://localhost:8081", "https://app.example/callback"

// pairClients share the rounds, so that none comes near its 600 requests a minute on a node (OLIM-04).
const pairClients = 100

// pair is two production processes on one database, and somebody who may connect every client to their business.
type pair struct {
	nodes    [2]*harness.Node
	http     *http.Client // for everything but the races
	cookie   string
	business string
	places   atomic.Uint32
}

func newPair(t *testing.T, database string) *pair {
	t.Helper()
	dir := t.TempDir() // shared: both read the same key file
	file := filepath.Join(dir, "world.yaml")
	must(t, os.WriteFile(file, []byte(pairWorld()), 0o600))
	if status, _, stderr := harness.Run(t, dir, nil, "", "fixture", "load", file, "--database", database); status != 0 {
		t.Fatalf("fixture load: %d\n%s", status, stderr)
	}
	o := harness.ServeOptions{Dir: dir, BaseURL: pairAPI, AuthURL: pairApp, Args: []string{"--database", database, "--trusted-proxies", "127.0.0.1"}}
	p := &pair{nodes: [2]*harness.Node{harness.Serve(t, o), harness.Serve(t, o)}, http: newRunner(t, 16)}
	a, err := p.send(p.http, 0, call{app: true, path: "/sign-in", form: url.Values{"email": {"olivia@example.test"}, "password": {"olivia-owns-it"}}})
	must(t, err)
	p.cookie, _, _ = strings.Cut(a.Header.Get("Set-Cookie"), ";")
	if a.Status != http.StatusSeeOther || !strings.HasPrefix(p.cookie, cookieName+"=") {
		t.Fatalf("signing in: %d\n%s", a.Status, a.Body)
	}
	request, err := p.request(0)
	must(t, err)
	a, err = p.send(p.http, 0, call{app: true, path: "/oauth/consent?request=" + request, signedIn: true})
	must(t, err)
	choice := regexp.MustCompile(`<option value="(biz_[^"]+)"`).FindStringSubmatch(a.Body)
	if choice == nil {
		t.Fatalf("no business to choose: %d\n%s", a.Status, a.Body)
	}
	p.business = choice[1]
	return p
}

func pairWorld() string {
	var b strings.Builder
	b.WriteString("users:\n  - {key: olivia, email: olivia@example.test, password: olivia-owns-it, name: Olivia}\n")
	b.WriteString("organizations:\n  - {key: acme, name: Acme, members: [{user: olivia, role: OWNER}]}\n")
	b.WriteString("businesses:\n  - {key: bakery, name: Bakery, country: NL, currency: EUR, plan: FREE, books: EMPTY, members: [{user: olivia, role: OWNER}]}\napps:\n")
	for i := range pairClients {
		fmt.Fprintf(&b, "  - {key: a%d, organization: acme, name: Racer %d, clientType: CONFIDENTIAL, clientId: %s, clientSecret: %s, redirectUris: [%q], scopes: [profile:read, invoices:read], review: APPROVED}\n",
			i, i, clientOf(i), secretOf(i), pairCallback)
	}
	return b.String()
}

// clientOf and secretOf are what the client of a round proves itself by.
func clientOf(round int) string { return fmt.Sprintf("cli_racer%d", round%pairClients) }
func secretOf(round int) string { return fmt.Sprintf("cs_racer%dsecret", round%pairClients) }

// newRunner is a client that keeps its connections and shows redirects.
func newRunner(t *testing.T, connections int) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// call is a request to either node.
type call struct {
	app      bool // to the app host
	path     string
	form     url.Values // without form and json it is a GET
	json     string
	signedIn bool
	proves   bool // by HTTP Basic, as the client of a round
	round    int
}

// send makes a call. Every one comes from a place of its own, as the proxy in front tells: places have limits, too.
func (p *pair) send(via *http.Client, node int, c call) (harness.Answer, error) {
	base, method, body, kind := p.nodes[node].BaseURL, http.MethodPost, c.json, "application/json"
	if c.app {
		base = p.nodes[node].AuthURL
	}
	switch {
	case c.form != nil:
		body, kind = c.form.Encode(), "application/x-www-form-urlencoded"
	case c.json == "":
		method = http.MethodGet
	}
	r, err := http.NewRequest(method, base+c.path, strings.NewReader(body))
	if err != nil {
		return harness.Answer{}, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", kind)
	}
	place := p.places.Add(1)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", byte(place>>16), byte(place>>8), byte(place)))
	if c.proves {
		r.SetBasicAuth(clientOf(c.round), secretOf(c.round))
	}
	if c.signedIn {
		r.Header.Set("Cookie", p.cookie)
	}
	response, err := via.Do(r)
	if err != nil {
		return harness.Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return harness.Answer{Status: response.StatusCode, Header: response.Header, Body: string(text)}, err
}
