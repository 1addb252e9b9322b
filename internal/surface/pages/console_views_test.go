package pages

import (
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"console-apps.html":        bothWays(consoleAppsPage),
		"console-new-app.html":     bothWays(consoleNewAppPage),
		"console-overview.html":    bothWays(consoleOverviewPage),
		"console-settings.html":    bothWays(consoleSettingsPage),
		"console-secrets.html":     bothWays(consoleSecretsPage),
		"console-scopes.html":      bothWays(consoleScopesPage),
		"console-webhooks.html":    bothWays(consoleWebhooksPage),
		"console-new-webhook.html": bothWays(consoleNewWebhookPage),
		"console-webhook.html":     bothWays(consoleWebhookPage),
		"console-deliveries.html":  bothWays(consoleDeliveriesPage),
		"console-delivery.html":    bothWays(consoleDeliveryPage),
		"console-events.html":      bothWays(consoleEventsPage),
		"console-fields.html":      bothWays(consoleFieldsPage),
		"console-new-field.html":   bothWays(consoleNewFieldPage),
		"console-field.html":       bothWays(consoleFieldPage),
	} {
		everyPage[file] = both
	}
}

var noon = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// nasty is what strangers write: markup, control characters, and characters that hide or turn text around.
const nasty = "<script>alert(1)</script>\"'&\x00\x1b[31m\u202etxt.exe\x7f\r\n"

func wantSpelledOut(t *testing.T, page string) {
	t.Helper()
	if strings.ContainsAny(page, "\x00\x1b\u202e\x7f\r") {
		t.Error("a character that hides or turns text is in the page")
	}
	if strings.Contains(page, "<script>alert") {
		t.Error("markup of a stranger is in the page")
	}
	if text := html.UnescapeString(page); !strings.Contains(text, `<script>alert(1)</script>`) || !strings.Contains(text, `\x1b[31m\u202etxt.exe`) {
		t.Error("what the stranger wrote is not there to read")
	}
}

func developerOf(a app.App) inApp {
	organizationID := "org_1"
	a.ID, a.OrganizationID = "app_1", &organizationID
	return inApp{app: a, role: organization.Owner, now: noon}
}

func TestWhatReceiversAnsweredIsText(t *testing.T) {
	in, answer, status := developerOf(app.App{Name: "Sync"}), nasty, 500
	d := webhook.Delivery{
		ID: "dlv_1", WebhookID: "whk_1", Type: event.InvoicePaid, Status: webhook.Failed, Attempts: 6, ResponseCode: &status, LastError: &answer,
		Body: `{"id":"` + "<script>alert(1)</script>\u202e" + `"}`, CreatedAt: noon,
	}
	attempts := []webhook.Attempt{{Number: 1, At: noon, Status: &status, Answer: &answer, Error: &answer, Signature: "t=1,v1=aa"}}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"in the inspector": written(consoleDeliveryPage, in.frame("Deliveries", "x"), consoleDeliveryView{
			Attempts: []attemptLine{in.attemptLine(attempts[0])}, Verdict: judge(d, attempts, noon), Headers: headers(d), Pretty: pretty(d.Body), Raw: visible(d.Body),
			Signature: signatureOf(attempts[0], d.Body, noon),
		}),
		"in the list": written(consoleDeliveriesPage, in.frame("Deliveries", "x"), consoleDeliveriesView{
			Webhooks: []choice{{}}, List: in.deliveryLines([]webhook.Delivery{d}),
		}),
		"in the overview": written(consoleOverviewPage, in.frame("Overview", "x"), consoleOverviewView{Failures: in.deliveryLines([]webhook.Delivery{d})}),
		"on the webhook":  written(consoleWebhookPage, in.frame("Webhooks", "x"), consoleWebhookView{Recent: in.deliveryLines([]webhook.Delivery{d})}),
	} {
		t.Run(name, func(t *testing.T) {
			wantSpelledOut(t, page.Body.String())
			for _, wrong := range faults(page.Body.String()) {
				t.Error(wrong)
			}
		})
	}
}

func TestAPageWithAScriptMayCallThisHostOnly(t *testing.T) {
	w := written(consoleAppsPage, frame{Script: true, Desk: &desk{Now: noon}}, consoleAppsView{})
	const want = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'"
	if got := w.Header().Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %q, want %q", got, want)
	}
	if !strings.Contains(w.Body.String(), `<script src="`+script.path+`" defer></script>`) {
		t.Error("the script is not asked for")
	}
	if strings.Contains(written(signInPage, frame{}, signInView{}).Body.String(), "<script") {
		t.Error("a page without use for it asks for the script")
	}
}

func TestWhoMayOnlyLookMakesNothing(t *testing.T) {
	in := developerOf(app.App{Name: "Sync"})
	in.role = organization.Viewer
	for name, h := range map[string]func(http.ResponseWriter, *http.Request, inApp) error{"webhook": (&Site{}).consoleNewWebhook, "field": (&Site{}).consoleNewField} {
		if err := h(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), in); !errors.Is(err, organization.ErrRoleTooLow) {
			t.Errorf("%s: %v", name, err)
		}
	}
	page := written(consoleSettingsPage, in.frame("Settings", "Settings"), consoleSettingsView{May: in.may()}).Body.String()
	if strings.Contains(page, "<button class=") {
		t.Error("the settings offer a change")
	}
}

func TestWordsForTimes(t *testing.T) {
	for _, c := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"}, {59 * time.Second, "just now"}, {time.Minute, "1 min ago"}, {90 * time.Minute, "1 h ago"}, {23 * time.Hour, "23 h ago"},
		{24 * time.Hour, "1 day ago"}, {50 * time.Hour, "2 days ago"}, {7 * 24 * time.Hour, "7 Nov 2026"},
		{-time.Second, "in a moment"}, {-5 * time.Minute, "in 5 min"}, {-2 * time.Hour, "in 2 h"}, {-25 * time.Hour, "in 1 day"},
	} {
		if got := ago(noon.Add(-c.before), noon); got != c.want {
			t.Errorf("%v before: %q, want %q", c.before, got, c.want)
		}
	}
	for d, want := range map[time.Duration]string{
		412 * time.Millisecond: "412 ms", 1234 * time.Millisecond: "1.2 s", 6 * time.Minute: "6 min", 8*time.Hour + 36*time.Minute: "8 h 36 min", 48 * time.Hour: "2 days",
	} {
		if got := took(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestEveryEventIsDescribed(t *testing.T) {
	if len(eventWords) != len(event.Catalog) {
		t.Errorf("%d descriptions of %d events", len(eventWords), len(event.Catalog))
	}
	seen := 0
	for _, g := range developerOf(app.App{Scopes: scope.Of(scope.InvoicesRead)}).eventGroups([]event.Type{event.InvoicePaid}) {
		for _, e := range g.Events {
			seen++
			if e.Words == "" {
				t.Errorf("%s: no words", e.Type)
			}
			if want := e.Scope == "" || e.Scope == "invoices:read"; e.Held != want {
				t.Errorf("%s: held %v", e.Type, e.Held)
			}
			if e.Chosen != (e.Type == "invoice.paid") {
				t.Errorf("%s: chosen %v", e.Type, e.Chosen)
			}
			for _, version := range []string{"2025-10-01", "2026-06-01"} {
				if sample, err := sampleOf(event.Type(e.Type), version); err != nil || !strings.HasPrefix(sample, "{\n  \"") {
					t.Errorf("%s: %v, %s", e.Type, err, sample)
				}
			}
		}
	}
	if seen != 45 {
		t.Errorf("%d events", seen)
	}
}

func TestEveryTypeOfFieldHasAForm(t *testing.T) {
	for _, kind := range appdata.Types {
		if kindWords[kind] == "" {
			t.Errorf("%s: no words", kind)
		}
		if fields := rulesOf(kind, nil); len(fields) == 0 && kind != appdata.Boolean {
			t.Errorf("%s: no rules", kind)
		}
	}
}

func TestTheInspectorSaysWhyAndWhatToDo(t *testing.T) {
	number := func(n int) *int { return &n }
	words := func(s string) *string { return &s }
	due := noon.Add(5 * time.Minute)
	for _, c := range []struct {
		name          string
		d             webhook.Delivery
		attempts      []webhook.Attempt
		words, advice string
	}{
		{"delivered", webhook.Delivery{Status: webhook.Delivered, Attempts: 1}, []webhook.Attempt{{Status: number(204), Duration: 12 * time.Millisecond}}, "Delivered.", "204 No Content after 12 ms"},
		{"queued", webhook.Delivery{Status: webhook.Queued}, nil, "On its way.", "shows what comes"},
		{"retrying", webhook.Delivery{Status: webhook.Retrying, Attempts: 2, ResponseCode: number(500), LastError: words("answered 500"), DueAt: &due}, nil, "Attempt 2 of 6 failed: answered 500.", "due in 5 min"},
		{"out of attempts", webhook.Delivery{Status: webhook.Failed, Attempts: 6, ResponseCode: number(404), LastError: words("answered 404")},
			[]webhook.Attempt{{Status: number(404), Error: words("answered 404")}}, "Failed after 6 attempts: answered 404.", "check the path"},
		{"no answer", webhook.Delivery{Status: webhook.Failed, Attempts: 6, LastError: words("connection refused")}, []webhook.Attempt{{Error: words("connection refused")}},
			"Failed after 6 attempts: connection refused.", "reachable from outside"},
		{"dropped", webhook.Delivery{Status: webhook.Failed, LastError: words("webhook switched off")}, nil, "Not sent: webhook switched off.", "Switch the webhook on"},
		{"dropped later", webhook.Delivery{Status: webhook.Failed, Attempts: 2, LastError: words("app deactivated")}, []webhook.Attempt{{Error: words("answered 500")}},
			"Not sent: app deactivated.", "Reactivate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := judge(c.d, c.attempts, noon); v.Words != c.words || !strings.Contains(v.Advice, c.advice) {
				t.Errorf("%q %q", v.Words, v.Advice)
			}
		})
	}
}

func TestWhatCameOfBulkRedelivery(t *testing.T) {
	for query, want := range map[string]string{
		"": "", "queued=x&refused=1": "", "queued=-1&refused=0": "", "queued=0&refused=0": "Nothing failed", "queued=1&refused=0": "1 delivery is queued again.",
		"queued=2&refused=3": "2 deliveries are queued again; 3 were not",
	} {
		if got := requeued(httptest.NewRequest(http.MethodGet, "/?"+query, nil)); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q", query, got)
		}
	}
}

// Every form that the script sends names a call, and where to go or what to show afterwards.
func TestFormsSayWhereTheyLead(t *testing.T) {
	forms := regexp.MustCompile(`<form[^>]*data-rest="(\w+) ([^"]+)"[^>]*>`)
	found := 0
	for file, both := range everyPage {
		if !strings.HasPrefix(file, "console-") {
			continue
		}
		_, full := both()
		for _, m := range forms.FindAllStringSubmatch(full.Body.String(), -1) {
			found++
			if !strings.Contains(m[0], "data-then=") && !strings.Contains(m[0], "data-reveal=") {
				t.Errorf("%s: %s leads nowhere", file, m[0])
			}
			if !strings.Contains(m[0], `method="dialog"`) {
				t.Errorf("%s: %s does something without the script", file, m[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d forms", found)
	}
}
