package torture_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// fieldWorld is one business and many webhooks, ten to an app, each with an address of its own.
func fieldWorld(endpoints int, hears func(i int) bool) *hookWorld {
	var apps []hookApp
	for i := range endpoints {
		if i%10 == 0 {
			apps = append(apps, hookApp{key: "app" + strconv.Itoa(i/10), scopes: writerScopes, in: []int{0}})
		}
		spec := hookSpec{path: fieldPath(i)}
		if hears(i) {
			spec.events = "invoice.created"
		}
		last := &apps[len(apps)-1]
		last.hooks = append(last.hooks, spec)
	}
	return newHookWorld(1, apps...)
}

func fieldPath(i int) string { return "/e" + strconv.Itoa(i) }

func fieldNumber(path string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(path, "/e"))
	return n
}

// F-10, DLIV-06, DLIV-01: half of the endpoints do their worst, and the others hear of everything meanwhile. Nothing here is
// measured in time: those who hang go on hanging until the healthy ones have everything.
func TestHookHostileReceiversHarmNobodyElse(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		t.Parallel()
		const endpoints, events = 40, 20
		var followed atomic.Int64
		console := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
		t.Cleanup(console.Close)
		hold := make(chan struct{})
		field := make([]*endpoint, endpoints)
		for i := range field {
			kind := endpointHealthy
			if i%2 == 1 { // half of every app
				kind = hostileKinds[i/2%len(hostileKinds)]
			}
			field[i] = newEndpoint(t, kind, console.URL+"/apps", nil, hold)
		}
		data := t.TempDir()
		w := fieldWorld(endpoints, func(int) bool { return true })
		w.load(t, t.TempDir(), database, filepath.Join(data, "daybook.key"), func(path string) string { return "http://" + field[fieldNumber(path)].address + path })
		node := harness.Dev(t, harness.Options{Database: database, Data: data, Env: []string{"DAYBOOK_LIMIT_SCALE=1000000"}})
		shop := shopsOf(t, database)[0]
		writer := newHookWriter(t, "writer", shop, hookToken(t, node.BaseURL, "cli_app0", shop), node.BaseURL)
		chance := rand.New(rand.NewPCG(1, 1))
		for range events {
			if !writer.step(t, node.BaseURL, chance) {
				t.Fatal("the node does not answer")
			}
		}
		created := len(writer.acknowledged)
		soon(t, "every healthy endpoint hears of every invoice", func() bool { return toldAll(field, created) })
		for i, e := range field {
			if !stuck(e.kind) {
				continue
			}
			soon(t, fmt.Sprintf("endpoint %d (%s) still has an attempt hanging", i, e.kind), func() bool {
				now, _ := e.underWay()
				return now > 0
			})
		}
		close(hold)
		store := openStore(t, database)
		defer store.Close()
		soon(t, "everything was tried once", func() bool { return waiting(t, store) == 0 })
		checkField(t, field, readHooks(t, store), created)
		if followed.Load() != 0 {
			t.Errorf("%d redirects were followed", followed.Load())
		}
		if node.Stop() != 0 {
			t.Errorf("the node did not end well:\n%s", node.Log())
		}
	})
}

// stuck reports whether an endpoint of that kind never lets an attempt end by itself.
func stuck(kind string) bool {
	return kind == endpointAcceptHang || kind == endpointHeaderHang || kind == endpointHeaderDrip
}

// toldAll reports whether every healthy endpoint was told of so many invoices.
func toldAll(field []*endpoint, invoices int) bool {
	for _, e := range field {
		if e.kind == endpointHealthy && e.told() < invoices {
			return false
		}
	}
	return true
}

// What an endpoint may have under way at a time: one before it has proven itself, and never more than the most. An attempt
// that was given up is seen for a moment longer, while the next one already begins.
const fieldFirst, fieldMost = 1 + 1, 64

// checkField proves that every endpoint got what it may get: healthy ones everything, once; the others attempts that the store
// knows to have failed. Who hangs holds one at a time.
func checkField(t *testing.T, field []*endpoint, now *hookState, invoices int) {
	t.Helper()
	found := newProblems(t)
	delivered, failed := map[int]int{}, map[int]int{}
	for _, d := range now.deliveries {
		if d.status == "delivered" {
			delivered[fieldNumber(now.paths[d.webhook])]++
		} else {
			failed[fieldNumber(now.paths[d.webhook])]++
		}
	}
	peaks := map[string]int{}
	for i, e := range field {
		_, peak := e.underWay()
		peaks[e.kind] = max(peaks[e.kind], peak)
		most := fieldMost
		if stuck(e.kind) {
			most = fieldFirst
		}
		switch e.kind {
		case endpointHealthy:
			if e.told() != invoices || e.again != 0 || delivered[i] != invoices || failed[i] != 0 {
				found.add("healthy", "endpoint %d was told of %d invoices, %d of them again; %d delivered, %d not", i, e.told(), e.again, delivered[i], failed[i])
			}
		case endpointBodyDrip, endpointEndlessBody: // the answer is decided by its headers
			if delivered[i] != invoices {
				found.add("hostile", "endpoint %d (%s): %d delivered, %d not", i, e.kind, delivered[i], failed[i])
			}
		default:
			if failed[i] != invoices {
				found.add("hostile", "endpoint %d (%s): %d delivered, %d not", i, e.kind, delivered[i], failed[i])
			}
		}
		if peak > most {
			found.add("cap", "endpoint %d (%s) had %d attempts under way", i, e.kind, peak)
		}
	}
	t.Logf("attempts under way at an endpoint, at most: %v", peaks)
}
