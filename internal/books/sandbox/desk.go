package sandbox

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// desk is a hand at work on the books, in one transaction: either all that leads to the event happens, or nothing.
type desk struct {
	*hand
	tx      *db.Tx
	facts   ledger.Facts
	someone map[record.Kind]string // a customer and a supplier who were there before, if any
	invoice *invoice.Invoice       // that was named
	payment *payment.Payment       // that was named
}

// atDesk is an act that writes to the books.
func atDesk(do func(ctx context.Context, d *desk) (Record, error), takes ...string) act {
	return act{takes, func(ctx context.Context, h *hand) (Record, error) {
		d, err := h.sitDown(ctx)
		if err != nil {
			return Record{}, err
		}
		return d.work(ctx, do)
	}}
}

// sitDown looks up what is there and was named.
func (h *hand) sitDown(ctx context.Context) (*desk, error) {
	d := &desk{hand: h, someone: map[record.Kind]string{}}
	for _, kind := range []record.Kind{record.Customer, record.Supplier} {
		page, err := h.Parties.List(ctx, h.by, kind, map[string][]string{"status": {"ACTIVE"}, "limit": {"1"}})
		if err != nil {
			return nil, err
		}
		for _, p := range page.Data {
			d.someone[kind] = p.ID
		}
	}
	if named := h.want.Overrides.InvoiceID; named != nil {
		i, err := h.Invoices.Get(ctx, h.by, *named)
		if err != nil {
			return nil, err
		}
		d.invoice = &i
	}
	if named := h.want.Overrides.PaymentID; named != nil {
		p, err := h.Payments.Get(ctx, h.by, *named)
		if err != nil {
			return nil, err
		}
		d.payment = &p
	}
	return d, nil
}

func (d *desk) work(ctx context.Context, do func(ctx context.Context, d *desk) (Record, error)) (worked Record, err error) {
	err = d.DB.Write(ctx, func(tx *db.Tx) (err error) {
		d.tx = tx
		if d.facts, err = ledger.FactsOf(ctx, tx, d.by.BusinessID); err != nil {
			return err
		}
		worked, err = do(ctx, d)
		return err
	})
	return worked, err
}

// run runs a verb of a feature.
func run[T any](ctx context.Context, d *desk, verb db.Step[T]) (T, error) { return verb(ctx, d.tx) }

// done is the record that a verb gave.
func done(kind record.Kind, id string, err error) (Record, error) {
	return Record{string(kind), id}, err
}

func (d *desk) today() string { return d.facts.DateAt(d.tx.Now()) }

// usual is what things cost, unless something else was asked for: a hundred in major units.
func (d *desk) usual() money.Amount {
	if given := d.want.Overrides.Amount; given != nil {
		return *given
	}
	amount := money.Amount(100)
	for range d.facts.Currency.Exponent() {
		amount *= 10
	}
	return amount
}

// party is whom documents are for: who was named, or anybody, or somebody new.
func (d *desk) party(ctx context.Context, kind record.Kind) (string, error) {
	if named := d.namedParty(kind); named != nil {
		return *named, nil
	}
	if known := d.someone[kind]; known != "" {
		return known, nil
	}
	p, err := d.newParty(ctx, kind)
	return p.ID, err
}

func (d *desk) namedParty(kind record.Kind) *string {
	if kind == record.Customer {
		return d.want.Overrides.CustomerID
	}
	return d.want.Overrides.SupplierID
}

func (d *desk) newParty(ctx context.Context, kind record.Kind) (party.Party, error) {
	return run(ctx, d, d.Parties.Create(d.by, kind, party.New{DisplayName: "Trial " + string(kind) + " " + d.mark()}))
}

// account finds the account of a role.
func (d *desk) account(ctx context.Context, role ledger.Role) (string, error) {
	book, err := d.Ledger.Open(ctx, d.tx, d.by)
	if err != nil {
		return "", err
	}
	chart, err := book.Accounts(ctx, []ledger.Role{role})
	return chart.Role(role).ID, err
}
