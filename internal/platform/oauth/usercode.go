package oauth

import (
	"crypto/rand"
	"strings"
)

// userCodeAlphabet has no vowels, so that no word appears, and no look-alikes: 20 letters (RFC 8628, 6.1).
const userCodeAlphabet = "BCDFGHJKLMNPQRSTVWXZ"

// userCodeLength gives 20⁸, about 34.6 bits; guesses are limited in SQL.
const userCodeLength = 8

// newUserCode draws a code in its stored form, without the hyphen.
func newUserCode() string {
	const fair = 240 // 12 × 20: bytes above are drawn again, so that no letter is likelier than another
	out := make([]byte, 0, userCodeLength)
	var b [32]byte
	for {
		rand.Read(b[:])
		for _, c := range b {
			if c >= fair {
				continue
			}
			out = append(out, userCodeAlphabet[int(c)%len(userCodeAlphabet)])
			if len(out) == userCodeLength {
				return string(out)
			}
		}
	}
}

// ShowUserCode is the code as people see it: two groups of four.
func ShowUserCode(code string) string { return code[:4] + "-" + code[4:] }

// ParseUserCode reads what a person typed: case, hyphens and spaces do not matter (DEVC-11). A letter outside the
// alphabet is never read as another one.
func ParseUserCode(typed string) (string, bool) {
	if len(typed) > 64 {
		return "", false
	}
	code := strings.Map(func(r rune) rune {
		switch r {
		case '-', ' ', '\t', '\u00a0', '\u2010', '\u2011', '\u2013':
			return -1
		}
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}, typed)
	return code, len(code) == userCodeLength && strings.Trim(code, userCodeAlphabet) == ""
}
