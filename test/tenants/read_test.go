package tenants_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
)

// list is a list, with the filters that take ids.
type list struct {
	path, scope, prefix string
	named               map[string]string // prefix of the ids that a filter takes
	filters             []string          // names of those, in order
	external            bool
	sorts               []string
}

var lists = []list{
	{"/customers", "customers:read", "cus", nil, nil, true, []string{"displayName", "updatedAt"}},
	{"/suppliers", "suppliers:read", "sup", nil, nil, true, []string{"displayName", "-createdAt"}},
	{"/invoices", "invoices:read", "inv", map[string]string{"customerId": "cus"}, []string{"customerId"}, true, []string{"number", "-total", "dueDate"}},
	{"/payments", "payments:read", "pay", map[string]string{"customerId": "cus", "supplierId": "sup", "invoiceId": "inv", "bankAccountId": "acc"},
		[]string{"customerId", "supplierId", "invoiceId", "bankAccountId"}, true, []string{"amount", "-date"}},
	{"/accounts", "accounts:read", "acc", nil, nil, true, []string{"code", "name"}},
	{"/journal-entries", "journal:read", "jrn", map[string]string{"accountId": "acc", "customerId": "cus", "supplierId": "sup", "sourceId": "inv"},
		[]string{"accountId", "customerId", "supplierId", "sourceId"}, true, []string{"number", "-date"}},
	{"/tax-rates", "taxes:read", "tax", nil, nil, false, []string{"updatedAt"}},
}

// reads draws a call that changes nothing.
func (w *worker) reads() *call {
	c := w.call("GET")
	switch n := w.IntN(100); {
	case n < 45:
		w.readOne(c)
	case n < 85:
		w.readList(c)
	case n < 90:
		c.path = "/accounts/" + w.id(c, "acc") + "/ledger"
		w.sits(c, "journal:read")
	case n < 92:
		c.path = "/invoices/" + w.id(c, "inv") + "/pdf"
		w.sits(c, "invoices:read")
	case n < 95:
		c.path = one(w, "/me", "/business")
	default:
		c.path = "/reports/" + one(w, "trial-balance", "profit-and-loss", "balance-sheet", "aged-receivables")
		w.sits(c, "reports:read")
	}
	return c
}

func (w *worker) readOne(c *call) {
	l := one(w, lists...)
	w.sits(c, l.scope)
	c.path = l.path + "/" + w.id(c, l.prefix)
	if w.chance(3) { // of another kind
		c.path = l.path + "/" + w.id(c, one(w, "cus", "inv", "pay", "jrn", "biz", "alc", "lin", "jln", "ins"))
	}
}

func (w *worker) readList(c *call) {
	l := one(w, lists...)
	w.sits(c, l.scope)
	c.path = l.path
	q := c.query
	if w.chance(60) {
		q.Set("limit", one(w, "1", "2", "5", "20"))
	}
	if w.chance(30) {
		q.Set("sort", one(w, l.sorts...))
	}
	switch n := w.IntN(100); {
	case n < 25:
		q.Set("ids", w.id(c, l.prefix)+","+w.id(c, l.prefix)+","+w.id(c, l.prefix))
	case n < 50 && len(l.filters) > 0:
		name := one(w, l.filters...)
		q.Set(name, w.id(c, l.named[name]))
		if name == "sourceId" && w.chance(50) {
			q.Set(name, w.id(c, "pay"))
		}
	case n < 60 && l.external:
		q.Set("externalId", w.name(c))
	case n < 66 && l.external && l.prefix != "acc" && l.prefix != "jrn" && l.prefix != "pay" && l.prefix != "inv":
		q.Set(one(w, "q", "email"), w.word(c))
	case n < 80:
		w.continues(c, l)
	}
}

// word is what to search for: what all names begin with, one's own canary, or another's.
func (w *worker) word(c *call) string {
	tenant := one(w, tenants...)
	word := one(w, "canary0", canary(tenant), canary(tenant)+"@example.test")
	if tenant != w.tenant && word != "canary0" {
		c.strangers = append(c.strangers, stranger{canary(tenant), "canary0" + "xxxxx"})
	}
	return word
}

// continues reads a list on with a cursor: one's own, another's, or one's own that was changed to begin behind another's
// record.
func (w *worker) continues(c *call, l list) {
	tenant := one(w, append([]string{w.tenant}, tenants...)...)
	known, ok := w.registry.drawCursor(w.Rand, tenant, l.path)
	if !ok {
		return
	}
	query, err := url.ParseQuery(known.query)
	must(w.t, err)
	c.query = query
	text := known.text
	switch {
	case tenant != w.tenant:
		c.strangers = append(c.strangers, stranger{text, w.forge(text, func(parts []any) { parts[2] = "AAAAAAAAAAAA" })})
	case w.chance(40):
		text = w.forge(text, func(parts []any) { parts[1] = w.id(c, l.prefix) })
		c.strangers = nil // inside of a cursor no twin finds it; the answer is scanned all the same
	}
	c.query.Set("cursor", text)
}

// forge changes a cursor.
func (w *worker) forge(text string, change func(parts []any)) string {
	var parts []any
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(decoded, &parts) != nil || len(parts) != 3 {
		w.t.Fatalf("a cursor has another form: %q", text)
	}
	change(parts)
	forged, err := json.Marshal(parts)
	must(w.t, err)
	return base64.RawURLEncoding.EncodeToString(forged)
}

// name is what an app calls a record: this one here, any one anywhere, or nobody.
func (w *worker) name(c *call) string {
	tenant := one(w, tenants...)
	switch name := w.registry.drawName(w.Rand, tenant); {
	case name == "" || w.chance(10):
		return fmt.Sprintf("shared-%d", w.IntN(neutral))
	case tenant == w.tenant && len(name) >= len(mark(c.seat.app, tenant)) && name[:len(mark(c.seat.app, tenant))] == mark(c.seat.app, tenant):
		return name
	default:
		c.strangers = append(c.strangers, stranger{name, "mark0nobody-" + name})
		return name
	}
}
