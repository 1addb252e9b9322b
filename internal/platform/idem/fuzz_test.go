package idem_test

import (
	"regexp"
	"strings"
	"testing"

	"daybook/internal/platform/idem"
)

// A key is 1 to 255 printable ASCII characters: the same by a regular expression.
func FuzzKey(f *testing.F) {
	for _, key := range []string{"", " ", "a", "order-1001", strings.Repeat("k", 255), strings.Repeat("k", 256), "tab\t", "new\nline", "ü", "\x7f", "\x00", "~"} {
		f.Add(key)
	}
	good := regexp.MustCompile(`\A[\x20-\x7e]{1,255}\z`)
	f.Fuzz(func(t *testing.T, key string) {
		if err := idem.CheckKey(key); (err == nil) != good.MatchString(key) {
			t.Errorf("%q: %v", key, err)
		}
	})
}
