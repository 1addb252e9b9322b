// Package text is how strings from outside become strings we keep: valid UTF-8, NFC-normalised, trimmed, without
// control characters. Lengths are counted in code points.
package text

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"daybook/internal/base/fault"
)

// Clean normalises and trims s. It does not judge: see Line.
func Clean(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

// Line cleans a one-line value and notes in c, under path, what is wrong with it. It must have between least and
// most code points; least 0 makes it optional.
func Line(c *fault.Check, path, s string, least, most int) string {
	return clean(c, path, s, least, most, unicode.IsControl)
}

// Optional is Line for a value that may be absent: an absent or empty one is nil.
func Optional(c *fault.Check, path string, s *string, most int) *string {
	if s == nil {
		return nil
	}
	line := Line(c, path, *s, 0, most)
	if line == "" {
		return nil
	}
	return &line
}

// Lines is Optional for a value that may have several lines: line feeds and tabs stay, and every sort of line end becomes a
// line feed.
func Lines(c *fault.Check, path string, s *string, most int) *string {
	if s == nil {
		return nil
	}
	lines := clean(c, path, lineEnds.Replace(*s), 0, most, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
	if lines == "" {
		return nil
	}
	return &lines
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// IsEmail reports whether s is a bare e-mail address. It says nothing about existence.
func IsEmail(s string) bool {
	address, err := mail.ParseAddress(s)
	return err == nil && address.Address == s
}

func clean(c *fault.Check, path, s string, least, most int, refused func(rune) bool) string {
	if !utf8.ValidString(s) {
		c.Add(path, "must be valid UTF-8")
		return ""
	}
	s = Clean(s)
	n := utf8.RuneCountInString(s)
	switch {
	case n == 0 && least > 0:
		c.Add(path, "must not be empty")
	case n < least:
		c.Add(path, "must have at least %d characters", least)
	case n > most:
		c.Add(path, "must have at most %d characters", most)
	}
	if strings.ContainsFunc(s, refused) {
		c.Add(path, "must not contain control characters")
	}
	return s
}
