package invoice

import (
	"context"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/tax"
)

// The actions that the journal knows of an invoice. With its id each is there once.
const (
	actionIssue    = "issue"
	actionVoid     = "void"
	actionWriteOff = "write_off"
)

// booking is what issuing an invoice books, in the base currency: the receivable against revenue and tax.
type booking struct {
	lines      []ledger.Line
	net, total money.Amount
}

// book works the booking out. Each account of revenue and each rate of tax is converted and rounded by itself, and the
// receivable is their sum; so the entry balances by construction. What comes to less than nothing is debited.
func (i *Invoice) book(base money.Currency, receivable ledger.Account, rates map[string]tax.Rate) (booking, error) {
	var k booking
	credit := func(accountID string, amount money.Amount) (money.Amount, error) {
		value, err := i.value(amount, base)
		if err != nil {
			return 0, err
		}
		k.lines = append(k.lines, i.line(ledger.Line{AccountID: accountID}, -value, -amount))
		k.total, err = k.total.Add(value)
		return value, err
	}
	revenue, err := i.revenue()
	if err != nil {
		return booking{}, tooLarge(err)
	}
	for _, r := range revenue {
		value, err := credit(r.accountID, r.amount)
		if err != nil {
			return booking{}, tooLarge(err)
		}
		k.net += value // k.total is in range, and so far it is the same
	}
	for _, t := range i.TaxSummary {
		if _, err := credit(rates[t.TaxRateID].AccountID, t.TaxAmount); err != nil {
			return booking{}, tooLarge(err)
		}
	}
	k.lines = append([]ledger.Line{i.line(ledger.Line{AccountID: receivable.ID, CustomerID: &i.CustomerID}, k.total, i.Total)}, k.lines...)
	return k, nil
}

type revenue struct {
	accountID string
	amount    money.Amount
}

// revenue is what the lines come to per account, in the order of first use.
func (i *Invoice) revenue() ([]revenue, error) {
	var list []revenue
	place := map[string]int{}
	for _, l := range i.Lines {
		at, seen := place[l.AccountID]
		if !seen {
			at = len(list)
			place[l.AccountID] = at
			list = append(list, revenue{accountID: l.AccountID})
		}
		var err error
		if list[at].amount, err = list[at].amount.Add(l.NetAmount); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// value of an amount in the base currency.
func (i *Invoice) value(amount money.Amount, base money.Currency) (money.Amount, error) {
	if i.ExchangeRate == nil {
		return amount, nil
	}
	currency, err := money.ParseCurrency(i.Currency)
	if err != nil {
		return 0, err
	}
	return money.Convert(amount, currency, base, *i.ExchangeRate)
}

// line gives a line of the journal its amounts, signed: debits above zero, credits below. In a foreign currency it says both.
func (i *Invoice) line(l ledger.Line, value, amount money.Amount) ledger.Line {
	if i.ExchangeRate != nil {
		l.Currency, l.ForeignAmount = &i.Currency, &amount
	}
	return l.Amount(value)
}

// post makes an entry of an invoice.
func (i *Invoice) post(ctx context.Context, b *ledger.Book, date, action, memo string, lines []ledger.Line) (*ledger.Entry, error) {
	memo += " " + i.Number
	return b.Post(ctx, ledger.Posting{
		Date: date, Memo: &memo, Source: ledger.Source{Type: ledger.FromInvoice, ID: i.ID, Action: action}, Lines: lines,
	})
}
