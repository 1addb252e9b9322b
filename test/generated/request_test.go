package generated_test

import (
	"encoding/json"
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
