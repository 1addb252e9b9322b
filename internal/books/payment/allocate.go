package payment

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Allocating is what a later allocation asks for.
type Allocating struct {
	Allocations []Wanted
	Date        *string // nil: today, or the payment's date where that is later
}

// Allocate applies the customer's credit of a payment to invoices.
func (s *Service) Allocate(by record.Call, paymentID string, a Allocating, seen *int) db.Step[Payment] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Payment, error) {
		return s.allocate(ctx, b, paymentID, a, seen)
	})
}

func (s *Service) allocate(ctx context.Context, b *ledger.Book, paymentID string, a Allocating, seen *int) (Payment, error) {
	var c fault.Check
	c.Require(len(a.Allocations) > 0, "allocations", "must name at least one invoice")
	wishes(a.Allocations).check(&c)
	if a.Date != nil {
		record.CheckDate(&c, "date", *a.Date)
	}
	if err := c.Err(); err != nil {
		return Payment{}, err
	}
	p, err := open(ctx, b, paymentID, seen)
	if err != nil {
		return Payment{}, err
	}
	if p.Kind != Receipt {
		return Payment{}, record.ErrState.With(p.Kind, "allocate")
	}
	date, err := p.dateOf(b, a.Date)
	if err != nil {
		return Payment{}, err
	}
	before := len(p.Allocations)
	invoices, err := s.plan(ctx, b, p, a.Allocations, date)
	if err != nil {
		return Payment{}, err
	}
	touch(b, p)
	made := p.Allocations[before:]
	for i := range made {
		b.Tell(event.PaymentAllocated, p.told(allocationTold(made[i])))
		if err := s.settle(ctx, b, p, invoices, made[i:i+1]); err != nil {
			return Payment{}, err
		}
	}
	if err := s.applyCredit(ctx, b, p, made); err != nil {
		return Payment{}, err
	}
	if err := insertAllocations(ctx, b.Tx, p, made); err != nil {
		return Payment{}, err
	}
	return *p, update(ctx, b.Tx, p)
}

// dateOf is when something is done with a payment: not before the payment itself.
func (p *Payment) dateOf(b *ledger.Book, given *string) (string, error) {
	date := max(b.Today(), p.Date)
	if given != nil {
		date = *given
	}
	if date < p.Date {
		return "", fault.InvalidFields("date must not be before the payment's: " + p.Date)
	}
	return date, b.Unlocked(date)
}

// applyCredit books what allocations made of credit: it goes down by what it carried, the receivable by what that carried.
func (s *Service) applyCredit(ctx context.Context, b *ledger.Book, p *Payment, made []Allocation) error {
	chart, err := b.Accounts(ctx, roles)
	if err != nil {
		return err
	}
	e := &entry{p: p, chart: chart}
	for _, a := range made {
		e.customerCredit(a.credit, a.Amount)
		e.receivable(-a.relief, -a.Amount)
	}
	return e.post(ctx, b, made[0].Date, "allocate:"+made[0].ID, "Payment allocated")
}

// Unallocate takes an allocation away: the invoice is due again, and the amount the customer's credit.
func (s *Service) Unallocate(by record.Call, paymentID, allocationID string, seen *int) db.Step[Payment] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Payment, error) {
		return s.unallocate(ctx, b, paymentID, allocationID, seen)
	})
}

func (s *Service) unallocate(ctx context.Context, b *ledger.Book, paymentID, allocationID string, seen *int) (Payment, error) {
	p, err := open(ctx, b, paymentID, seen)
	if err != nil {
		return Payment{}, err
	}
	i := slices.IndexFunc(p.Allocations, func(a Allocation) bool { return a.ID == allocationID })
	if i < 0 {
		return Payment{}, record.Missing("allocation")
	}
	a := p.Allocations[i]
	p.Allocations = slices.Delete(p.Allocations, i, i+1)
	p.Allocated -= a.Amount
	rest := p.credit()
	rest.giveBack(a.Amount, a.credit)
	p.setCredit(rest)
	touch(b, p)
	b.Tell(event.PaymentUnallocated, p.told(allocationTold(a)))
	if err := s.unsettle(ctx, b, p, []Allocation{a}); err != nil {
		return Payment{}, err
	}
	chart, err := b.Accounts(ctx, roles)
	if err != nil {
		return Payment{}, err
	}
	e := &entry{p: p, chart: chart}
	e.receivable(a.relief, a.Amount)
	e.customerCredit(-a.credit, -a.Amount)
	if err := e.post(ctx, b, b.Today(), "unallocate:"+a.ID, "Allocation removed"); err != nil {
		return Payment{}, err
	}
	if err := deleteAllocation(ctx, b.Tx, p.BusinessID, a.ID); err != nil {
		return Payment{}, err
	}
	return *p, update(ctx, b.Tx, p)
}
