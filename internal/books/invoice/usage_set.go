package invoice

import (
	"context"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
)

// Used is how much of its plan a business is said to have used in the present year; nil leaves what was counted.
type Used struct {
	Invoices *int64
	Turnover *money.Amount
}

// Check says what is wrong with it.
func (u Used) Check(c *fault.Check) {
	c.Require(u.Invoices == nil || *u.Invoices >= 0 && *u.Invoices <= int64(money.Max), "usage.invoices", "must be a whole number, 0 or more")
	c.Require(u.Turnover == nil || *u.Turnover >= 0 && u.Turnover.InRange(), "usage.turnover", "must be a whole number of minor units, 0 or more")
}

// SetUsed puts the counters of the present year where someone wants them who is trying a ceiling in a sandbox. No document is
// made or changed: the next one is counted from there, and the first refusal is told anew.
func (s *Service) SetUsed(ctx context.Context, b *ledger.Book, u Used) error {
	var c fault.Check
	if u.Check(&c); c.Err() != nil {
		return c.Err()
	}
	year := s.year(b.Facts, b.Today()).First
	if u.Invoices != nil {
		if err := setUsedInvoices(ctx, b.Tx, b.BusinessID, year, *u.Invoices); err != nil {
			return err
		}
	}
	if u.Turnover != nil {
		return setUsedTurnover(ctx, b.Tx, b.BusinessID, year, *u.Turnover)
	}
	return nil
}

// Ceiling is how many invoices the plan of a business allows in a year.
func (s *Service) Ceiling(b *ledger.Book) int64 { return s.ceilings(b.Facts).invoices }
