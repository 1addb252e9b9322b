package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/test/harness"
)

func init() { sights = append(sights, functionSights...) }

// functionSights are the console's pages about hosted functions.
var functionSights = []sight{
	{"console no function", "Functions · Night Books", 200, withApp("/functions")},
	{"console function kinds", "Add a function · Night Books", 200, withApp("/functions/new")},
	{"console new function by event", "Add a function · Night Books", 200, withApp("/functions/new?trigger=EVENT")},
	{"console new function by schedule", "Add a function · Night Books", 200, withApp("/functions/new?trigger=SCHEDULE")},
	{"console functions", "Functions · Night Books", 200, withFunction(func(d developer, app, function string) string {
		d.do("POST", app+"/function-config", map[string]any{"key": "greeting", "value": "<b>Hello</b> " + strings.Repeat("longword", 20)})
		d.do("POST", app+"/function-config", map[string]any{"key": "API_KEY", "value": "very secret", "secret": true})
		return app + "/functions"
	})},
	{"console function", "Sums <b> · Night Books", 200, withFunction(func(d developer, app, function string) string {
		d.try(function)
		d.do("POST", function+"/versions", map[string]any{"source": "export default () => { throw new Error('<script>alert(1)</script>') }"})
		d.try(function)
		return function
	})},
	{"console function that ran well", "Sums <b> · Night Books", 200, withFunction(func(d developer, app, function string) string {
		d.do("POST", function+"/activate", nil)
		d.try(function)
		return function + "?outcome=OK"
	})},
	{"console function version", "Version 1 · Night Books", 200, withFunction(func(d developer, app, function string) string {
		list := d.do("GET", function+"/versions", nil)["data"].([]any)
		return function + "/versions/" + list[0].(map[string]any)["id"].(string)
	})},
	{"console run", "Run of Sums <b> · Night Books", 200, withFunction(func(d developer, app, function string) string { return function + "/runs/" + d.try(function) })},
	{"console run that failed", "Run of Sums <b> · Night Books", 200, withFunction(func(d developer, app, function string) string {
		d.do("POST", function+"/versions", map[string]any{"source": "export default (_, ctx) => { ctx.log(" + fmt.Sprintf("%q", hostileAnswer) + "); throw new Error('no luck ' + 'x'.repeat(400)) }"})
		return function + "/runs/" + d.try(function)
	})},
}

// withFunction opens a page about an app's function.
func withFunction(prepare func(d developer, app, function string) string) func(w *window) int {
	return func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		made := d.do("POST", app+"/functions", map[string]any{
			"name": "Sums <b>", "description": "Adds <i>up</i>", "trigger": map[string]any{"type": "EVENT", "events": []string{"invoice.created", "invoice.paid"}},
			"source": "export async function handler({ event }, ctx) {\n\tctx.log(\"heard of\", event.type, \"<script>\")\n\treturn { total: event.data.total, html: \"<b>\" }\n}\n",
		})
		path := prepare(d, app, app+"/functions/"+made["id"].(string))
		w.begin("dan")
		return w.visit(path)
	}
}

// try runs a function in the sandbox of the demo world, and gives the id of the run.
func (d developer) try(function string) string {
	d.w.t.Helper()
	return d.do("POST", function+"/invoke", map[string]any{"businessId": d.w.node.User(d.w.t, "dan").Businesses[0].ID})["id"].(string)
}

// chooseSource picks a file with the source of a function, as somebody would.
func (w *window) chooseSource(source []byte) {
	w.t.Helper()
	w.attach(0, source)
	run(w, chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=file]").dispatchEvent(new Event("change", {bubbles: true}))`))
}

// TestAFunctionFromItsUploadToItsLog walks the whole way in the console: a function is deployed, tried, triggered by a real invoice, and
// seen in its log.
func TestAFunctionFromItsUploadToItsLog(t *testing.T) {
	w := openOn(t, startNode(t)) // whose clock moves on
	d := newDeveloper(w, "dan")
	app := d.app("Night Books", "invoices:read", "invoices:write")
	lab := w.node.User(t, "dan").Businesses[0].ID
	client := d.do("GET", app, nil)["clientId"].(string)
	if a := harness.PostJSON(t, http.DefaultClient, w.node.BaseURL+"/dev/tokens", fmt.Sprintf(`{"clientId":%q,"userEmail":%q,"businessId":%q}`, client, w.node.User(t, "dan").Email, lab)); a.Status != http.StatusOK {
		t.Fatalf("installing: %d %s", a.Status, a.Body)
	}
	w.begin("dan")
	w.visit(app + "/functions")
	w.wantWords("No function yet")
	w.follow("Add a function")
	w.load(chromedp.Click(`//a[contains(@href, "trigger=EVENT")]`))
	w.fill("name", "Watcher")
	w.chooseSource([]byte("export const handle = 1"))
	w.await("the file to be read", `document.querySelector("#source").value.includes("handle = 1")`)
	w.tick("invoice.created")
	w.tap("Add function")
	w.wantText("main", "must be one ES module that exports handler")
	w.chooseSource([]byte(`export async function handler({ event }, ctx) {
		ctx.log("an invoice of", event.data.total)
		const found = await ctx.api("GET", "/invoices/" + event.data.invoiceId)
		return { status: found.status }
	}`))
	w.await("the file to be read", `document.querySelector("#source").value.includes("an invoice of")`)
	w.click("Add function")
	w.wantWords("Your function is made", "Watcher", "draft", "on invoice.created", "Version 1")

	w.tap("Try it in a sandbox")
	w.wantText("#tried", "OK")
	w.wantText("#tried", "an invoice of")
	w.wantText("#tried", `"status": 404`) // a sample's invoice does not exist

	w.click("Activate the newest version")
	w.wantWords("The function is active", "active")
	function, _, _ := strings.Cut(w.path(), "?")
	d.do("POST", "/developer/sandbox-businesses/"+lab+"/trigger", map[string]any{"type": "invoice.created"})
	w.wantText("#run-list", "attempt 1") // by itself
	if got := eval[int](w, `document.querySelectorAll("#run-list tbody tr").length`); got != 2 {
		t.Errorf("%d runs are listed", got)
	}
	w.followFirst("#run-list tbody a")
	w.wantWords("invoice.created", "done", "an invoice of", `"status": 200`, "attempt 1")

	w.visit(function)
	w.click("Switch off")
	w.wantWords("The function is off")
	w.visit(app + "/functions")
	w.tap("Set a value")
	w.fill("key", "API_KEY")
	w.fill("value", "very secret")
	run(w, chromedp.Click(`//input[@name="secret"]`))
	w.click("Set value")
	w.wantWords("The value is set", "API_KEY", "secret")
	if strings.Contains(w.text("body"), "very secret") {
		t.Error("a secret is shown")
	}
	w.visit(function)
	w.tap("Delete this function…")
	w.click("Delete function")
	w.wantWords("The function is deleted", "No function yet")
}
