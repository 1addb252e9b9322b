package generated_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// request is one that was made up.
type request struct {
	op      *operation
	style   style
	who     caller
	target  string // path and query
	query   string // of the target, without a cursor
	id      string // of the record that the path names
	header  http.Header
	body    *string
	members []string // that the body may have
	subject object   // the record that the path names, as last seen
	version string   // that the answer will have; empty when the request names none that there is
}

// style is how a request was made up.
type style string

const (
	right   style = "right"   // as far as the schemas and the drawer know
	nearly  style = "nearly"  // right but for one thing
	hostile style = "hostile" // broken in many ways
)

// draw makes a request up.
func (w *worker) draw() request {
	d := w.drawer
	op := w.choose()
	r := request{op: op, style: right, who: w.callers[0], header: http.Header{}}
	switch n := d.IntN(100); {
	case n < 18:
		r.style = hostile
	case n < 45:
		r.style = nearly
	}
	if d.chance(14) {
		r.who = one(d, w.callers[1:]...)
	}
	spoiled := 0 // which part is the one that is not right
	if r.style == nearly {
		spoiled = 1 + d.IntN(8)
	}
	path := w.path(&r, spoiled == 1)
	w.drawQuery(&r, spoiled == 2 || spoiled == 3 && op.pages())
	r.target, r.subject = path+prefixed("?", r.query), d.subject
	w.drawCursor(&r, path)
	w.drawVersion(&r, spoiled == 4)
	if op.method != http.MethodGet {
		w.drawBody(&r, spoiled > 4)
		w.drawHeaders(&r)
	}
	return r
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// choose prefers what makes new records.
func (w *worker) choose() *operation {
	for {
		op := one(w.drawer, w.document.operations...)
		switch {
		case !op.partner && w.drawer.chance(80):
			continue // not for apps: now and then they try
		case op.method == http.MethodPost && !strings.Contains(op.path, "{"):
		case w.drawer.chance(50):
			continue
		case strings.Contains(op.path, "{id}") && w.drawer.corpus.pick(w.drawer.Rand, w.kind(op), fitting[op.String()]) == "" && w.drawer.chance(90):
			continue // there is no such record yet
		}
		return op
	}
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// kind is the sort of record that a path is about.
func (w *worker) kind(op *operation) string { return kinds[strings.Split(op.path, "/")[1]] }

// path fills in which record is meant.
func (w *worker) path(r *request, spoiled bool) string {
	d := w.drawer
	kind := w.kind(r.op)
	d.subject = nil
	return placeholder.ReplaceAllStringFunc(r.op.path, func(name string) string {
		id := d.corpus.pick(d.Rand, kind, fitting[r.op.String()])
		if id == "" || d.chance(20) {
			id = d.corpus.pick(d.Rand, kind, nil) // in whatever state
		}
		if name == "{allocationId}" {
			list, _ := d.subject["allocations"].([]any)
			if id = d.madeUp("alc"); len(list) > 0 {
				id, _ = list[d.IntN(len(list))].(object)["id"].(string)
			}
		}
		switch {
		case d.chance(2) && len(d.corpus.gone) > 0:
			id = one(d, d.corpus.gone...)
		case id == "":
			id = d.madeUp(kind)
		}
		if spoiled || r.style == hostile && d.chance(30) {
			id = one(d, d.madeUp(kind), d.madeUp("xyz"), strings.ToUpper(id), id+" ", id[:len(id)-1], id+"x", d.id("customerId"), d.id("journalEntryId"),
				"0", "-1", "null", "{id}", "*", "%", "a\x00b", "\xff\xfe", "ünïcode", "' OR 1=1 --", strings.Repeat("a", 2000), "a/b", "a;b", "a?b", "preview", "bulk-import")
		}
		if name == "{id}" {
			r.id, d.subject = id, d.corpus.records[id]
		}
		return url.PathEscape(id)
	})
}

// fitting is in which state a record must be for what a path asks for.
var fitting = map[string]func(object) bool{
	"POST /invoices/{id}/issue":       has("status", "DRAFT"),
	"DELETE /invoices/{id}":           has("status", "DRAFT"),
	"POST /invoices/{id}/void":        has("status", "OPEN"),
	"POST /invoices/{id}/write-off":   has("status", "OPEN", "PARTIALLY_PAID"),
	"POST /invoices/{id}/send":        has("status", "OPEN", "PAID"),
	"POST /customers/{id}/restore":    has("status", "ARCHIVED"),
	"POST /suppliers/{id}/restore":    has("status", "ARCHIVED"),
	"POST /accounts/{id}/restore":     has("status", "ARCHIVED"),
	"DELETE /accounts/{id}":           withoutRole,
	"POST /accounts/{id}/archive":     withoutRole,
	"DELETE /journal-entries/{id}":    has("status", "DRAFT"),
	"POST /journal-entries/{id}/post": has("status", "DRAFT"),
	"PATCH /journal-entries/{id}":     has("status", "DRAFT"),
	"POST /payments/{id}/refund":      unapplied,
	"POST /payments/{id}/allocations": unapplied,
	"DELETE /payments/{id}/allocations/{allocationId}": func(p object) bool {
		list, _ := p["allocations"].([]any)
		return len(list) > 0
	},
}

func withoutRole(a object) bool { return a["systemRole"] == nil }

func unapplied(p object) bool {
	n, _ := p["unallocatedAmount"].(json.Number)
	return p["kind"] == "RECEIPT" && n != "" && n != "0"
}

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
	r.target += one2(strings.Contains(r.target, "?"), "&", "?") + "cursor=" + url.QueryEscape(cursor)
}

func one2(first bool, a, b string) string {
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

// drawVersion says which version of the API is spoken.
func (w *worker) drawVersion(r *request, spoiled bool) {
	d := w.drawer
	r.version = w.document.version
	if r.who.pin != "" {
		r.version = r.who.pin
	}
	var name string
	switch {
	case spoiled || r.style == hostile && d.chance(10):
		name = one(d, "", "latest", "2026-06-02", "2025-03-01 ", "2025-10-01,2026-06-01", "0", "v1", "2026-06-01é", strings.Repeat("2", 3000))
	case d.chance(70):
		return
	default:
		name = one(d, w.versions...)
	}
	r.header["Daybook-Version"] = []string{name}
	r.version = ""
	if slices.Contains(w.usable, strings.TrimSpace(name)) { // space around a value is none of its
		r.version = strings.TrimSpace(name)
	}
}

// drawHeaders draws what a write may bring along.
func (w *worker) drawHeaders(r *request) {
	d := w.drawer
	if d.chance(25) {
		key := d.unique("key")
		switch {
		case d.chance(20) && len(d.corpus.keys) > 0:
			key = one(d, d.corpus.keys...)
		case r.style != right && d.chance(20):
			key = one(d, "", strings.Repeat("k", 255), strings.Repeat("k", 256), "ké", "\t", "a\tb", "~")
		}
		r.header["Idempotency-Key"] = []string{key}
		d.corpus.keys = append(d.corpus.keys, key)
	}
	if d.chance(20) && (d.subject["version"] != nil || r.style != right) {
		r.header["If-Match"] = []string{`"` + short(d.subject["version"]) + `"`}
		if r.style != right && d.chance(60) {
			r.header["If-Match"] = []string{one(d, "*", `"0"`, `"1"`, `"999999"`, `W/"1"`, "1", `""`, `"1", "2"`, `"99999999999999999999"`, "", `"-1"`, `"1`)}
		}
	}
}

// drawBody draws a body by the schema of the operation.
func (w *worker) drawBody(r *request, spoiled bool) {
	d := w.drawer
	if !r.op.bodies {
		return
	}
	optional := r.op.component() == "Nothing" || len(d.schemas.resolve(r.op.body).required) == 0 && r.op.method == http.MethodPost
	if optional && d.chance(40) {
		return
	}
	r.members = d.schemas.resolve(r.op.body).names
	v := d.value("", r.op.body)
	if r.version != "" && r.version < "2026-06-01" && d.chance(90) {
		aged(v)
	}
	switch {
	case r.style == hostile:
		v = d.spoil(r.op.body, v, 1+d.IntN(4))
	case spoiled:
		v = d.spoil(r.op.body, v, 1)
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	text := string(encoded)
	media := "application/json"
	if r.style == hostile {
		if d.chance(15) {
			text = d.garble(text)
		}
		if d.chance(10) {
			media = one(d, "", "text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json", "application/json; charset=latin1", "application/json;;", "multipart/form-data", "*/*", "é")
		}
	}
	if text != "" { // else there is none
		r.body = &text
	}
	r.header["Content-Type"] = []string{media}
}

// aged gives a body the names that members had before 2026-06-01.
func aged(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			aged(item)
		}
	case object:
		if days, there := v["paymentTermsDays"]; there {
			delete(v, "paymentTermsDays")
			v["paymentTerms"] = nil
			if days != nil {
				v["paymentTerms"] = "NET_" + short(days)
			}
		}
		if list, ok := v["allocations"].([]any); ok {
			delete(v, "allocations")
			if len(list) > 0 {
				v["invoiceId"] = list[0].(object)["invoiceId"]
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			aged(v[name])
		}
	}
}
