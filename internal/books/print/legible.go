package print

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// box stands for a letter that the typeface lacks.
const box = '□'

// nearest are letters whose nearest equivalent Unicode does not give.
var nearest = map[rune]string{'ẞ': "SS", '\u2010': "-", '\u2011': "-", '\u2015': "—", '\u2212': "-"}

// legible makes a text of letters that the typefaces have (both have the same). Spaces of every kind become plain ones, marks that
// are not to be seen go, line breaks stay.
func legible(text string) string {
	f := &typefaces().regular
	if plain(text) {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var out strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029':
			out.WriteByte('\n')
		case r == '\t' || unicode.Is(unicode.Zs, r):
			out.WriteByte(' ')
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me):
			// nothing to see: controls, directions, joiners, marks without a letter of their own
		case f.has(r):
			out.WriteRune(r)
		default:
			out.WriteString(substitute(f, r))
		}
	}
	return out.String()
}

// plain reports whether nothing has to be replaced: so it is with most texts.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// substitute is what to print for a letter that the face lacks: ệ becomes e, １ becomes 1, and 中 a box.
func substitute(f *face, r rune) string {
	if s, ok := nearest[r]; ok {
		return s
	}
	var out strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.In(part, unicode.Mn, unicode.Me):
		case f.has(part):
			out.WriteRune(part)
		default:
			return string(box)
		}
	}
	if out.Len() == 0 {
		return string(box)
	}
	return out.String()
}
