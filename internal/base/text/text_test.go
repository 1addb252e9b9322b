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
