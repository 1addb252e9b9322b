package torture_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// The two processes call themselves differently, so that a receiver can tell who sent.
var hookNames = [2]string{"Left", "Right"}

// Each writer is an app of its own: a node lets an app call 300 times a minute (RATE-01).
const (
	hookPairWriters = 4
	hookPairSteps   = 100
	hookPairShops   = 2
)

func hookPairWorld() *hookWorld {
	var apps []hookApp
	for i := range hookPairWriters {
		n := strconv.Itoa(i)
		apps = append(apps, hookApp{key: "writer" + n, scopes: writerScopes, in: []int{i % hookPairShops}, hooks: []hookSpec{
			{"/quick" + n, "invoice.created invoice.issued customer.created"},
			{"/slow" + n, "invoice.issued journal_entry.posted"},
		}})
	}
	return newHookWorld(hookPairShops, apps...)
}

func hookPairAnswer(path, delivery string, gone <-chan struct{}) int {
	if strings.HasPrefix(path, "/slow") {
		select {
		case <-time.After(50*time.Millisecond + time.Duration(hashOf(delivery)%200)*time.Millisecond):
		case <-gone:
		}
	}
	return 200
}

// F-02, HOOK-05, I5: two production processes send from one store, by https. While both live nothing is sent twice. When one
// is killed, the other takes over what it had in hand, and only what was under way comes again.
func TestHookTwoNodesShareTheQueue(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !db.IsPostgres(database) {
			t.Skip("a SQLite file belongs to one process")
		}
		h := newHookPair(t, database)
		h.write(t, nil)
		h.settle(t)
		h.bothSent(t)
		h.overtake(t)
		h.settle(t)
		h.check(t)
	})
}

type hookPair struct {
	database string
	world    *hookWorld
	receiver *hookReceiver
	nodes    [2]*harness.Node
	listed   [2]string // what the store calls them
	writers  []*hookWriter
	store    *db.DB
	killed   time.Time
}

func newHookPair(t *testing.T, database string) *hookPair {
	t.Helper()
	h := &hookPair{database: database, world: hookPairWorld(), receiver: newHookReceiver(t, true, hookPairAnswer)}
	h.receiver.secrets = h.world.secrets()
	dir := t.TempDir() // shared: both read the same key file
	ca := filepath.Join(dir, "receiver.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.receiver.Certificate().Raw}), 0o600))
	h.world.load(t, dir, database, filepath.Join(dir, "daybook.key"), func(path string) string { return h.receiver.URL + path })
	h.store = openStore(t, database)
	t.Cleanup(h.store.Close)
	for i, name := range hookNames {
		h.nodes[i] = harness.Serve(t, harness.ServeOptions{
			Dir: dir, BaseURL: pairAPI, AuthURL: pairApp, Env: []string{"SSL_CERT_FILE=" + ca},
			Args: []string{"--database", database, "--service-name", name, "--trusted-proxies", "127.0.0.1", "--outbound-allow", "127.0.0.0/8"},
		})
		known := readHooks(t, h.store).nodes
		for _, one := range known {
			if one != h.listed[0] {
				h.listed[i] = one
			}
		}
		if len(known) != i+1 {
			t.Fatalf("%d processes send, and the store lists %v", i+1, known)
		}
	}
	h.addWriters(t)
	return h
}

func (h *hookPair) addWriters(t *testing.T) {
	t.Helper()
	p := &pair{nodes: h.nodes, http: newRunner(t, 4)}
	a, err := p.send(p.http, 0, call{app: true, path: "/sign-in", form: url.Values{"email": {"hana@example.test"}, "password": {hookPassword}}})
	must(t, err)
	p.cookie, _, _ = strings.Cut(a.Header.Get("Set-Cookie"), ";")
	shops := shopsOf(t, h.database)
	for i := range hookPairWriters {
		business := shops[i%hookPairShops]
		token, err := p.connect("cli_writer"+strconv.Itoa(i), "cs_writer"+strconv.Itoa(i), writerScopes, business)
		must(t, err)
		h.writers = append(h.writers, newHookWriter(t, "writer-"+strconv.Itoa(i), business, token, h.nodes[i%2].BaseURL))
	}
}

// connect goes the whole way of an app and a signed-in person: request, consent, code, token.
func (p *pair) connect(clientID, secret, scopes, business string) (string, error) {
	q := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {pairCallback}, "scope": {scopes},
		"state": {"a-state-nobody-guesses"}, "code_challenge": {pkceChallenge}, "code_challenge_method": {"S256"},
	}
	a, err := p.send(p.http, 0, call{app: true, path: "/oauth/authorize?" + q.Encode(), signedIn: true})
	if err != nil {
		return "", err
	}
	target, err := url.Parse(a.Header.Get("Location"))
	if err != nil || target.Query().Get("request") == "" {
		return "", fmt.Errorf("no consent page: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	decision := url.Values{"request": {target.Query().Get("request")}, "business": {business}, "decision": {"allow"}}
	if a, err = p.send(p.http, 0, call{app: true, path: "/oauth/consent", form: decision, signedIn: true}); err != nil {
		return "", err
	}
	code, err := codeIn(a)
	if err != nil {
		return "", err
	}
	var k tokens
	a, err = p.send(p.http, 0, call{path: "/oauth/token", form: url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {pairCallback}, "code_verifier": {pkceVerifier},
		"client_id": {clientID}, "client_secret": {secret},
	}})
	if err == nil {
		err = k.read(a, true)
	}
	return k.Access, err
}

// write lets every writer make its changes, half of them at each node. A writer whose node is gone asks the other one; meanwhile
// is what happens in between.
func (h *hookPair) write(t *testing.T, meanwhile func()) {
	t.Helper()
	var wait sync.WaitGroup
	for i, w := range h.writers {
		chance := rand.New(rand.NewPCG(uint64(i), uint64(w.count)))
		wait.Go(func() {
			at := i % 2
			for range hookPairSteps {
				if !w.step(t, h.nodes[at].BaseURL, chance) {
					at = 1
				}
			}
		})
	}
	if meanwhile != nil {
		meanwhile()
	}
	wait.Wait()
}

func (h *hookPair) settle(t *testing.T) {
	t.Helper()
	soon(t, "everything due is sent", func() bool { return waiting(t, h.store) == 0 })
}

// bothSent proves that while both live every delivery came once, and was written down once.
func (h *hookPair) bothSent(t *testing.T) {
	t.Helper()
	now, got, found := readHooks(t, h.store), h.receiver.receipts(), newProblems(t)
	now.checkChanges(found, h.world, h.writers)
	now.checkAttempts(found, got)
	sent, came := map[string]int{}, map[string]int{}
	for _, r := range got {
		sent[r.sender]++
		came[r.delivery]++
	}
	for id, d := range now.deliveries {
		if came[id] != 1 || d.status != "delivered" {
			found.add("twice", "%s came %d times and stands at %+v", id, came[id], d)
		}
	}
	if len(now.nodes) != 2 {
		t.Errorf("the store lists %v", now.nodes)
	}
	t.Logf("without a crash: %d deliveries, %d requests, by %v", len(now.deliveries), len(got), sent)
	for _, name := range hookNames {
		if sent[name+"-Webhooks"] == 0 {
			t.Errorf("%s sent nothing: %v", name, sent)
		}
	}
}

// overtake kills one node under load, once it has something in hand.
func (h *hookPair) overtake(t *testing.T) {
	t.Helper()
	h.write(t, func() {
		time.Sleep(100 * time.Millisecond)
		soon(t, "the node that dies has something in hand", func() bool { return h.owned(t) >= 8 })
		h.nodes[0].Kill()
		h.killed = time.Now()
		inHand := h.owned(t)
		soon(t, "a dead node's deliveries are taken over", func() bool { return h.owned(t) == 0 })
		t.Logf("killed with %d in hand; they were put back within %v", inHand, time.Since(h.killed).Round(time.Millisecond))
	})
}

// owned is how much the node that dies has in hand.
func (h *hookPair) owned(t *testing.T) (n int) {
	t.Helper()
	ctx := context.Background()
	must(t, h.store.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM deliveries WHERE owner = $1`, h.listed[0])
		return err
	}))
	return n
}

var putBack = regexp.MustCompile(`\{[^\n]*"deliveries_put_back":\d+[^\n]*\}`)

// check proves that everything came, and that what came twice was under way at the kill.
func (h *hookPair) check(t *testing.T) {
	t.Helper()
	now, got, found := readHooks(t, h.store), h.receiver.receipts(), newProblems(t)
	now.checkChanges(found, h.world, h.writers)
	now.checkAttempts(found, got)
	bySender := map[string][2][]receipt{}
	for _, r := range got {
		list := bySender[r.delivery]
		if r.sender == hookNames[0]+"-Webhooks" {
			list[0] = append(list[0], r)
		} else {
			list[1] = append(list[1], r)
		}
		bySender[r.delivery] = list
	}
	again := 0
	for id, d := range now.deliveries {
		left, right := bySender[id][0], bySender[id][1]
		switch {
		case d.status != "delivered" || len(left)+len(right) == 0:
			found.add("lost", "%s came %d times and stands at %+v", id, len(left)+len(right), d)
		case len(left) > 1 || len(right) > 1:
			found.add("twice", "%s came %d times from one node and %d times from the other", id, len(left), len(right))
		case len(left)+len(right) == 2:
			again++
			if left[0].at.After(h.killed) || right[0].at.Before(h.killed.Add(-time.Second)) {
				found.add("twice", "%s came from one at %v, from the other at %v; the kill was at %v", id, left[0].at, right[0].at, h.killed)
			}
		}
	}
	back := 0
	for _, line := range putBack.FindAllString(h.nodes[1].Log(), -1) {
		var said struct {
			N int `json:"deliveries_put_back"`
		}
		must(t, json.Unmarshal([]byte(line), &said))
		back += said.N
	}
	if again > back {
		t.Errorf("%d deliveries came twice, and only %d were in the dead node's hand", again, back)
	}
	for _, c := range h.receiver.complaints() {
		t.Errorf("a receiver did not believe what came: %s", c)
	}
	unknown := 0
	for _, w := range h.writers {
		unknown += w.unknown
	}
	t.Logf("after a kill: %d deliveries, %d requests; %d came twice; %d were put back; %d calls of the writers had no answer", len(now.deliveries), len(got), again, back, unknown)
	if h.nodes[1].Stop() != 0 {
		t.Errorf("the other node did not end well:\n%s", h.nodes[1].Log())
	}
	if left := readHooks(t, h.store).nodes; len(left) != 0 {
		t.Errorf("nodes are listed that have ended: %v", left)
	}
}
