package tenants_test

import (
	"fmt"
	"net/url"
	"strings"
)

// How many names for records, and for requests, all tenants and apps use alike: they must not get in each other's way.
const (
	neutral     = 12
	neutralKeys = 30
)

// writes draws a call that would change something. Half of them name records of the tenant only, so that its books live.
func (w *worker) writes() *call {
	c := w.call("POST")
	w.tame = w.chance(50)
	defer func() { w.tame = false }()
	switch n := w.IntN(100); {
	case n < 40:
		w.creates(c)
	case n < 62:
		w.patches(c)
	case n < 72:
		w.deletes(c)
	default:
		w.acts(c)
	}
	if w.chance(40) {
		w.drawKey(c)
	}
	if w.chance(10) {
		c.seen = one(w, `"1"`, `"2"`, "*", `"77"`)
	}
	return c
}

// note is a text that gives the tenant away.
func (w *worker) note() string { w.count++; return fmt.Sprintf("%s %d", canary(w.tenant), w.count) }

// external is what the app calls a new record: a name that gives it away, or one that everybody uses.
func (w *worker) external(c *call) string {
	w.count++
	if w.chance(40) {
		return fmt.Sprintf("shared-%d", w.IntN(neutral))
	}
	name := fmt.Sprintf("%s-%d", mark(c.seat.app, w.tenant), w.count)
	w.registry.note(w.tenant, nil, name, "")
	return name
}

func (w *worker) creates(c *call) {
	c.path = one(w, "/customers", "/suppliers", "/accounts", "/invoices", "/invoices", "/invoices/preview", "/invoices/bulk-import", "/payments", "/journal-entries")
	w.sits(c, scopeOf(c.path))
	switch c.path {
	case "/customers":
		c.body = object{"displayName": w.note(), "notes": w.note(), "email": canary(w.tenant) + "@example.test", "externalId": w.external(c)}
		w.perhaps(c, "defaultTaxRateId", "tax")
	case "/suppliers":
		c.body = object{"displayName": w.note(), "address": object{"line1": w.note()}, "externalId": w.external(c)}
		w.perhaps(c, "defaultTaxRateId", "tax")
	case "/accounts":
		c.body = object{"code": fmt.Sprintf("C%d", w.IntN(1_000_000)), "name": w.note(), "type": "ASSET", "subtype": "CURRENT", "description": w.note(), "externalId": w.external(c)}
		w.perhaps(c, "defaultTaxRateId", "tax")
	case "/invoices":
		c.body = w.invoice(c)
		c.body["issue"], c.body["externalId"] = w.chance(70), w.external(c)
	case "/invoices/preview":
		c.body = w.invoice(c)
	case "/invoices/bulk-import":
		w.imports(c)
	case "/payments":
		w.pays(c)
	case "/journal-entries":
		c.body = object{"date": w.today, "memo": w.note(), "draft": w.chance(40), "lines": w.lines(c), "externalId": w.external(c)}
	}
}

// scopeOf is what it takes to create what a path is about.
func scopeOf(path string) string {
	if path == "/journal-entries" {
		return "journal:write"
	}
	return strings.Split(path, "/")[1] + ":write"
}

// perhaps names a record in a member.
func (w *worker) perhaps(c *call, member, prefix string) {
	if w.chance(40) {
		c.body[member] = w.id(c, prefix)
	}
}

func (w *worker) invoice(c *call) object {
	line := object{"description": w.note(), "unitPrice": "12.50", "itemCode": canary(w.tenant)}
	if w.chance(30) {
		line["taxRateId"] = w.id(c, "tax")
	}
	if !w.tame && w.chance(30) {
		line["accountId"] = w.id(c, "acc")
	}
	return object{"customerId": w.id(c, "cus"), "reference": w.note(), "notes": w.note(), "lines": []any{line}}
}

func (w *worker) imports(c *call) {
	row := w.invoice(c)
	row["externalId"], row["issue"] = w.external(c), true
	if w.chance(40) {
		delete(row, "customerId")
		row["customer"] = object{"displayName": w.note(), "externalId": fmt.Sprintf("shared-%d", w.IntN(neutral))}
	}
	if w.chance(40) {
		bank := w.bank
		if !w.tame {
			bank = w.id(c, "acc")
		}
		row["payment"] = object{"date": w.today, "amount": 500, "bankAccountId": bank, "memo": w.note()}
	}
	c.body = object{"mode": one(w, "PARTIAL", "ATOMIC"), "onDuplicate": one(w, "SKIP", "FAIL"), "invoices": []any{row}}
}

func (w *worker) pays(c *call) {
	bank := w.bank
	if !w.tame && w.chance(40) {
		bank = w.id(c, "acc")
	}
	c.body = object{"kind": "RECEIPT", "date": w.today, "amount": 700, "bankAccountId": bank, "memo": w.note(), "reference": w.note(), "externalId": w.external(c)}
	switch invoice := w.owed(); {
	case w.chance(20):
		c.body["kind"], c.body["supplierId"] = "DISBURSEMENT", w.id(c, "sup")
	case invoice == nil || !w.tame && w.chance(50):
		c.body["customerId"] = w.id(c, "cus")
		c.body["allocations"] = []any{object{"invoiceId": w.id(c, "inv")}}
	default:
		c.body["customerId"], c.body["allocations"] = invoice["customerId"], []any{object{"invoiceId": invoice["id"]}}
		if !w.tame {
			c.body["allocations"] = append(c.body["allocations"].([]any), object{"invoiceId": w.id(c, "inv"), "amount": 1})
		}
	}
}

// lines of an entry that balances.
func (w *worker) lines(c *call) []any {
	debit, credit := object{"accountId": w.till, "debit": 100, "description": w.note()}, object{"accountId": w.bank, "credit": 100}
	if !w.tame {
		switch w.IntN(3) {
		case 0:
			debit["accountId"] = w.id(c, "acc")
		case 1:
			debit["customerId"] = w.id(c, "cus")
		default:
			credit["supplierId"] = w.id(c, "sup")
		}
	}
	return []any{debit, credit}
}

// kind is a sort of record that can be changed.
type kind struct{ path, scope, prefix, text, reference, referenced string }

var kindsOfRecords = []kind{
	{"/customers", "customers:write", "cus", "notes", "defaultTaxRateId", "tax"},
	{"/suppliers", "suppliers:write", "sup", "notes", "defaultTaxRateId", "tax"},
	{"/invoices", "invoices:write", "inv", "notes", "customerId", "cus"},
	{"/payments", "payments:write", "pay", "memo", "", ""},
	{"/accounts", "accounts:write", "acc", "description", "defaultTaxRateId", "tax"},
	{"/journal-entries", "journal:write", "jrn", "memo", "", ""},
}

func (w *worker) patches(c *call) {
	k := one(w, kindsOfRecords...)
	w.sits(c, k.scope)
	c.method, c.path, c.body = "PATCH", k.path+"/"+w.id(c, k.prefix), object{k.text: w.note()}
	switch {
	case k.reference != "" && w.chance(40):
		c.body = object{k.reference: w.id(c, k.referenced)}
	case k.prefix == "jrn" && w.chance(30):
		c.body["lines"] = w.lines(c)
	case k.prefix == "inv" && w.chance(30):
		c.body["lines"] = w.invoice(c)["lines"]
	case w.chance(30):
		c.body = object{"externalId": w.external(c)}
	}
}

func (w *worker) deletes(c *call) {
	k := one(w, kindsOfRecords...)
	w.sits(c, k.scope)
	c.method, c.path = "DELETE", k.path+"/"+w.id(c, k.prefix)
	if k.prefix == "pay" && w.chance(50) {
		c.path += "/allocations/" + w.id(c, "alc")
	}
	if w.tame && k.prefix == "acc" { // the books need them
		c.path = k.path + "/" + madeUp(w.Rand, "acc")
	}
}

// acts does something with a record.
func (w *worker) acts(c *call) {
	act := func(path, scope, prefix string, body object) {
		w.sits(c, scope)
		c.path, c.body = fmt.Sprintf(path, w.id(c, prefix)), body
	}
	switch w.IntN(14) {
	case 0:
		act("/invoices/%s/issue", "invoices:write", "inv", nil)
	case 1:
		act("/invoices/%s/send", "invoices:write", "inv", object{"channel": "EXTERNAL"})
	case 2:
		act("/invoices/%s/void", "invoices:write", "inv", object{"reason": w.note()})
	case 3:
		act("/invoices/%s/write-off", "invoices:write", "inv", nil)
	case 4:
		act("/customers/%s/archive", "customers:write", "cus", nil)
	case 5, 6:
		act("/customers/%s/restore", "customers:write", "cus", nil)
	case 7:
		act("/suppliers/%s/archive", "suppliers:write", "sup", nil)
	case 8:
		act("/suppliers/%s/restore", "suppliers:write", "sup", nil)
	case 9:
		act("/journal-entries/%s/post", "journal:write", "jrn", nil)
	case 10:
		act("/journal-entries/%s/reverse", "journal:write", "jrn", object{"memo": w.note()})
	case 11:
		act("/payments/%s/refund", "payments:write", "pay", object{"amount": 1, "date": w.today, "memo": w.note()})
		if !w.tame && w.chance(50) {
			c.body["bankAccountId"] = w.id(c, "acc")
		}
	case 12:
		act("/accounts/%s/restore", "accounts:write", "acc", nil)
	default:
		act("/payments/%s/allocations", "payments:write", "pay", nil)
		c.body = object{"allocations": []any{object{"invoiceId": w.id(c, "inv")}}}
	}
}

// drawKey names the request: anew, by a name that somebody used before, or by one that everybody uses for the same request.
func (w *worker) drawKey(c *call) {
	w.count++
	switch n := w.IntN(10); {
	case n < 4:
		c.key = fmt.Sprintf("key-%s-%s-%d", w.tenant, c.seat.app, w.count)
	case n < 7:
		c.key = w.registry.drawKey(w.Rand)
	default:
		number := w.IntN(neutralKeys)
		*c = call{
			seat: c.seat, method: "POST", path: []string{"/customers", "/suppliers"}[number%2], query: url.Values{}, body: object{"displayName": fmt.Sprintf("Neutral %d", number)},
			key: fmt.Sprintf("neutral-%d", number),
		}
		w.sits(c, scopeOf(c.path))
	}
	if c.key != "" {
		w.registry.note(w.tenant, nil, "", c.key)
	}
}
