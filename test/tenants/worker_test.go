package tenants_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// worker calls in the name of everybody of one tenant. There is one for each, so that what it knows of the tenant's books
// is right, and what changes there it has changed itself.
type worker struct {
	*rand.Rand
	t        *testing.T
	house    *house
	registry *registry
	told     *told
	http     *http.Client
	tenant   string
	apps     map[string]string // names by id
	today    string
	bank     string // accounts of the tenant that can be posted to
	till     string

	tame  bool // this call names records of the tenant only
	count int
	sent  int
	kept  map[string]kept // by app and Idempotency-Key
	owes  []object        // invoices that can be paid
	tally map[string]int
}

// kept is a request that has a name.
type kept struct {
	request string
	answer  answer
}

// told keeps a defect from being reported hundreds of times.
type told struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (s *told) first(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.seen[what]
	s.seen[what] = true
	return !known && len(s.seen) <= 30
}

func (w *worker) chance(percent int) bool { return w.IntN(100) < percent }

func one[T any](w *worker, list ...T) T { return list[w.IntN(len(list))] }

func (w *worker) call(method string) *call {
	c := &call{method: method, seat: one(w, w.house.seats[w.tenant]...), query: url.Values{}}
	if w.chance(6) {
		c.version = "2025-10-01"
	}
	return c
}

// sits gives a call a seat that has the scope, most of the time.
func (w *worker) sits(c *call, scope string) {
	for range 6 {
		if scope == "" || c.seat.may(scope) || w.chance(3) {
			return
		}
		c.seat = one(w, w.house.seats[w.tenant]...)
	}
}

// id draws a record: the tenant's own, or, in a call that is not tame, another's or nobody's.
func (w *worker) id(c *call, prefix string) string {
	n := w.IntN(100)
	if w.tame {
		n = 0
	}
	tenant := w.tenant
	if n >= 45 {
		tenant = one(w, tenants...)
	}
	id := w.registry.draw(w.Rand, tenant, prefix)
	switch {
	case id == "" || n >= 95:
		return madeUp(w.Rand, prefix)
	case tenant != w.tenant:
		c.strangers = append(c.strangers, stranger{id, like(w.Rand, id)})
	}
	return id
}

// owed is an invoice of the tenant that is not paid.
func (w *worker) owed() object {
	if len(w.owes) == 0 {
		return nil
	}
	return w.owes[max(0, len(w.owes)-1-w.IntN(20))]
}

// work makes so many calls.
func (w *worker) work(count int) {
	for end := w.sent + count; w.sent < end; {
		c := w.reads
		if w.chance(30) {
			c = w.writes
		}
		if !w.try(c()) {
			return
		}
	}
}

// try makes a call, and once more with nobody's names in place of others', and says what is wrong with the answers.
func (w *worker) try(c *call) bool {
	whole := c.whole()
	c.strangers = slices.DeleteFunc(c.strangers, func(s stranger) bool { return !strings.Contains(whole, s.text) }) // drawn, but left out
	fresh := c.key == "" || w.kept[c.seat.app+" "+c.key].request == ""
	a, ok := w.send(c)
	if !ok {
		return false
	}
	w.judge(c, a)
	if len(c.strangers) == 0 || !fresh {
		return true
	}
	w.tally["calls with something of another tenant"]++
	if c.method != "GET" && a.status < 300 && !strings.Contains(a.body, `"created":0`) { // of an import, the row failed
		w.report(c, a, "a write that names a record of another tenant succeeded")
	}
	t := c.twin()
	if t.key != "" {
		w.count++
		t.key = fmt.Sprintf("twin-%s-%s-%d", w.tenant, c.seat.app, w.count)
	}
	b, ok := w.send(t)
	if !ok {
		return false
	}
	w.judge(t, b)
	if first, second := a.visible(c.strangers, false), b.visible(c.strangers, true); a.status != b.status || first != second {
		w.report(c, a, fmt.Sprintf("another tenant's is told from nobody's, for which the answer is %d\n%s\n%s", b.status, clip(b.body, 2000), diff(first, second)))
	}
	return true
}

// judge holds an answer against what holds for all.
func (w *worker) judge(c *call, a answer) {
	w.tally[fmt.Sprint("status ", a.status)]++
	if a.status >= 500 || a.status == http.StatusTooManyRequests {
		w.report(c, a, "it failed")
	}
	var head strings.Builder
	_ = a.header.Write(&head)
	for _, wrong := range w.scan(c.seat, c.whole(), head.String()+a.body) {
		w.report(c, a, wrong)
	}
	w.checkKey(c, a)
	w.checkNames(c, a)
	w.learn(c, a)
}

// checkKey proves that an Idempotency-Key means what the same app sent with it in the same tenant, and nothing else.
func (w *worker) checkKey(c *call, a answer) {
	replayed := a.header.Get("Idempotent-Replayed") != ""
	if c.key == "" {
		if replayed {
			w.report(c, a, "replayed without a key")
		}
		return
	}
	name, request := c.seat.app+" "+c.key, strings.Join([]string{c.method, c.target(), c.version, c.seen, c.text()}, "\n")
	before, known := w.kept[name]
	switch {
	case replayed && (!known || before.request != request):
		w.report(c, a, "the answer to a request of somebody else")
	case replayed && (before.answer.status != a.status || before.answer.body != a.body):
		w.report(c, a, "replayed is not what was answered before: "+before.answer.body)
	case a.code() == "IDEMPOTENCY_KEY_REUSED" && (!known || before.request == request):
		w.report(c, a, "the key was used by somebody else only")
	case replayed:
		w.tally["answers replayed"]++
	case a.status < 300 || a.status == http.StatusNotFound || a.status == http.StatusPreconditionFailed || a.status == http.StatusBadRequest:
		w.kept[name] = kept{request, a} // others may not be kept
	}
}

var importID = regexp.MustCompile(`\bimp_[0-9a-z]{26}\b`)

// learn keeps the registry up to date.
func (w *worker) learn(c *call, a answer) {
	o := a.json()
	switch {
	case a.status == http.StatusNoContent && c.method == "DELETE":
		w.registry.strike(c.path[strings.LastIndex(c.path, "/")+1:])
	case a.status == http.StatusOK && c.method == "DELETE": // an allocation
		w.registry.strike(c.path[strings.LastIndex(c.path, "/")+1:])
	case a.status < 300 && c.version == "" && (o["status"] == "OPEN" || o["status"] == "PARTIALLY_PAID") && o["lines"] != nil && o["id"] != nil:
		w.owes = append(w.owes, o)
		w.owes = slices.Clone(w.owes[max(0, len(w.owes)-40):])
	}
	if next, more := o["nextCursor"].(string); more && c.version == "" && c.query.Get("cursor") == "" {
		w.registry.note(w.tenant, &cursor{c.path, c.query.Encode(), next}, "", "")
	}
}

func (w *worker) report(c *call, a answer, wrong string) {
	if !w.told.first(fmt.Sprint(c.method, idForm.ReplaceAllString(c.path, "…"), a.status, clip(idForm.ReplaceAllString(wrong, "…"), 50))) {
		return
	}
	w.t.Errorf("%s\n--- %s\n%s %s\nIdempotency-Key: %s\nIf-Match: %s\nDaybook-Version: %s\n%s\n--- strangers %v\n--- answer %d\n%s", wrong, c.seat, c.method, c.target(),
		c.key, c.seen, c.version, clip(c.text(), 2000), c.strangers, a.status, clip(strings.ToValidUTF8(a.body, "?"), 2000))
}

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// diff is where two texts part.
func diff(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-40)
	return fmt.Sprintf("they part at %q and %q", clip(a[from:], 120), clip(b[from:], 120))
}
