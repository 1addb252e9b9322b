package invoice

import (
	"context"
	"fmt"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/platform/event"
)

// Load reads those invoices of the business that exist among the ids, for payments to settle, in one statement. Who settles
// one of them several times does it on the same pointer.
func (s *Service) Load(ctx context.Context, b *ledger.Book, ids []string) (map[string]*Invoice, error) {
	found := make(map[string]*Invoice, len(ids))
	var unread []string
	for _, id := range ids {
		if i, ok := inserting.Find(b, id); ok {
			found[id] = i
		} else {
			unread = append(unread, id)
		}
	}
	if len(unread) == 0 {
		return found, nil
	}
	list, err := findMany(ctx, b.Tx, b.Call, unread)
	for n := range list {
		found[list[n].ID] = &list[n]
	}
	return found, err
}

// Settle applies part of a payment to an invoice. relief is by how much the receivable is relieved, in the base currency:
// what the invoice still carries when it is paid in full, else the part that goes with the amount, but never more than it
// carries. The caller has judged the amount and books it.
func (s *Service) Settle(ctx context.Context, b *ledger.Book, i *Invoice, amount money.Amount, paymentID string) (relief money.Amount, err error) {
	if err := i.may(allocate); err != nil {
		return 0, err
	}
	if amount <= 0 || amount > i.AmountDue {
		return 0, fmt.Errorf("invoice %s cannot be settled by %d: %d is due", i.ID, amount, i.AmountDue)
	}
	if relief, err = i.relief(amount); err != nil {
		return 0, err
	}
	i.AmountPaid, i.AmountDue, i.BaseSettled = i.AmountPaid+amount, i.AmountDue-amount, i.BaseSettled+relief
	if err := i.do(allocate); err != nil {
		return 0, err
	}
	told, more := event.InvoicePartiallyPaid, event.Data{"paymentId": paymentID, "allocatedAmount": amount}
	if i.Status == Paid {
		now := b.Tx.Now()
		i.PaidAt = &now
		told, more = event.InvoicePaid, event.Data{"paymentId": paymentID, "paidAt": instant(i.PaidAt)}
	}
	i.touch(b)
	if !i.unwritten {
		if err := saveState(ctx, b.Tx, *i); err != nil {
			return 0, err
		}
	}
	b.Tell(told, i.told(more))
	return relief, nil
}

// relief of a payment that settles so much. Rounded parts may add up to more than the whole, hence the bound; what an
// invoice carries can be below zero, where its lines are of both signs and rounding meets a small total.
func (i *Invoice) relief(amount money.Amount) (money.Amount, error) {
	carried := i.BaseTotal - i.BaseSettled
	if amount == i.AmountDue {
		return carried, nil
	}
	part, err := money.Settle(amount, i.Total, i.BaseTotal)
	if err != nil {
		return 0, err
	}
	return max(min(part, max(carried, 0)), min(carried, 0)), nil
}

// Unsettle takes part of a payment off an invoice again, with the relief that it gave.
func (s *Service) Unsettle(ctx context.Context, b *ledger.Book, i *Invoice, amount, relief money.Amount, paymentID string) error {
	if err := i.may(unallocate); err != nil {
		return err
	}
	if amount <= 0 || amount > i.AmountPaid {
		return fmt.Errorf("invoice %s cannot give back %d: %d is paid", i.ID, amount, i.AmountPaid)
	}
	previous := i.Status
	i.AmountPaid, i.AmountDue, i.BaseSettled = i.AmountPaid-amount, i.AmountDue+amount, i.BaseSettled-relief
	if err := i.do(unallocate); err != nil {
		return err
	}
	i.PaidAt = nil
	i.touch(b)
	if err := saveState(ctx, b.Tx, *i); err != nil {
		return err
	}
	b.Tell(event.InvoiceReopened, i.told(event.Data{"previousStatus": previous, "paymentId": paymentID}))
	return nil
}
