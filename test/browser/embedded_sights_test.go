package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/test/harness"
)

func init() { sights = append(sights, extensionSights...) }

// extensionSights are the console's pages about extensions.
var extensionSights = []sight{
	{"console no extension", "Extensions · Night Books", 200, withApp("/extensions")},
	{"console extensions", "Extensions · Night Books", 200, func(w *window) int {
		app, _ := withExtensions(w)
		return w.visit(app + "/extensions")
	}},
	{"console extension kinds", "Add an extension · Night Books", 200, withApp("/extensions/new")},
	{"console new extension", "Add an extension · Night Books", 200, func(w *window) int {
		app, _ := withExtensions(w)
		return w.visit(app + "/extensions/new?kind=PANEL")
	}},
	{"console new page without an App URL", "Add an extension · Night Books", 200, withApp("/extensions/new?kind=PAGE")},
	{"console extension", "Shipping <b> · Night Books", 200, func(w *window) int {
		_, one := withExtensions(w)
		return w.visit(one)
	}},
	{"console extension that is not shown", "Shipping <b> · Night Books", 200, func(w *window) int {
		app, one := withExtensions(w)
		newDeveloper(w, "dan").do("PUT", app+"/scopes", map[string]any{"scopes": []string{"profile:read"}})
		return w.visit(one)
	}},
}

// withExtensions makes an app with a few, and gives its path and that of the first one; Dan looks at it.
func withExtensions(w *window) (app, one string) {
	w.t.Helper()
	d := newDeveloper(w, "dan")
	app = d.app("Night Books", "invoices:read")
	d.do("PATCH", app, map[string]any{"appUrl": "https://nightbooks.example/a/rather/long/way/to/the/pages/of/the/app/"})
	made := d.do("POST", app+"/extensions", map[string]any{"kind": "PANEL", "resourceType": "INVOICE", "label": "Shipping <b>", "path": "invoice?size=small"})
	d.do("POST", app+"/extensions", map[string]any{"kind": "PAGE", "label": strings.Repeat("Longword", 5), "path": "", "enabled": false})
	w.begin("dan")
	return app, app + "/extensions/" + made["id"].(string)
}

// TestEmbeddedEveryPage asks of the pages with guests what every page must be.
func TestEmbeddedEveryPage(t *testing.T) {
	holdChromium(t)
	n, guest := startBusiness(t), newSite(t, "localhost")
	dan := harness.Browser(t)
	n.SignIn(t, dan, n.User(t, "dan"))
	n.setURL(t, dan, syncClient, guest.url+"/")
	for _, beside := range []string{"INVOICE", "CUSTOMER", "ACCOUNT"} {
		n.extend(t, dan, syncClient, "PANEL", beside, "Shipping "+beside, "panel")
	}
	tab := n.extend(t, dan, syncClient, "TAB", "INVOICE", "Parcels and everything about them, briefly"[:40], "tab")
	n.extend(t, dan, syncClient, "ACTION", "INVOICE", "Grade <b>", "action")
	page := n.extend(t, dan, syncClient, "PAGE", "", "Overview <b>", "page")
	paid := firstOf("/invoices?status=PAID")
	for i, s := range []sight{
		{"business invoice with guests", "{h1} · Bakery Brandt", 200, paid},
		{"business customer with a panel", "{h1} · Bakery Brandt", 200, firstOf("/customers")},
		{"business account with a panel", "{h1} · Bakery Brandt", 200, firstOf("/accounts")},
		{"business invoice with a tab open", "{h1} · Bakery Brandt", 200, func(w *window) int {
			paid(w)
			return w.visit(w.path() + "?tab=" + tab)
		}},
		{"business page of an app", "Overview <b> · Bakery Brandt", 200, at("olivia", "/apps/"+n.appOf(t, syncClient)+"/pages/"+page)},
	} {
		lookAt(t, n, s, short(i))
	}
	t.Run("the menu and the dialog", func(t *testing.T) {
		t.Parallel()
		w := openOn(t, n)
		paid(w)
		for _, width := range []int64{320, phone, desk} {
			w.resize(width)
			w.tap("Apps")
			w.takePictures(sightName("menu", width))
			run(w, chromedp.Click(`//button[@data-opens]`))
			w.inFrame(guest.url + "/action")
			if wide := eval[int64](w, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%d wide in a window of %d: it scrolls sideways", wide, width)
			}
			w.takePictures(sightName("dialog", width))
			w.tap("Close")
			w.await("the end of the dialog", `!document.querySelector("dialog").open`)
		}
	})
}

func sightName(what string, width int64) string {
	return "business " + what + map[int64]string{320: " 320", phone: " 360", desk: " 1280"}[width]
}

// TestStoredMarkupOfGuestsIsText has an app that calls itself and its pages by markup.
func TestStoredMarkupOfGuestsIsText(t *testing.T) {
	holdChromium(t)
	n, guest := startNode(t), newSite(t, "localhost")
	loadHostile(t, n)
	n.hostileRecords(t)
	mallory := harness.Browser(t)
	n.SignIn(t, mallory, harness.User{Email: hostileEmail, Password: hostilePassword})
	apps := harness.Get(t, mallory, n.BaseURL+"/developer/apps").JSON(t)["data"].([]any)
	app := "/developer/apps/" + apps[0].(map[string]any)["id"].(string)
	send := func(method, path, body string) {
		t.Helper()
		if a := harness.Send(t, mallory, method, n.BaseURL+path, http.Header{"Content-Type": {"application/json"}}, body); a.Status >= 300 {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
	}
	send("PATCH", app, `{"appUrl":"`+guest.url+`/"}`)
	send("POST", app+"/extensions", `{"kind":"PANEL","resourceType":"CUSTOMER","label":"<i>Panel</i>\"onload=x","path":"?\"><script>alert(1)</script>"}`)
	send("POST", app+"/extensions", `{"kind":"TAB","resourceType":"CUSTOMER","label":"<i>Tab</i>","path":"?tab"}`)
	send("POST", app+"/extensions", `{"kind":"ACTION","resourceType":"CUSTOMER","label":"<i>Action</i>","path":"?action"}`)
	send("POST", app+"/extensions", `{"kind":"PAGE","label":"<i>Page</i>","path":"?page"}`)
	w := openOn(t, n)
	w.signInAs(hostileEmail, hostilePassword)
	w.visit("/customers")
	w.followFirst("tbody th a")
	w.wantWords("<i>Panel</i>", "<i>Tab</i>", "<s>App</s>")
	w.tap("Apps")
	w.wantWords("<i>Action</i>")
	w.visit("/")
	if got := w.text(".side"); !strings.Contains(got, "<i>Page</i>") {
		t.Errorf("%s", got)
	}
	w.load(chromedp.Click(`//nav[contains(@class, "side")]//a[contains(., "Page")]`))
	w.wantWords("<i>Page</i>", "A page of <s>App</s>")
	for _, path := range []string{"/customers", app + "/extensions"} {
		w.visit(path)
		if eval[bool](w, `!!document.querySelector("main script, main i, main s, main u, .side i, [onload], [onerror]") || document.title == "owned"`) {
			t.Errorf("%s: stored markup acts:\n%s", path, w.text("main"))
		}
	}
}

// TestTheConsoleOfExtensions adds, changes and deletes an extension by its pages.
func TestTheConsoleOfExtensions(t *testing.T) {
	w := open(t)
	app := newDeveloper(w, "dan").app("Night Books", "invoices:read")
	w.begin("dan")
	w.visit(app + "/extensions")
	w.wantWords("No extension yet", "this app has none")
	w.follow("Add an extension")
	w.load(chromedp.Click(`//a[contains(., "Beside a record")]`))
	w.fill("label", "Shipping")
	w.fill("path", "invoice")
	w.tap("Add extension")
	w.wantText("main form", "the app has no App URL")
	newDeveloper(w, "dan").do("PATCH", app, map[string]any{"appUrl": "https://nightbooks.example/daybook/"})
	w.visit(w.path())
	w.wantWords("The path invoice leads to https://nightbooks.example/daybook/invoice.")
	w.choose("resourceType", "CUSTOMER")
	w.fill("label", "Shipping")
	w.fill("path", `a\b`)
	w.tap("Add extension")
	w.wantText("main form", "needs the scope customers:read")
	w.choose("resourceType", "INVOICE")
	w.tap("Add extension")
	w.wantText("main form", "it has a backslash")
	w.fill("path", "invoice")
	if status := w.click("Add extension"); status != http.StatusOK {
		t.Fatal(status)
	}
	w.wantPath(app + "/extensions?done=made")
	w.wantWords("The extension is added.", "https://nightbooks.example/daybook/invoice", "Invoice")
	if got := w.text("tbody .detail .status"); got != "shown" {
		t.Errorf("its state is %q", got)
	}
	w.follow("Shipping")
	run(w, chromedp.Click(`//input[@name="enabled"]`))
	w.click("Save extension")
	w.wantWords("switched off", "It is switched off.")
	w.follow("Shipping")
	w.wantWords("Not shown. It is switched off.")
	w.tap("Delete this extension…")
	w.click("Delete extension")
	w.wantWords("The extension is deleted.", "No extension yet")
}
