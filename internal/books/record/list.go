package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
)

// List is how a kind of record is listed, as data: what it is sorted and filtered by. The record's table has the alias r.
type List struct {
	Kind  Kind      // as in SetExternalID
	IDs   id.Prefix // of the kind, for the filter ids
	Sorts []Sort
	// Filters besides those that every list has: limit, cursor, sort, updatedSince, ids, externalId.
	Filters []Filter
	// Fixed lists have no updatedSince and no externalId (rates of tax and the like).
	NoExternalID bool
	NoUpdated    bool
	// OneOrder lists come in the order of their first Sort, ascending: they take neither sort nor ids.
	OneOrder bool
}

// Sort is a field that a list is sorted by.
type Sort struct {
	Name   string // on the wire
	Column string // never null
	Number bool   // an integer (amounts, instants); else text
}

// Match says how a filter compares.
type Match int

// The ways to compare.
const (
	Any      Match = iota // equal to one of a list separated by commas
	From                  // not below
	To                    // not above
	Flag                  // true or false: see Filter.True and False
	Search                // a prefix of one of the columns, at least two characters, without regard to case
	LowerAny              // Any, without regard to case, on a column that holds lower case
)

// Filter is one parameter of a list.
type Filter struct {
	Name   string
	Column string   // for Search several, separated by spaces
	Match  Match    //
	Values []string // the words it takes; empty for any text
	Form   Form     // what From, To and Any expect
	// True and False are the conditions of a Flag. They may use $today.
	True, False string
	// Condition replaces the comparison of Any: {} stands for the list of placeholders.
	Condition string
}

// Form of a filter's value.
type Form int

// The forms.
const (
	Text Form = iota
	Date
	Amount
)

// Common parameters of every list.
const (
	DefaultLimit = 50
	MaxLimit     = 100
	maxIDs       = 50
)

// Query is a list request, judged.
type Query struct {
	limit      int
	sort       Sort
	descending bool
	conditions []condition
	kind       Kind
	externalID string
	byID       bool   // few rows, named by their ids
	hash       string // of everything but limit and cursor
	after      *position
}

type condition struct {
	sql  string // {} is replaced by placeholders for args
	args []any
}

// Parameters lists the names that a list takes, for the documentation and for refusing others.
func (l *List) Parameters() []string {
	names := []string{"limit", "cursor"}
	if !l.OneOrder {
		names = append(names, "sort", "ids")
	}
	if !l.NoUpdated {
		names = append(names, "updatedSince")
	}
	if !l.NoExternalID {
		names = append(names, "externalId")
	}
	for _, f := range l.Filters {
		names = append(names, f.Name)
	}
	return names
}

// Parse judges the parameters of a request. Every offence is named.
func (l *List) Parse(businessID string, params map[string][]string) (Query, error) {
	var c fault.Check
	q := Query{limit: DefaultLimit, kind: l.Kind}
	var known []string
	if len(params) > 0 {
		known = l.Parameters()
	}
	get := func(name string) string {
		if values := params[name]; len(values) > 0 && slices.Contains(known, name) {
			return values[0]
		}
		return ""
	}
	for _, name := range sortedKeys(params) {
		c.Require(slices.Contains(known, name), clip(name), "is not a parameter of this list")
		c.Require(len(params[name]) <= 1, clip(name), "must be given once")
	}
	if v := get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		c.Require(err == nil && n >= 1 && n <= MaxLimit, "limit", "must be a whole number from 1 to %d", MaxLimit)
		q.limit = n
	}
	l.parseSort(&c, &q, get("sort"), get("updatedSince") != "")
	if v := get("ids"); v != "" {
		list := strings.Split(v, ",")
		c.Require(len(list) <= maxIDs, "ids", "must be at most %d ids", maxIDs)
		foreign := func(s string) bool { return !id.Valid(l.IDs, s) }
		c.Require(!slices.ContainsFunc(list, foreign), "ids", "must be ids that begin with %s_, separated by commas", l.IDs)
		q.byID = true
		q.conditions = append(q.conditions, condition{"r.id IN ({})", anys(list)})
	}
	if v := get("updatedSince"); v != "" {
		at, err := time.Parse(time.RFC3339, v)
		c.Require(err == nil, "updatedSince", "must be an instant such as 2026-05-04T12:00:00.000Z")
		q.conditions = append(q.conditions, condition{"r.updated_at >= {}", []any{clock.Millis(at)}})
	}
	q.externalID = get("externalId")
	for _, f := range l.Filters {
		if v, given := params[f.Name]; given {
			if cond, ok := f.parse(&c, get(f.Name)); ok && len(v) > 0 {
				q.conditions = append(q.conditions, cond)
			}
		}
	}
	if err := c.Err(); err != nil {
		return Query{}, err
	}
	q.hash = l.hash(businessID, q, params)
	if v := get("cursor"); v != "" {
		after, err := readCursor(v, q)
		if err != nil {
			return Query{}, err
		}
		q.after = after
	}
	return q, nil
}

func (l *List) parseSort(c *fault.Check, q *Query, name string, since bool) {
	if l.OneOrder {
		q.sort = l.Sorts[0]
		return
	}
	if name == "" {
		name = "-createdAt"
		if since {
			name = "updatedAt"
		}
	}
	field, descending := strings.CutPrefix(name, "-")
	q.descending = descending
	for _, s := range l.Sorts {
		if s.Name == field {
			q.sort = s
			return
		}
	}
	var names []string
	for _, s := range l.Sorts {
		names = append(names, s.Name)
	}
	c.Add("sort", "must be one of %s, with a leading - for descending", strings.Join(names, ", "))
}

func (f Filter) parse(c *fault.Check, v string) (condition, bool) {
	switch f.Match {
	case Flag:
		c.Require(v == "true" || v == "false", f.Name, "must be true or false")
		if v == "true" {
			return condition{sql: f.True}, true
		}
		return condition{sql: f.False}, f.False != ""
	case Search:
		return f.search(c, v)
	case From, To:
		value, ok := f.value(c, v)
		operator := " >= {}"
		if f.Match == To {
			operator = " <= {}"
		}
		return condition{f.Column + operator, []any{value}}, ok
	}
	var args []any
	for _, part := range strings.Split(v, ",") {
		if f.Match == LowerAny {
			part = strings.ToLower(part)
		}
		if len(f.Values) > 0 && !slices.Contains(f.Values, part) {
			c.Add(f.Name, "must be any of %s", strings.Join(f.Values, ", "))
			return condition{}, false
		}
		value, ok := f.value(c, part)
		if !ok {
			return condition{}, false
		}
		args = append(args, value)
	}
	c.Require(len(args) <= maxIDs, f.Name, "must be at most %d values", maxIDs)
	if f.Condition != "" {
		return condition{f.Condition, args}, true
	}
	return condition{f.Column + " IN ({})", args}, true
}

func (f Filter) value(c *fault.Check, v string) (any, bool) {
	switch f.Form {
	case Date:
		if _, err := time.Parse(time.DateOnly, v); err != nil {
			c.Add(f.Name, "must be a date such as 2026-05-04")
			return nil, false
		}
	case Amount:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			c.Add(f.Name, "must be a whole number of minor units")
		}
		return n, err == nil
	}
	return v, true
}

func (f Filter) search(c *fault.Check, v string) (condition, bool) {
	v = strings.ToLower(strings.TrimSpace(v))
	if len([]rune(v)) < 2 {
		c.Add(f.Name, "must have at least 2 characters")
		return condition{}, false
	}
	// A range instead of LIKE: it needs no escapes and uses the index on both stores.
	var parts []string
	var args []any
	for _, column := range strings.Fields(f.Column) {
		parts = append(parts, fmt.Sprintf("(%s >= {} AND %s < {})", column, column))
		args = append(args, v, v+"\U0010FFFF")
	}
	return condition{"(" + strings.Join(parts, " OR ") + ")", args}, true
}
