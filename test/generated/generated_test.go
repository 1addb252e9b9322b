package generated_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// clocks say when the tests take place: on SQLite while all versions are still answered, on PostgreSQL when the oldest no
// longer is.
var clocks = map[bool]string{false: "2026-09-15T10:00:00Z", true: "2026-12-15T10:00:00Z"}

// TestWhatTheDocumentPromisesIsSo sends requests that the document describes, nearly describes, and forbids.
func TestWhatTheDocumentPromisesIsSo(t *testing.T) {
	count, seed := number(t, "DAYBOOK_GENERATED_REQUESTS", 8000), number(t, "DAYBOOK_GENERATED_SEED", 1)
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		n := startNode(t, database, clocks[strings.Contains(database, "://")])
		d := readDocument(t, n)
		all, usable := versions(t, n)
		shared := &told{seen: map[string]int{}}
		client := &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 2 * businesses},
			Timeout:       time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		var wait sync.WaitGroup
		var workers []*worker
		begun := time.Now()
		for i := range businesses {
			w := &worker{
				t: t, number: i, base: n.BaseURL, http: client, document: d, callers: callers(t, n, i), versions: all, usable: usable, told: shared,
				drawer: newDrawer(rand.New(rand.NewPCG(uint64(seed), uint64(i))), d.schemas, n.Now.UTC()), good: map[string]int{}, statuses: map[int]int{},
			}
			workers = append(workers, w)
			wait.Go(func() { w.work(count / businesses) })
		}
		wait.Wait()
		sent, good, statuses := 0, map[string]int{}, map[int]int{}
		for _, w := range workers {
			sent += w.sent
			for op, n := range w.good {
				good[op] += n
			}
			for status, n := range w.statuses {
				statuses[status] += n
			}
			w.balanced()
		}
		t.Logf("seed %d: %d requests in %.1f s; statuses %v", seed, sent, time.Since(begun).Seconds(), statuses)
		reached(t, d, count, good)
		for line := range strings.Lines(n.Log()) {
			if strings.Contains(line, "level=ERROR") || strings.Contains(line, `"level":"ERROR"`) {
				t.Errorf("the log speaks of an error: %s", line)
				break
			}
		}
		if t.Failed() {
			t.Logf("the same again: DAYBOOK_GENERATED_SEED=%d DAYBOOK_GENERATED_REQUESTS=%d", seed, count)
		}
	})
}

// versions asks which versions there are, and which of them are answered.
func versions(t *testing.T, n *harness.Node) (all, usable []string) {
	t.Helper()
	var list struct {
		Versions []struct{ Version, State string }
	}
	a := harness.Get(t, http.DefaultClient, n.BaseURL+"/versions")
	must(t, json.Unmarshal([]byte(a.Body), &list))
	for _, v := range list.Versions {
		all = append(all, v.Version)
		if v.State != "SUNSET" {
			usable = append(usable, v.Version)
		}
	}
	if len(usable) < 2 {
		t.Fatalf("of the versions %v, %v are answered", all, usable)
	}
	return all, usable
}

// balanced proves that the books of a worker's business add up, after whatever was done to them (INVO-04).
func (w *worker) balanced() {
	read := func(path string) object {
		for _, op := range w.document.operations {
			if base, _, _ := strings.Cut(path, "?"); op.method == http.MethodGet && op.path == base {
				r := request{op: op, style: right, who: w.callers[0], target: path, header: http.Header{}, version: w.document.version}
				if a := w.send(r); a != nil {
					w.judge(r, a)
					o, _ := a.json.(object)
					return o
				}
			}
		}
		w.t.Fatalf("no answer to %s", path)
		return nil
	}
	for _, day := range []string{w.drawer.today.Format(time.DateOnly), "2026-01-01", "2199-12-31"} {
		trial := read("/reports/trial-balance?asOf=" + day)
		if trial["debitTotal"] == nil || trial["debitTotal"] != trial["creditTotal"] {
			w.t.Errorf("the trial balance of worker %d as of %s: %v debit, %v credit", w.number, day, trial["debitTotal"], trial["creditTotal"])
		}
		sheet := read("/reports/balance-sheet?asOf=" + day)
		total := func(section string) int64 {
			o, _ := sheet[section].(object)
			n, _ := o["total"].(json.Number)
			whole, err := n.Int64()
			must(w.t, err)
			return whole
		}
		if total("assets") != total("liabilities")+total("equity") {
			w.t.Errorf("the balance sheet of worker %d as of %s: %s", w.number, day, short(sheet))
		}
	}
}

// reached proves that the requests were good enough to get somewhere: every operation that is open to apps has succeeded.
func reached(t *testing.T, d *document, count int, good map[string]int) {
	t.Helper()
	var never []string
	for _, op := range d.operations {
		if (op.partner || op.public) && good[op.String()] == 0 {
			never = append(never, op.String())
		}
	}
	if len(never) > 0 && count >= 3000 { // fewer may well miss some
		t.Errorf("these never succeeded: %q", never)
	}
	var counts []string
	for _, op := range slices.Sorted(maps.Keys(good)) {
		counts = append(counts, fmt.Sprintf("%s %d", op, good[op]))
	}
	t.Log("successes: " + strings.Join(counts, ", "))
}
