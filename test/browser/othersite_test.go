package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
)

// Both kinds of other origins: another port of our host, which gets our cookies, and another site, which does not.
func TestAnotherOrigin(t *testing.T) {
	holdChromium(t)
	for name, host := range map[string]string{"on another port": "127.0.0.1", "on another site": "localhost"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openOn(t, startNode(t))
			t.Run("A-20 signs nobody in", func(t *testing.T) { signsNobodyIn(w.in(t), host) })
			t.Run("A-20 does nothing in a person's name", func(t *testing.T) { doesNothing(w.in(t), host) })
			t.Run("A-7 puts no page into a frame", func(t *testing.T) { framesNothing(w.in(t), host) })
			t.Run("reads nothing", func(t *testing.T) { readsNothing(w.in(t), host) })
		})
	}
}

// attack posts a form from another origin, as a page can make anybody do who looks at it.
func attack(w *window, host, path string, fields url.Values) {
	w.t.Helper()
	w.visit(otherSite(w.t, host, postingPage(w.node.AuthURL+path, fields)))
	status, text := w.click("Send"), w.text("main p")
	if status != 403 || !strings.Contains(text, "came from another site") {
		w.t.Errorf("%s: %d, %q", path, status, text)
	}
}

func signsNobodyIn(w *window, host string) {
	dan := w.node.User(w.t, "dan")
	attack(w, host, "/sign-in", url.Values{"email": {dan.Email}, "password": {dan.Password}})
	w.wantSignedOut()
}

func doesNothing(w *window, host string) {
	u, dan := w.signIn("olivia"), w.node.User(w.t, "dan")
	first, second := currentBusiness(w), ""
	for _, b := range u.Businesses {
		if b.Name != first {
			second = b.ID
		}
	}
	attack(w, host, "/sign-out", nil)
	attack(w, host, "/switch", url.Values{"business": {second}})
	attack(w, host, "/account/password", url.Values{"password": {u.Password}, "newPassword": {"eve knows this one"}})
	attack(w, host, "/sign-in", url.Values{"email": {dan.Email}, "password": {dan.Password}}) // into an account that eve can read

	w.visit("/account")
	w.wantPath("/account")
	if got := w.text(".facts"); !strings.Contains(got, u.Email) {
		w.t.Errorf("signed in as %s", got)
	}
	if got := currentBusiness(w); got != first {
		w.t.Errorf("works in %s, want %s as before", got, first)
	}
	w.another().signIn("olivia") // with the password as it was
}

// framesNothing: a page that others could put into a frame could be clicked without being seen.
func framesNothing(w *window, host string) {
	entries := chromedp.Events(w.ctx, log.EntryAdded)
	paths, frames := []string{"/account", "/nowhere", "/sign-out", "/favicon.ico"}, ""
	for _, path := range paths {
		frames += fmt.Sprintf(`<iframe src=%q></iframe>`, w.node.AuthURL+path)
	}
	w.visit(otherSite(w.t, host, frames))
	refused := 0
	until(w, "the refusal of every frame", entries, func(e log.EventEntryAdded) bool {
		if strings.Contains(e.Entry.Text, w.node.AuthURL) && strings.Contains(e.Entry.Text, "frame-ancestors 'none'") {
			refused++
		}
		return refused == len(paths)
	})
}

func readsNothing(w *window, host string) {
	w.visit(otherSite(w.t, host, ""))
	for _, path := range []string{"/account", "/sign-in", "/favicon.ico"} {
		got := eval[string](w, fmt.Sprintf(`fetch(%q, {credentials: "include"}).then(r => r.text(), e => e.name)`, w.node.AuthURL+path))
		if got != "TypeError" {
			w.t.Errorf("%s can be read: %q", path, got)
		}
	}
}
