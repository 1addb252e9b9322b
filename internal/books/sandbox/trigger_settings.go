package sandbox

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/tenancy/business"
)

// longAgo is a day that nothing is booked on.
const longAgo = "2000-01-01"

func (d *desk) self(err error) (Record, error) { return Record{"business", d.by.BusinessID}, err }

// lockBooks locks one day more.
func lockBooks(ctx context.Context, d *desk) (Record, error) {
	date := longAgo
	if now := d.facts.LockDate; now != nil {
		date = record.AddDays(*now, 1)
	}
	_, err := run(ctx, d, d.Ledger.SetLockDate(d.by, &date))
	return d.self(err)
}

// unlockBooks opens one day, or, if none is locked, locks long ago and opens again.
func unlockBooks(ctx context.Context, d *desk) (Record, error) {
	now := d.facts.LockDate
	if now == nil {
		date := longAgo
		if _, err := run(ctx, d, d.Ledger.SetLockDate(d.by, &date)); err != nil {
			return Record{}, err
		}
		_, err := run(ctx, d, d.Ledger.SetLockDate(d.by, nil))
		return d.self(err)
	}
	date := record.AddDays(*now, -1)
	_, err := run(ctx, d, d.Ledger.SetLockDate(d.by, &date))
	return d.self(err)
}

// changeSettings gives the business a legal name, or takes it away.
func changeSettings(ctx context.Context, d *desk) (Record, error) {
	_, err := run(ctx, d, ledger.Do(d.Ledger, d.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		is, err := business.Find(ctx, b.Tx, b.BusinessID)
		if err != nil {
			return struct{}{}, err
		}
		edit := business.Edit[string]{Given: true}
		if is.LegalName == nil {
			edit.Value = &is.Name
		}
		is, changed, err := business.Update(ctx, b.Tx, b.BusinessID, business.Edits{LegalName: edit}, false, nil)
		tellUpdated(b, is, changed)
		return struct{}{}, err
	}))
	return d.self(err)
}

// reachCeiling puts what is used of the plan at its ceiling and has one more invoice refused. The ceiling stays reached, as it
// would be: PATCH of the sandbox's usage lifts it.
func reachCeiling(ctx context.Context, h *hand) (Record, error) {
	d, err := h.sitDown(ctx)
	if err != nil {
		return Record{}, err
	}
	var customer string
	if _, err := d.work(ctx, func(ctx context.Context, d *desk) (Record, error) {
		customer, err = d.party(ctx, record.Customer)
		return Record{}, err
	}); err != nil {
		return Record{}, err
	}
	fill := ledger.Do(h.Ledger, h.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		all := h.Invoices.Ceiling(b)
		return struct{}{}, h.Invoices.SetUsed(ctx, b, invoice.Used{Invoices: &all})
	})
	if _, err := db.Run(ctx, h.DB, fill); err != nil {
		return Record{}, err
	}
	_, err = db.Run(ctx, h.DB, h.Invoices.Create(h.by, invoice.New{CustomerID: customer}))
	if !errors.Is(err, invoice.ErrPlanInvoices) {
		if err == nil {
			err = errors.New("an invoice above the ceiling was not refused")
		}
		return Record{}, err
	}
	return Record{"business", h.by.BusinessID}, h.Invoices.NoteRefusal(ctx, h.by, err)
}
