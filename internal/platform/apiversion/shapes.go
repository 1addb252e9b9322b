package apiversion

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/base/fault"
)

// notMember is what is said of a member that the version does not have yet.
const notMember = "is not a member of this request"

// rename moves a member; one that is absent stays absent.
func rename(d Document, from, to string, turn func(any) any) {
	value, ok := d[from]
	if !ok {
		return
	}
	delete(d, from)
	d[to] = turn(value)
}

func same(v any) any { return v }

// Lists: {items, cursor} before 2025-10-01.

func downEnvelope(d Document) {
	rename(d, "data", "items", same)
	rename(d, "nextCursor", "cursor", same)
	delete(d, "hasMore")
}

// Payments: one invoiceId before 2026-06-01.

func upAllocations(c *fault.Check, path string, d Document) {
	if _, sent := d["allocations"]; sent {
		c.Add(path+"allocations", notMember)
		delete(d, "allocations")
	}
	invoice, sent := d["invoiceId"]
	if !sent {
		return
	}
	delete(d, "invoiceId")
	switch id := invoice.(type) {
	case nil:
		d["allocations"] = []any{}
	case string:
		d["allocations"] = []any{Document{"invoiceId": id}} // how much follows from the invoice and the payment
	default:
		c.Add(path+"invoiceId", "must be a string or null")
	}
}

func downAllocations(d Document) {
	list, had := d["allocations"].([]any)
	delete(d, "allocations")
	if _, own := d["invoiceId"]; own || !had { // payment.allocated names the invoice it is about
		return
	}
	d["invoiceId"] = nil
	if len(list) > 0 {
		if first, ok := list[0].(Document); ok {
			d["invoiceId"] = first["invoiceId"]
		}
	}
}

// Invoices: SENT for OPEN before 2026-06-01.

const (
	open = "OPEN"
	sent = "SENT"
)

func swap(d Document, member, from, to string) {
	if d[member] == from {
		d[member] = to
	}
}

func upStatus(_ *fault.Check, _ string, d Document) { swap(d, "status", sent, open) }

func downStatus(d Document) {
	swap(d, "status", open, sent)
	swap(d, "previousStatus", open, sent)
}

// oldStatuses are the words of the filter, in the older shape.
var oldStatuses = []string{"DRAFT", sent, "PARTIALLY_PAID", "PAID", "VOID", "UNCOLLECTIBLE"}

func upStatusFilter(c *fault.Check, params map[string][]string) {
	values := slices.Clone(params["status"])
	for i, value := range values {
		words := strings.Split(value, ",")
		for j, word := range words {
			if !slices.Contains(oldStatuses, word) {
				c.Add("status", "must be any of %s", strings.Join(oldStatuses, ", "))
				delete(params, "status")
				return
			}
			if word == sent {
				words[j] = open
			}
		}
		values[i] = strings.Join(words, ",")
	}
	if len(values) > 0 {
		params["status"] = values
	}
}

// Customers and suppliers: paymentTerms before 2026-06-01.

const (
	terms   = "paymentTerms"
	days    = "paymentTermsDays"
	net     = "NET_"
	maxDays = 365
)

func upTerms(c *fault.Check, path string, d Document) {
	if _, sent := d[days]; sent {
		c.Add(path+days, notMember)
		delete(d, days)
	}
	value, sent := d[terms]
	if !sent {
		return
	}
	delete(d, terms)
	if value == nil {
		d[days] = nil
		return
	}
	text, _ := value.(string)
	number, ok := strings.CutPrefix(text, net)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 0 || n > maxDays || number != strconv.Itoa(n) {
		c.Add(path+terms, "must be NET_ and a number of days from 0 to %d, such as NET_30, or null", maxDays)
		return
	}
	d[days] = json.Number(number)
}

func downTerms(d Document) {
	rename(d, days, terms, func(v any) any {
		if v == nil {
			return nil
		}
		return fmt.Sprint(net, v)
	})
}

// downChanges names the changed members as the older shape does.
func downChanges(d Document) {
	list, ok := d["changes"].([]any)
	if !ok {
		return
	}
	list = slices.Clone(list)
	for i, name := range list {
		if name == days {
			list[i] = terms
		}
	}
	d["changes"] = list
}

// upImport brings up the customers inside a bulk import.
func upImport(c *fault.Check, path string, d Document) {
	rows, ok := d["invoices"].([]any)
	if !ok {
		return
	}
	rows = slices.Clone(rows)
	for i, row := range rows {
		invoice, ok := row.(Document)
		if !ok {
			continue
		}
		customer, ok := invoice["customer"].(Document)
		if !ok {
			continue
		}
		customer = maps.Clone(customer)
		upTerms(c, fmt.Sprintf("%sinvoices.%d.customer.", path, i), customer)
		invoice = maps.Clone(invoice)
		invoice["customer"] = customer
		rows[i] = invoice
	}
	d["invoices"] = rows
}
