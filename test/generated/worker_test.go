package generated_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
)

// worker works on one business.
type worker struct {
	t        *testing.T
	number   int
	base     string
	http     *http.Client
	document *document
	drawer   *drawer
	callers  []caller
	versions []string // that there are
	usable   []string // of those, the ones that are answered
	told     *told
	good     map[string]int // successes by operation
	statuses map[int]int
	sent     int
}

// told keeps a defect from being reported hundreds of times, by all the workers.
type told struct {
	mu   sync.Mutex
	seen map[string]int
}

// first reports whether a thing is new; after a few of one kind none is.
func (s *told) first(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[what]++
	return s.seen[what] == 1 && len(s.seen) <= 40
}

// work sends so many requests.
func (w *worker) work(count int) {
	w.look()
	for range count {
		r := w.draw()
		a := w.send(r)
		if a == nil {
			return
		}
		w.judge(r, a)
		if key := r.header.Get("Idempotency-Key"); key != "" && a.status < 300 && w.drawer.chance(30) {
			w.repeat(r, a)
		}
	}
	w.bounds()
}

// look reads the lists once, to know the accounts and rates that new books have.
func (w *worker) look() {
	for _, op := range w.document.operations {
		if op.partner && op.pages() && !strings.Contains(op.path, "{") {
			r := request{op: op, style: right, who: w.callers[0], target: op.path + "?limit=100", header: http.Header{}, version: w.document.version}
			if a := w.send(r); a != nil {
				w.judge(r, a)
			}
		}
	}
}

// judge checks an answer and learns from it.
func (w *worker) judge(r request, a *got) {
	w.sent++
	w.statuses[a.status]++
	for _, wrong := range w.check(r, a) {
		w.report(r, a, wrong)
	}
	if a.status == http.StatusNoContent && r.op.method == http.MethodDelete || a.status == http.StatusNotFound {
		w.drawer.corpus.forget(r.id)
	}
	if a.status >= 300 {
		return
	}
	w.good[r.op.String()]++
	if r.version != w.document.version {
		return // the corpus holds records of the newest version
	}
	if r.op.method != http.MethodPost || !strings.HasSuffix(r.op.path, "/preview") {
		w.drawer.corpus.learn(a.json)
	}
	if page, ok := a.json.(object); ok && r.op.pages() {
		if next, more := page["nextCursor"].(string); more {
			path, _, _ := strings.Cut(r.target, "?")
			list := append(w.drawer.corpus.cursors, walk{path, r.query, next})
			w.drawer.corpus.cursors = list[max(0, len(list)-50):]
		}
	}
}

// repeat sends a request that succeeded once more, under its own name: the answer must be the very same, and be said to be.
func (w *worker) repeat(r request, first *got) {
	again := w.send(r)
	if again == nil {
		return
	}
	w.sent++
	if again.status != first.status || string(again.body) != string(first.body) || again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("ETag") != first.header.Get("ETag") {
		w.report(r, again, fmt.Sprintf("repeated under its name, it is not the answer from before, which was %d %s", first.status, clip(string(first.body), 600)))
	}
}

func (w *worker) send(r request) *got {
	text := ""
	if r.body != nil {
		text = *r.body
	}
	q, err := http.NewRequest(r.op.method, w.base+r.target, strings.NewReader(text))
	if err != nil {
		w.t.Errorf("%s %s: %v", r.op, r.target, err)
		return nil
	}
	if r.body == nil {
		q.Body, q.ContentLength = http.NoBody, 0
	}
	for name, values := range r.header {
		q.Header[name] = values
	}
	q.Header.Set("Authorization", "Bearer "+r.who.token)
	response, err := w.http.Do(q)
	if err != nil {
		w.t.Errorf("%s: %v", dump(q, r), err)
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Errorf("%s: %v", dump(q, r), err)
		return nil
	}
	return &got{status: response.StatusCode, header: response.Header, body: body}
}

func (w *worker) report(r request, a *got, wrong string) {
	if !w.told.first(fmt.Sprint(r.op, a.status, clip(wrong, 60))) {
		return
	}
	q, err := http.NewRequest(r.op.method, w.base+r.target, nil)
	must(w.t, err)
	q.Header = r.header
	w.t.Errorf("%s\n--- %s request of worker %d by %s:\n%s\n--- answer: %d\n%s\n%s", wrong, r.style, w.number, r.who.name, dump(q, r), a.status,
		headers(a.header), clip(string(a.body), 1500))
}

func dump(q *http.Request, r request) string {
	q.Header.Del("Authorization")
	head, err := httputil.DumpRequest(q, false)
	if err != nil {
		return err.Error()
	}
	text := clip(strings.TrimSpace(strings.ReplaceAll(string(head), "\r", "")), 3000)
	if r.body != nil {
		text += "\n" + clip(*r.body, 2000)
	}
	return text
}

// headers lists those that tell something.
func headers(h http.Header) string {
	var lines []string
	for _, name := range []string{"Content-Type", "Daybook-Version", "ETag", "Idempotent-Replayed", "Request-Id", "RateLimit-Remaining"} {
		lines = append(lines, name+": "+h.Get(name))
	}
	return strings.Join(lines, "\n")
}
