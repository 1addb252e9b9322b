package bulk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// work is an import under way.
type work struct {
	*Service
	Request
	book     *ledger.Book
	names    []names
	outcomes []Outcome
	full     error // the plan's refusal: from there on every row is refused

	there     map[string]*invoice.Invoice // that the app had before, by its names for them
	made      map[string]int              // rows that were created, by the app's names for them
	customers map[string]string           // found or created: ids by the app's names for them
	newcomer  int                         // the last row that created one
}

// begin judges the rows by themselves, and finds everything that they name.
func (s *Service) begin(ctx context.Context, b *ledger.Book, r Request) (*work, error) {
	w := &work{
		Service: s, Request: r, book: b, names: make([]names, len(r.Rows)), outcomes: make([]Outcome, len(r.Rows)),
		there: map[string]*invoice.Invoice{}, made: map[string]int{}, newcomer: -1,
	}
	for i, row := range r.Rows {
		var err error
		w.names[i], err = row.check()
		w.outcomes[i] = Outcome{ExternalID: row.Invoice.ExternalID, Refusal: err}
		if name := w.names[i].invoice; name != "" && err == nil {
			w.outcomes[i].ExternalID = &name
		}
	}
	return w, w.find(ctx)
}

// find reads, once for all rows, what the app has by the names that the rows use, and their customers.
func (w *work) find(ctx context.Context) error {
	var invoices, customers, payments, ids []string
	for i, row := range w.Rows {
		if w.outcomes[i].Refusal != nil {
			continue
		}
		invoices = append(invoices, w.names[i].invoice)
		if row.Customer != nil {
			customers = append(customers, w.names[i].customer)
		} else {
			ids = append(ids, row.Invoice.CustomerID)
		}
		if row.Payment != nil && row.Payment.ExternalID != nil {
			payments = append(payments, text.Clean(*row.Payment.ExternalID))
		}
	}
	named, err := w.book.Named(ctx, record.Invoice, invoices...)
	if err != nil {
		return err
	}
	found, err := w.Invoices.Load(ctx, w.book, slices.Collect(maps.Values(named)))
	if err != nil {
		return err
	}
	for name, id := range named {
		w.there[name] = found[id]
	}
	if w.customers, err = w.book.Named(ctx, record.Customer, customers...); err != nil {
		return err
	}
	if _, err = w.book.Named(ctx, record.Payment, payments...); err != nil {
		return err
	}
	return w.Parties.Expect(ctx, w.book, record.Customer, append(ids, slices.Collect(maps.Values(w.customers))...))
}

// take does a row, and drops what a refused one was about to write.
func (w *work) take(ctx context.Context, i int) error {
	before := w.book.Mark()
	err := w.full
	if err == nil {
		err = w.do(ctx, i)
	}
	if err == nil || fault.KindOf(err) == fault.Internal {
		return err
	}
	w.book.Return(before)
	if w.newcomer == i {
		delete(w.customers, w.names[i].customer)
	}
	w.outcomes[i] = Outcome{ExternalID: w.outcomes[i].ExternalID, Status: Failed, Refusal: err}
	if errors.Is(err, invoice.ErrPlanInvoices) || errors.Is(err, invoice.ErrPlanTurnover) {
		w.full = err
	}
	return nil
}
