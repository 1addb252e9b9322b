package report

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// TrialBalance is the balance of every account at the end of a day.
type TrialBalance struct {
	AsOf        string
	Currency    money.Currency
	Rows        []TrialRow // by code
	DebitTotal  money.Amount
	CreditTotal money.Amount
}

// TrialRow is an account; of debit and credit one is zero.
type TrialRow struct {
	AccountID string
	Code      string
	Name      string
	Type      ledger.AccountType
	Debit     money.Amount
	Credit    money.Amount
}

// TrialBalance shows it at the end of a day; nil is today.
func (s *Service) TrialBalance(ctx context.Context, by record.Call, asOf *string) (TrialBalance, error) {
	var report TrialBalance
	err := s.on(ctx, by, asOf, func(tx *db.Tx, day string, currency money.Currency) error {
		sums, err := ledger.TrialBalance(ctx, tx, by.BusinessID, day)
		report = trialOf(sums)
		report.AsOf, report.Currency = day, currency
		return err
	})
	return report, err
}

func trialOf(sums []ledger.Sum) TrialBalance {
	t := TrialBalance{Rows: []TrialRow{}}
	for _, s := range sums {
		row := TrialRow{AccountID: s.Account.ID, Code: s.Account.Code, Name: s.Account.Name, Type: s.Account.Type}
		switch balance := s.Balance(); {
		case balance == 0:
			continue
		case balance > 0:
			row.Debit = balance
		default:
			row.Credit = -balance
		}
		t.Rows = append(t.Rows, row)
		t.DebitTotal += row.Debit
		t.CreditTotal += row.Credit
	}
	return t
}
