package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// window is a private window of the browser, with cookies and a cache of its own, and the node it looks at. A step that
// goes wrong ends the test.
type window struct {
	t    *testing.T
	node *node
	ctx  context.Context
}

// node is a running service, the folder with its key, and its database: a file in the folder, or a URL.
type node struct {
	*harness.Node
	data, database string
}

func startNode(t *testing.T) *node {
	t.Helper()
	return startWith(t, harness.Options{})
}

// startWith starts a node on SQLite, or on PostgreSQL if DAYBOOK_PAGES_STORE says so.
func startWith(t *testing.T, o harness.Options) *node {
	t.Helper()
	o.Data = t.TempDir()
	database := filepath.Join(o.Data, "daybook.db")
	if os.Getenv("DAYBOOK_PAGES_STORE") == "PostgreSQL" {
		o.Database = dbtest.Postgres(t)
		database = o.Database
	}
	return &node{harness.Dev(t, o), o.Data, database}
}

// fixture brings more people and records into the world of a running node.
func (n *node) fixture(t *testing.T, file string) {
	t.Helper()
	if status, _, stderr := harness.Run(t, n.data, nil, "", "fixture", "load", file, "--database", n.database, "--key-file", "daybook.key"); status != 0 {
		t.Fatal(stderr)
	}
}

// past writes to a node's database past the node.
func (n *node) past(t *testing.T, do func(ctx context.Context, tx *db.Tx) error) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: n.database, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Write(ctx, func(tx *db.Tx) error { return do(ctx, tx) }); err != nil {
		t.Fatal(err)
	}
}

// patience is far more than a step takes, so that a stuck page fails its own test and not the whole program.
const patience = 30 * time.Second

// open makes the test parallel and gives it a node and a window.
func open(t *testing.T) *window {
	t.Helper()
	holdChromium(t)
	return openOn(t, startNode(t))
}

func openOn(t *testing.T, n *node) *window {
	t.Helper()
	ctx, closeIt := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(closeIt)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return &window{t, n, ctx}
}

// another is a window that shares nothing but the node: another person, or the same one elsewhere.
func (w *window) another() *window {
	w.t.Helper()
	return openOn(w.t, w.node)
}

// in is the same window in a subtest.
func (w *window) in(t *testing.T) *window { return &window{t, w.node, w.ctx} }

// run does a step and gives its value.
func run[T any](w *window, step chromedp.Action[T]) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, step)
	if err != nil {
		w.t.Fatal(err)
	}
	return value
}

// call is a command to the browser as a step.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[R] {
	return func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, command, params) }
}

// ask sends a command to the browser and gives its answer.
func ask[P, R any](w *window, command cdp.Command[P, R], params P) R {
	w.t.Helper()
	return run(w, call(command, params))
}

// eval gives the value of an expression in the page; of a promise, what it comes to.
func eval[T any](w *window, expression string) T {
	w.t.Helper()
	return run(w, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// load takes steps that lead to a page, waits for it and gives its status.
func (w *window) load(steps ...chromedp.Action[chromedp.Void]) (status int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, steps...)
	if err != nil {
		w.t.Fatal(err)
	}
	if response == nil {
		w.t.Fatal("no page was loaded")
	}
	return int(response.Status)
}

// visit opens a path of the app host, or a whole address.
func (w *window) visit(path string) (status int) {
	w.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.node.AuthURL + path
	}
	return w.load(chromedp.Navigate(path))
}

// press presses keys, wherever the focus is.
func (w *window) press(keys string) {
	w.t.Helper()
	run(w, chromedp.KeyEvent(keys))
}

// enter presses Enter and waits for the page it leads to.
func (w *window) enter() (status int) {
	w.t.Helper()
	return w.load(chromedp.KeyEvent(kb.Enter))
}

// fill puts text into the field of this name, in place of what is there.
func (w *window) fill(name, text string) {
	w.t.Helper()
	field := chromedp.CSS(fmt.Sprintf(`[name=%q]:not([type=hidden])`, name))
	run(w, chromedp.Steps(chromedp.Focus(field), chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	ask(w, input.InsertText, input.InsertTextParams{Text: text})
}

// click presses the button that is called so, and waits for the page it leads to.
func (w *window) click(button string) (status int) {
	w.t.Helper()
	return w.load(chromedp.Click(fmt.Sprintf(`//button[normalize-space()=%q or @aria-label=%q]`, button, button)))
}

// signIn signs a person of the demo world in, on the page.
func (w *window) signIn(name string) harness.User {
	w.t.Helper()
	u := w.node.User(w.t, name)
	w.signInAs(u.Email, u.Password)
	w.toAccount()
	return u
}

// signInAs fills the sign-in page and sends it.
func (w *window) signInAs(email, password string) (status int) {
	w.t.Helper()
	w.visit("/sign-in")
	w.fill("email", email)
	w.fill("password", password)
	return w.click("Sign in")
}

// postSignIn signs a person in from whatever the window holds: the page is fetched without a look at its session.
func (w *window) postSignIn(u harness.User) {
	w.t.Helper()
	w.visit("/nowhere")
	w.load(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const form = document.createElement("form"); form.method = "post"; form.action = "/sign-in"
		for (const [name, value] of Object.entries({email: %q, password: %q})) form.append(Object.assign(document.createElement("input"), {name, value}))
		document.body.append(form); form.submit()
	}`, u.Email, u.Password)))
	w.toAccount()
}

// toAccount goes on from where signing in leads to: the business's home, or for someone without one their account.
func (w *window) toAccount() {
	w.t.Helper()
	if w.path() == "/" {
		w.visit("/account")
	}
	w.wantPath("/account")
}

// forget makes the window one that nobody has signed in with.
func (w *window) forget() {
	w.t.Helper()
	ask(w, network.ClearBrowserCookies, cdp.Empty{})
}

// text is what a person reads in the first element that the selector finds; nothing without one.
func (w *window) text(css string) string {
	w.t.Helper()
	return eval[string](w, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, css))
}

// path is where the window is on the app host, with its query; anywhere else, the whole address.
func (w *window) path() string {
	w.t.Helper()
	return strings.TrimPrefix(run(w, chromedp.Location()), w.node.AuthURL)
}

func (w *window) wantPath(path string) {
	w.t.Helper()
	if got := w.path(); got != path {
		w.t.Fatalf("at %s, want %s:\n%s", got, path, w.text("body"))
	}
}

// wantSignedOut opens the account page, which leads to sign-in and back.
func (w *window) wantSignedOut() {
	w.t.Helper()
	w.visit("/account")
	w.wantPath("/sign-in?next=%2Faccount")
}

// wantFocus waits until the focus is on what is called so: by its name attribute, else by its words. A page gives the
// focus away a little after it is loaded.
func (w *window) wantFocus(name string) {
	w.t.Helper()
	got := eval[string](w, fmt.Sprintf(`new Promise(done => {
		const now = () => document.activeElement.name || document.activeElement.innerText.trim()
		const look = () => { if (now() == %q) done(now()) }
		addEventListener("focusin", look)
		setTimeout(() => done(now()), 5000)
		look()
	})`, name))
	if got != name {
		w.t.Fatalf("the focus is on %q, want %q", got, name)
	}
}
