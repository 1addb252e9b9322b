package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/pkg/webhook"
	"daybook/test/harness"
)

// wantSigned proves that what arrived last was signed with each of the secrets.
func (r *receiver) wantSigned(t *testing.T, secrets ...string) {
	t.Helper()
	got := r.last(t)
	for _, secret := range secrets {
		if err := webhook.Verify(got.header.Get("X-Webhook-Signature"), got.body, []string{secret}, 10*365*24*time.Hour, time.Now()); err != nil {
			t.Errorf("SIGN-01: %v", err)
		}
	}
}

// TestConsoleFromAnAppToItsDeliveries is a developer's first hour.
func TestConsoleFromAnAppToItsDeliveries(t *testing.T) {
	w := open(t)
	r := newReceiver(t)
	w.begin("dan")
	seen := watch(w)
	var secret string
	t.Run("creates an app and gets its secret once", func(t *testing.T) {
		w := w.in(t)
		w.visit("/developer")
		w.wantPath("/developer/apps")
		w.follow("Create an app")
		w.fill("name", "Daybook Books")
		w.fill("redirectUris", "https://books.example/callback\nhttp://books.example/callback")
		w.tick("invoices:read")
		w.tap("Create app")
		w.await("what is wrong with the name", `document.querySelector("[name=name]").ariaInvalid == "true"`)
		w.wantFocus("name")
		w.wantWords("Must not contain", "Line 2 must be https")
		if heard := w.described("Name"); !strings.HasPrefix(heard, "Must not contain") {
			t.Errorf("heard %q", heard)
		}
		w.fill("name", "Night Books")
		w.fill("redirectUris", "https://books.example/callback")
		w.tap("Create app")
		w.await("the secret", `document.querySelector("#client-secret").textContent.startsWith("cs_") && !document.querySelector("#made").hidden`)
		w.wantFocus("Your app is made")
		client := w.text("[data-value=clientId]")
		if !strings.HasPrefix(client, "cli_") {
			t.Errorf("the client id is %q", client)
		}
		w.follow("Go to the app")
		w.wantWords("Night Books", client, "2 of 5 done", "not reviewed")
		if strings.Contains(w.text("main"), "cs_") {
			t.Error("the secret is shown again")
		}
	})
	app := w.path()
	t.Run("CONS-07 adds a webhook", func(t *testing.T) {
		w := w.in(t)
		w.follow("Webhooks")
		w.wantWords("No webhook yet")
		w.follow("Add a webhook")
		w.fill("url", "http://books.example/webhooks")
		w.tap("All of Invoices")
		w.tap("Add webhook")
		w.await("what is wrong with the address", `document.querySelector("[name=url]").ariaInvalid == "true"`)
		w.wantFocus("url")
		w.fill("url", r.url)
		w.press(kb.Enter)
		w.await("the secret", `document.querySelector("#webhook-secret").textContent.startsWith("whsec_")`)
		secret = w.text("#webhook-secret")
		w.follow("Send a test delivery")
	})
	hook := strings.TrimSuffix(w.path(), "#test")
	t.Run("TDEL-01 sends a test delivery and sees it arrive", func(t *testing.T) {
		w := w.in(t)
		w.choose("type", "invoice.paid")
		w.click("Send test delivery")
		w.wantText("main", "Delivered.")
		w.wantWords("invoice.paid", "200 OK", "thank you", "Only a failed delivery can be redelivered", `"test": true`, "Check the signature")
		r.wantSigned(t, secret)
	})
	t.Run("finds out why one fails", func(t *testing.T) {
		w := w.in(t)
		r.answers(http.StatusInternalServerError, hostileAnswer)
		w.visit(hook)
		w.click("Send test delivery")
		w.wantText("main", "Attempt 1 of 6 failed: answered 500.")
		w.wantWords("Your receiver ran into an error", "The delivery waits for its next attempt", "<script>document.title='owned'</script>", `\x1b[31m\u202e`)
		w.node.Advance(t, "9h") // the page sees it by itself
		w.wantText("main", "Failed after 6 attempts: answered 500.")
		if n := eval[int](w, `document.querySelectorAll(".timeline li").length`); n != 6 {
			t.Errorf("%d attempts are shown", n)
		}
		if title := eval[string](w, `document.title`); title == "owned" {
			t.Error("a receiver's answer ran in the page")
		}
	})
	t.Run("REDL-01 redelivers", func(t *testing.T) {
		w := w.in(t)
		r.answers(http.StatusNoContent, "")
		w.click("Redeliver")
		w.wantText("main", "Delivered.")
		w.wantWords("7 · 204 No Content")
	})
	t.Run("SIGN-03 rotates the secret", func(t *testing.T) {
		w := w.in(t)
		w.visit(hook)
		w.tap("Rotate secret")
		w.await("the new secret", `document.querySelector("#new-secret").textContent.startsWith("whsec_")`)
		fresh := w.text("#new-secret")
		if fresh == secret {
			t.Fatal("the secret is the same")
		}
		w.wantWords("goes on signing for 2") // 24 h, or a moment less
		w.follow("I have copied it")
		w.wantWords("Two secrets sign at the moment", "goes on for 23 h 59 min")
		if strings.Contains(w.text("main"), fresh) {
			t.Error("the secret is shown again")
		}
		w.click("Send test delivery")
		w.wantText("main", "Delivered.")
		w.wantWords("There are two, because")
		r.wantSigned(t, secret, fresh)
	})
	t.Run("the checklist knows", func(t *testing.T) {
		w := w.in(t)
		w.visit(app)
		w.wantWords("4 of 5 done")
	})
	seen.complaints(w)
	seen.requests(w)
}

func TestConsoleDeliveriesAreLive(t *testing.T) {
	w := open(t)
	d, r := newDeveloper(w, "dan"), newReceiver(t)
	app := d.app("Night Books", "invoices:read")
	hook := d.webhook(app, r.url, "invoice.paid", "invoice.created")
	w.begin("dan")
	w.visit(app + "/deliveries")
	w.wantWords("Nothing was delivered yet")
	t.Run("DLIV-05 new ones appear by themselves", func(t *testing.T) {
		w := w.in(t)
		run(w, chromedp.Evaluate[chromedp.Void](`window.same = true`))
		d.test(hook, "invoice.created")
		w.await("the delivery, delivered", `!!document.querySelector("#deliveries tbody tr")?.innerText.match(/invoice\.created[^]*delivered/)`)
		if !eval[bool](w, `window.same === true`) {
			t.Error("the page was loaded again")
		}
	})
	t.Run("by status and event", func(t *testing.T) {
		w := w.in(t)
		r.answers(http.StatusNotFound, "nothing here")
		d.test(hook, "invoice.paid")
		w.node.Advance(t, "9h")
		w.load(chromedp.Evaluate[chromedp.Void](`{ const s = document.querySelector("[name=status]"); s.value = "failed"; s.dispatchEvent(new Event("change", {bubbles: true})) }`, byHand))
		w.wantWords("invoice.paid", "answered 404")
		if got := w.text("#deliveries"); strings.Contains(got, "invoice.created") {
			t.Errorf("shows\n%s", got)
		}
	})
	t.Run("what failed is queued again together", func(t *testing.T) {
		w := w.in(t)
		r.answers(http.StatusOK, "back")
		w.tap("Redeliver what failed")
		w.click("Redeliver failed ones")
		w.wantText("main", "1 delivery is queued again.")
		w.await("both to arrive", `[...document.querySelectorAll("#deliveries tbody tr")].every(row => row.innerText.includes("delivered"))`)
	})
}

func TestConsoleSettings(t *testing.T) {
	w := open(t)
	d := newDeveloper(w, "dan")
	app := d.app("Night Books", "invoices:read")
	w.begin("dan")
	t.Run("details are saved, and judged field by field", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/settings")
		w.fill("description", "Books by <b>night</b>")
		run(w, noValidation)
		w.fill("supportEmail", "nobody")
		w.tap("Save details")
		w.await("what is wrong with the address", `document.querySelector("[name=supportEmail]").ariaInvalid == "true"`)
		w.wantFocus("supportEmail")
		w.fill("supportEmail", "help@books.example")
		w.choose("pinnedApiVersion", "2026-06-01")
		w.click("Save details")
		w.wantWords("Your changes are saved.")
		if got := eval[string](w, `document.querySelector("[name=description]").value`); got != "Books by <b>night</b>" {
			t.Errorf("the description is %q", got)
		}
	})
	t.Run("what somebody else changed is not overwritten", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/settings")
		d.do("PATCH", app, map[string]any{"name": "Day Books"})
		w.fill("name", "Evening Books")
		w.tap("Save details")
		w.wantText("[role=alert]", "changed by someone else")
		w.follow("Load this page again")
		if got := eval[string](w, `document.querySelector("[name=name]").value`); got != "Day Books" {
			t.Errorf("the name is %q", got)
		}
	})
	t.Run("redirect URIs", func(t *testing.T) {
		w := w.in(t)
		w.fill("redirectUris", "https://a.example/callback\n\nhttps://b.example/callback")
		w.click("Save redirect URIs")
		w.wantWords("The redirect URIs are saved.")
		if got := eval[string](w, `document.querySelector("[name=redirectUris]").value`); got != "https://a.example/callback\nhttps://b.example/callback\n" {
			t.Errorf("they are %q", got)
		}
	})
	t.Run("INST-03 switched off and on", func(t *testing.T) {
		w := w.in(t)
		w.tap("Deactivate…")
		w.click("Deactivate app")
		w.wantWords("The app is deactivated.")
		w.visit(app)
		w.wantWords("This app is deactivated.")
		w.visit(app + "/settings")
		w.click("Reactivate app")
		w.wantWords("The app is active again.")
	})
	t.Run("scopes", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/scopes")
		w.tick("payments:read")
		w.click("Save scopes")
		w.wantWords("The scopes are saved.")
		if !eval[bool](w, `document.querySelector("[value='payments:read']").checked`) {
			t.Error("it was not saved")
		}
	})
	t.Run("two secrets at a time", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/secrets")
		w.wantWords("the only one")
		w.tap("Make a secret")
		w.await("the secret", `document.querySelector("#client-secret").textContent.startsWith("cs_")`)
		w.follow("I have copied it")
		w.wantWords("There are two secrets already.")
		w.click("Delete")
		w.wantWords("The secret is deleted.", "the only one")
	})
	t.Run("fields", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/fields")
		w.follow("Declare a field")
		w.load(chromedp.Click(`//a[contains(@href, "type=TEXT")]`))
		w.fill("key", "shipping")
		w.fill("label", "Shipping <i>number</i>")
		w.fill("rules.minLength", "50")
		w.fill("rules.maxLength", "40")
		w.tap("Declare field")
		w.wantText("[role=alert]", "minLength must not be above maxLength")
		w.fill("rules.minLength", "")
		w.click("Declare field")
		w.wantWords("The field is declared.", "Shipping <i>number</i>", "up to 40 characters")
		w.follow("Shipping <i>number</i>")
		w.fill("label", "Parcel")
		w.click("Save field")
		w.wantWords("Your changes are saved.", "Parcel")
		w.follow("Parcel")
		w.tap("Delete this field…")
		w.click("Delete field")
		w.wantWords("The field is deleted", "No field yet")
	})
	t.Run("CONS-08 a webhook is switched off, on and deleted", func(t *testing.T) {
		w := w.in(t)
		w.visit(d.webhook(app, newReceiver(t).url, "invoice.paid"))
		w.click("Switch off")
		w.wantWords("The webhook is off.")
		w.click("Switch on")
		w.wantWords("The webhook is on")
		w.tap("Delete this webhook…")
		w.click("Delete webhook")
		w.wantWords("The webhook is deleted.", "No webhook yet")
	})
	t.Run("the session ends", func(t *testing.T) {
		w := w.in(t)
		w.visit(app + "/scopes")
		w.forget()
		w.click("Save scopes")
		if got := w.path(); !strings.HasPrefix(got, "/sign-in?next=%2Fdeveloper%2Fapps%2F") {
			t.Errorf("at %s", got)
		}
	})
}

func TestConsoleTimesAreTheReaders(t *testing.T) {
	w := open(t)
	app := newDeveloper(w, "dan").app("Night Books", "invoices:read")
	w.begin("dan")
	ask(w, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
	w.visit(app)
	w.await("the reader's zone", `document.querySelector("time[data-ago]").title.includes("GMT+9") || document.querySelector("time[data-ago]").title.includes("JST")`)
	ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for _, page := range []string{"", "/settings", "/webhooks", "/deliveries", "/events", "/fields"} {
		if status := w.visit(app + page); status != http.StatusOK {
			t.Errorf("%s without scripts: %d", page, status)
		}
	}
	w.visit(app)
	if got := eval[string](w, `document.querySelector("time[data-ago]").title`); !strings.HasSuffix(got, " UTC") {
		t.Errorf("without scripts it is %q", got)
	}
	w.visit(app + "/settings")
	w.wantWords("To change something, allow scripts for this page.")
}

// CONS-06: to others there is no such app, whatever page of it they ask for.
func TestConsoleIsForItsDevelopers(t *testing.T) {
	w := open(t)
	d := newDeveloper(w, "dan")
	app := d.app("Night Books", "invoices:read")
	hook := d.webhook(app, newReceiver(t).url, "invoice.paid")
	delivery := d.test(hook, "invoice.paid")
	pages := []string{app, app + "/settings", app + "/secrets", app + "/scopes", app + "/webhooks", app + "/webhooks/new", app + "/deliveries", app + "/events", app + "/fields", app + "/fields/new", hook, delivery}
	w.begin("olivia")
	for _, page := range pages {
		if status := w.visit(page); status != http.StatusNotFound {
			t.Errorf("%s: %d", page, status)
		}
	}
	w.forget()
	w.begin("dan")
	for _, page := range []string{app + "x", app + "/fields/fld_x", app + "/webhooks/whk_x", hook + "/deliveries/dlv_x", app + "/deliveries?webhook=whk_x"} {
		if status := w.visit(page); status != http.StatusNotFound {
			t.Errorf("%s: %d", page, status)
		}
	}
	for _, page := range pages {
		if status := w.visit(page); status != http.StatusOK {
			t.Errorf("%s: %d", page, status)
		}
	}
	t.Run("and another site changes nothing in their name", func(t *testing.T) {
		for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"} {
			a := harness.Send(t, d.client, "DELETE", w.node.AuthURL+"/rest"+hook, http.Header{name: {value}}, "")
			if a.Status != http.StatusForbidden {
				t.Errorf("%s: %d %s", name, a.Status, a.Body)
			}
		}
		if got := d.do("GET", hook, nil)["enabled"]; got != true {
			t.Errorf("the webhook is %v", got)
		}
	})
	t.Run("and only the console's calls are here", func(t *testing.T) {
		for _, path := range []string{"/rest/installations", "/rest/invoices", "/rest/developer/nowhere", "/rest/"} {
			if a := harness.Get(t, d.client, w.node.AuthURL+path); a.Status != http.StatusNotFound {
				t.Errorf("%s: %d", path, a.Status)
			}
		}
	})
}
