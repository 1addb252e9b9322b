package sandbox

import (
	"context"

	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// receipt records money from a customer, today, on the business's bank account.
func (d *desk) receipt(ctx context.Context, n payment.New) (payment.Payment, error) {
	bank, err := d.account(ctx, ledger.DefaultBank)
	if err != nil {
		return payment.Payment{}, err
	}
	n.Kind, n.Date, n.BankAccountID = payment.Receipt, d.today(), bank
	return run(ctx, d, d.Payments.Create(d.by, n))
}

// credit is the payment that was named, or a new one that settles nothing yet.
func (d *desk) credit(ctx context.Context) (payment.Payment, error) {
	if d.payment != nil {
		return *d.payment, nil
	}
	customer, err := d.party(ctx, record.Customer)
	if err != nil {
		return payment.Payment{}, err
	}
	return d.receipt(ctx, payment.New{CustomerID: &customer, Amount: d.usual()})
}

func receive(ctx context.Context, d *desk) (Record, error) {
	p, err := d.credit(ctx)
	return done(record.Payment, p.ID, err)
}

func disburse(ctx context.Context, d *desk) (Record, error) {
	supplier, err := d.party(ctx, record.Supplier)
	if err != nil {
		return Record{}, err
	}
	bank, err := d.account(ctx, ledger.DefaultBank)
	if err != nil {
		return Record{}, err
	}
	p, err := run(ctx, d, d.Payments.Create(d.by, payment.New{
		Kind: payment.Disbursement, Date: d.today(), Amount: d.usual(), BankAccountID: bank, SupplierID: &supplier,
	}))
	return done(record.Payment, p.ID, err)
}

// refund gives back what is left of a payment, or the amount that was asked for of a named one.
func refund(ctx context.Context, d *desk) (Record, error) {
	p, err := d.credit(ctx)
	if err != nil {
		return Record{}, err
	}
	amount := p.Unallocated
	if given := d.want.Overrides.Amount; given != nil {
		amount = *given
	}
	back, err := run(ctx, d, d.Payments.Refund(d.by, p.ID, payment.Refunding{Amount: amount, Date: d.today()}, nil))
	return done(record.Payment, back.ID, err)
}

func updatePayment(ctx context.Context, d *desk) (Record, error) {
	p, err := d.credit(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Payments.Update(d.by, p.ID, payment.Change{Reference: record.Setting("Trial " + d.mark())}, nil))
	}
	return done(record.Payment, p.ID, err)
}

// allocate receives money first and applies it to an invoice later.
func allocate(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err != nil {
		return Record{}, err
	}
	p, err := d.receipt(ctx, payment.New{CustomerID: &i.CustomerID, Amount: i.AmountDue, Currency: &i.Currency})
	if err == nil {
		_, err = run(ctx, d, d.Payments.Allocate(d.by, p.ID, payment.Allocating{Allocations: []payment.Wanted{{InvoiceID: i.ID}}}, nil))
	}
	return done(record.Payment, p.ID, err)
}

func unallocate(ctx context.Context, d *desk) (Record, error) {
	i, err := d.open(ctx)
	if err != nil {
		return Record{}, err
	}
	p, err := d.pay(ctx, i, i.AmountDue)
	if err == nil {
		_, err = run(ctx, d, d.Payments.Unallocate(d.by, p.ID, p.Allocations[0].ID, nil))
	}
	return done(record.Payment, p.ID, err)
}

func deletePayment(ctx context.Context, d *desk) (Record, error) {
	p, err := d.credit(ctx)
	if err == nil {
		_, err = run(ctx, d, d.Payments.Delete(d.by, p.ID, nil, nil))
	}
	return done(record.Payment, p.ID, err)
}
