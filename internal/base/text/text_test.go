package text_test

import (
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, in, want, says string }{
		{"trims", "  Bakery \n", "Bakery", ""},
		{"composes", "Cafe\u0301", "Café", ""},
		{"counts code points, not bytes", strings.Repeat("é", 10), strings.Repeat("é", 10), ""},
		{"refuses one too many", strings.Repeat("é", 11), "", "name must have at most 10 characters"},
		{"refuses nothing", " ", "", "name must not be empty"},
		{"refuses one too few", "a", "", "name must have at least 2 characters"},
		{"refuses a control character inside", "a\x00b", "", "name must not contain control characters"},
		{"refuses a line break inside", "a\nb", "", "name must not contain control characters"},
		{"refuses broken bytes", "a\xff", "", "name must be valid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var check fault.Check
			got := text.Line(&check, "name", c.in, 2, 10)
			if err := check.Err(); err != nil {
				if err.Error() != c.says {
					t.Errorf("says %q, want %q", err, c.says)
				}
			} else if c.says != "" || got != c.want {
				t.Errorf("got %q, want %q, refusal %q", got, c.want, c.says)
			}
		})
	}
}

func TestOptional(t *testing.T) {
	var check fault.Check
	blank, value := "  ", " x "
	if text.Optional(&check, "p", nil, 5) != nil || text.Optional(&check, "p", &blank, 5) != nil {
		t.Error("absent and blank are nil")
	}
	if got := text.Optional(&check, "p", &value, 5); got == nil || *got != "x" || check.Err() != nil {
		t.Errorf("got %v, %v", got, check.Err())
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, in, want, says string }{
		{"keeps line breaks and tabs inside", " a\n\tb \n", "a\n\tb", ""},
		{"has one sort of line end", "a\r\nb\rc", "a\nb\nc", ""},
		{"counts a line end once", strings.Repeat("a\r\n", 5) + "b", strings.Repeat("a\n", 5) + "b", ""},
		{"takes as many as it may", strings.Repeat("é", 11), strings.Repeat("é", 11), ""},
		{"refuses one too many", strings.Repeat("é", 12), "", "notes must have at most 11 characters"},
		{"refuses other control characters", "a\x07b", "", "notes must not contain control characters"},
		{"refuses broken bytes", "a\xff", "", "notes must be valid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var check fault.Check
			got := text.Lines(&check, "notes", &c.in, 11)
			if err := check.Err(); err != nil {
				if err.Error() != c.says {
					t.Errorf("says %q, want %q", err, c.says)
				}
			} else if c.says != "" || got == nil || *got != c.want {
				t.Errorf("got %v, want %q, refusal %q", got, c.want, c.says)
			}
		})
	}
	var check fault.Check
	blank := " \r\n "
	if text.Lines(&check, "notes", nil, 5) != nil || text.Lines(&check, "notes", &blank, 5) != nil || check.Err() != nil {
		t.Error("absent and blank are nil")
	}
}

func TestIsEmail(t *testing.T) {
	for s, want := range map[string]bool{
		"ada@example.com": true, "ada+books@example.co.uk": true, "é@example.com": true,
		"": false, "ada": false, "ada@": false, "@example.com": false, "Ada <ada@example.com>": false, "<ada@example.com>": false,
		" ada@example.com": false, "ada@example.com, bob@example.com": false, "a b@example.com": false,
	} {
		if text.IsEmail(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
