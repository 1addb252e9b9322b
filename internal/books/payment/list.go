package payment

import (
	"strings"

	"daybook/internal/base/id"
	"daybook/internal/books/record"
)

// Listing is how payments are listed.
var Listing = record.List{
	Kind: record.Payment, IDs: id.Payment,
	Sorts: []record.Sort{
		{Name: "date", Column: "r.date"},
		{Name: "amount", Column: "r.amount", Number: true},
		{Name: "createdAt", Column: "r.created_at", Number: true},
		{Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "kind", Column: "r.kind", Values: []string{string(Receipt), string(Disbursement), string(Refund)}},
		{Name: "customerId", Column: "r.customer_id"},
		{Name: "supplierId", Column: "r.supplier_id"},
		{Name: "invoiceId", Condition: settles},
		{Name: "bankAccountId", Column: "r.bank_account_id"},
		{Name: "method", Column: "r.method", Values: strings.Split(methodNames, ", ")},
		{Name: "currency", Column: "r.currency"},
		{Name: "dateFrom", Column: "r.date", Match: record.From, Form: record.Date},
		{Name: "dateTo", Column: "r.date", Match: record.To, Form: record.Date},
		{Name: "unallocated", Match: record.Flag, True: "r.unallocated > 0", False: "r.unallocated = 0"},
	},
}

// methodNames are the methods, for people.
var methodNames = func() string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}()
