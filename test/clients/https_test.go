package clients

import (
	"encoding/pem"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"daybook/test/harness"
)

// productionWorld is what a production node knows: no demo world there.
const productionWorld = `users:
  - {key: olivia, email: olivia@example.test, password: olivia-owns-it}
  - {key: dan, email: dan@example.test, password: dan-builds-apps}
organizations:
  - {key: acme, name: Acme Apps, members: [{user: dan, role: OWNER}]}
businesses:
  - {key: bakery, name: Bakery, country: NL, currency: EUR, plan: FREE, books: EMPTY, members: [{user: olivia, role: OWNER}]}
  - {key: lab, name: Lab, country: NL, currency: EUR, sandboxOf: acme, books: EMPTY, members: [{user: dan, role: OWNER}]}
apps:
  - {key: sync, organization: acme, name: Sync, clientType: CONFIDENTIAL, clientId: cli_sync, clientSecret: cs_syncsecret,
     redirectUris: ["` + redirectURI + `"], scopes: [invoices:read, events:read], review: APPROVED}
  - {key: till, organization: acme, name: Till, clientType: PUBLIC, clientId: cli_till,
     redirectUris: ["` + redirectURI + `"], scopes: [invoices:read, events:read], review: APPROVED}
`

// Over https the clients need no leave of ours to be insecure: this is how they run in production.
func TestNodeClientsRunEveryFlowOverHTTPS(t *testing.T) {
	needsNode(t)
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if status, _, stderr := harness.Run(t, dir, nil, "", "fixture", "load", write("world.yaml", []byte(productionWorld))); status != 0 {
		t.Fatalf("loading the world: %d\n%s", status, stderr)
	}
	api, toAPI := tlsDoor(t)
	app, toApp := tlsDoor(t)
	n := harness.Serve(t, harness.ServeOptions{Dir: dir, BaseURL: api.URL, AuthURL: app.URL})
	toAPI(n.BaseURL)
	toApp(n.AuthURL)
	ca := write("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw}))
	runPrograms(t, worldFacts{
		BaseURL: api.URL, AuthURL: app.URL, RedirectURI: redirectURI, Scope: "invoices:read events:read",
		Confidential: appFacts{"cli_sync", "cs_syncsecret"}, Public: appFacts{ID: "cli_till"},
		Owner: personFacts{"olivia@example.test", "olivia-owns-it"}, Developer: personFacts{"dan@example.test", "dan-builds-apps"},
	}, "NODE_EXTRA_CA_CERTS="+ca)
}

// tlsDoor is what stands before a node in production: it ends TLS and passes requests on. Its own address is known first,
// as the node is told it; lead says afterwards where the node listens.
func tlsDoor(t *testing.T) (door *httptest.Server, lead func(node string)) {
	t.Helper()
	var target *url.URL
	door = httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	t.Cleanup(door.Close)
	return door, func(node string) {
		var err error
		if target, err = url.Parse(node); err != nil {
			t.Fatal(err)
		}
	}
}
