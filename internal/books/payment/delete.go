package payment

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Delete takes a payment away: its invoices are due again, and every entry it made gets its mirror, dated reversalDate or
// else as the payment.
func (s *Service) Delete(by record.Call, paymentID string, reversalDate *string, seen *int) db.Step[struct{}] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		return struct{}{}, s.delete(ctx, b, paymentID, reversalDate, seen)
	})
}

func (s *Service) delete(ctx context.Context, b *ledger.Book, paymentID string, reversalDate *string, seen *int) error {
	var c fault.Check
	if reversalDate != nil {
		record.CheckDate(&c, "reversalDate", *reversalDate)
	}
	if err := c.Err(); err != nil {
		return err
	}
	p, err := open(ctx, b, paymentID, seen)
	if err != nil {
		return err
	}
	if p.Refunded > 0 {
		return ErrRefunded
	}
	date := p.Date
	if reversalDate != nil {
		date = *reversalDate
	}
	if err := b.Unlocked(date); err != nil {
		return err
	}
	entries, err := b.EntriesOf(ctx, ledger.FromPayment, p.ID)
	if err != nil {
		return err
	}
	last, err := reverse(ctx, b, entries, date)
	if err != nil {
		return err
	}
	touch(b, p)
	b.Tell(event.PaymentDeleted, event.Data{
		"paymentId": p.ID, "kind": p.Kind, "amount": p.Amount, "currency": p.Currency, "invoiceIds": invoicesOf(p.Allocations), "journalEntryId": last,
		"version": p.Version,
	})
	if err := s.unsettle(ctx, b, p, p.Allocations); err != nil {
		return err
	}
	if p.RefundOf != nil {
		if err := giveBack(ctx, b, p, entries); err != nil {
			return err
		}
	}
	if err := record.ForgetExternalIDs(ctx, b.Tx, p.ID); err != nil {
		return err
	}
	b.Gone(p.ID)
	return remove(ctx, b.Tx, p.BusinessID, p.ID)
}

// reverse mirrors every entry that counts: neither one that has its mirror, nor a mirror. It returns the id of the last
// mirror; nil where there is none, since a payment may be too small to have a value in the base currency.
func reverse(ctx context.Context, b *ledger.Book, entries []ledger.Entry, date string) (last *string, err error) {
	memo := "Payment deleted"
	for _, e := range entries {
		if e.Status != ledger.Posted || e.ReversalOf != nil {
			continue
		}
		mirror, err := b.Reverse(ctx, e, date, "delete:"+e.Source.Action, &memo)
		if err != nil {
			return nil, err
		}
		last = &mirror.ID
	}
	return last, nil
}

// giveBack returns what a refund gave to the credit it came from, at the value that the refund's entry took from it.
func giveBack(ctx context.Context, b *ledger.Book, refund *Payment, entries []ledger.Entry) error {
	p, err := open(ctx, b, *refund.RefundOf, nil)
	if err != nil {
		return err
	}
	var value money.Amount
	for _, e := range entries {
		for _, l := range e.Lines {
			if l.CustomerID != nil && e.ReversalOf == nil { // the line of customer credit
				value += l.Debit - l.Credit
			}
		}
	}
	rest := p.credit()
	rest.giveBack(refund.Amount, value)
	p.setCredit(rest)
	p.Refunded -= refund.Amount
	touch(b, p)
	return update(ctx, b.Tx, p)
}
