package contract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// The apps of the API's world, by client id: two that registered every scope.
const (
	fullApp = "cli_full"
	twinApp = "cli_twin"
)

// apiWorld stands beside the demo world and uses its people: businesses whose books are empty, so that a test knows all that
// is in them, and apps that may ask for everything. It is loaded before the demo world, whose businesses then have no books
// either: nobody here looks at them, and writing a year of books takes a while.
const apiWorld = `
users:
  - {key: rosa, email: rosa@daybook.test, password: rosa-runs-this, name: Rosa Lindqvist, operator: true}
  - {key: dan, email: dan@acme.test, password: dan-builds-apps, name: Dan Okafor}
  - {key: olivia, email: olivia@brandt.test, password: olivia-owns-it, name: Olivia Brandt}
  - {key: sam, email: sam@brandt.test, password: sam-works-here, name: Sam Petrov}
  - {key: vera, email: vera@brandt.test, password: vera-looks-on, name: Vera Costa}
organizations:
  - {key: acme, name: Acme Apps, members: [{user: dan, role: OWNER}]}
businesses:
  - {key: bakery, name: Bakery Brandt, country: NL, currency: EUR, plan: STARTER, books: EMPTY, members: [{user: olivia, role: OWNER}]}
  - {key: catering, name: Brandt Catering, country: GB, currency: GBP, plan: FREE, books: EMPTY, members: [{user: olivia, role: OWNER}]}
  - {key: shop, name: Corner Shop, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY,
     members: [{user: olivia, role: OWNER}, {user: dan, role: ADMIN}, {user: sam, role: ACCOUNTANT}, {user: rosa, role: STAFF}, {user: vera, role: VIEWER}]}
  - {key: store, name: General Store, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY,
     members: [{user: olivia, role: OWNER}, {user: sam, role: ADMIN}]}
  - {key: stall, name: Market Stall, country: NL, currency: EUR, timeZone: UTC, plan: FREE, books: EMPTY,
     members: [{user: olivia, role: OWNER}]}
apps:
  - {key: full, organization: acme, name: Full, clientType: CONFIDENTIAL, clientId: cli_full, clientSecret: cs_full, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: &every [profile:read, invoices:read, invoices:write, customers:read, customers:write,
       suppliers:read, suppliers:write, payments:read, payments:write, accounts:read, accounts:write, journal:read, journal:write, taxes:read,
       reports:read, events:read]}
  - {key: twin, organization: acme, name: Twin, clientType: CONFIDENTIAL, clientId: cli_twin, clientSecret: cs_twin, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: *every}
`

// everyScope is what an app may register.
var everyScope = []string{
	"profile:read", "invoices:read", "invoices:write", "customers:read", "customers:write", "suppliers:read", "suppliers:write", "payments:read",
	"payments:write", "accounts:read", "accounts:write", "journal:read", "journal:write", "taxes:read", "reports:read", "events:read",
}

// apiNode is a development node with the API's world in it.
type apiNode struct {
	*oauthNode
	options harness.Options   // that it was started with
	ids     map[string]string // of apps, businesses and people, by their keys
}

// eachAPI runs the test against a node on SQLite and one on PostgreSQL, with limits out of the way.
func eachAPI(t *testing.T, test func(t *testing.T, n *apiNode), args ...string) {
	t.Helper()
	harness.EachDatabase(t, func(t *testing.T, database string) {
		test(t, newAPINode(t, harness.Options{Database: database, Env: []string{"DAYBOOK_LIMIT_SCALE=1000"}, Args: args}))
	})
}

// newAPINode starts a node on a database with the API's world in it.
func newAPINode(t *testing.T, o harness.Options) *apiNode {
	t.Helper()
	o.Data = t.TempDir()
	if o.Database == "" {
		o.Database = filepath.Join(o.Data, "daybook.db")
	}
	put := putWorld
	if slices.Contains(o.Args, "--redis") {
		put = loadWorld
	}
	put(t, o.Database, filepath.Join(o.Data, "daybook.key"), apiWorld)
	n := &apiNode{oauthNode: &oauthNode{harness.Dev(t, o), o.Database}, options: o}
	n.ids = n.keys(t)
	for key, clientID := range map[string]string{"full": fullApp, "twin": twinApp} { // known as the demo world's are
		secret := "cs_" + key
		n.Apps = append(n.Apps, harness.App{AppID: n.ids[key], ClientID: clientID, ClientSecret: &secret, Scopes: everyScope})
	}
	return n
}

// loaded are the worlds that many tests start from.
var loaded = struct {
	sync.Mutex
	worlds map[string]*loadedWorld // by store and text
}{worlds: map[string]*loadedWorld{}}

type loadedWorld struct {
	sync.Mutex // held while it is loaded
	ready      bool
	snapshot   dbtest.Snapshot
	key        []byte
}

// putWorld is loadWorld for development nodes: it loads a world once for each store, and copies it for all but the first. Ids are
// the same in all copies, so that nodes which share a Redis would meet there.
func putWorld(t *testing.T, database, keyFile, world string) {
	t.Helper()
	w := loadedAs(fmt.Sprint(strings.Contains(database, "://"), world))
	w.Lock()
	defer w.Unlock()
	if !w.ready {
		loadWorld(t, database, keyFile, world)
		lighten(t, database)
		key, err := os.ReadFile(keyFile)
		must(t, err)
		w.snapshot, w.key, w.ready = dbtest.Take(t, database), key, true
		return
	}
	w.snapshot.Put(t, database)
	must(t, os.WriteFile(keyFile, w.key, 0o600))
}

func loadedAs(name string) *loadedWorld {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.worlds[name] == nil {
		loaded.worlds[name] = &loadedWorld{}
	}
	return loaded.worlds[name]
}

// lighten hashes the passwords of people as development does, where they are no secrets: the command did it as in production.
func lighten(t *testing.T, database string) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	must(t, err)
	defer d.Close()
	light := secret.NewLightPasswords(1)
	must(t, d.Write(ctx, func(tx *db.Tx) error {
		for email, password := range map[string]string{
			"rosa@daybook.test": "rosa-runs-this", "dan@acme.test": "dan-builds-apps", "olivia@brandt.test": "olivia-owns-it", "sam@brandt.test": "sam-works-here",
			"vera@brandt.test": "vera-looks-on",
		} {
			hash, err := light.Hash(ctx, secret.Of(password))
			if err != nil {
				return err
			}
			if n, err := tx.Exec(ctx, `UPDATE users SET password_hash = $2 WHERE email = $1`, email, hash); err != nil || n != 1 {
				return fmt.Errorf("%s: %d rows, %v", email, n, err)
			}
		}
		return nil
	}))
}

// loadWorld runs `daybook fixture load`.
func loadWorld(t *testing.T, database, keyFile, world string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "world.yaml")
	must(t, os.WriteFile(file, []byte(world), 0o600))
	harness.Binary(t) // building it must not count towards the time that the command has
	if status, _, stderr := harness.Run(t, "", nil, "", "fixture", "load", file, "--database", database, "--key-file", keyFile); status != 0 {
		t.Fatalf("loading the world: %d\n%s", status, stderr)
	}
}

// keys reads which record each key of the loaded files became.
func (n *apiNode) keys(t *testing.T) map[string]string {
	t.Helper()
	ctx, ids := context.Background(), map[string]string{}
	err := n.store(t).Read(ctx, func(tx *db.Tx) error {
		_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
			var name, id string
			err := scan(&name, &id)
			ids[name] = id
			return struct{}{}, err
		}, `SELECT name, id FROM fixture_keys`)
		return err
	})
	must(t, err)
	return ids
}

// object is a JSON object.
type object = map[string]any

// caller is somebody who calls the API, in one business.
type caller struct {
	base   string
	http   *http.Client
	header http.Header
}

// by is an app that acts for a person in a business, with those scopes, or with all it registered.
func (n *apiNode) by(t *testing.T, clientID, user, business string, scopes ...string) caller {
	t.Helper()
	return n.with(n.issue(t, clientID, user, n.ids[business], scopes...).AccessToken)
}

// with is whoever holds a token.
func (n *apiNode) with(token string) caller {
	return caller{n.BaseURL, quick, http.Header{"Authorization": {"Bearer " + token}}}
}

// session is a person with the pages of a business open.
func (n *apiNode) session(t *testing.T, user, business string) caller {
	t.Helper()
	return caller{n.BaseURL, n.oauthNode.in(t, user, n.ids[business]), http.Header{}}
}

// nobody brings nothing along.
func (n *apiNode) nobody() caller { return caller{n.BaseURL, quick, http.Header{}} }

// quick is one client for all callers that bring no cookie: their connections are kept, also those of many at once.
var quick = &http.Client{
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// and is the same caller with one more header.
func (c caller) and(name, value string) caller {
	c.header = c.header.Clone()
	c.header.Add(name, value)
	return c
}

// from is the same caller at another place.
func (c caller) from(place *http.Client) caller {
	c.http = place
	return c
}

// do makes a call. A body that is a string is sent as it is, any other as JSON, nil not at all.
func (c caller) do(t testing.TB, method, path string, body any) harness.Answer {
	t.Helper()
	text, header := "", c.header
	if body != nil {
		if header.Get("Content-Type") == "" {
			header = header.Clone()
			header.Set("Content-Type", "application/json")
		}
		if s, ok := body.(string); ok {
			text = s
		} else {
			b, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
	}
	return harness.Send(t, c.http, method, c.base+path, header, text)
}

// get reads something that is there.
func (c caller) get(t testing.TB, path string) object {
	t.Helper()
	return said(t, c.do(t, "GET", path, nil), http.StatusOK)
}

// make creates something and gives what was answered.
func (c caller) make(t testing.TB, path string, body any) object {
	t.Helper()
	return said(t, c.do(t, "POST", path, body), http.StatusCreated)
}

// act does something with a record.
func (c caller) act(t testing.TB, path string, body any) object {
	t.Helper()
	return said(t, c.do(t, "POST", path, body), http.StatusOK)
}

// said proves the status of an answer and reads it.
func said(t testing.TB, a harness.Answer, status int) object {
	t.Helper()
	if a.Status != status {
		t.Fatalf("want %d, got %d %s", status, a.Status, a.Body)
	}
	return a.JSON(t)
}

// gone proves that an answer is 204 and empty.
func gone(t testing.TB, a harness.Answer) {
	t.Helper()
	if a.Status != http.StatusNoContent || a.Body != "" {
		t.Fatalf("want 204 and nothing, got %d %s", a.Status, a.Body)
	}
}

// refused proves that an answer is a refusal in the standard shape with that code, and reads it.
func refused(t *testing.T, a harness.Answer, status int, code string) refusal {
	t.Helper()
	r := standard(t, a, status)
	if got := deref(r.Code); got != code {
		t.Errorf("want code %q, got %s", code, a.Body)
	}
	return r
}

// offends proves that an answer is a validation failure (SERR-02) that names each of those members, and no other.
func offends(t *testing.T, a harness.Answer, members ...string) {
	t.Helper()
	r := standard(t, a, http.StatusBadRequest)
	named := map[string]bool{}
	for _, sentence := range r.fields {
		member, _, _ := strings.Cut(sentence, " ")
		named[member] = true
	}
	got := slices.Sorted(maps.Keys(named))
	if want := slices.Sorted(slices.Values(members)); !slices.Equal(got, want) {
		t.Errorf("named are %q, want %q: %s", got, want, a.Body)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// id is the id of a record that was answered.
func (n *apiNode) id(record object) string { return record["id"].(string) }

// listed reads a whole list, page by page.
func (c caller) listed(t testing.TB, path string) []object {
	t.Helper()
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	var all []object
	for cursor := ""; ; {
		page := c.get(t, path+separator+"limit=100"+cursor)
		for _, one := range page["data"].([]any) {
			all = append(all, one.(object))
		}
		next, more := page["nextCursor"].(string)
		if more != page["hasMore"] {
			t.Fatalf("hasMore is %v, and the cursor %v", page["hasMore"], page["nextCursor"])
		}
		if !more {
			return all
		}
		cursor = "&cursor=" + next
	}
}

// account finds an account of the default chart by its code.
func (c caller) account(t testing.TB, code string) string {
	t.Helper()
	for _, a := range c.listed(t, "/accounts") {
		if a["code"] == code {
			return a["id"].(string)
		}
	}
	t.Fatalf("there is no account %s", code)
	return ""
}

// line is a line of an invoice.
func line(price string) object {
	return object{"description": "Work", "unitPrice": price, "taxRateId": nil}
}

func mustURL(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
