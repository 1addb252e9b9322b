package ledger

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

// Sum is what was posted to an account in a period.
type Sum struct {
	Account Account
	Debit   money.Amount
	Credit  money.Amount
}

// Balance is debit − credit.
func (s Sum) Balance() money.Amount { return s.Debit - s.Credit }

// Normal turns debit − credit into the side on which the account grows.
func (a Account) Normal(balance money.Amount) money.Amount {
	if a.DebitNormal() {
		return balance
	}
	return -balance
}

// TrialBalance sums every account that was posted to, up to and including a date (empty: all there is), by code. One
// statement.
func TrialBalance(ctx context.Context, tx *db.Tx, businessID, asOf string) ([]Sum, error) {
	return sumAccounts(ctx, tx, businessID, nil, periodOf("", asOf))
}

// Movements sums every account that was posted to between two dates, both included, by code. One statement.
func Movements(ctx context.Context, tx *db.Tx, businessID, from, to string) ([]Sum, error) {
	return sumAccounts(ctx, tx, businessID, nil, periodOf(from, to))
}

// Balances gives the balances of accounts at the end of a date (empty: with everything posted), each on the side on which
// the account grows, in the base currency. Accounts without postings have none. One statement.
func (s *Service) Balances(ctx context.Context, by record.Call, accountIDs []string, asOf string) (map[string]money.Amount, error) {
	balances := map[string]money.Amount{}
	if len(accountIDs) == 0 {
		return balances, nil
	}
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		list, err := sumAccounts(ctx, tx, by.BusinessID, distinct(accountIDs), periodOf("", asOf))
		for _, s := range list {
			balances[s.Account.ID] = s.Account.Normal(s.Balance())
		}
		return err
	})
	return balances, err
}

// PartyBalance is what stands between a business and one customer or supplier, in the base currency. Each is above zero on
// the side on which it is usual.
type PartyBalance struct {
	Receivable         money.Amount // the customer owes it
	CustomerCredit     money.Amount // the customer has it to spare
	Payable            money.Amount // the supplier is owed it
	SupplierPrepayment money.Amount // the supplier was paid it in advance
}

// PartyBalances gives the balances of a page of customers and suppliers. One statement.
func PartyBalances(ctx context.Context, tx *db.Tx, businessID string, partyIDs []string) (map[string]PartyBalance, error) {
	balances := map[string]PartyBalance{}
	if len(partyIDs) == 0 {
		return balances, nil
	}
	list, err := listPartyBalances(ctx, tx, businessID, distinct(partyIDs))
	for _, row := range list {
		p := balances[row.party]
		switch row.role {
		case Receivable:
			p.Receivable = row.balance
		case CustomerCredit:
			p.CustomerCredit = -row.balance
		case Payable:
			p.Payable = -row.balance
		case SupplierPrepayment:
			p.SupplierPrepayment = row.balance
		}
		balances[row.party] = p
	}
	return balances, err
}

// PostedTo reports whether anything was ever posted to an account.
func PostedTo(ctx context.Context, tx *db.Tx, businessID, accountID string) (bool, error) {
	return hasLines(ctx, tx, businessID, accountID)
}

// UsedParty reports whether any line of a posted entry names that customer or supplier.
func UsedParty(ctx context.Context, tx *db.Tx, businessID, partyID string) (bool, error) {
	return partyHasLines(ctx, tx, businessID, partyID)
}

// period is a span of days as whole months, which are summed already, and the days before and after them. An empty range
// begins after its end.
type period struct {
	months, before, after span
}

// span is a range of dates or months, both ends included.
type span struct{ from, to string }

// The ends of time, as text: every date and month lies between.
const (
	dawn = "0"
	dusk = "9"
)

var nothing = span{dusk, dawn}

// periodOf splits the days between two dates; an empty date is the end of time.
func periodOf(from, to string) period {
	p := period{months: span{dawn, dusk}, before: nothing, after: nothing}
	if from != "" {
		p.months.from = monthOf(from)
		if day(from) != 1 {
			p.before = span{from, endOf(from)}
			p.months.from = monthOf(record.AddDays(endOf(from), 1))
		}
	}
	if to != "" {
		p.months.to = monthOf(to)
		if to != endOf(to) {
			p.after = span{startOf(to), to}
			p.months.to = monthOf(record.AddDays(startOf(to), -1))
		}
	}
	if from != "" && to != "" && p.months.from > p.months.to { // no whole month inside
		return period{months: nothing, before: span{from, to}, after: nothing}
	}
	return p
}

func monthOf(date string) string { return date[:len("2006-01")] }

func startOf(date string) string { return monthOf(date) + "-01" }

// endOf is the last day of the date's month.
func endOf(date string) string {
	t, err := time.Parse(time.DateOnly, startOf(date))
	if err != nil {
		return date
	}
	return t.AddDate(0, 1, -1).Format(time.DateOnly)
}

func day(date string) int {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0
	}
	return t.Day()
}
