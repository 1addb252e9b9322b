package bulk

import (
	"context"
	"errors"
	"fmt"

	"daybook/internal/base/fault"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
)

// work is an import under way.
type work struct {
	*Service
	Request
	book     *ledger.Book
	names    []names
	outcomes []Outcome
	full     error // the plan's refusal: from there on every row is refused

	there     map[string]existing // invoices that the app had before, by its names for them
	made      map[string]int      // rows that were created, by the app's names for them
	repeats   map[int]int         // rows with the name of an earlier row
	customers map[string]customer // found or created, by the app's names for them

	begun   ledger.Book // as it was before the first row, for a dry run
	mark    mark
	touched bool // the present row may have written
}

// existing is an invoice that was there before the import.
type existing struct {
	id, number string
	total      amount
}

// customer is one that rows name.
type customer struct {
	id  string
	row int // that created it; before for none
}

const before = -1

// mark is a place to return to: all rows before it stay.
type mark struct {
	row   int
	book  ledger.Book
	clean bool // nothing was written since
}

// begin finds everything that the rows name, and sets the savepoint.
func (s *Service) begin(ctx context.Context, b *ledger.Book, r Request) (*work, error) {
	w := &work{
		Service: s, Request: r, book: b, names: make([]names, len(r.Rows)), outcomes: make([]Outcome, len(r.Rows)),
		made: map[string]int{}, repeats: map[int]int{},
	}
	for i, row := range r.Rows {
		var err error
		w.names[i], err = row.check()
		w.outcomes[i] = Outcome{ExternalID: row.Invoice.ExternalID, Refusal: err}
		if name := w.names[i].invoice; name != "" && err == nil {
			w.outcomes[i].ExternalID = &name
		}
	}
	if err := w.find(ctx); err != nil {
		return nil, err
	}
	w.begun = *b
	if r.DryRun {
		if err := savepoint(ctx, b.Tx, whole); err != nil {
			return nil, err
		}
	}
	w.mark = mark{row: 0, book: *b, clean: true}
	return w, savepoint(ctx, b.Tx, rows)
}

// find reads, once for all rows, which invoices and customers the app has by the names that the rows use.
func (w *work) find(ctx context.Context) (err error) {
	var invoices, customers []string
	for i, n := range w.names {
		if w.outcomes[i].Refusal != nil {
			continue
		}
		invoices = append(invoices, n.invoice)
		if n.customer != "" {
			customers = append(customers, n.customer)
		}
	}
	if w.there, err = findInvoices(ctx, w.book.Tx, w.book.Call, invoices); err != nil {
		return err
	}
	w.customers, err = findCustomers(ctx, w.book.Tx, w.book.Call, customers)
	return err
}

// take does a row, and undoes what a refused one has written.
func (w *work) take(ctx context.Context, i int) error {
	w.touched = false
	err := w.full
	if err == nil {
		err = w.do(ctx, i)
	}
	if err == nil {
		w.mark.clean = w.mark.clean && !w.touched
		return nil
	}
	if fault.KindOf(err) == fault.Internal {
		return err
	}
	w.outcomes[i] = Outcome{ExternalID: w.outcomes[i].ExternalID, Status: Failed, Refusal: err}
	if errors.Is(err, invoice.ErrPlanInvoices) || errors.Is(err, invoice.ErrPlanTurnover) {
		w.full = err
	}
	if !w.touched {
		return nil
	}
	return w.back(ctx, i)
}

// back returns to the mark, does the good rows since then again, and sets the mark behind the refused row.
func (w *work) back(ctx context.Context, refused int) error {
	tx := w.book.Tx
	if err := rollbackTo(ctx, tx, rows); err != nil {
		return err
	}
	*w.book = w.mark.book // with the rows go the numbers they had and what they told
	for name, c := range w.customers {
		if c.row >= w.mark.row {
			delete(w.customers, name)
		}
	}
	for i := w.mark.row; i < refused; i++ {
		if w.outcomes[i].Status != Created {
			continue
		}
		if err := w.do(ctx, i); err != nil {
			// Nobody else writes to these books, so what was good is good again.
			return fmt.Errorf("row %d was created and then refused: %v", i, err)
		}
	}
	if !w.mark.clean {
		if err := release(ctx, tx, rows); err != nil {
			return err
		}
		if err := savepoint(ctx, tx, rows); err != nil {
			return err
		}
	}
	w.mark = mark{row: refused + 1, book: *w.book, clean: true}
	return nil
}

// end lets the savepoint go, or for a dry run all that was written behind it.
func (w *work) end(ctx context.Context) error {
	if !w.DryRun {
		return release(ctx, w.book.Tx, rows)
	}
	*w.book = w.begun
	return rollbackTo(ctx, w.book.Tx, whole)
}
