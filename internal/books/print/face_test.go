package print

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Letters are judged by the regular face alone, and figures stand under each other because all are equally wide.
func TestTheFacesFitTogether(t *testing.T) {
	f := typefaces()
	if !slices.Equal(slices.Sorted(maps.Keys(f.regular.widths)), slices.Sorted(maps.Keys(f.bold.widths))) {
		t.Error("the faces have different letters")
	}
	for _, face := range []*face{&f.regular, &f.bold} {
		for r := '0'; r <= '9'; r++ {
			if face.widths[r] != face.widths['0'] {
				t.Errorf("%s: %c is not as wide as 0", face.family, r)
			}
		}
		for _, r := range []rune{box, '…', '–', '·', ' ', '\ufffd'} {
			if !face.has(r) {
				t.Errorf("%s lacks %q", face.family, r)
			}
		}
	}
}

func TestWords(t *testing.T) {
	f := &face{widths: map[rune]int{}}
	for r := rune(' '); r < 127; r++ {
		f.widths[r] = 1000 // a size of 1: one unit per letter
	}
	for _, c := range []struct {
		text  string
		width float64
		want  []string
	}{
		{"", 5, nil},
		{"   ", 5, nil},
		{"a", 5, []string{"a"}},
		{"ab cd", 5, []string{"ab cd"}},
		{"ab cde", 5, []string{"ab", "cde"}},
		{"  ab   cd  ", 5, []string{"ab cd"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a bcdefgh i", 3, []string{"a", "bcd", "efg", "h i"}},
		{"abc", 0.5, []string{"a", "b", "c"}},
		{"a\n\nb\n\n", 5, []string{"a", "", "b"}},
	} {
		if got := wrap(f, 1, c.width, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %v: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func FuzzLegible(f *testing.F) {
	for _, s := range []string{"", "plain", "Nguyễn", "株式会社", "\xff\x00\n\r\n", "e\u0301\u0302", "ﬁ ½ ① ㎏", "\u1100\u1161"} {
		f.Add(s, uint16(100))
	}
	f.Fuzz(func(t *testing.T, text string, width uint16) {
		face := &typefaces().regular
		out := legible(text)
		for _, r := range out {
			if r != '\n' && !face.has(r) {
				t.Fatalf("%q has %q, which is not in the typeface", out, r)
			}
		}
		if again := legible(out); again != out {
			t.Fatalf("%q becomes %q, and that %q", text, out, again)
		}
		lines := wrap(face, 9, float64(width)/8, out)
		if got, want := squeezed(strings.Join(lines, "")), squeezed(out); got != want {
			t.Fatalf("wrapped %q, got %q", want, got)
		}
		for _, line := range lines {
			if face.width(line, 9) > float64(width)/8 && utf8.RuneCountInString(line) > 1 {
				t.Fatalf("%q is wider than %v", line, float64(width)/8)
			}
		}
	})
}

// squeezed is a text without its spaces and line breaks.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

func TestFigures(t *testing.T) {
	for in, want := range map[string]string{"": "", "1": "1", "1.50": "1.5", "1000": "1,000", "-1234567.8900": "-1,234,567.89", "100": "100", "2.000": "2"} {
		if got := quantity(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
