package record

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/base/db"
)

// Page is a part of a list.
type Page[T any] struct {
	Data []T
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// position is where a page ended: the sort key and the id of its last row.
type position struct {
	Key  any
	ID   string
	Hash string
}

// Source is the SELECT of a list: the columns, and the table with its joins, the record having the alias r. Statements get
// $1 the business and $2 the calling app.
type Source struct {
	Columns string
	From    string
	Where   string // further conditions, beginning with AND; optional
	// Today is what $today in a filter's condition stands for: the business's date.
	Today string
}

// Fetch reads a page. scan reads the columns; idOf gives the record's id.
func Fetch[T any](ctx context.Context, tx *db.Tx, by Call, q Query, s Source, scan func(db.Scan) (T, error), idOf func(T) string) (Page[T], error) {
	var number int64
	var word string
	key := any(&word)
	if q.sort.Number {
		key = &number
	}
	var row db.Scan
	var into []any
	withKey := func(dest ...any) error { // made once: pages have many rows
		into = append(append(into[:0], dest...), key)
		return row(into...)
	}
	var last position // of the page
	count := 0
	sql, args := q.build(by, s)
	list, err := db.All(ctx, tx, func(read db.Scan) (T, error) {
		row = read
		value, err := scan(withKey)
		if count++; count == q.limit {
			last = position{Key: word, ID: idOf(value), Hash: q.hash}
			if q.sort.Number {
				last.Key = number
			}
		}
		return value, err
	}, sql, args...)
	if err != nil {
		return Page[T]{}, err
	}
	page := Page[T]{Data: list[:min(len(list), q.limit)]}
	if len(list) > q.limit {
		next := writeCursor(last)
		page.Next = &next
	}
	return page, nil
}

// ByID is the business of rows that are found by their ids. SQLite, which keeps no statistics, would walk through all rows of the
// business for a list of ids; an expression hides the index from it.
const ByID = "coalesce(r.business_id, '')"

// build writes the statement. Its text depends on which filters are used, never on their values.
func (q Query) build(by Call, s Source) (string, []any) {
	args := []any{by.BusinessID, by.Actor.AppID}
	var sql strings.Builder
	business := "r.business_id"
	if q.byID {
		business = ByID
	}
	fmt.Fprintf(&sql, "SELECT %s, %s FROM %s WHERE %s = $1 AND $2 = $2 %s", s.Columns, q.sort.Column, s.From, business, s.Where)
	add := func(c condition) {
		text := c.sql
		for i := 0; strings.Contains(text, "{}"); i++ {
			n := 1
			if strings.Count(c.sql, "{}") == 1 {
				n = len(c.args)
			}
			text = strings.Replace(text, "{}", db.In(len(args)+1, n), 1)
			args = append(args, c.args[i:i+n]...)
		}
		if strings.Contains(text, "$today") {
			args = append(args, s.Today)
			text = strings.ReplaceAll(text, "$today", "$"+strconv.Itoa(len(args)))
		}
		sql.WriteString(" AND " + text)
	}
	for _, c := range q.conditions {
		add(c)
	}
	if q.externalID != "" {
		// The whole key of external_ids, so that the one row is found by it.
		add(condition{"x.business_id = $1 AND x.kind = {} AND x.external_id = {}", []any{q.kind, q.externalID}})
	}
	operator, order := ">", "ASC"
	if q.descending {
		operator, order = "<", "DESC"
	}
	if q.after != nil {
		add(condition{"(" + q.sort.Column + ", r.id) " + operator + " ({}, {})", []any{q.after.Key, q.after.ID}})
	}
	args = append(args, q.limit+1)
	fmt.Fprintf(&sql, " ORDER BY %s %s, r.id %s LIMIT $%d", q.sort.Column, order, order, len(args))
	return sql.String(), args
}

// And adds a condition of the feature itself; {} stands for the list of values.
func (q Query) And(sql string, values ...any) Query {
	q.conditions = append(slices.Clip(q.conditions), condition{sql, values})
	return q
}

// hash binds a cursor to its list: business, kind, order and filters.
func (l *List) hash(businessID string, q Query, params map[string][]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s %v\n", businessID, l.Kind, q.sort.Name, q.descending)
	for _, name := range sortedKeys(params) {
		if name != "limit" && name != "cursor" && name != "sort" {
			fmt.Fprintf(h, "%s=%q\n", name, params[name])
		}
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:9])
}

func writeCursor(p position) string {
	text, err := json.Marshal([]any{p.Key, p.ID, p.Hash})
	if err != nil {
		panic(err) // a number and two strings
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func readCursor(cursor string, q Query) (*position, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, ErrCursor
	}
	var parts []json.RawMessage
	var p position
	if json.Unmarshal(text, &parts) != nil || len(parts) != 3 || json.Unmarshal(parts[1], &p.ID) != nil || json.Unmarshal(parts[2], &p.Hash) != nil || p.Hash != q.hash {
		return nil, ErrCursor
	}
	if q.sort.Number {
		var n int64
		err = json.Unmarshal(parts[0], &n)
		p.Key = n
	} else {
		var s string
		err = json.Unmarshal(parts[0], &s)
		p.Key = s
	}
	if err != nil {
		return nil, ErrCursor
	}
	return &p, nil
}

func sortedKeys(m map[string][]string) []string { return slices.Sorted(maps.Keys(m)) }

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// clip keeps a hostile name from filling the answer.
func clip(name string) string {
	if r := []rune(name); len(r) > 50 {
		return string(r[:50]) + "…"
	}
	return name
}
