package pages

import (
	"html"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/platform/scope"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"console-functions.html":        bothWays(consoleFunctionsPage),
		"console-new-function.html":     bothWays(consoleNewFunctionPage),
		"console-function.html":         bothWays(consoleFunctionPage),
		"console-function-version.html": bothWays(consoleFunctionVersionPage),
		"console-run.html":              bothWays(consoleRunPage),
	} {
		everyPage[file] = both
	}
}

// TestWhatFunctionsWriteIsText: names, errors, logs and results are strangers' text, of which nothing may act and nothing may hide.
func TestWhatFunctionsWriteIsText(t *testing.T) {
	in, wrong := developerOf(app.App{Name: "Sync"}), nasty
	f := function.Function{ID: "fun_1", Name: nasty, Description: &wrong, Trigger: function.Trigger{Kind: function.ByHand}, State: function.Active}
	result := `{"a":"` + strings.ReplaceAll(nasty, `"`, `\"`) + `"}`
	run := function.Run{ID: "fnr_1", FunctionID: "fun_1", BusinessID: "biz_1", Type: event.InvoicePaid, Outcome: function.Failed, Error: &wrong, Log: nasty + "\n\tsecond\u202e line\x1b[31m", Result: &result}
	for name, page := range map[string]*httptest.ResponseRecorder{
		"function": written(consoleFunctionPage, in.frame("Functions", "x"), in.functionView(f, nil, []function.Run{run}, function.Filter{}, "")),
		"run":      written(consoleRunPage, in.frame("Functions", "x"), in.runView(run)),
		"version":  written(consoleFunctionVersionPage, in.frame("Functions", "x"), consoleFunctionVersionView{Source: codeText(nasty)}),
	} {
		text := page.Body.String()
		if strings.Contains(text, nasty) || !strings.Contains(text, html.EscapeString("<script>")) {
			t.Errorf("%s: %s", name, text)
		}
		if strings.ContainsAny(text, "\u202e\x1b") {
			t.Errorf("%s shows what browsers do not", name)
		}
	}
	if got := codeText("a\n\tb\x00"); got != "a\n\tb\\x00" {
		t.Errorf("lines and tabs stay, the rest is spelled out: %q", got)
	}
}

func TestAFunctionIsOfferedOnlyWhatItsAppHears(t *testing.T) {
	in := developerOf(app.App{Name: "Sync", Scopes: scope.Of(scope.InvoicesRead)})
	form := in.triggerForm(function.ByEvent, function.Trigger{Events: []event.Type{event.InvoicePaid}})
	chosen := 0
	for _, g := range form.Groups {
		for _, e := range g.Events {
			if !e.Held {
				t.Errorf("%s is offered", e.Type)
			}
			if e.Chosen {
				chosen++
			}
		}
	}
	if chosen != 1 || len(form.Groups) < 2 {
		t.Errorf("%d chosen, %d groups", chosen, len(form.Groups))
	}
	if in.triggerForm("SOMETIMES", function.Trigger{}).Kind != "" {
		t.Error("a way to run that there is not")
	}
}
