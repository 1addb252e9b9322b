package pages

import (
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	colourToken = regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);`)
	anyToken    = regexp.MustCompile(`--([a-z-]+):`)
	tokenUse    = regexp.MustCompile(`var\(--([a-z-]+)\)`)
	classRule   = regexp.MustCompile(`\.([a-z][a-z-]*)`)
	classUse    = regexp.MustCompile(`class="([^"]*)"`)
)

// TestTokensCanBeRead: text needs 4.5 to 1 (WCAG 2.2, 1.4.3), the edge of a control and the focus ring 3 to 1 (1.4.11).
func TestTokensCanBeRead(t *testing.T) {
	tokens := map[string][2]string{}
	for _, m := range colourToken.FindAllStringSubmatch(string(css), -1) {
		tokens[m[1]] = [2]string{m[2], m[3]}
	}
	pairs := []struct {
		front, behind string
		least         float64
	}{
		{"accent-ink", "accent", 4.5},
		{"edge", "paper", 3}, {"edge", "sheet", 3},
		{"focus", "paper", 3}, {"focus", "sheet", 3},
	}
	for _, text := range []string{"ink", "ink-soft", "accent", "good", "warn", "bad", "wait"} {
		for _, behind := range []string{"paper", "sheet"} {
			pairs = append(pairs, struct {
				front, behind string
				least         float64
			}{text, behind, 4.5})
		}
	}
	for _, p := range pairs {
		front, behind := tokens[p.front], tokens[p.behind]
		for i, scheme := range []string{"light", "dark"} {
			if front[i] == "" || behind[i] == "" {
				t.Fatalf("no colours for %s on %s", p.front, p.behind)
			}
			if got := contrast(front[i], behind[i]); got < p.least {
				t.Errorf("%s: %s on %s is %.2f, want %.1f", scheme, p.front, p.behind, got, p.least)
			}
		}
	}
}

func contrast(a, b string) float64 {
	one, other := luminance(a), luminance(b)
	return (max(one, other) + 0.05) / (min(one, other) + 0.05)
}

// luminance is WCAG's relative luminance of an sRGB colour.
func luminance(hex string) (sum float64) {
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			panic(err)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func TestContrastIsWCAGs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"000000", "ffffff", 21}, {"ffffff", "ffffff", 1}, {"777777", "ffffff", 4.48}, {"ff0000", "000000", 5.25}} {
		if got := contrast(c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s: %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestEveryTokenAndClassIsThere(t *testing.T) {
	var defined, styled []string
	for _, m := range anyToken.FindAllSubmatch(css, -1) {
		defined = append(defined, string(m[1]))
	}
	for _, m := range tokenUse.FindAllSubmatch(css, -1) {
		if !slices.Contains(defined, string(m[1])) {
			t.Errorf("there is no token --%s", m[1])
		}
	}
	for _, m := range classRule.FindAllSubmatch(css, -1) {
		styled = append(styled, string(m[1]))
	}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(templateFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range classUse.FindAllSubmatch(text, -1) {
			for _, class := range strings.Fields(string(m[1])) {
				if strings.HasPrefix(class, "{{") {
					continue // a tone, which the status words are checked for
				}
				if !slices.Contains(styled, class) {
					t.Errorf("%s: nothing is said about the class %s", file, class)
				}
			}
		}
	}
}
