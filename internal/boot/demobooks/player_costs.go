package demobooks

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
)

// leg is a line of an entry: debits are above zero, credits below.
type leg struct {
	account  string // code
	amount   money.Amount
	supplier *role
}

func (p *player) debit(account string, amount cents) leg { return leg{account, p.worth(amount), nil} }

func (p *player) credit(account string, amount cents) leg {
	return leg{account, -p.worth(amount), nil}
}

// of names the supplier whom a leg concerns.
func (l leg) of(r role) leg {
	l.supplier = &r
	return l
}

// worth is an amount in the business's currency, at its size.
func (p *player) worth(amount cents) money.Amount {
	return worth(p.base, amount) * money.Amount(p.share) / 100
}

// entry posts legs. Amounts were rounded one by one: what is missing goes to the last leg.
func (p *player) entry(ctx context.Context, on day, memo string, legs ...leg) error {
	_, err := p.post(ctx, on, memo, legs...)
	return err
}

// post is entry, with what became of it: nil where the legs come to nothing. The Book's own verb is used instead of the
// journal's, which asks again about accounts and suppliers that were made a moment ago.
func (p *player) post(ctx context.Context, on day, memo string, legs ...leg) (*ledger.Entry, error) {
	b, err := p.open(ctx, p.by)
	if err != nil {
		return nil, err
	}
	posting := ledger.Posting{Date: on.String(), Memo: &memo, Source: ledger.Source{Type: ledger.FromManual, Action: "POST"}}
	for _, l := range balanced(legs) {
		line := ledger.Line{AccountID: p.accounts[l.account]}
		if l.supplier != nil {
			line.SupplierID = ptr(p.suppliers[*l.supplier])
		}
		posting.Lines = append(posting.Lines, line.Amount(l.amount))
	}
	return b.Post(ctx, posting)
}

func balanced(legs []leg) []leg {
	last := &legs[len(legs)-1]
	last.amount = 0
	for _, l := range legs[:len(legs)-1] {
		last.amount -= l.amount
	}
	return legs
}

// purchase books a supplier's bill, and returns what is owed.
func (p *player) purchase(ctx context.Context, on day, c cost, amount cents) (*ledger.Entry, money.Amount, error) {
	net := p.worth(amount)
	tax, err := p.rates.of(c.tax, net, money.Exclusive)
	if err != nil {
		return nil, 0, err
	}
	made, err := p.post(ctx, on, c.what, leg{c.account, net, nil}, leg{inputTax, tax.Tax, nil}, leg{payable, -net - tax.Tax, &c.from})
	return made, net + tax.Tax, err
}

// disburse pays a supplier.
func (p *player) disburse(ctx context.Context, on day, to role, amount money.Amount, debited bool) error {
	if amount == 0 {
		return nil
	}
	method := payment.BankTransfer
	if debited {
		method = payment.DirectDebit
	}
	_, err := p.pay(ctx, payment.New{
		Kind: payment.Disbursement, Date: on.String(), Amount: amount, SupplierID: ptr(p.suppliers[to]), BankAccountID: p.accounts[bank], Method: &method,
	})
	return err
}

// takings books what went over the counter.
func (p *player) takings(ctx context.Context, on day, memo string, t till, amount cents) error {
	gross := p.worth(amount)
	tax, err := p.rates.of(t.tax, gross, money.Inclusive)
	if err != nil {
		return err
	}
	return p.entry(ctx, on, memo, leg{bank, gross, nil}, leg{t.account, -tax.Net, nil}, leg{outputTax, -tax.Tax, nil})
}

// machine books the delivery of a machine on which a deposit was paid, and returns what is still owed.
func (p *player) machine(ctx context.Context, on day, m machine) (money.Amount, error) {
	net, deposit := p.worth(m.price), p.worth(m.deposit)
	tax, err := p.rates.of(standard, net, money.Exclusive)
	if err != nil {
		return 0, err
	}
	r := workshop
	owed := net + tax.Tax - deposit
	return owed, p.entry(ctx, on, m.name, leg{"1500", net, nil}, leg{inputTax, tax.Tax, nil}, leg{prepaid, -deposit, &r}, leg{payable, -owed, &r})
}

// taxReturn pays the tax of the quarter that ended.
func (p *player) taxReturn(ctx context.Context, on, end day) error {
	sums, err := ledger.TrialBalance(ctx, p.tx, p.by.BusinessID, end.String())
	if err != nil {
		return err
	}
	legs := []leg{}
	for _, s := range sums {
		if s.Account.Code == inputTax || s.Account.Code == outputTax {
			legs = append(legs, leg{s.Account.Code, -s.Balance(), nil})
		}
	}
	return p.entry(ctx, on, "Tax return up to "+end.String(), append(legs, leg{bank, 0, nil})...)
}

// mistake books a bill a second time, and takes that back when it is noticed.
func (p *player) mistake(ctx context.Context, on, noticed day, c cost) error {
	made, _, err := p.purchase(ctx, on, c, c.amount)
	if err != nil || made == nil {
		return err
	}
	_, err = do(ctx, p, p.books.Ledger.ReverseEntry(p.by, made.ID, ledger.Reversal{Date: ptr(noticed.String()), Memo: ptr("Was booked twice")}, nil))
	return err
}

// unfinished is an entry that somebody still has to look at.
func (p *player) unfinished(ctx context.Context, on day) error {
	amount := p.worth(18_500)
	if amount == 0 {
		return nil
	}
	_, err := do(ctx, p, p.books.Ledger.CreateEntry(p.by, ledger.NewEntry{
		Date: on.String(), Memo: ptr("Repair of the door: ask for the bill"), Draft: true, Lines: []ledger.NewLine{
			{AccountID: p.accounts["6500"], Debit: amount}, {AccountID: p.accounts[payable], Credit: amount, SupplierID: ptr(p.suppliers[workshop])},
		},
	}))
	return err
}
