package contract_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// hookWorld stands beside the demo world and uses its people: an organization with every role, another one, and businesses
// whose books are empty.
const hookWorld = `
users:
  - {key: rosa, email: rosa@daybook.test, password: rosa-runs-this, name: Rosa Lindqvist, operator: true}
  - {key: dan, email: dan@acme.test, password: dan-builds-apps, name: Dan Okafor}
  - {key: olivia, email: olivia@brandt.test, password: olivia-owns-it, name: Olivia Brandt}
  - {key: sam, email: sam@brandt.test, password: sam-works-here, name: Sam Petrov}
  - {key: vera, email: vera@brandt.test, password: vera-looks-on, name: Vera Costa}
organizations:
  - {key: acme, name: Acme Apps, members: [{user: dan, role: OWNER}, {user: sam, role: DEVELOPER}, {user: vera, role: VIEWER}]}
  - {key: rival, name: Rival Apps, members: [{user: rosa, role: OWNER}]}
businesses:
  - {key: shop, name: Corner Shop, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY, members: [{user: olivia, role: OWNER}]}
  - {key: store, name: General Store, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY, members: [{user: olivia, role: OWNER}]}
apps:
  - {key: full, organization: acme, name: Full, clientType: CONFIDENTIAL, clientId: cli_full, clientSecret: cs_full, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: &every [profile:read, invoices:read, invoices:write, customers:read, customers:write,
       suppliers:read, suppliers:write, payments:read, payments:write, accounts:read, accounts:write, journal:read, journal:write, taxes:read,
       reports:read, events:read]}
  - {key: twin, organization: acme, name: Twin, clientType: CONFIDENTIAL, clientId: cli_twin, clientSecret: cs_twin, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: *every}
  - {key: other, organization: rival, name: Other, clientType: CONFIDENTIAL, clientId: cli_other, clientSecret: cs_other, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: *every}
installations:
  - {app: full, business: shop, user: olivia, scopes: *every}
`

// eachHook runs the test against a development node with that world, on SQLite and on PostgreSQL.
func eachHook(t *testing.T, test func(t *testing.T, n *apiNode)) {
	t.Helper()
	harness.EachDatabase(t, func(t *testing.T, database string) { test(t, newHookNode(t, database)) })
}

func newHookNode(t *testing.T, database string) *apiNode {
	t.Helper()
	o := harness.Options{Database: database, Data: t.TempDir(), Env: []string{"DAYBOOK_LIMIT_SCALE=1000"}}
	putWorld(t, o.Database, filepath.Join(o.Data, "daybook.key"), hookWorld)
	return openHookNode(t, o)
}

// openHookNode starts a node on a store with that world in it.
func openHookNode(t *testing.T, o harness.Options) *apiNode {
	t.Helper()
	n := &apiNode{oauthNode: &oauthNode{harness.Dev(t, o), o.Database}, options: o}
	n.ids = n.keys(t)
	for _, key := range []string{"full", "twin", "other"} {
		secret := "cs_" + key
		n.Apps = append(n.Apps, harness.App{AppID: n.ids[key], ClientID: "cli_" + key, ClientSecret: &secret, Scopes: everyScope})
	}
	return n
}

// console is a person at the developer console.
func (n *apiNode) console(t *testing.T, user string) caller {
	t.Helper()
	return caller{n.BaseURL, signedIn(t, n.Node, user), http.Header{}}
}

// hooks is the path of an app's webhooks.
func (n *apiNode) hooks(app string) string { return "/developer/apps/" + n.ids[app] + "/webhooks" }

// hook is a webhook with whoever made it.
type hook struct {
	n      *apiNode
	c      caller
	id     string
	path   string
	secret string
}

// hook makes a webhook, which is gone when the test is over.
func (n *apiNode) hook(t *testing.T, c caller, app, url string, events ...string) hook {
	t.Helper()
	if events == nil {
		events = []string{}
	}
	made := c.make(t, n.hooks(app), object{"url": url, "events": events})
	h := hook{n: n, c: c, id: n.id(made), secret: made["secret"].(string)}
	h.path = n.hooks(app) + "/" + h.id
	t.Cleanup(func() {
		select {
		case <-n.Ended():
			return
		default:
		}
		if a := c.do(t, "DELETE", h.path, nil); a.Status == http.StatusUnauthorized { // the clock went far
			n.console(t, "dan").do(t, "DELETE", h.path, nil)
		}
	})
	return h
}

// deliveries of a webhook, newest first.
func (h hook) deliveries(t *testing.T, query string) []object {
	t.Helper()
	page := h.c.get(t, h.path+"/deliveries"+query)
	if len(page) != 3 || page["hasMore"] != false || page["nextCursor"] != nil {
		t.Errorf("%v", page)
	}
	return objects(page["data"])
}

func objects(list any) []object {
	var out []object
	for _, one := range list.([]any) {
		out = append(out, one.(object))
	}
	return out
}

// only is the one delivery of a webhook.
func (h hook) only(t *testing.T) object {
	t.Helper()
	list := h.deliveries(t, "")
	if len(list) != 1 {
		t.Fatalf("%d deliveries: %v", len(list), list)
	}
	return list[0]
}

// detail is one delivery with its request and its attempts.
func (h hook) detail(t *testing.T, delivery object) (object, []object) {
	t.Helper()
	d := h.c.get(t, h.path+"/deliveries/"+h.n.id(delivery))
	return d, objects(d["attemptLog"])
}

// redeliver asks for another attempt. The page about the delivery must have said before whether that would be refused, and why.
func (h hook) redeliver(t *testing.T, deliveryID string) harness.Answer {
	t.Helper()
	path := h.path + "/deliveries/" + deliveryID
	page := harness.Get(t, h.c.http, h.n.AuthURL+path)
	a := h.c.do(t, "POST", path+"/redeliver", nil)
	if page.Status != http.StatusOK {
		return a
	}
	offered, told := strings.Contains(page.Body, ">Redeliver</button>"), ""
	if a.Status == http.StatusBadRequest {
		told, _ = a.JSON(t)["message"].(string)
	}
	// In between somebody else may have redelivered it, and it may have arrived.
	moved := strings.Contains(told, "this one is")
	told, _, _ = strings.Cut(told, "this one is")
	if offered && told != "" && !moved || !offered && (told == "" || !strings.Contains(html.UnescapeString(page.Body), told)) {
		t.Errorf("offered: %v, and then %d %s", offered, a.Status, a.Body)
	}
	return a
}

// rotate gives the new secret and when the one before ends.
func (h hook) rotate(t *testing.T) (secret string, until time.Time) {
	t.Helper()
	answer := h.c.act(t, h.path+"/rotate-secret", nil)
	until, err := time.Parse("2006-01-02T15:04:05.000Z", answer["previousSecretExpiresAt"].(string))
	must(t, err)
	return answer["secret"].(string), until
}

// standsAt proves where a delivery stands.
func standsAt(t *testing.T, d object, status string, attempts int, lastError any) {
	t.Helper()
	if d["status"] != status || d["attempts"] != float64(attempts) || d["lastError"] != lastError {
		t.Errorf("want %s after %d attempts with %v, got %v", status, attempts, lastError, d)
	}
	if _, due := d["nextAttemptAt"].(string); due != (status == "queued" || status == "retrying") {
		t.Errorf("%s, and the next attempt %v", status, d["nextAttemptAt"])
	}
	if _, done := d["deliveredAt"].(string); done != (status == "delivered") {
		t.Errorf("%s, and delivered %v", status, d["deliveredAt"])
	}
}

// settle waits until everything that is due was sent.
func (n *apiNode) settle(t *testing.T) { t.Helper(); n.Advance(t, "0s") }

// customer makes one in a business, which is one event.
func (n *apiNode) customer(t *testing.T, owner caller) string {
	t.Helper()
	return n.id(owner.make(t, "/customers", object{"displayName": "Ada"}))
}

// rows reads the status of every delivery of a webhook in the store, also of one that was deleted: status, attempts, last error.
func (h hook) rows(t *testing.T) (all []string) {
	t.Helper()
	ctx := context.Background()
	must(t, h.n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
			var status string
			var attempts int
			var lastError *string
			err := scan(&status, &attempts, &lastError)
			return fmt.Sprint(status, " ", attempts, " ", deref(lastError)), err
		}, `SELECT status, attempts, last_error FROM deliveries WHERE webhook_id = $1 ORDER BY id`, h.id)
		return err
	}))
	return all
}

// attemptsOf counts what is kept of a delivery's attempts.
func (n *apiNode) attemptsOf(t *testing.T, deliveryID string) (count int) {
	t.Helper()
	ctx := context.Background()
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		count, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM delivery_attempts WHERE delivery_id = $1`, deliveryID)
		return err
	}))
	return count
}

// letter is a request that a receiver got.
type letter struct {
	path   string
	header http.Header
	body   string
}

// postbox is a receiver: it answers as it is told, and keeps what it got.
type postbox struct {
	*httptest.Server
	mu      sync.Mutex
	changed *sync.Cond
	got     []letter
	answer  func(w http.ResponseWriter, r *http.Request)
}

func newPostbox(t *testing.T) *postbox {
	t.Helper()
	b := unopened()
	b.Start()
	t.Cleanup(b.Close)
	return b
}

// unopened is a receiver that does not listen yet.
func unopened() *postbox {
	b := &postbox{}
	b.changed = sync.NewCond(&b.mu)
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		b.got = append(b.got, letter{r.Method + " " + r.URL.RequestURI(), r.Header, string(body)})
		answer := b.answer
		b.changed.Broadcast()
		b.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, r)
	}))
	return b
}

func (b *postbox) does(answer func(w http.ResponseWriter, r *http.Request)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = answer
}

func (b *postbox) says(status int) {
	b.does(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// holds keeps those who come waiting until the result is called, and then answers with that status.
func (b *postbox) holds(status int) (release func()) {
	free := make(chan struct{})
	b.does(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-free:
			w.WriteHeader(status)
		case <-r.Context().Done():
		}
	})
	return sync.OnceFunc(func() { close(free) })
}

// letters waits until there are so many, and gives all.
func (b *postbox) letters(t *testing.T, least int) []letter {
	t.Helper()
	late := time.AfterFunc(20*time.Second, b.changed.Broadcast)
	defer late.Stop()
	begun := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.got) < least {
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("%d letters, want %d", len(b.got), least)
		}
		b.changed.Wait()
	}
	return append([]letter(nil), b.got...)
}

// last is the latest letter of those that are there.
func (b *postbox) last(t *testing.T) letter {
	t.Helper()
	all := b.letters(t, 1)
	return all[len(all)-1]
}

// signature works out, by the words of the contract, what a header with that instant must be (SIGN-01).
func signature(header, body string, secrets ...string) string {
	stamp, _, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
	want := "t=" + stamp
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(stamp + "." + body))
		want += ",v1=" + hex.EncodeToString(mac.Sum(nil))
	}
	return want
}

// madeBy proves that a header carries exactly the values that those secrets make, in their order.
func madeBy(t *testing.T, header, body string, secrets ...string) {
	t.Helper()
	if want := signature(header, body, secrets...); header != want {
		t.Errorf("signed %s, want %s", header, want)
	}
}

func (l letter) signedBy(t *testing.T, secrets ...string) {
	t.Helper()
	madeBy(t, l.header.Get("X-Webhook-Signature"), l.body, secrets...)
}

// stamp is the instant of a signature.
func stamp(t *testing.T, header string) time.Time {
	t.Helper()
	text, _, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
	seconds, err := strconv.ParseInt(text, 10, 64)
	must(t, err)
	return time.Unix(seconds, 0)
}

// moment reads an instant of an answer.
func moment(t *testing.T, value any) time.Time {
	t.Helper()
	text, _ := value.(string)
	at, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	must(t, err)
	return at
}
