package sandbox

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// newInvoice makes an invoice in the business's own currency, without tax, so that it comes to what was asked for.
func (d *desk) newInvoice(ctx context.Context, change func(*invoice.New)) (invoice.Invoice, error) {
	customer, err := d.party(ctx, record.Customer)
	if err != nil {
		return invoice.Invoice{}, err
	}
	currency := d.facts.Currency.Code()
	n := invoice.New{CustomerID: customer, Currency: &currency, Lines: []invoice.NewLine{{
		Description: "Something to try", UnitPrice: money.Plain(d.usual(), d.facts.Currency), TaxRateID: record.Clearing[string](),
	}}}
	change(&n)
	return run(ctx, d, d.Invoices.Create(d.by, n))
}

// draft is the invoice that was named, or a new draft.
func (d *desk) draft(ctx context.Context) (invoice.Invoice, error) {
	if d.invoice != nil {
		return *d.invoice, nil
	}
	return d.newInvoice(ctx, func(*invoice.New) {})
}

// open is the invoice that was named, or a new one that was issued.
func (d *desk) open(ctx context.Context) (invoice.Invoice, error) {
	if d.invoice != nil {
		return *d.invoice, nil
	}
	return d.newInvoice(ctx, func(n *invoice.New) { n.Issue = true })
}

func createDraft(ctx context.Context, d *desk) (Record, error) {
	i, err := d.draft(ctx)
	return done(record.Invoice, i.ID, err)
}

func updateInvoice(ctx context.Context, d *desk) (Record, error) {
	i, err := d.draft(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.Update(d.by, i.ID, invoice.Patch{Reference: record.Setting("Trial " + d.mark())}, nil))
	}
	return done(record.Invoice, i.ID, err)
}

func issueInvoice(ctx context.Context, d *desk) (Record, error) {
	i, err := d.draft(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.Issue(d.by, i.ID, nil))
	}
	return done(record.Invoice, i.ID, err)
}

func sendInvoice(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.Send(d.by, i.ID, invoice.Sending{Channel: invoice.ByOtherMeans}, nil))
	}
	return done(record.Invoice, i.ID, err)
}

func voidInvoice(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.Void(d.by, i.ID, invoice.Voiding{}, nil))
	}
	return done(record.Invoice, i.ID, err)
}

func writeOff(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.WriteOff(d.by, i.ID, nil, nil))
	}
	return done(record.Invoice, i.ID, err)
}

func deleteDraft(ctx context.Context, d *desk) (Record, error) {
	i, err := d.draft(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Invoices.Delete(d.by, i.ID, nil))
	}
	return done(record.Invoice, i.ID, err)
}

// payHalf pays half of what is due, or with a named invoice the amount that was asked for.
func payHalf(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err != nil {
		return Record{}, err
	}
	amount := max(1, i.AmountDue/2)
	if given := d.want.Overrides.Amount; given != nil && d.invoice != nil {
		amount = *given
	}
	_, err = d.pay(ctx, i, amount)
	return done(record.Invoice, i.ID, err)
}

func payWhole(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err == nil {
		_, err = d.pay(ctx, i, i.AmountDue)
	}
	return done(record.Invoice, i.ID, err)
}

// reopenInvoice pays an invoice and takes the payment off it again.
func reopenInvoice(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err != nil {
		return Record{}, err
	}
	p, err := d.pay(ctx, i, i.AmountDue)
	if err == nil {
		_, err = run(ctx, d, d.Payments.Unallocate(d.by, p.ID, p.Allocations[0].ID, nil))
	}
	return done(record.Invoice, i.ID, err)
}

// pay records money for one invoice.
func (d *desk) pay(ctx context.Context, i invoice.Invoice, amount money.Amount) (payment.Payment, error) {
	n := payment.New{CustomerID: &i.CustomerID, Amount: amount, Currency: &i.Currency, Allocations: []payment.Wanted{{InvoiceID: i.ID}}}
	if i.ExchangeRate != nil {
		rate := i.ExchangeRate.String()
		n.ExchangeRate = &rate
	}
	return d.receipt(ctx, n)
}

// passDueDate issues an invoice that was due yesterday, and has the daily run look at the business.
func passDueDate(ctx context.Context, h *hand) (Record, error) {
	d, err := h.sitDown(ctx)
	if err != nil {
		return Record{}, err
	}
	worked, err := d.work(ctx, func(ctx context.Context, d *desk) (Record, error) {
		yesterday := record.AddDays(d.today(), -1)
		i, err := d.newInvoice(ctx, func(n *invoice.New) { n.IssueDate, n.DueDate, n.Issue = &yesterday, &yesterday, true })
		return done(record.Invoice, i.ID, err)
	})
	if err != nil {
		return Record{}, err
	}
	return worked, h.Invoices.NoteOverdueOf(ctx, h.by.BusinessID)
}
