package generated_test

import (
	"encoding/json"
	"slices"
)

// senses make members of a body go together, where a schema only says what each may be by itself.
var senses = map[string]func(d *drawer, o object){
	"NewInvoice":     senseInvoice,
	"InvoicePatch":   senseInvoicePatch,
	"NewInvoiceLine": senseLine,
	"ImportBody":     senseImport,
	"ImportRow":      senseRow,
	"NewPayment":     sensePayment,
	"AllocatingBody": senseAllocating,
	"RefundBody":     senseRefund,
	"NewEntry":       senseEntry,
	"EntryPatch":     senseEntryPatch,
	"NewAccount":     senseAccount,
	"NewCustomer":    senseParty,
	"NewSupplier":    senseParty,
	"NewAppValue":    senseValue,
}

// mostly leaves members out that are seldom right together with the others.
func (d *drawer) mostly(o object, absent ...string) {
	if d.chance(85) {
		for _, name := range absent {
			delete(o, name)
		}
	}
}

func senseInvoice(d *drawer, o object) {
	d.mostly(o, "currency", "exchangeRate")
	d.mostly(o, "expectedTotal")
	d.mostly(o, "dueDate")
	if o["lines"] == nil && (o["issue"] == true || d.chance(80)) {
		o["lines"] = []any{object{"description": "Work", "unitPrice": "10"}}
	}
}

func senseInvoicePatch(d *drawer, o object) {
	d.mostly(o, "currency", "exchangeRate")
	d.mostly(o, "expectedTotal")
	d.mostly(o, "customerId")
	if d.subject["status"] != "DRAFT" { // only these may change
		for _, name := range []string{"number", "issueDate", "taxMode", "taxRounding", "lines"} {
			d.mostly(o, name)
		}
	}
}

func senseLine(d *drawer, o object) {
	if o["discountPercent"] != nil {
		delete(o, "discountAmount")
	}
	if o["accountId"] != nil {
		if o["accountId"] = d.corpus.pick(d.Rand, "acc", has("type", "REVENUE")); o["accountId"] == "" {
			delete(o, "accountId")
		}
	}
}

func senseImport(d *drawer, o object) {
	if d.chance(70) {
		delete(o, "mode")
	}
}

func senseRow(d *drawer, o object) {
	senseInvoice(d, o)
	if d.chance(20) {
		o["externalId"] = "again-" + one(d, "a", "b", "c", "d") // which may be there
	}
	switch customer, ok := o["customer"].(object); {
	case ok && d.chance(70):
		customer["externalId"] = "shared-" + one(d, "a", "b", "c")
		delete(o, "customerId")
	default:
		delete(o, "customer")
		o["customerId"] = d.id("customerId")
	}
	if o["payment"] != nil {
		o["issue"] = true
		if o["lines"] == nil {
			o["lines"] = []any{object{"description": "Work", "unitPrice": "10"}}
		}
	}
}

func sensePayment(d *drawer, o object) {
	d.mostly(o, "currency", "exchangeRate")
	if o["kind"] == "DISBURSEMENT" {
		o["supplierId"] = d.id("supplierId")
		delete(o, "customerId")
		delete(o, "allocations")
		return
	}
	delete(o, "supplierId")
	o["customerId"] = d.id("customerId")
	delete(o, "allocations")
	if invoice := d.corpus.records[d.id("invoiceId")]; invoice != nil && d.chance(70) {
		o["customerId"] = invoice["customerId"]
		o["allocations"] = []any{object{"invoiceId": invoice["id"]}}
		if due := number64(invoice["amountDue"]); due > 1 && d.chance(60) {
			o["amount"] = one(d, due, 1+d.Int64N(due))
		}
		if invoice["currency"] != "EUR" {
			o["currency"], o["exchangeRate"] = invoice["currency"], "1.1"
		}
	}
}

// number64 is a number of an answer; 0 for anything else.
func number64(v any) int64 {
	n, _ := v.(json.Number)
	whole, _ := n.Int64()
	return whole
}

func senseAllocating(d *drawer, o object) {
	d.mostly(o, "date")
	invoice := d.corpus.pick(d.Rand, "inv", func(i object) bool {
		return i["customerId"] == d.subject["customerId"] && (i["status"] == "OPEN" || i["status"] == "PARTIALLY_PAID")
	})
	if invoice != "" {
		o["allocations"] = []any{object{"invoiceId": invoice}}
	}
}

func senseRefund(d *drawer, o object) {
	d.mostly(o, "exchangeRate")
	d.mostly(o, "bankAccountId")
	if d.chance(80) {
		o["amount"] = 1 + d.IntN(300)
	}
}

// largest is the largest amount there is.
const largest = 1<<53 - 1

// senseEntry makes debits and credits equal.
func senseEntry(d *drawer, o object) {
	count := 2 + d.IntN(3)
	var lines []any
	total := 0
	for i := range count - 1 {
		amount := 1 + d.IntN(20_000)
		if i == 0 && d.chance(2) {
			amount = largest - 100_000
		}
		total += amount
		lines = append(lines, object{"accountId": d.ordinaryAccount(), "debit": amount})
	}
	lines = append(lines, object{"accountId": d.ordinaryAccount(), "credit": total})
	if d.chance(50) {
		slices.Reverse(lines)
	}
	if d.chance(20) {
		lines[0].(object)["description"] = one(d, phrases...)
	}
	if d.chance(20) {
		lines[0].(object)[one(d, "customerId", "supplierId")] = d.id("customerId")
	}
	o["lines"] = lines
	if d.chance(35) {
		o["draft"] = true
	}
}

func senseEntryPatch(d *drawer, o object) {
	if o["lines"] != nil {
		senseEntry(d, o)
		delete(o, "draft")
	}
}

// ordinaryAccount is one that no subledger stands behind.
func (d *drawer) ordinaryAccount() string {
	id := d.corpus.pick(d.Rand, "acc", func(a object) bool {
		role, _ := a["systemRole"].(string)
		return a["status"] == "ACTIVE" && role == ""
	})
	if id == "" {
		return d.madeUp("acc")
	}
	return id
}

func senseAccount(d *drawer, o object) {
	d.mostly(o, "currency")
	if o["subtype"] != nil && d.chance(80) {
		o["type"], o["subtype"] = "ASSET", one(d, "BANK", "CASH", "CURRENT")
	}
}

// senseValue keeps a text on a record of its sort; the world has declared that field, see declareFields.
func senseValue(d *drawer, o object) {
	sort := one(d, sorts...)
	o["resourceType"], o["resourceId"], o["key"], o["value"] = sort.word, d.corpus.pick(d.Rand, sort.prefix, nil), "note", one(d, phrases...)
	if o["resourceId"] == "" || d.chance(5) {
		o["resourceId"] = d.madeUp(sort.prefix)
	}
	if d.chance(5) {
		o["value"] = one[any](d, 5, true, object{"amount": 1, "currency": "EUR"})
	}
}

func senseParty(d *drawer, o object) { d.mostly(o, "currency") }
