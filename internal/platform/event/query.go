package event

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/internal/base/fault"
)

// The bounds of what can be asked for.
const (
	MaxPage  = 100
	MaxTypes = 45
	MaxWait  = 30 * time.Second
)

// Query is what a reader asks for.
type Query struct {
	// After is the event to go on from; nil for the oldest there is.
	After *string
	Types Types
	Limit int
	// Wait is how long to wait for an event when there is none.
	Wait time.Duration
}

// Parameters are the names that ParseQuery knows.
var Parameters = []string{"after", "types", "limit", "wait"}

// ParseQuery reads the parameters of a request. Types may be given more than once, the others may not.
func ParseQuery(params map[string][]string) (Query, error) {
	var c fault.Check
	q := Query{Types: AllTypes}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		c.Require(slices.Contains(Parameters, name), shown(name), "is not a parameter of this request")
		c.Require(name == "types" || len(params[name]) == 1, shown(name), "must be given once")
	}
	if v := params["after"]; len(v) > 0 {
		q.After = &v[0]
	}
	q.Limit = number(&c, params, "limit", 1, MaxPage, MaxPage)
	q.Wait = time.Duration(number(&c, params, "wait", 0, int(MaxWait/time.Second), 0)) * time.Second
	var names []string
	for _, v := range params["types"] {
		names = append(names, strings.Split(v, ",")...)
	}
	c.Require(len(names) <= MaxTypes, "types", "must name at most %d events", MaxTypes)
	if err := c.Err(); err != nil {
		return q, err
	}
	if names == nil {
		return q, nil
	}
	q.Types = 0
	for _, name := range names {
		bit, known := places[Type(name)]
		if !known {
			return q, ErrUnknownType.With(shown(name))
		}
		q.Types |= bit
	}
	return q, nil
}

// number reads a whole number in plain digits; by default it is usual.
func number(c *fault.Check, params map[string][]string, name string, least, most, usual int) int {
	v := params[name]
	if len(v) == 0 {
		return usual
	}
	n, err := strconv.Atoi(v[0])
	c.Require(err == nil && strconv.Itoa(n) == v[0] && n >= least && n <= most, name, "must be a whole number from %d to %d", least, most)
	return n
}

// shown is a word of a caller's, as a refusal shows it: readable, and not without end.
func shown(word string) string {
	word = strings.ToValidUTF8(word, "?")
	const most = 60
	if utf8.RuneCountInString(word) > most {
		word = string([]rune(word)[:most]) + "…"
	}
	return word
}
