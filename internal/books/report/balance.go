package report

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// BalanceSheet is what a business has and owes at the end of a day.
type BalanceSheet struct {
	AsOf        string
	Currency    money.Currency
	Assets      Section
	Liabilities Section
	// Equity ends with the results that no entry has moved to an account yet.
	Equity Section
}

// The names of the rows that are no account.
const (
	ResultOfYear          = "Result of the year"
	ResultsOfEarlierYears = "Results of earlier years"
)

// BalanceSheet shows it at the end of a day; nil is today.
func (s *Service) BalanceSheet(ctx context.Context, by record.Call, asOf *string) (BalanceSheet, error) {
	var report BalanceSheet
	err := s.on(ctx, by, asOf, func(tx *db.Tx, day string, currency money.Currency) error {
		all, err := ledger.TrialBalance(ctx, tx, by.BusinessID, day)
		if err != nil {
			return err
		}
		year, err := ledger.Movements(ctx, tx, by.BusinessID, startOfYear(day), day)
		report = sheetOf(all, year)
		report.AsOf, report.Currency = day, currency
		return err
	})
	return report, err
}

// sheetOf assembles it from the sums of all days and those of the present year.
func sheetOf(all, year []ledger.Sum) BalanceSheet {
	b := BalanceSheet{Assets: Section{Rows: []Row{}}, Liabilities: Section{Rows: []Row{}}, Equity: Section{Rows: []Row{}}}
	for _, s := range all {
		switch s.Account.Type {
		case ledger.Asset:
			b.Assets.account(s)
		case ledger.Liability:
			b.Liabilities.account(s)
		case ledger.Equity:
			b.Equity.account(s)
		}
	}
	present := profitOf(year).NetProfit
	b.Equity.add(Row{Name: ResultsOfEarlierYears, Amount: profitOf(all).NetProfit - present})
	b.Equity.add(Row{Name: ResultOfYear, Amount: present})
	return b
}
