package appdata

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"daybook/internal/base/text"
)

const (
	mostText     = 2000
	usualText    = 255
	mostURL      = 2000
	mostChoices  = 50
	longestWords = 60 // of a choice
)

type textRules struct {
	MinLength *int  `json:"minLength"`
	MaxLength *int  `json:"maxLength"`
	Multiline *bool `json:"multiline"`
}

func (r *textRules) complete() error {
	orElse(&r.MinLength, 0)
	orElse(&r.MaxLength, usualText)
	orElse(&r.Multiline, false)
	switch {
	case *r.MinLength < 0:
		return cannot("minLength must not be below 0")
	case *r.MaxLength < 1 || *r.MaxLength > mostText:
		return cannot("maxLength must be 1 to %d", mostText)
	case *r.MinLength > *r.MaxLength:
		return cannot("minLength must not be above maxLength")
	}
	return nil
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (r *textRules) judge(value json.RawMessage) (any, []Reason) {
	s, ok := str(value)
	if *r.Multiline {
		s = lineEnds.Replace(s)
	}
	s = text.Clean(s)
	foreign := func(c rune) bool { return unicode.IsControl(c) && !(*r.Multiline && (c == '\n' || c == '\t')) }
	if !ok || strings.ContainsFunc(s, foreign) {
		return nil, []Reason{WrongType}
	}
	switch n := utf8.RuneCountInString(s); {
	case n < *r.MinLength:
		return nil, []Reason{TooShort}
	case n > *r.MaxLength:
		return nil, []Reason{TooLong}
	}
	return s, nil
}

type urlRules struct {
	MaxLength *int `json:"maxLength"`
}

func (r *urlRules) complete() error {
	orElse(&r.MaxLength, mostURL)
	if *r.MaxLength < 1 || *r.MaxLength > mostURL {
		return cannot("maxLength must be 1 to %d", mostURL)
	}
	return nil
}

func (r *urlRules) judge(value json.RawMessage) (any, []Reason) {
	s, ok := str(value)
	s = text.Clean(s)
	if !ok || !isAddress(s) {
		return nil, []Reason{WrongType}
	}
	if utf8.RuneCountInString(s) > *r.MaxLength {
		return nil, []Reason{TooLong}
	}
	return s, nil
}

// isAddress is an absolute https address that shows where it leads: without user info, and without characters that
// programs read in different ways.
func isAddress(s string) bool {
	if strings.ContainsFunc(s, func(c rune) bool { return c == '\\' || unicode.IsSpace(c) || unicode.IsControl(c) }) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

type choiceRules struct {
	Choices options `json:"choices"`
}

// options are the texts to choose from. What is no list of texts is no options: the refusal is the same (CONS-04).
type options []string

// UnmarshalJSON implements json.Unmarshaler.
func (o *options) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) != nil {
		list = nil
	}
	*o = list
	return nil
}

func (r *choiceRules) complete() error {
	if len(r.Choices) < 1 || len(r.Choices) > mostChoices {
		return ErrChoices
	}
	seen := map[string]bool{}
	for i, option := range r.Choices {
		option = text.Clean(option)
		if option == "" || utf8.RuneCountInString(option) > longestWords || seen[option] || strings.ContainsFunc(option, unicode.IsControl) {
			return ErrChoices
		}
		r.Choices[i], seen[option] = option, true
	}
	return nil
}

func (r *choiceRules) judge(value json.RawMessage) (any, []Reason) {
	s, ok := str(value)
	if !ok {
		return nil, []Reason{WrongType}
	}
	if s = text.Clean(s); !slices.Contains(r.Choices, s) {
		return nil, []Reason{NotAChoice}
	}
	return s, nil
}
