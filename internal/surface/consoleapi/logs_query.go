package consoleapi

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
)

// query reads the parameters of a list, and notes what is wrong with them.
type query struct {
	of    func(name string) *string // nil: it is not there
	wrong fault.Check
}

// longestWord of a parameter, in bytes: nothing that is kept is longer.
const longestWord = 500

// word reads a parameter; empty when it is not there.
func (q *query) word(name string) string {
	value := q.of(name)
	if value == nil {
		return ""
	}
	q.wrong.Require(*value != "" && len(*value) <= longestWord, name, "must have 1 to %d characters", longestWord)
	return *value
}

func (q *query) id(name string, p id.Prefix) string {
	value := q.of(name)
	if value == nil {
		return ""
	}
	q.wrong.Require(id.Valid(p, *value), name, "must be an id that begins with %s_", p)
	return *value
}

func (q *query) oneOf(name string, known ...string) string {
	value := q.of(name)
	if value == nil {
		return ""
	}
	q.wrong.Require(slices.Contains(known, *value), name, "must be one of %s", strings.Join(known, ", "))
	return *value
}

func (q *query) number(name string, usual, least, most int) int {
	value := q.of(name)
	if value == nil {
		return usual
	}
	n, err := strconv.Atoi(*value)
	q.wrong.Require(err == nil && least <= n && n <= most, name, "must be a whole number from %d to %d", least, most)
	return n
}

func (q *query) instant(name string) time.Time {
	value := q.of(name)
	if value == nil {
		return time.Time{}
	}
	return readInstant(&q.wrong, name, value)
}

// span reads the two ends of a span of time, each of which may be left out.
func (q *query) span() (from, to time.Time) {
	from, to = q.instant("from"), q.instant("to")
	if !from.IsZero() && !to.IsZero() {
		q.wrong.Require(to.After(from), "to", "must be later than from")
	}
	return from, to
}
