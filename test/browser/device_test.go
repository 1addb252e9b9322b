package browser

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"daybook/test/harness"
)

// device is a till that waits to be connected.
type device struct {
	code  string // what it polls with
	shows string // what a person types
	page  string // where the person is sent
}

func newDevice(w *window) device {
	w.t.Helper()
	answer := harness.PostForm(w.t, http.DefaultClient, w.node.BaseURL+"/oauth/device/authorize", url.Values{"client_id": {"cli_demotill"}, "scope": {"invoices:read"}})
	if answer.Status != http.StatusOK {
		w.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	text := func(name string) string { value, _ := answer.JSON(w.t)[name].(string); return value }
	return device{code: text("device_code"), shows: text("user_code"), page: text("verification_uri_complete")}
}

// wantTokens polls as the device does, once.
func (d device) wantTokens(w *window) {
	w.t.Helper()
	answer := harness.PostForm(w.t, http.DefaultClient, w.node.BaseURL+"/oauth/token", url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {d.code}, "client_id": {"cli_demotill"}})
	if answer.Status != http.StatusOK {
		w.t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

// toDevice leads somebody who is signed in to the page that asks for their decision.
func (w *window) toDevice(d device) (status int) {
	w.t.Helper()
	w.visit(d.page)
	return w.click("Continue")
}

func TestADeviceIsConnectedAndDisconnected(t *testing.T) {
	w := open(t)
	w.signIn("olivia")
	till := newDevice(w)
	t.Run("DEVC-11 the code is there already, and nothing happens before a person goes on", func(t *testing.T) {
		w := w.in(t)
		w.visit(till.page)
		if got := eval[string](w, `document.querySelector("[name=user_code]").value`); got != till.shows {
			t.Errorf("the field holds %q", got)
		}
		w.click("Continue")
		if page := w.text("main"); !strings.Contains(page, till.shows) || !strings.Contains(page, "Pocket Till") || !strings.Contains(page, "A device somewhere else") {
			t.Errorf("the page says\n%s", page)
		}
	})
	t.Run("DEVC-06 allowed, the device gets its tokens", func(t *testing.T) {
		w := w.in(t)
		w.click("Allow")
		if got := w.text("h1"); got != "Your device is connected" {
			t.Errorf("it says %q", got)
		}
		till.wantTokens(w)
	})
	t.Run("INST-01 the connected apps page ends it", func(t *testing.T) {
		w := w.in(t)
		w.visit("/apps")
		if page := w.text("main"); !strings.Contains(page, "Pocket Till") || !strings.Contains(page, "Ledger Sync") {
			t.Fatalf("the page says\n%s", page)
		}
		for _, name := range []string{"Ledger Sync", "Pocket Till"} { // the first on the page each time
			w.click("Uninstall")
			if page := w.text("main"); strings.Contains(page, name) {
				t.Errorf("%s is still there:\n%s", name, page)
			}
		}
		if got := w.text(".empty h2"); got != "No app is connected" {
			t.Errorf("it says %q", got)
		}
	})
}

func TestADeviceIsConnectedWithoutScripts(t *testing.T) { // AUTHZ-18
	w := open(t)
	ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.signIn("olivia")
	till := newDevice(w)
	w.toDevice(till)
	w.click("Allow")
	w.wantPath("/device/done?decision=allow")
	till.wantTokens(w)
	w.toDevice(newDevice(w))
	w.click("Deny")
	w.wantPath("/device/done?decision=deny")
}

func TestADeviceIsConnectedWithTheKeyboard(t *testing.T) {
	w := open(t)
	u := w.signIn("olivia")
	till := newDevice(w)
	w.visit("/device")
	w.wantFocus("user_code")
	w.press(strings.ToLower(strings.ReplaceAll(till.shows, "-", ""))) // as people type it
	w.enter()
	var names []string
	for _, stop := range w.tabThrough() {
		names = append(names, stop.Name)
	}
	if want := []string{"Skip to the page", "Daybook", u.Name, "Sign out", "business", "decision", "decision"}; !slices.Equal(names, want) {
		t.Error(cmp.Diff(want, names))
	}
	t.Run("Allow is the last stop", func(t *testing.T) {
		w := w.in(t)
		run(w, toTheTop)
		w.press(strings.Repeat(kb.Tab, len(names)))
		if got := eval[string](w, `document.activeElement.value`); got != "allow" {
			t.Fatalf("the focus is on %q", got)
		}
		w.enter()
		w.wantPath("/device/done?decision=allow")
		till.wantTokens(w)
	})
}
