package generated_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// drawQuery draws some of the parameters that the document names.
func (w *worker) drawQuery(r *request, spoiled bool) {
	d := w.drawer
	q := url.Values{}
	for _, p := range r.op.query {
		if p.Name != "cursor" && d.chance(12) {
			q.Set(p.Name, w.parameter(r.op, p))
		}
	}
	if spoiled || r.style == hostile && d.chance(40) {
		name := one(d, "unknown", "limit", "cursor", "sort", "ids", "q", "updatedSince", "externalId", "number", "email", "a[]", "", strings.Repeat("p", 500), "\x00")
		if len(r.op.query) > 0 && d.chance(70) {
			name = one(d, r.op.query...).Name
		}
		q.Add(name, one(d, "", " ", "0", "-1", "101", "1e2", "9223372036854775808", "\x00", "\x00\x00\x00", "a\x00b", "\xff\xfe", "true", "TRUE", ",", ",,", d.madeUp("inv"), d.id("customerId"),
			"createdAt", "-", "--createdAt", "createdAt desc", "2026-02-30", "2026-05-04T12:00:00.000Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "ab", "éé", "\U0010ffff\U0010ffff", "%", "_%",
			strings.Repeat("x,", 60), strings.Repeat("long", 1000), strings.Repeat(d.madeUp("inv")+",", 51), one(d, edges...)))
	}
	r.query = q.Encode()
	if r.style == hostile && d.chance(8) {
		r.query += one(d, "&%zz", "&a;b", "&=", "&&", "&limit=1&limit=2", "&%00=1", "&x=%ff")
	}
}

var anyOf = regexp.MustCompile(`^(?:Any|One) of (.*?)(?:, separated by commas|; with a leading)`)

// parameter draws what the sentence about a parameter asks for.
func (w *worker) parameter(op *operation, p param) string {
	d := w.drawer
	if m := anyOf.FindStringSubmatch(p.Description); m != nil {
		word := one(d, strings.Split(m[1], ", ")...)
		if p.Name == "sort" {
			return one(d, "", "-") + word
		}
		return word
	}
	switch {
	case p.Name == "limit":
		return one(d, "1", "2", "3", "10", "100")
	case p.Name == "after":
		return d.id("after")
	case p.Name == "wait":
		return "0"
	case p.Name == "types":
		return one(d, "invoice.paid", "customer.created,app.installed", "journal_entry.posted")
	case p.Name == "ids":
		kind := strings.Split(op.path, "/")[1]
		return strings.Join([]string{d.id(kind), d.id(kind), d.madeUp(kinds[kind])}, ",")
	case p.Name == "include":
		return "balance"
	case strings.Contains(p.Description, "instant"):
		return d.today.Format("2006-01-02T15:04:05.000Z07:00")
	case strings.Contains(p.Description, "true or false"):
		return one(d, "true", "false")
	case strings.Contains(p.Description, "amount"):
		return one(d, "0", "1000", "-5", "9007199254740991")
	case strings.Contains(p.Description, "date"), strings.Contains(strings.ToLower(p.Description), " day"):
		return d.day()
	case p.Name == "q":
		return one(d, "so", "CA", "株式", "zz", "%%", "O'")
	case p.Name == "externalId":
		return fmt.Sprintf("ext-%d-%d", d.IntN(1000), 1+d.IntN(d.count+1))
	}
	return d.text(p.Name, &schema{})
}

// drawCursor reads a list on, or tries to with a cursor that belongs elsewhere.
func (w *worker) drawCursor(r *request, path string) {
	d := w.drawer
	known := d.corpus.cursors
	if !r.op.pages() || len(known) == 0 || !d.chance(30) {
		return
	}
	c := one(d, known...)
	own := slices.DeleteFunc(slices.Clone(known), func(c walk) bool { return c.path != path })
	switch {
	case len(own) > 0 && d.chance(90):
		c = one(d, own...)
		r.query, r.target = c.query, path+prefixed("?", c.query)
	case r.style == right:
		return
	}
	cursor := c.cursor
	if r.style == hostile || d.chance(10) {
		cursor = w.forge(cursor)
	}
	r.target += either(strings.Contains(r.target, "?"), "&", "?") + "cursor=" + url.QueryEscape(cursor)
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// forge changes what stands in a cursor, or makes one up.
func (w *worker) forge(cursor string) string {
	d := w.drawer
	var parts []any
	text, _ := base64.RawURLEncoding.DecodeString(cursor)
	if json.Unmarshal(text, &parts) != nil || len(parts) == 0 || d.chance(25) {
		return one(d, "", "x", "AAAA", cursor+"A", cursor[:len(cursor)/2], strings.ToUpper(cursor), base64.RawURLEncoding.EncodeToString([]byte("[]")), "null", "====")
	}
	parts[d.IntN(len(parts))] = d.odd()
	forged, err := json.Marshal(parts)
	if err != nil {
		return "x"
	}
	return base64.RawURLEncoding.EncodeToString(forged)
}
