package report

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// ProfitAndLoss is what was earned and spent in a period, both days included.
type ProfitAndLoss struct {
	From, To  string
	Currency  money.Currency
	Revenue   Section
	Expenses  Section
	NetProfit money.Amount
}

// Period is the days a report is about. Without To it ends today, without From it begins with To's year.
type Period struct {
	From, To *string
}

// ProfitAndLoss shows it for a period.
func (s *Service) ProfitAndLoss(ctx context.Context, by record.Call, p Period) (ProfitAndLoss, error) {
	var c fault.Check
	if p.From != nil {
		record.CheckDate(&c, "from", *p.From)
	}
	if p.To != nil {
		record.CheckDate(&c, "to", *p.To)
	}
	if err := c.Err(); err != nil {
		return ProfitAndLoss{}, err
	}
	var report ProfitAndLoss
	err := s.on(ctx, by, p.To, func(tx *db.Tx, to string, currency money.Currency) error {
		from := startOfYear(to)
		if p.From != nil {
			from = *p.From
		}
		c := fault.Check{}
		c.Require(from <= to, "from", "must not be after to, which is %s", to)
		if err := c.Err(); err != nil {
			return err
		}
		sums, err := ledger.Movements(ctx, tx, by.BusinessID, from, to)
		report = profitOf(sums)
		report.From, report.To, report.Currency = from, to, currency
		return err
	})
	return report, err
}

// profitOf takes revenue and expenses from sums; other accounts are passed over.
func profitOf(sums []ledger.Sum) ProfitAndLoss {
	p := ProfitAndLoss{Revenue: Section{Rows: []Row{}}, Expenses: Section{Rows: []Row{}}}
	for _, s := range sums {
		switch s.Account.Type {
		case ledger.Revenue:
			p.Revenue.account(s)
		case ledger.Expense:
			p.Expenses.account(s)
		}
	}
	p.NetProfit = p.Revenue.Total - p.Expenses.Total
	return p
}

// startOfYear is the first day of a date's fiscal year: the calendar year.
func startOfYear(date string) string { return date[:len("2006")] + "-01-01" }
