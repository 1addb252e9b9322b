package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"daybook/test/harness"
)

const cookieName = "daybook_session"

// sessionCookie is the one the browser would send to an address; nil without one.
func (w *window) sessionCookie(address string) *network.Cookie {
	w.t.Helper()
	for _, c := range ask(w, network.GetCookies, network.GetCookiesParams{URLs: []string{address}}).Cookies {
		if c.Name == cookieName {
			return c
		}
	}
	return nil
}

func TestTheSessionCookie(t *testing.T) {
	w := open(t)
	w.visit("/sign-in")
	if w.sessionCookie(w.node.AuthURL) != nil {
		t.Error("there is a session before anybody signed in")
	}
	w.signIn("olivia")
	c := w.sessionCookie(w.node.AuthURL)
	if c == nil {
		t.Fatal("no cookie")
	}
	t.Run("is for the server alone", func(t *testing.T) {
		w := w.in(t)
		got := network.Cookie{Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Session: c.Session, SameSite: c.SameSite}
		// A domain without a leading dot: this host and no other.
		want := network.Cookie{Domain: "127.0.0.1", Path: "/", HTTPOnly: true, Session: true, SameSite: network.CookieSameSiteLax}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if seen := eval[string](w, `document.cookie`); seen != "" {
			t.Errorf("a script would see %q", seen)
		}
		if w.sessionCookie("http://localhost/") != nil {
			t.Error("another host would get it")
		}
	})
	t.Run("goes to the API host too", func(t *testing.T) {
		w := w.in(t)
		sent := chromedp.Events(w.ctx, network.RequestWillBeSentExtraInfo)
		w.visit(w.node.BaseURL + "/healthz")
		until(w, "a request with the cookie", sent, func(e network.EventRequestWillBeSentExtraInfo) bool {
			host, _ := e.Headers["Host"].(string)
			cookie, _ := e.Headers["Cookie"].(string)
			return strings.HasSuffix(w.node.BaseURL, host) && strings.HasPrefix(cookie, cookieName+"=")
		})
	})
	t.Run("is gone, and worth nothing, after signing out", func(t *testing.T) {
		w := w.in(t)
		w.visit("/account")
		w.click("Sign out")
		w.wantPath("/sign-in")
		if w.sessionCookie(w.node.AuthURL) != nil {
			t.Error("the browser still has it")
		}
		ask(w, network.SetCookie, network.SetCookieParams{Name: cookieName, Value: c.Value, URL: w.node.AuthURL})
		w.wantSignedOut()
	})
}

// A session that somebody planted in the browser beforehand is not the one that signing in gives, and it ends.
func TestSigningInMakesANewSession(t *testing.T) {
	w := open(t)
	eve := w.another()
	eve.signIn("dan")
	planted := eve.sessionCookie(w.node.AuthURL).Value
	for _, value := range []string{planted, "made-up"} {
		ask(w, network.SetCookie, network.SetCookieParams{Name: cookieName, Value: value, URL: w.node.AuthURL})
		w.postSignIn(w.node.User(t, "olivia"))
		if got := w.sessionCookie(w.node.AuthURL).Value; got == value {
			t.Errorf("the session is still %s", value)
		}
		w.click("Sign out")
	}
	eve.wantSignedOut()
}

// no-store keeps a page out of the browser's cache, but not out of the one of its back button.
func TestTheBackButtonShowsNothingPrivateAfterSigningOut(t *testing.T) {
	w := open(t)
	u := w.signIn("olivia")
	w.visit("/nowhere") // so that more than one page is behind
	w.visit("/account")
	w.click("Sign out")
	w.wantNothingBehind(u)
}

func TestTheBackButtonShowsNothingOfTheOneBefore(t *testing.T) {
	w := open(t)
	u := w.signIn("olivia")
	w.visit("/nowhere")
	w.postSignIn(w.node.User(t, "dan"))
	w.wantNothingBehind(u)
}

// wantNothingBehind goes back through the history and looks for a person.
func (w *window) wantNothingBehind(u harness.User) {
	w.t.Helper()
	for ask(w, page.GetNavigationHistory, cdp.Empty{}).CurrentIndex > 1 {
		w.back()
		if text := w.text("body"); strings.Contains(text, u.Email) || strings.Contains(text, u.Name) {
			w.t.Errorf("at %s the back button shows:\n%s", w.path(), text)
		}
	}
}

// back goes one page back and waits for it, whether the browser loads it anew or takes it from a cache.
func (w *window) back() {
	w.t.Helper()
	moments := chromedp.Events(w.ctx, page.LifecycleEvent)
	history := ask(w, page.GetNavigationHistory, cdp.Empty{})
	arrived := run(w, chromedp.WaitEvent(page.FrameNavigated, func(e page.EventFrameNavigated) bool { return e.Frame.ParentID == "" },
		call(page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: history.Entries[history.CurrentIndex-1].ID})))
	if arrived.Type != page.NavigationTypeBackForwardCacheRestore {
		until(w, "the page before", moments, func(e page.EventLifecycleEvent) bool {
			return e.LoaderID == arrived.Frame.LoaderID && e.Name == "load"
		})
	}
}
