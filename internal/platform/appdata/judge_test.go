package appdata_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/platform/appdata"
)

// quoted is a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// TestEveryValueIsJudged has a case on both sides of every edge (ADAT-04).
func TestEveryValueIsJudged(t *testing.T) {
	address := func(n int) string {
		return quoted("https://a.example/" + strings.Repeat("x", n-len("https://a.example/")))
	}
	for _, c := range []struct {
		kind                    appdata.Type
		rules, value, kept, why string
	}{
		{appdata.Text, `{"minLength":2,"maxLength":3}`, `"ab"`, `"ab"`, ""}, {appdata.Text, `{"minLength":2,"maxLength":3}`, `"éüñ"`, `"éüñ"`, ""},
		{appdata.Text, `{"minLength":2,"maxLength":3}`, `"a"`, "", "too_short"}, {appdata.Text, `{"minLength":2,"maxLength":3}`, `"abcd"`, "", "too_long"},
		{appdata.Text, `{"maxLength":3}`, `"  abc  "`, `"abc"`, ""}, {appdata.Text, `{"minLength":1}`, `"   "`, "", "too_short"}, {appdata.Text, `{}`, `""`, `""`, ""},
		{appdata.Text, `{}`, `"Cafe\u0301"`, `"Café"`, ""}, {appdata.Text, `{}`, quoted(strings.Repeat("a", 255)), quoted(strings.Repeat("a", 255)), ""},
		{appdata.Text, `{}`, quoted(strings.Repeat("a", 256)), "", "too_long"}, {appdata.Text, `{}`, `"a\nb"`, "", "type"}, {appdata.Text, `{}`, `"a\u0000"`, "", "type"},
		{appdata.Text, `{"multiline":true}`, `"a\r\nb\tc\rd"`, `"a\nb\tc\nd"`, ""}, {appdata.Text, `{"multiline":true}`, `"a\u0007"`, "", "type"},
		{appdata.Text, `{}`, `5`, "", "type"}, {appdata.Text, `{}`, `["a"]`, "", "type"}, {appdata.Text, `{}`, `null`, "", "required"},

		{appdata.Number, `{}`, `"12.50"`, `"12.5"`, ""}, {appdata.Number, `{}`, `12`, `"12"`, ""}, {appdata.Number, `{}`, `-12`, `"-12"`, ""}, {appdata.Number, `{}`, `"-0"`, `"0"`, ""},
		{appdata.Number, `{}`, `"1.25"`, `"1.25"`, ""}, {appdata.Number, `{}`, `"1.255"`, "", "too_many_decimals"}, {appdata.Number, `{"decimals":0}`, `"1.0"`, `"1"`, ""},
		{appdata.Number, `{"decimals":0}`, `"1.1"`, "", "too_many_decimals"}, {appdata.Number, `{"decimals":10}`, `"0.0123456789"`, `"0.0123456789"`, ""},
		{appdata.Number, `{"decimals":10}`, `"0.01234567891"`, "", "type"}, {appdata.Number, `{}`, `123456789012`, `"123456789012"`, ""}, {appdata.Number, `{}`, `1234567890123`, "", "type"},
		{appdata.Number, `{}`, `1.5`, "", "type"}, {appdata.Number, `{}`, `1e3`, "", "type"}, {appdata.Number, `{}`, `"1e3"`, "", "type"}, {appdata.Number, `{}`, `"+1"`, "", "type"},
		{appdata.Number, `{}`, `""`, "", "type"}, {appdata.Number, `{}`, `" 1"`, "", "type"}, {appdata.Number, `{}`, `true`, "", "type"}, {appdata.Number, `{}`, `"NaN"`, "", "type"},
		{appdata.Number, `{"min":"1.5","max":"2"}`, `"1.5"`, `"1.5"`, ""}, {appdata.Number, `{"min":"1.5","max":"2"}`, `2`, `"2"`, ""},
		{appdata.Number, `{"min":"1.5","max":"2"}`, `"1.49"`, "", "below_min"}, {appdata.Number, `{"min":"1.5","max":"2"}`, `"2.01"`, "", "above_max"},
		{appdata.Number, `{"min":"1.5","max":"2"}`, `"2.001"`, "", "too_many_decimals above_max"}, {appdata.Number, `{"min":"9"}`, `"10"`, `"10"`, ""}, {appdata.Number, `{}`, `null`, "", "required"},

		{appdata.Boolean, `{}`, `true`, `true`, ""}, {appdata.Boolean, `{}`, `false`, `false`, ""}, {appdata.Boolean, `{}`, `"true"`, "", "type"}, {appdata.Boolean, `{}`, `1`, "", "type"},
		{appdata.Boolean, `{}`, `null`, "", "required"},

		{appdata.Date, `{}`, `"2024-02-29"`, `"2024-02-29"`, ""}, {appdata.Date, `{}`, `"2023-02-29"`, "", "type"}, {appdata.Date, `{}`, `"2024-2-9"`, "", "type"},
		{appdata.Date, `{}`, `20240229`, "", "type"}, {appdata.Date, `{}`, `"2024-02-29T00:00:00Z"`, "", "type"}, {appdata.Date, `{}`, `null`, "", "required"},
		{appdata.Date, `{"min":"2026-01-01","max":"2026-12-31"}`, `"2026-01-01"`, `"2026-01-01"`, ""}, {appdata.Date, `{"min":"2026-01-01","max":"2026-12-31"}`, `"2026-12-31"`, `"2026-12-31"`, ""},
		{appdata.Date, `{"min":"2026-01-01","max":"2026-12-31"}`, `"2025-12-31"`, "", "below_min"}, {appdata.Date, `{"min":"2026-01-01","max":"2026-12-31"}`, `"2027-01-01"`, "", "above_max"},

		{appdata.DateTime, `{}`, `"2026-05-04T09:30:00Z"`, `"2026-05-04T09:30:00.000Z"`, ""}, {appdata.DateTime, `{}`, `"2026-05-04T09:30:00.9999+02:00"`, `"2026-05-04T07:30:00.999Z"`, ""},
		{appdata.DateTime, `{}`, `"2026-05-04T09:30:00"`, "", "type"}, {appdata.DateTime, `{}`, `"2026-05-04T9:30:00Z"`, "", "type"}, {appdata.DateTime, `{}`, `"2026-05-04"`, "", "type"},
		{appdata.DateTime, `{}`, `"9999-12-31T23:59:59Z"`, `"9999-12-31T23:59:59.000Z"`, ""}, {appdata.DateTime, `{}`, `"9999-12-31T23:59:59-01:00"`, "", "type"},
		{appdata.DateTime, `{}`, `"0000-01-01T00:00:00+00:01"`, "", "type"}, {appdata.DateTime, `{}`, `1778000000`, "", "type"}, {appdata.DateTime, `{}`, `null`, "", "required"},
		{appdata.DateTime, `{"min":"2026-01-01T00:00:00Z"}`, `"2026-01-01T01:00:00+01:00"`, `"2026-01-01T00:00:00.000Z"`, ""},
		{appdata.DateTime, `{"min":"2026-01-01T00:00:00Z"}`, `"2026-01-01T00:59:59.999+01:00"`, "", "below_min"},
		{appdata.DateTime, `{"max":"2026-01-01T00:00:00Z"}`, `"2026-01-01T00:00:00Z"`, `"2026-01-01T00:00:00.000Z"`, ""},
		{appdata.DateTime, `{"max":"2026-01-01T00:00:00Z"}`, `"2026-01-01T00:00:00.001Z"`, "", "above_max"},

		{appdata.URL, `{}`, `" https://a.example/x?y=1#z "`, `"https://a.example/x?y=1#z"`, ""}, {appdata.URL, `{}`, `"HTTPS://a.example"`, `"HTTPS://a.example"`, ""},
		{appdata.URL, `{}`, `"http://a.example"`, "", "type"}, {appdata.URL, `{}`, `"//a.example"`, "", "type"}, {appdata.URL, `{}`, `"/x"`, "", "type"}, {appdata.URL, `{}`, `"https:"`, "", "type"},
		{appdata.URL, `{}`, `"https:///x"`, "", "type"}, {appdata.URL, `{}`, `"https://:443/x"`, "", "type"}, {appdata.URL, `{}`, `"https://a@b.example"`, "", "type"},
		{appdata.URL, `{}`, `"https://a.example\\x"`, "", "type"}, {appdata.URL, `{}`, `"https://a.example/ x"`, "", "type"}, {appdata.URL, `{}`, `"javascript:alert(1)"`, "", "type"},
		{appdata.URL, `{}`, `"https://a.example/\u0000"`, "", "type"}, {appdata.URL, `{}`, `5`, "", "type"}, {appdata.URL, `{}`, `null`, "", "required"},
		{appdata.URL, `{}`, address(2000), address(2000), ""}, {appdata.URL, `{}`, address(2001), "", "too_long"}, {appdata.URL, `{"maxLength":30}`, address(30), address(30), ""},
		{appdata.URL, `{"maxLength":30}`, address(31), "", "too_long"},

		{appdata.Money, `{}`, `{"currency":"EUR","amount":5}`, `{"amount":5,"currency":"EUR"}`, ""}, {appdata.Money, `{}`, `{"amount":-9007199254740991,"currency":"JPY"}`, `{"amount":-9007199254740991,"currency":"JPY"}`, ""},
		{appdata.Money, `{}`, `{"amount":9007199254740992,"currency":"EUR"}`, "", "type"}, {appdata.Money, `{}`, `{"amount":5.0,"currency":"EUR"}`, "", "type"},
		{appdata.Money, `{}`, `{"amount":"5","currency":"EUR"}`, "", "type"}, {appdata.Money, `{}`, `{"amount":null,"currency":"EUR"}`, "", "type"}, {appdata.Money, `{}`, `{"amount":5,"currency":null}`, "", "type"},
		{appdata.Money, `{}`, `{"amount":5}`, "", "type"}, {appdata.Money, `{}`, `{"currency":"EUR"}`, "", "type"}, {appdata.Money, `{}`, `{"amount":5,"currency":"eur"}`, "", "type"},
		{appdata.Money, `{}`, `{"amount":5,"currency":"EUR","x":1}`, "", "type"}, {appdata.Money, `{}`, `{"Amount":5,"currency":"EUR"}`, "", "type"}, {appdata.Money, `{}`, `5`, "", "type"},
		{appdata.Money, `{}`, `[]`, "", "type"}, {appdata.Money, `{}`, `{}`, "", "type"}, {appdata.Money, `{}`, `null`, "", "required"},
		{appdata.Money, `{"min":0,"max":100}`, `{"amount":0,"currency":"EUR"}`, `{"amount":0,"currency":"EUR"}`, ""}, {appdata.Money, `{"min":0,"max":100}`, `{"amount":100,"currency":"EUR"}`, `{"amount":100,"currency":"EUR"}`, ""},
		{appdata.Money, `{"min":0,"max":100}`, `{"amount":-1,"currency":"EUR"}`, "", "below_min"}, {appdata.Money, `{"min":0,"max":100}`, `{"amount":101,"currency":"EUR"}`, "", "above_max"},
		{appdata.Money, `{"currencies":["EUR","USD"]}`, `{"amount":1,"currency":"USD"}`, `{"amount":1,"currency":"USD"}`, ""},
		{appdata.Money, `{"currencies":["EUR"],"max":0}`, `{"amount":1,"currency":"USD"}`, "", "above_max currency_not_allowed"},

		{appdata.Choice, `{"choices":["a","b c"]}`, `"b c"`, `"b c"`, ""}, {appdata.Choice, `{"choices":["a"]}`, `" a "`, `"a"`, ""}, {appdata.Choice, `{"choices":["a"]}`, `"A"`, "", "not_a_choice"},
		{appdata.Choice, `{"choices":["a"]}`, `""`, "", "not_a_choice"}, {appdata.Choice, `{"choices":["1"]}`, `1`, "", "type"}, {appdata.Choice, `{"choices":["a"]}`, `["a"]`, "", "type"},
		{appdata.Choice, `{"choices":["null"]}`, `null`, "", "required"},
	} {
		t.Run(fmt.Sprintf("ADAT-04 %s %.40s %.40s", c.kind, c.rules, c.value), func(t *testing.T) {
			kept, against := field(t, c.kind, c.rules).Judge(json.RawMessage(c.value))
			var words []string
			for _, r := range against {
				words = append(words, string(r))
			}
			if string(kept) != c.kept || strings.Join(words, " ") != c.why {
				t.Errorf("kept %s, against it %v; want %s, %q", kept, against, c.kept, c.why)
			}
		})
	}
}

// FuzzValue proves that whatever is sent is refused for a reason or kept, and that what is kept stays as it is when it is
// read again by the same rules, and is not longer than the longest text.
func FuzzValue(f *testing.F) {
	var fields []appdata.Field
	for _, c := range []struct {
		kind  appdata.Type
		rules string
	}{
		{appdata.Text, `{}`}, {appdata.Text, `{"minLength":2,"maxLength":2000,"multiline":true}`}, {appdata.Number, `{"min":"-5","max":"100.5"}`}, {appdata.Number, `{"decimals":10}`},
		{appdata.Boolean, `{}`}, {appdata.Date, `{"min":"2000-01-01"}`}, {appdata.DateTime, `{"max":"2030-01-01T00:00:00Z"}`}, {appdata.URL, `{}`},
		{appdata.Money, `{"min":0,"currencies":["EUR","JPY"]}`}, {appdata.Money, `{}`}, {appdata.Choice, `{"choices":["a","b c","ü"]}`},
	} {
		fields = append(fields, field(f, c.kind, c.rules))
	}
	for _, seed := range []string{
		`"a"`, `"a\r\n\u0301b"`, `12`, `"12.50"`, `true`, `"2026-05-04"`, `"2026-05-04T09:30:00.5+14:00"`, `"https://a.example/x"`, `{"amount":5,"currency":"EUR"}`, `null`, `[]`, `1e9`, `"\ud800"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !json.Valid([]byte(value)) {
			return
		}
		value = strings.Trim(value, " \t\r\n") // as a member of a larger text is
		for _, one := range fields {
			kept, against := one.Judge(json.RawMessage(value))
			if (len(against) == 0) != (kept != nil) {
				t.Fatalf("%s: kept %s, against it %v", one.Type, kept, against)
			}
			if kept == nil {
				continue
			}
			again, against := one.Judge(kept)
			if string(again) != string(kept) || len(kept) > 2000*12+2 {
				t.Fatalf("%s: %s became %s, %v", one.Type, kept, again, against)
			}
		}
	})
}
