package payment

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Create records a payment, and allocates it.
func (s *Service) Create(by record.Call, n New) db.Step[Payment] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Payment, error) { return s.CreateIn(ctx, b, n) })
}

// CreateIn is Create for a larger whole.
func (s *Service) CreateIn(ctx context.Context, b *ledger.Book, n New) (Payment, error) {
	n, err := n.check()
	if err != nil {
		return Payment{}, err
	}
	if err := b.Unlocked(n.Date); err != nil {
		return Payment{}, err
	}
	p := &Payment{
		ID: b.NewID(id.Payment), BusinessID: b.BusinessID, Kind: n.Kind, Date: n.Date, Amount: n.Amount, Method: BankTransfer, BankAccountID: n.BankAccountID,
		CustomerID: n.CustomerID, SupplierID: n.SupplierID, Reference: n.Reference, Memo: n.Memo, Allocations: []Allocation{}, ExternalID: n.ExternalID,
		MadeBy: b.Actor, ChangedBy: b.Actor, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}
	if n.Method != nil {
		p.Method = *n.Method
	}
	if err := s.judgeParty(ctx, b, p); err != nil {
		return Payment{}, err
	}
	chart, err := b.Accounts(ctx, roles, n.BankAccountID)
	if err != nil {
		return Payment{}, err
	}
	if err := p.price(b, chart, n.Currency, n.ExchangeRate); err != nil {
		return Payment{}, err
	}
	e := &entry{p: p, chart: chart}
	if p.Kind == Receipt {
		err = s.receive(ctx, b, e, n.Allocations)
	} else {
		err = s.disburse(ctx, b, e)
	}
	if err != nil {
		return Payment{}, err
	}
	err = p.name(ctx, b)
	return *p, err
}

// name keeps what the calling app calls a new payment.
func (p *Payment) name(ctx context.Context, b *ledger.Book) error {
	if p.ExternalID == nil {
		return nil
	}
	if b.Actor.AppID == "" { // only apps have names for records
		p.ExternalID = nil
		return nil
	}
	return b.Name(ctx, record.Payment, p.ID, p.ExternalID)
}

// roles of the accounts that payments are booked on.
var roles = []ledger.Role{ledger.Receivable, ledger.CustomerCredit, ledger.ExchangeDifference, ledger.Payable}

func (s *Service) judgeParty(ctx context.Context, b *ledger.Book, p *Payment) error {
	kind, partyID, path := record.Customer, p.CustomerID, "customerId"
	if p.Kind == Disbursement {
		kind, partyID, path = record.Supplier, p.SupplierID, "supplierId"
	}
	found, err := s.Parties.FindIn(ctx, b, kind, *partyID, path)
	if err != nil {
		return err
	}
	return found.Usable()
}

// price finds the payment's currency, rate and value, and judges its account by them.
func (p *Payment) price(b *ledger.Book, chart ledger.Chart, code, rate *string) error {
	bank, err := chart.Usable("bankAccountId", p.BankAccountID)
	if err != nil {
		return err
	}
	p.Currency = currencyOf(bank, b.Currency)
	if code != nil {
		p.Currency = *code
	}
	currency, err := money.ParseCurrency(p.Currency)
	if err != nil {
		return err
	}
	if err := fits("bankAccountId", bank, b.Currency, currency); err != nil {
		return err
	}
	if p.ExchangeRate, err = rateFor(currency, b.Currency, rate); err != nil {
		return err
	}
	p.baseAmount, err = valueOf(p.Amount, currency, b.Currency, p.ExchangeRate)
	return err
}

// receive books a customer's payment: what is allocated relieves the receivable, the rest is the customer's credit.
func (s *Service) receive(ctx context.Context, b *ledger.Book, e *entry, list wishes) error {
	p := e.p
	p.setCredit(credit{p.Amount, p.baseAmount})
	invoices, err := s.plan(ctx, b, p, list, p.Date)
	if err != nil {
		return err
	}
	b.Tell(event.PaymentReceived, p.told(event.Data{"method": p.Method}))
	if err := s.settle(ctx, b, p, invoices, p.Allocations); err != nil {
		return err
	}
	e.bank(p.baseAmount, p.Amount)
	for _, a := range p.Allocations {
		e.receivable(-a.relief, -a.Amount)
	}
	e.customerCredit(-p.baseCredit, -p.Unallocated)
	if err := e.post(ctx, b, p.Date, "receipt", "Payment received"); err != nil {
		return err
	}
	return recording.Add(ctx, b, p)
}

// recording writes new payments.
var recording = &ledger.Later[string, *Payment]{
	Rank: ledger.RankPayment,
	Write: func(ctx context.Context, b *ledger.Book, list []*Payment) error {
		if err := insert(ctx, b.Tx, list...); err != nil {
			return err
		}
		var rows []any
		for _, p := range list {
			rows = append(rows, allocationValues(p, p.Allocations)...)
		}
		return intoAllocations.Exec(ctx, b.Tx, rows)
	},
}

// disburse books a payment to a supplier.
func (s *Service) disburse(ctx context.Context, b *ledger.Book, e *entry) error {
	p := e.p
	b.Tell(event.PaymentMade, p.told(event.Data{"method": p.Method}))
	e.payable(p.baseAmount, p.Amount)
	e.bank(-p.baseAmount, -p.Amount)
	if err := e.post(ctx, b, p.Date, "disbursement", "Payment made"); err != nil {
		return err
	}
	return recording.Add(ctx, b, p)
}
