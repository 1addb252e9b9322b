package appdata_test

import (
	"testing"

	"daybook/internal/platform/appdata"
)

// TestFieldsHaveExamples declares fields with rules that leave little room.
func TestFieldsHaveExamples(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, c := range []struct {
			name  string
			kind  appdata.Type
			rules string
			want  string // "" for none
		}{
			{"text", "TEXT", `{}`, `"Trial"`},
			{"long", "TEXT", `{"minLength": 8}`, `"xxxxxxxx"`},
			{"short", "TEXT", `{"maxLength": 1}`, `"x"`},
			{"number", "NUMBER", `{}`, `"1"`},
			{"large", "NUMBER", `{"min": "100"}`, `"100"`},
			{"negative", "NUMBER", `{"max": "-3"}`, `"-3"`},
			{"nowhere", "NUMBER", `{"min": "1.001", "max": "1.002"}`, ``},
			{"flag", "BOOLEAN", `{}`, `true`},
			{"day", "DATE", `{"max": "2020-02-29"}`, `"2020-02-29"`},
			{"moment", "DATETIME", `{}`, `"2026-01-01T12:00:00.000Z"`},
			{"address", "URL", `{"maxLength": 14}`, `"https://a.test"`},
			{"sum", "MONEY", `{"min": 500, "currencies": ["JPY"]}`, `{"amount":500,"currency":"JPY"}`},
			{"choice", "CHOICE", `{"choices": ["red", "blue"]}`, `"red"`},
		} {
			f := w.declare(t, w.app, appdata.Invoice, c.name, c.kind, c.rules)
			if got, ok := f.Example(); string(got) != c.want || ok != (c.want != "") {
				t.Errorf("%s: %s, %v", c.name, got, ok)
			}
		}
	})
}
