package app_test

import (
	"strings"
	"testing"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

func TestNamesMadeToDeceive(t *testing.T) {
	for _, c := range []struct {
		name, given string
		ok          bool
	}{
		{"plain", "Ledger Sync 2", true},
		{"one character", "X", true},
		{"50 characters", strings.Repeat("é", 50), true},
		{"51 characters", strings.Repeat("é", 51), false},
		{"none", "", false},
		{"only spaces", "   ", false},
		{"another alphabet", "Бухгалтерия", true},
		{"Greek", "Λογιστική", true},
		{"Chinese and Latin", "记账 Plus", true},
		{"an emoji", "Ledger 🚀", true},

		{"a Cyrillic о among Latin letters", "Gооgle Books", false},
		{"a Greek ο among Latin letters", "Stripe Cοnnect", false},
		{"Latin among Cyrillic letters", "Банк Pay", false},
		{"the service's name", "Daybook", false},
		{"the service's name in capitals", "DAYBOOK Sync", false},
		{"the service's name inside a word", "MyDaybookApp", false},
		{"the service's name in wide letters", "Ｄａｙｂｏｏｋ", false},
		{"the service's name in mathematical letters", "𝐃𝐚𝐲𝐛𝐨𝐨𝐤", false},
		{"the service's name with a soft hyphen inside", "Day\u00adbook", false},
		{"the service's name with a zero-width space inside", "Day\u200bbook", false},
		{"official", "Official Invoices", false},
		{"verified", "Ledger (verified)", false},

		{"an order of writing turned round", "Ledger \u202egnp.exe", false},
		{"a zero-width joiner", "Led\u200dger", false},
		{"a byte-order mark", "\ufeffLedger", false},
		{"a letter of private use", "Ledger \ue000", false},
		{"a line break", "Ledger\nApproved by your bank", false},
		{"a line separator", "Ledger\u2028Approved by your bank", false},
		{"a paragraph separator", "Ledger\u2029Approved by your bank", false},
		{"a blank Hangul letter and nothing else", "\u3164", false},
		{"a blank Braille pattern and nothing else", "\u2800", false},
		{"a blank Hangul letter inside", "Led\u115fger", false},
		{"bytes that are no text", "Ledger\xff", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := least()
			n.Name = c.given
			expected := "name"
			if c.ok {
				expected = ""
			}
			if got := offences(judge(n)); got != expected {
				t.Errorf("%q: complains about %q", c.given, got)
			}
		})
	}
}

func TestWhatANewAppMustBe(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*app.New)
		offences string
	}{
		{"the least", func(*app.New) {}, ""},
		{"everything wrong at once", func(n *app.New) { *n = app.New{AppURL: text("http://app.example")} }, "name clientType appUrl redirectUris scopes"},
		{"a client type that does not exist", func(n *app.New) { n.ClientType = "confidential" }, "clientType"},
		{"no scope", func(n *app.New) { n.Scopes = nil }, "scopes"},
		{"a scope nobody knows", func(n *app.New) { n.Scopes = scope.Set{"profile:read", "profile:write"} }, "scopes.1"},
		{"a scope of our own", func(n *app.New) { n.Scopes = scope.Set{"console:manage", "profile:read"} }, "scopes.0"},
		{"all three scopes of our own", func(n *app.New) { n.Scopes = scope.Set{"console:manage", "business:manage", "platform:review"} }, "scopes.0 scopes.1 scopes.2"},
		{"an empty scope", func(n *app.New) { n.Scopes = scope.Set{""} }, "scopes.0"},
		{"every scope a partner may have", func(n *app.New) {
			n.Scopes = nil
			for _, e := range scope.Catalog[:16] {
				n.Scopes = append(n.Scopes, e.Scope)
			}
		}, ""},
		{"an address", func(n *app.New) { n.AppURL = text("https://app.example/start?from=daybook#top") }, ""},
		{"an empty address", func(n *app.New) { n.AppURL = text("") }, ""},
		{"an address on loopback", func(n *app.New) { n.AppURL = text("http://localhost:3000/") }, ""},
		{"an address of 2000 characters", func(n *app.New) { n.AppURL = text("https://app.example/" + strings.Repeat("x", 1980)) }, ""},
		{"an address of 2001 characters", func(n *app.New) { n.AppURL = text("https://app.example/" + strings.Repeat("x", 1981)) }, "appUrl"},
		{"an address without https", func(n *app.New) { n.AppURL = text("http://app.example/") }, "appUrl"},
		{"a script for an address", func(n *app.New) { n.AppURL = text("javascript:alert(1)") }, "appUrl"},
		{"an address with a user", func(n *app.New) { n.AppURL = text("https://daybook.example@evil.example/") }, "appUrl"},
		{"an address with a backslash", func(n *app.New) { n.AppURL = text(`https://app.example\@evil.example/`) }, "appUrl"},
		{"an address with a space", func(n *app.New) { n.AppURL = text("https://app.example/a b") }, "appUrl"},
		{"an address without a host", func(n *app.New) { n.AppURL = text("https:///start") }, "appUrl"},
		{"a relative address", func(n *app.New) { n.AppURL = text("/start") }, "appUrl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := least()
			c.change(&n)
			if got := offences(judge(n)); got != c.offences {
				t.Errorf("complains about %q, want %q", got, c.offences)
			}
		})
	}
}
