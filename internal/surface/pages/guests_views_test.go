package pages

import (
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/scope"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"business-hosted.html":       bothWays(hostedPage),
		"console-extensions.html":    bothWays(consoleExtensionsPage),
		"console-new-extension.html": bothWays(consoleNewExtensionPage),
		"console-extension.html":     bothWays(consoleExtensionPage),
	} {
		everyPage[file] = both
	}
}

// closed renders a page of a record with everything in it, all of it hostile, and none of its tabs open.
func closed[V any](p page[V]) string {
	var everything V
	n := 0
	fill(reflect.ValueOf(&everything).Elem(), &n)
	reflect.ValueOf(&everything).Elem().FieldByName("Guests").FieldByName("Open").SetZero()
	return written(p, frame{Framed: []string{"https://app.example"}}, everything).Body.String()
}

func TestARecordWithGuestsIsWellFormed(t *testing.T) {
	for name, page := range map[string]string{
		"invoice": closed(invoicePage), "party": closed(partyPage), "payment": closed(paymentPage), "account": closed(ledgerAccountPage), "entry": closed(entryPage),
	} {
		for _, wrong := range faults(page) {
			t.Errorf("%s: %s", name, wrong)
		}
		if !strings.Contains(page, "<aside") || !strings.Contains(page, "<dialog") || !strings.Contains(page, "About this record") && name != "invoice" {
			t.Errorf("%s: a part of the page is missing", name)
		}
	}
}

var anIframe = regexp.MustCompile(`<iframe[^>]*>`)

// Every frame is fenced in the same way, and says nothing of where it stands in its address.
func TestFramesAreFencedIn(t *testing.T) {
	view := guest{
		ID: "ext_1", App: "Sync", Label: "Panel", Title: "Panel by Sync", Address: "https://app.example/panel?x=1", Origin: "https://app.example",
		ClientID: "cli_1", BusinessID: "biz_1", ResourceType: "INVOICE", ResourceID: "inv_1", Locale: "nl",
	}
	page := written(hostedPage, frame{Framed: []string{view.Origin}}, view)
	frames := anIframe.FindAllString(page.Body.String(), -1)
	want := `<iframe class="guest" src="https://app.example/panel?x=1" title="Panel by Sync" height="320" sandbox="allow-scripts allow-forms allow-same-origin allow-popups" referrerpolicy="no-referrer" loading="lazy"` +
		` data-extension="ext_1" data-app="Sync" data-origin="https://app.example" data-client="cli_1" data-business="biz_1" data-resource-type="INVOICE" data-resource-id="inv_1" data-locale="nl">`
	if len(frames) != 1 || frames[0] != want {
		t.Errorf("%q", frames)
	}
	if got := page.Header().Get("Content-Security-Policy"); got != scriptPolicy+"; frame-src https://app.example" {
		t.Errorf("%s", got)
	}
	for name, f := range map[string]frame{"any page": {}, "a page with our script": {Script: true}} {
		if got := written(signInPage, f, signInView{}).Header().Get("Content-Security-Policy"); strings.Contains(got, "frame-src") || !strings.Contains(got, "default-src 'none'") {
			t.Errorf("%s frames somebody: %s", name, got)
		}
	}
	action := written(invoicePage, frame{}, invoiceView{Guests: guests{Actions: []guest{view}}}).Body.String()
	if !strings.Contains(action, "<template>"+want) || strings.Count(action, "<iframe") != 1 {
		t.Error("an action is loaded before anybody opens it")
	}
}

func TestOriginsAreNamedOnce(t *testing.T) {
	got := originsOf([]guest{{Origin: "https://b.example"}, {Origin: "https://a.example"}, {Origin: "https://b.example"}})
	if strings.Join(got, " ") != "https://a.example https://b.example" || originsOf(nil) != nil {
		t.Errorf("%q", got)
	}
}

// Whatever keeps an extension from being shown, the console says it in words, and what to do about it where something can be done.
func TestWhyAnExtensionIsNotShownInWords(t *testing.T) {
	stopped := noon
	of, invoice := app.App{Scopes: scope.Of(scope.ProfileRead)}, appdata.Invoice
	for _, c := range []struct {
		placed extension.Placed
		of     app.App
		state  string
		says   string
	}{
		{extension.Placed{}, of, "shown", ""},
		{extension.Placed{Hidden: extension.SwitchedOff}, of, "switched off", "It is switched off."},
		{extension.Placed{Hidden: extension.AppStopped}, app.App{DeactivatedAt: &stopped}, "not shown", "The app is deactivated. Extensions are shown again when it is active."},
		{extension.Placed{Hidden: extension.AppStopped}, app.App{SuspendedAt: &stopped}, "not shown", "The app is suspended. Extensions are shown again when it is active."},
		{extension.Placed{Hidden: extension.PathInvalid, Wrong: "it has a space"}, of, "not shown", "Its path cannot be used: it has a space. Change the path, or the App URL in the settings."},
		{extension.Placed{Hidden: extension.ScopeRequired, Extension: extension.Extension{ResourceType: &invoice}}, of, "not shown",
			"The app no longer registers invoices:read. Add the scope again, or choose another sort of record."},
	} {
		if state, says := extensionState(c.placed).Word, whyHidden(c.placed, c.of); state != c.state || says != c.says {
			t.Errorf("%s: %s, %q", c.placed.Hidden, state, says)
		}
	}
}
