package payment

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
)

// entry collects the lines of a posting for one payment. Amounts are signed: debits above zero, credits below.
type entry struct {
	p     *Payment
	chart ledger.Chart
	lines []ledger.Line
}

// line adds an amount in the base currency, and in the payment's.
func (e *entry) line(l ledger.Line, base, amount money.Amount) {
	if e.p.ExchangeRate != nil {
		l.Currency, l.ForeignAmount = &e.p.Currency, &amount
	}
	e.lines = append(e.lines, l.Amount(base))
}

func (e *entry) bank(base, amount money.Amount) {
	e.line(ledger.Line{AccountID: e.p.BankAccountID}, base, amount)
}

func (e *entry) receivable(base, amount money.Amount) {
	e.line(ledger.Line{AccountID: e.chart.Role(ledger.Receivable).ID, CustomerID: e.p.CustomerID}, base, amount)
}

func (e *entry) customerCredit(base, amount money.Amount) {
	e.line(ledger.Line{AccountID: e.chart.Role(ledger.CustomerCredit).ID, CustomerID: e.p.CustomerID}, base, amount)
}

func (e *entry) payable(base, amount money.Amount) {
	e.line(ledger.Line{AccountID: e.chart.Role(ledger.Payable).ID, SupplierID: e.p.SupplierID}, base, amount)
}

// post books the lines. In a foreign currency what they lack to balance is the difference of exchange; in the base currency
// there is none, and lines that do not balance are refused.
func (e *entry) post(ctx context.Context, b *ledger.Book, date, action, memo string) error {
	lines := e.lines
	if e.p.ExchangeRate != nil {
		var sum money.Amount
		for _, l := range lines {
			sum += l.Debit - l.Credit
		}
		lines = append(lines, ledger.Line{AccountID: e.chart.Role(ledger.ExchangeDifference).ID}.Amount(-sum))
	}
	posted, err := b.Post(ctx, ledger.Posting{
		Date: date, Memo: &memo, Source: ledger.Source{Type: ledger.FromPayment, ID: e.p.ID, Action: action}, Lines: lines,
	})
	if posted != nil {
		e.p.entries++
	}
	return tooLarge(err)
}
