package invoice

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// lateOn is the condition for being overdue, as Invoice.late has it.
const lateOn = `(r.due_date < $today AND r.amount_due > 0 AND r.status IN ('OPEN', 'PARTIALLY_PAID'))`

// Listing is how invoices are listed.
var Listing = record.List{
	Kind: record.Invoice, IDs: id.Invoice,
	Sorts: []record.Sort{
		{Name: "issueDate", Column: "r.issue_date"},
		{Name: "dueDate", Column: "r.due_date"},
		{Name: "number", Column: "r.number"},
		{Name: "total", Column: "r.total", Number: true},
		{Name: "createdAt", Column: "r.created_at", Number: true},
		{Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "status", Column: "r.status", Values: words(statuses)},
		{Name: "customerId", Column: "r.customer_id"},
		{Name: "currency", Column: "r.currency"},
		{Name: "overdue", Match: record.Flag, True: lateOn, False: "NOT " + lateOn},
		{Name: "number", Column: "r.number"},
		{Name: "issueDateFrom", Column: "r.issue_date", Match: record.From, Form: record.Date},
		{Name: "issueDateTo", Column: "r.issue_date", Match: record.To, Form: record.Date},
		{Name: "dueDateFrom", Column: "r.due_date", Match: record.From, Form: record.Date},
		{Name: "dueDateTo", Column: "r.due_date", Match: record.To, Form: record.Date},
		{Name: "totalFrom", Column: "r.total", Match: record.From, Form: record.Amount},
		{Name: "totalTo", Column: "r.total", Match: record.To, Form: record.Amount},
	},
}

func words(list []Status) []string {
	var words []string
	for _, s := range list {
		words = append(words, string(s))
	}
	return words
}

// Get reads an invoice.
func (s *Service) Get(ctx context.Context, by record.Call, invoiceID string) (Invoice, error) {
	var i Invoice
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		i, err = find(ctx, tx, by, invoiceID)
		return err
	})
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.Invoice)
	}
	return i, err
}

// List reads a page of invoices.
func (s *Service) List(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Invoice], error) {
	return list(ctx, s, by, params, listed, scanner, func(i Invoice) string { return i.ID })
}

// list reads a page of invoices, as much of each as from selects. Only the filter overdue needs a look at the business's date
// first.
func list[T any](ctx context.Context, s *Service, by record.Call, params map[string][]string, from record.Source, scan func(time.Time) func(db.Scan) (T, error),
	idOf func(T) string) (record.Page[T], error) {
	var page record.Page[T]
	q, err := Listing.Parse(by.BusinessID, params)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		if len(params["overdue"]) > 0 {
			f, err := ledger.FactsOf(ctx, tx, by.BusinessID)
			if err != nil {
				return err
			}
			from.Today = f.DateAt(tx.Now())
		}
		page, err = record.Fetch(ctx, tx, by, q, from, scan(tx.Now()), idOf)
		return err
	})
	return page, err
}

// OpenItem is what an invoice still carries on the receivable account, in the base currency.
type OpenItem struct {
	InvoiceID  string
	CustomerID string
	DueDate    string
	Due        money.Amount
}

// Receivables lists what was still to be received at the end of a day: for every invoice issued on or before it, what it was
// booked at, less allocations, a write-off or its voiding dated on or before that day. An allocation that was removed since
// counts as if it had never been. From the day of the last posting on, the items add up to the receivable account.
func (s *Service) Receivables(ctx context.Context, tx *db.Tx, businessID, asOf string) ([]OpenItem, error) {
	return listReceivables(ctx, tx, businessID, asOf)
}
