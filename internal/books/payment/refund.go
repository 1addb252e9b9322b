package payment

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Refunding is what a refund asks for. What is absent is as with the payment it gives back.
type Refunding struct {
	Amount        money.Amount
	Date          string
	BankAccountID *string
	Method        *Method
	ExchangeRate  *string
	Reference     *string
	Memo          *string
	ExternalID    *string
}

func (r Refunding) check() (Refunding, error) {
	var c fault.Check
	checkAmount(&c, "amount", r.Amount)
	record.CheckDate(&c, "date", r.Date)
	checkMethod(&c, r.Method)
	checkRate(&c, r.ExchangeRate)
	c.Require(r.BankAccountID == nil || *r.BankAccountID != "", "bankAccountId", "must be the id of an account")
	r.Reference, r.Memo = checkReference(&c, r.Reference), checkMemo(&c, r.Memo)
	r.ExternalID = record.CheckExternalID(&c, r.ExternalID)
	return r, c.Err()
}

// Refund gives a customer's credit back. It returns the refund, a payment of its own.
func (s *Service) Refund(by record.Call, paymentID string, r Refunding, seen *int) db.Step[Payment] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Payment, error) {
		return s.refund(ctx, b, paymentID, r, seen)
	})
}

func (s *Service) refund(ctx context.Context, b *ledger.Book, paymentID string, r Refunding, seen *int) (Payment, error) {
	r, err := r.check()
	if err != nil {
		return Payment{}, err
	}
	p, err := open(ctx, b, paymentID, seen)
	if err != nil {
		return Payment{}, err
	}
	if p.Kind != Receipt {
		return Payment{}, record.ErrState.With(p.Kind, "refund")
	}
	if _, err := p.dateOf(b, &r.Date); err != nil {
		return Payment{}, err
	}
	if r.Amount > p.Unallocated {
		return Payment{}, tooMuch(p.Unallocated)
	}
	back := p.back(b, r)
	chart, err := b.Accounts(ctx, roles, back.BankAccountID)
	if err != nil {
		return Payment{}, err
	}
	if r.ExchangeRate == nil && p.ExchangeRate != nil {
		same := p.ExchangeRate.String()
		r.ExchangeRate = &same
	}
	if err := back.price(b, chart, &p.Currency, r.ExchangeRate); err != nil {
		return Payment{}, err
	}
	rest := p.credit()
	value, err := rest.take(r.Amount)
	if err != nil {
		return Payment{}, err
	}
	p.setCredit(rest)
	p.Refunded += r.Amount
	touch(b, p)
	b.Tell(event.PaymentRefunded, back.told(event.Data{"refundOfPaymentId": p.ID}))
	e := &entry{p: back, chart: chart}
	e.customerCredit(value, r.Amount)
	e.bank(-back.baseAmount, -r.Amount)
	if err := e.post(ctx, b, back.Date, "refund", "Payment refunded"); err != nil {
		return Payment{}, err
	}
	if err := insert(ctx, b.Tx, back); err != nil {
		return Payment{}, err
	}
	if err := update(ctx, b.Tx, p); err != nil {
		return Payment{}, err
	}
	err = back.name(ctx, b)
	return *back, err
}

func tooMuch(left money.Amount) error {
	var c fault.Check
	c.Add("amount", "must be at most %d, which is what is unallocated", left)
	return c.Err()
}

// back is the payment that gives part of another back.
func (p *Payment) back(b *ledger.Book, r Refunding) *Payment {
	back := &Payment{
		ID: b.NewID(id.Payment), BusinessID: b.BusinessID, Kind: Refund, Date: r.Date, Amount: r.Amount, Method: p.Method, BankAccountID: p.BankAccountID,
		CustomerID: p.CustomerID, Reference: r.Reference, Memo: r.Memo, RefundOf: &p.ID, Allocations: []Allocation{}, ExternalID: r.ExternalID,
		MadeBy: b.Actor, ChangedBy: b.Actor, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}
	if r.BankAccountID != nil {
		back.BankAccountID = *r.BankAccountID
	}
	if r.Method != nil {
		back.Method = *r.Method
	}
	return back
}
