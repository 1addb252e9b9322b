package appdata_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/platform/appdata"
)

// rulesOf reads rules as they are sent.
func rulesOf(t testing.TB, text string) appdata.RuleSet {
	t.Helper()
	var s appdata.RuleSet
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// draft is a field that may be declared, with those rules.
func draft(t testing.TB, kind appdata.Type, rules string) appdata.NewField {
	t.Helper()
	return appdata.NewField{ResourceType: appdata.Customer, Key: "size", Label: "Size", Type: kind, Rules: rulesOf(t, rules)}
}

// field is one that was declared.
func field(t testing.TB, kind appdata.Type, rules string) appdata.Field {
	t.Helper()
	f, err := draft(t, kind, rules).Check()
	must(t, err)
	return f
}

// verdict tells what became of rules or of a field: their code, or the members that offend, or ok.
func verdict(err error) string {
	f := fault.From(err)
	switch {
	case err == nil:
		return "ok"
	case f == nil:
		return "malfunction: " + err.Error()
	case f.Code != "":
		return f.Code
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}

const (
	senseless = "INVALID_FIELD_RULES"
	badChoice = "INVALID_CHOICES"
)

// choices writes n of them.
func choices(n int, each func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = each(i)
	}
	text, _ := json.Marshal(map[string]any{"choices": list})
	return string(text)
}

func numbered(i int) string { return fmt.Sprint(i) }

func TestTheRulesOfEachType(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for _, c := range []struct {
		kind        appdata.Type
		rules, want string
	}{
		{appdata.Text, `{}`, "ok"}, {appdata.Text, `null`, "ok"}, {appdata.Text, `{"minLength":null,"maxLength":null,"multiline":null}`, "ok"},
		{appdata.Text, `{"minLength":0,"maxLength":1}`, "ok"}, {appdata.Text, `{"minLength":2000,"maxLength":2000,"multiline":true}`, "ok"},
		{appdata.Text, `{"minLength":-1}`, senseless}, {appdata.Text, `{"maxLength":0}`, senseless}, {appdata.Text, `{"maxLength":2001}`, senseless},
		{appdata.Text, `{"minLength":11,"maxLength":10}`, senseless}, {appdata.Text, `{"minLength":255}`, "ok"}, {appdata.Text, `{"minLength":256}`, senseless},
		{appdata.Text, `{"minLength":"1","maxLength":1.5,"multiline":1}`, "rules.maxLength rules.minLength rules.multiline"},
		{appdata.Text, `{"choices":["a"]}`, "rules"}, {appdata.Text, `{"MinLength":1}`, "rules"},

		{appdata.Number, `{"min":"-1.5","max":"-1.5","decimals":0}`, "ok"}, {appdata.Number, `{"decimals":10}`, "ok"}, {appdata.Number, `{"decimals":11}`, senseless},
		{appdata.Number, `{"decimals":-1}`, senseless}, {appdata.Number, `{"min":"2","max":"1.99"}`, senseless}, {appdata.Number, `{"min":1}`, "rules.min"},
		{appdata.Number, `{"max":"1e3"}`, "rules.max"}, {appdata.Number, `{"minLength":1}`, "rules"},

		{appdata.Boolean, `{}`, "ok"}, {appdata.Boolean, `{"min":1}`, "rules"},

		{appdata.Date, `{"min":"2026-02-28","max":"2026-02-28"}`, "ok"}, {appdata.Date, `{"min":"2026-03-01","max":"2026-02-28"}`, senseless},
		{appdata.Date, `{"min":"2026-02-29"}`, "rules.min"}, {appdata.Date, `{"max":20260101}`, "rules.max"}, {appdata.Date, `{"max":"2026-01-01T00:00:00Z"}`, "rules.max"},

		{appdata.DateTime, `{"min":"2026-02-28T12:00:00+01:00","max":"2026-02-28T11:00:00Z"}`, "ok"},
		{appdata.DateTime, `{"min":"2026-02-28T12:00:00Z","max":"2026-02-28T12:00:00+00:01"}`, senseless}, {appdata.DateTime, `{"min":"2026-02-28"}`, "rules.min"},

		{appdata.URL, `{"maxLength":1}`, "ok"}, {appdata.URL, `{"maxLength":2000}`, "ok"}, {appdata.URL, `{"maxLength":0}`, senseless}, {appdata.URL, `{"maxLength":2001}`, senseless},

		{appdata.Money, `{"min":-5,"max":-5,"currencies":["EUR","JPY"]}`, "ok"}, {appdata.Money, `{"min":1,"max":0}`, senseless}, {appdata.Money, `{"currencies":[]}`, senseless},
		{appdata.Money, `{"currencies":["EUR","EUR"]}`, senseless}, {appdata.Money, `{"currencies":["XXL"]}`, "rules.currencies"}, {appdata.Money, `{"currencies":[null]}`, "rules.currencies"},
		{appdata.Money, `{"currencies":"EUR"}`, "rules.currencies"}, {appdata.Money, `{"min":"1"}`, "rules.min"}, {appdata.Money, `{"max":9007199254740992}`, "rules.max"},
		{appdata.Money, `{"max":9007199254740991}`, "ok"},

		{appdata.Choice, `{"choices":["a"]}`, "ok"}, {appdata.Choice, choices(50, numbered), "ok"}, {appdata.Choice, choices(51, numbered), badChoice},
		{appdata.Choice, `{}`, badChoice}, {appdata.Choice, `null`, badChoice}, {appdata.Choice, `{"choices":null}`, badChoice}, {appdata.Choice, `{"choices":[]}`, badChoice},
		{appdata.Choice, `{"choices":"a"}`, badChoice}, {appdata.Choice, `{"choices":[1]}`, badChoice}, {appdata.Choice, `{"choices":["a",null]}`, badChoice},
		{appdata.Choice, `{"choices":["a"," a "]}`, badChoice}, {appdata.Choice, `{"choices":["a","A"]}`, "ok"}, {appdata.Choice, `{"choices":[" "]}`, badChoice},
		{appdata.Choice, `{"choices":["` + long + `"]}`, "ok"}, {appdata.Choice, `{"choices":["  ` + long + ` "]}`, "ok"}, {appdata.Choice, `{"choices":["` + long + `x"]}`, badChoice},
		{appdata.Choice, `{"choices":["a\nb"]}`, badChoice}, {appdata.Choice, `{"choices":["a"],"maxLength":3}`, "rules"},
	} {
		t.Run(fmt.Sprintf("CONS-04 %s %.60s", c.kind, c.rules), func(t *testing.T) {
			f, err := draft(t, c.kind, c.rules).Check()
			if got := verdict(err); got != c.want {
				t.Fatalf("%s, want %s: %v", got, c.want, err)
			}
			if err != nil {
				return
			}
			// What is kept is the same when it is read again.
			again, err := f.Stored()
			must(t, err)
			one, _ := json.Marshal(f.Rules)
			two, _ := json.Marshal(again.Rules)
			if string(one) != string(two) {
				t.Errorf("%s became %s", one, two)
			}
		})
	}
}

func TestRulesAreShownWhole(t *testing.T) {
	for kind, c := range map[appdata.Type][2]string{
		appdata.Text:     {`{}`, `{"minLength":0,"maxLength":255,"multiline":false}`},
		appdata.Number:   {`{"min":"007.50"}`, `{"min":"7.5","max":null,"decimals":2}`},
		appdata.Boolean:  {`{}`, `{}`},
		appdata.Date:     {`{"max":"2026-05-04"}`, `{"min":null,"max":"2026-05-04"}`},
		appdata.DateTime: {`{"min":"2026-05-04T11:30:00.1234+02:00"}`, `{"min":"2026-05-04T09:30:00.123Z","max":null}`},
		appdata.URL:      {`{}`, `{"maxLength":2000}`},
		appdata.Money:    {`{"min":0}`, `{"min":0,"max":null,"currencies":null}`},
		appdata.Choice:   {`{"choices":[" b ","a"]}`, `{"choices":["b","a"]}`},
	} {
		if got, _ := json.Marshal(field(t, kind, c[0]).Rules); string(got) != c[1] {
			t.Errorf("%s: %s, want %s", kind, got, c[1])
		}
	}
}

func TestEveryMemberOfAFieldIsJudged(t *testing.T) {
	visible, unseen := appdata.Edit, appdata.Visibility("edit")
	for _, c := range []struct {
		name   string
		change func(*appdata.NewField)
		want   string
	}{
		{"as it is", func(*appdata.NewField) {}, "ok"},
		{"another visibility", func(n *appdata.NewField) { n.Visibility = &visible }, "ok"},
		{"no such visibility", func(n *appdata.NewField) { n.Visibility = &unseen }, "visibility"},
		{"a key of 40", func(n *appdata.NewField) { n.Key = "k" + strings.Repeat("_9", 19) + "x" }, "ok"},
		{"a key of 41", func(n *appdata.NewField) { n.Key = "k" + strings.Repeat("_9", 20) }, "key"},
		{"a key of 1", func(n *appdata.NewField) { n.Key = "k" }, "ok"},
		{"no key", func(n *appdata.NewField) { n.Key = "" }, "key"},
		{"a key with a capital", func(n *appdata.NewField) { n.Key = "kEy" }, "key"},
		{"a key that begins with a digit", func(n *appdata.NewField) { n.Key = "1k" }, "key"},
		{"a key with a line break", func(n *appdata.NewField) { n.Key = "key\n" }, "key"},
		{"a label of 60", func(n *appdata.NewField) { n.Label = strings.Repeat("é", 60) }, "ok"},
		{"a label of 61", func(n *appdata.NewField) { n.Label = strings.Repeat("é", 61) }, "label"},
		{"no label", func(n *appdata.NewField) { n.Label = " " }, "label"},
		{"a description of 300", func(n *appdata.NewField) { n.Description = text(strings.Repeat("é", 300)) }, "ok"},
		{"a description of 301", func(n *appdata.NewField) { n.Description = text(strings.Repeat("é", 301)) }, "description"},
		{"no such type", func(n *appdata.NewField) { n.Type = "text" }, "type"},
		{"no such sort of record", func(n *appdata.NewField) { n.ResourceType = "TAX_RATE" }, "resourceType"},
		{"all of it", func(n *appdata.NewField) { *n = appdata.NewField{} }, "resourceType key label type"},
		{"a shape, and rules that make no sense", func(n *appdata.NewField) { n.Key, n.Rules = "", rulesOf(t, `{"minLength":-1}`) }, "key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := draft(t, appdata.Text, `{}`)
			c.change(&n)
			if _, err := n.Check(); verdict(err) != c.want {
				t.Errorf("%s, want %s", verdict(err), c.want)
			}
		})
	}
}

func TestAPatchIsMerged(t *testing.T) {
	for _, c := range []struct {
		name          string
		kind          appdata.Type
		rules, change string
		noRules       bool
		want          string
		refused       string
	}{
		{"one rule of several", appdata.Text, `{"minLength":1,"maxLength":10}`, `{"maxLength":20}`, false, `{"minLength":1,"maxLength":20,"multiline":false}`, ""},
		{"null takes one away", appdata.Number, `{"min":"1","decimals":4}`, `{"min":null,"decimals":null}`, false, `{"min":null,"max":null,"decimals":2}`, ""},
		{"nothing", appdata.Date, `{"min":"2026-01-01"}`, `{}`, false, `{"min":"2026-01-01","max":null}`, ""},
		{"all go", appdata.Text, `{"minLength":1,"maxLength":10}`, `null`, true, `{"minLength":0,"maxLength":255,"multiline":false}`, ""},
		{"a list is replaced", appdata.Choice, `{"choices":["a","b"]}`, `{"choices":["c"]}`, false, `{"choices":["c"]}`, ""},
		{"CONS-04 choices become null", appdata.Choice, `{"choices":["a"]}`, `{"choices":null}`, false, "", badChoice},
		{"CONS-04 all go, choices too", appdata.Choice, `{"choices":["a"]}`, `null`, true, "", badChoice},
		{"the two no longer fit", appdata.Text, `{"maxLength":10}`, `{"minLength":11}`, false, "", senseless},
		{"a stranger becomes null", appdata.Text, `{}`, `{"choices":null}`, false, "", "rules"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := field(t, c.kind, c.rules).With(appdata.FieldPatch{Rules: rulesOf(t, c.change), NoRules: c.noRules})
			if c.refused != "" {
				if verdict(err) != c.refused {
					t.Errorf("%v, want %s", err, c.refused)
				}
				return
			}
			must(t, err)
			if got, _ := json.Marshal(f.Rules); string(got) != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	f := field(t, appdata.Boolean, `{}`)
	f.Description = text("Old")
	changed, err := f.With(appdata.FieldPatch{Label: text(" New "), Description: text("")})
	if err != nil || changed.Label != "New" || changed.Description != nil || changed.Visibility != appdata.Hidden {
		t.Errorf("%+v, %v", changed, err)
	}
	if same, err := f.With(appdata.FieldPatch{}); err != nil || *same.Description != "Old" || same.Label != f.Label {
		t.Errorf("%+v, %v", same, err)
	}
}

func text(s string) *string { return &s }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal; a nil one means that there must be none.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	switch {
	case refusal == nil && err != nil:
		t.Errorf("refused: %v", err)
	case refusal != nil && !errors.Is(err, refusal):
		t.Errorf("got %v, want %v", err, refusal)
	}
}
