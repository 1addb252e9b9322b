package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTheExampleInsideOurPages follows the embedded example through every place where it can be shown.
func TestTheExampleInsideOurPages(t *testing.T) {
	holdChromium(t)
	h := newHosted(t)
	app := startExample(t, h.node)
	h.setURL(t, h.dan, syncClient, app)
	panel := h.extend(t, h.dan, syncClient, "PANEL", "INVOICE", "Shipping", "?panel")
	tab := h.extend(t, h.dan, syncClient, "TAB", "INVOICE", "Parcels", "?tab")
	h.extend(t, h.dan, syncClient, "ACTION", "CUSTOMER", "Grade", "?action")
	page := h.extend(t, h.dan, syncClient, "PAGE", "", "Overview", "?page")
	w := openOn(t, h.node)
	w.begin("olivia")
	olivia := h.User(t, "olivia").ID
	t.Run("beside a record", func(t *testing.T) { exampleBeside(w.in(t), h, app, panel, olivia) })
	t.Run("as a tab of it", func(t *testing.T) { exampleAsTab(w.in(t), h, app, tab, olivia) })
	t.Run("in a dialog", func(t *testing.T) { exampleInDialog(w.in(t), h, app) })
	t.Run("by itself", func(t *testing.T) { exampleAlone(w.in(t), h, app, page, olivia) })
	t.Run("not for who may not see the record, and not where it is not installed", func(t *testing.T) { exampleNowhere(w.in(t), h, tab) })
}

// policyOf is the content policy that a page was sent with.
func (w *window) policyOf(path string) string {
	w.t.Helper()
	return eval[string](w, fmt.Sprintf(`fetch(%q).then(r => r.headers.get("Content-Security-Policy"))`, path))
}

func exampleBeside(w *window, h *hosted, app, panel, olivia string) {
	sent := chromedp.Events(w.ctx, network.RequestWillBeSent)
	w.visit("/invoices/" + h.invoice)
	frame := w.inFrame(app + "?panel")
	frame.wantInside("Read in the name of " + olivia)
	frame.wantInside(h.invoice)
	want := "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'; frame-src " + strings.TrimSuffix(app, "/")
	if got := w.policyOf("/invoices/" + h.invoice); got != want {
		w.t.Errorf("the policy is %s", got)
	}
	if got := w.policyOf("/invoices"); strings.Contains(got, "frame-src") || strings.Contains(got, "script-src") {
		w.t.Errorf("a page without guests has %s", got)
	}
	w.await("the height that the app asked for", `document.querySelector("aside iframe").height != "320"`)
	if got := eval[string](w, `document.querySelector("aside iframe").title`); got != "Shipping by Ledger Sync" {
		w.t.Errorf("the frame is called %q", got)
	}
	run(frame, chromedp.Evaluate[chromedp.Void](`document.getElementById("again").click()`))
	w.wantText("#toasts", "Ledger Sync The record was read again.")

	// The token is nowhere but in the messages, and in a header of the app's own call.
	asked := eval[[]string](frame, `[location.href, document.referrer, ...performance.getEntriesByType("resource").map(e => e.name)]`)
	if all := strings.Join(asked, " "); strings.Contains(all, "eyJ") || strings.Contains(all, "_01") || strings.Count(all, "/record") != 2 {
		w.t.Errorf("the frame asked for %s", all)
	}
	if eval[bool](w, `document.documentElement.outerHTML.includes("eyJ") || localStorage.length + sessionStorage.length > 0 || document.cookie.includes("eyJ")`) {
		w.t.Error("the token is left on the page")
	}
	w.load(chromedp.Func(func(context.Context, *chromedp.Target) error { // the click ends the frame, sooner or later than the step
		_, _ = chromedp.Run(frame.ctx, chromedp.Evaluate[chromedp.Void](`document.getElementById("customer").click()`, byHand))
		return nil
	}))
	w.wantPath("/customers/" + h.customer)
	w.visit("/healthz")
	tokens := 0
	for _, e := range until(w, "the last request", sent, func(e network.EventRequestWillBeSent) bool { return strings.HasSuffix(e.Request.URL, "/healthz") }) {
		if strings.Contains(e.Request.URL, "eyJ") || strings.Contains(e.Request.URL, h.User(w.t, "olivia").Businesses[0].ID) {
			w.t.Errorf("a token or the business is in an address: %s", e.Request.URL)
		}
		if strings.HasSuffix(e.Request.URL, "/rest/embedded/session-token") {
			tokens++
		}
	}
	if tokens != 2 { // one for each time the record was read
		w.t.Errorf("%d tokens were asked for", tokens)
	}
}

func exampleAsTab(w *window, h *hosted, app, tab, olivia string) {
	w.visit("/invoices/" + h.invoice)
	w.load(chromedp.Click(`//nav[@aria-label="Parts of this record"]/a[contains(., "Parcels")]`))
	w.wantPath("/invoices/" + h.invoice + "?tab=" + tab)
	w.inFrame(app + "?tab").wantInside("Read in the name of " + olivia)
	if eval[int](w, `document.querySelectorAll("iframe").length`) != 1 || strings.Contains(w.text("main"), "To whom and when") {
		w.t.Errorf("more than the tab is shown:\n%s", w.text("main"))
	}
	w.load(chromedp.Click(`//nav[@aria-label="Parts of this record"]/a[normalize-space()="Record"]`))
	w.wantWords("To whom and when")
	if status := w.visit("/invoices/" + h.invoice + "?tab=ext_unknown"); status != http.StatusOK {
		w.t.Errorf("status %d", status)
	}
	w.wantWords("To whom and when")
}

func exampleInDialog(w *window, h *hosted, app string) {
	w.visit("/customers/" + h.customer)
	if eval[bool](w, `!!document.querySelector("iframe")`) {
		w.t.Error("it is loaded before anybody opens it")
	}
	for _, leave := range []func(frame *window){
		func(frame *window) {
			run(frame, chromedp.Evaluate[chromedp.Void](`document.getElementById("done").click()`))
		},
		func(*window) { w.tap("Close") },
		func(*window) { w.press(kb.Escape) },
	} {
		w.tap("Apps")
		run(w, chromedp.Click(`//button[@data-opens]`))
		frame := w.inFrame(app + "?action")
		frame.wantInside(h.customer)
		if !eval[bool](w, `document.querySelector("dialog").matches(":modal")`) {
			w.t.Error("the rest of the page can be used behind the dialog")
		}
		leave(frame)
		w.await("the end of the dialog", `!document.querySelector("dialog").open && !document.querySelector("iframe")`)
		w.wantFocus("Apps")
	}
}

func exampleAlone(w *window, h *hosted, app, page, olivia string) {
	w.visit("/")
	w.load(chromedp.Click(`//nav[contains(@class, "side")]//a[contains(., "Overview")]`))
	w.wantPath("/apps/" + h.appOf(w.t, syncClient) + "/pages/" + page)
	w.inFrame(app + "?page").wantInside("Read in the name of " + olivia)
	if got := w.text(`.side a[aria-current="page"]`); !strings.Contains(got, "Overview") || !strings.Contains(got, "Ledger Sync") {
		w.t.Errorf("open is %q", got)
	}
	if status := w.visit("/apps/" + h.appOf(w.t, tillClient) + "/pages/" + page); status != http.StatusNotFound {
		w.t.Errorf("under another app: %d", status)
	}
}

func exampleNowhere(w *window, h *hosted, tab string) {
	other := w.another()
	other.begin("dan") // whose sandbox does not have the app
	other.visit("/")
	if strings.Contains(other.text("body"), "Overview") {
		w.t.Error("shown where it is not installed")
	}
	staff := w.another()
	staff.begin("olivia")
	staff.visit("/customers/" + h.customer + "?tab=" + tab) // a tab of invoices
	if eval[bool](staff, `!!document.querySelector("iframe")`) {
		w.t.Error("shown beside another sort of record")
	}
}
