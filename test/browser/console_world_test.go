package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/test/harness"
)

// receiver is a program of a developer that is called by a webhook. What it answers can be changed.
type receiver struct {
	url string
	sync.Mutex
	status int
	answer string
	calls  []arrival
}

// arrival is one call.
type arrival struct {
	header http.Header
	body   []byte
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{status: http.StatusOK, answer: "thank you"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.Lock()
		defer r.Unlock()
		r.calls = append(r.calls, arrival{q.Header.Clone(), body})
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, r.answer)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL + "/webhooks"
	return r
}

func (r *receiver) answers(status int, text string) {
	r.Lock()
	defer r.Unlock()
	r.status, r.answer = status, text
}

// last is what arrived last.
func (r *receiver) last(t *testing.T) arrival {
	t.Helper()
	r.Lock()
	defer r.Unlock()
	if len(r.calls) == 0 {
		t.Fatal("nothing has arrived")
	}
	return r.calls[len(r.calls)-1]
}

// developer calls the console's REST as a script of a person's own would.
type developer struct {
	w      *window
	client *http.Client
}

func newDeveloper(w *window, name string) developer {
	w.t.Helper()
	d := developer{w, harness.Browser(w.t)}
	w.node.SignIn(w.t, d.client, w.node.User(w.t, name))
	return d
}

// do makes a call and gives the answer's members.
func (d developer) do(method, path string, body map[string]any) map[string]any {
	d.w.t.Helper()
	text, header := "", http.Header{}
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			d.w.t.Fatal(err)
		}
		text = string(b)
		header.Set("Content-Type", "application/json")
	}
	a := harness.Send(d.w.t, d.client, method, d.w.node.AuthURL+"/rest"+path, header, text)
	if a.Status >= 300 {
		d.w.t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
	}
	if a.Status == http.StatusNoContent {
		return nil
	}
	return a.JSON(d.w.t)
}

// app makes an app and gives its page's path.
func (d developer) app(name string, scopes ...string) string {
	d.w.t.Helper()
	made := d.do("POST", "/developer/apps", map[string]any{"name": name, "clientType": "CONFIDENTIAL", "redirectUris": []string{"https://app.example/callback"}, "scopes": scopes})
	return "/developer/apps/" + made["id"].(string)
}

// webhook adds one to an app and gives its page's path.
func (d developer) webhook(app, url string, events ...string) string {
	d.w.t.Helper()
	return app + "/webhooks/" + d.do("POST", app+"/webhooks", map[string]any{"url": url, "events": events, "description": "Nightly books"})["id"].(string)
}

// test sends a test delivery and gives its page's path.
func (d developer) test(webhook, kind string) string {
	d.w.t.Helper()
	return webhook + "/deliveries/" + d.do("POST", webhook+"/test", map[string]any{"type": kind})["id"].(string)
}

// becomes waits until a delivery has that status.
func (d developer) becomes(delivery, status string) {
	d.w.t.Helper()
	// The clock stands at an instant at which everything due has happened.
	d.w.node.Advance(d.w.t, "1s")
	if got := d.do("GET", delivery, nil)["status"]; got != status {
		d.w.t.Fatalf("the delivery is %v, want %s", got, status)
	}
}

// begin signs a person of the demo world in, wherever that leads.
func (w *window) begin(name string) {
	w.t.Helper()
	u := w.node.User(w.t, name)
	if status := w.signInAs(u.Email, u.Password); status != http.StatusOK {
		w.t.Fatalf("%s cannot sign in: %d", name, status)
	}
}

// tap presses a button that leads to no other page.
func (w *window) tap(button string) {
	w.t.Helper()
	run(w, chromedp.Click(fmt.Sprintf(`//*[self::button or self::summary][normalize-space()=%q or @aria-label=%q]`, button, button)))
}

// follow clicks a link and waits for the page it leads to.
func (w *window) follow(link string) (status int) {
	w.t.Helper()
	return w.load(chromedp.Click(fmt.Sprintf(`//a[normalize-space()=%q]`, link)))
}

// tick clicks the box with that value.
func (w *window) tick(value string) {
	w.t.Helper()
	run(w, chromedp.Click(fmt.Sprintf(`//input[@type="checkbox"][@value=%q]`, value)))
}

// choose picks an option of a field.
func (w *window) choose(name, value string) {
	w.t.Helper()
	run(w, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const s = document.querySelector("select[name='%s']"); s.value = %q; s.dispatchEvent(new Event("change", {bubbles: true})) }`, name, value)))
}

// await waits until the page makes an expression true.
func (w *window) await(what, expression string) {
	w.t.Helper()
	if !eval[bool](w, fmt.Sprintf(`new Promise(done => {
		const look = () => { try { if (%s) return done(true) } catch {} setTimeout(look, 50) }
		setTimeout(() => done(false), 20000)
		look()
	})`, expression)) {
		w.t.Fatalf("waited in vain for %s:\n%s", what, w.text("main"))
	}
}

// wantText waits until what people read in an element holds these words.
func (w *window) wantText(css, words string) {
	w.t.Helper()
	w.await(words, fmt.Sprintf(`document.querySelector(%q).innerText.includes(%q)`, css, words))
}

// wantWords says what a page must say.
func (w *window) wantWords(words ...string) {
	w.t.Helper()
	page := w.text("main")
	for _, one := range words {
		if !strings.Contains(page, one) {
			w.t.Errorf("the page does not say %q:\n%s", one, page)
		}
	}
}
