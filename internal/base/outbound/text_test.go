package outbound

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestLogText(t *testing.T) {
	for _, row := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 10, ""},
		{"plain", 10, "plain"},
		{"plain", 5, "plain"},
		{"plain", 4, "plai"},
		{"plain", 0, ""},
		{"a\r\n\tb\x00\x1b[31m\x7f", 100, `a\r\n\tb\x00\x1b[31m\x7f`},
		{"aé", 2, "a"},
		{"aé", 3, "aé"},
		{"a\x00", 4, "a"},
		{"\xff\xfea", 100, `\xff\xfea`},
		{"\xe2\x82", 100, `\xe2\x82`},
		{"a\u0085b\u202ec\u2028d\ufeff", 100, `a\u0085b\u202ec\u2028d\ufeff`},
		{"\U000e0001", 100, `\ue0001`},
		{"\ufffd", 100, "\ufffd"},
		{`{"a":"\n"}`, 100, `{"a":"\n"}`},
	} {
		if got := LogText([]byte(row.in), row.n); got != row.want {
			t.Errorf("%q at %d: got %q, want %q", row.in, row.n, got, row.want)
		}
	}
}

func FuzzLogText(f *testing.F) {
	f.Add([]byte("a\x00é\xff\u202e"), 7)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		got := LogText(b, n)
		if len(got) > max(n, 0) || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		for _, r := range got {
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%q holds a control character", got)
			}
		}
		if LogText([]byte(got), n) != got {
			t.Fatalf("%q changes when kept again", got)
		}
		if n >= 6*len(b) && strings.Count(got, `\`) == 0 && got != string(b) {
			t.Fatalf("%q became %q without need", b, got)
		}
	})
}

func TestParseAllow(t *testing.T) {
	got, err := ParseAllow(" 10.0.0.0/8,fd00::/8\n127.0.0.1 ::1,, ")
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, p := range got {
		text = append(text, p.String())
	}
	if diff := cmp.Diff([]string{"10.0.0.0/8", "fd00::/8", "127.0.0.1/32", "::1/128"}, text); diff != "" {
		t.Error(diff)
	}
	if none, err := ParseAllow(""); none != nil || err != nil {
		t.Error(none, err)
	}
}

func TestParseAllowNamesEveryBadEntry(t *testing.T) {
	got, err := ParseAllow("10.0.0.0/8 10.1.2.3/8 host.example 1.2.3.4/33 fe80::1%eth0 ::ffff:10.0.0.0/104")
	want := `"10.1.2.3/8" has bits beyond its length; did you mean 10.0.0.0/8?
"host.example" is not an address or CIDR
"1.2.3.4/33" is not an address or CIDR
"fe80::1%eth0" is not an address or CIDR
"::ffff:10.0.0.0/104" must be written as IPv4`
	if got != nil || err == nil {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}
