package bulk

import (
	"context"
	"fmt"

	"daybook/internal/books/invoice"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// do creates what a row asks for, or finds that it is there.
func (w *work) do(ctx context.Context, i int) error {
	row, name, out := w.Rows[i], w.names[i], &w.outcomes[i]
	if out.Refusal != nil {
		return out.Refusal
	}
	if known, err := w.known(i); known || err != nil {
		return err
	}
	if row.Payment != nil && w.PaymentsRefusal != nil {
		return w.PaymentsRefusal
	}
	n := row.Invoice
	n.ExternalID, n.Origin = &name.invoice, invoice.ByImport
	if row.Customer != nil {
		var err error
		if n.CustomerID, err = w.customer(ctx, i); err != nil {
			return err
		}
	}
	made, err := w.Invoices.CreateIn(ctx, w.book, n)
	if err != nil {
		return err
	}
	if row.Payment != nil {
		if err := w.pay(ctx, *row.Payment, made); err != nil {
			return err
		}
	}
	w.made[name.invoice] = i
	out.Status, out.InvoiceID, out.Number, out.Total = Created, &made.ID, optional(made.Number), &made.Total
	if w.DryRun { // it will not be there, and the number of the series may become another's
		out.InvoiceID = nil
		if n.Number == nil {
			out.Number = nil
		}
	}
	return nil
}

// known reports whether there is an invoice by the row's name, and refuses the row if that is wanted.
func (w *work) known(i int) (bool, error) {
	out, name := &w.outcomes[i], w.names[i].invoice
	if there := w.there[name]; there != nil {
		if w.OnDuplicate == Fail {
			return true, record.ErrExternalID.With(there.ID)
		}
		out.Status, out.InvoiceID, out.Number, out.Total = Skipped, &there.ID, optional(there.Number), &there.Total
		return true, nil
	}
	first, repeated := w.made[name]
	if !repeated {
		return false, nil
	}
	of := w.outcomes[first]
	switch {
	case w.OnDuplicate == Skip:
		out.Status, out.InvoiceID, out.Number, out.Total = Skipped, of.InvoiceID, of.Number, of.Total
		return true, nil
	case w.DryRun || w.Mode == Atomic: // there will be no such invoice
		return true, record.ErrExternalID.With(fmt.Sprintf("invoices.%d", first))
	}
	return true, record.ErrExternalID.With(*of.InvoiceID)
}

// customer finds the customer of a row, or creates it.
func (w *work) customer(ctx context.Context, i int) (string, error) {
	name := w.names[i].customer
	if id, ok := w.customers[name]; ok {
		return id, nil
	}
	if w.CustomersRefusal != nil {
		return "", w.CustomersRefusal
	}
	made, err := w.Parties.CreateIn(ctx, w.book, record.Customer, *w.Rows[i].Customer)
	if err != nil {
		return "", under("customer", err)
	}
	w.customers[name], w.newcomer = made.ID, i
	return made.ID, nil
}

// pay records the payment of an invoice that was just issued.
func (w *work) pay(ctx context.Context, n payment.New, i invoice.Invoice) error {
	n.Kind, n.CustomerID, n.SupplierID, n.Allocations = payment.Receipt, &i.CustomerID, nil, []payment.Wanted{{InvoiceID: i.ID}}
	if n.Currency == nil {
		n.Currency = &i.Currency
	}
	_, err := w.Payments.CreateIn(ctx, w.book, n)
	return under("payment", err)
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
