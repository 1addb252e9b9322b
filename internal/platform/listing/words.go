package listing

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/internal/base/markdown"
)

// fold makes texts alike that people take for the same: case, accents and widths are gone.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// wordsOf are the different words of a text, folded, in the order in which they first stand.
func wordsOf(s string) []string {
	var list []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// words is what a search looks at: every word with a space before it and behind it, so that a word is found by its beginning.
func (c Content) words() string {
	return " " + strings.Join(wordsOf(deref(c.Name)+" "+deref(c.Tagline)+" "+markdown.Text(deref(c.Description))), " ") + " "
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
