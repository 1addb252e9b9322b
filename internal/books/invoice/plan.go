package invoice

import (
	"cmp"
	"context"
	"errors"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// Period is a year of a plan, from its first day to its last.
type Period struct{ First, Last string }

// year is the plan's year that a date lies in: that of the calendar, or one that begins with the day on which the plan
// began. (Who began on 29 February begins on 1 March in other years.)
func (s *Service) year(f ledger.Facts, date string) Period {
	if s.plans().Year != "ANNIVERSARY" {
		return Period{date[:4] + "-01-01", date[:4] + "-12-31"}
	}
	begin := f.PlanStart.In(f.Zone)
	day := func(years int) string { return begin.AddDate(years, 0, 0).Format(time.DateOnly) }
	n := 0
	for day(n+1) <= date {
		n++
	}
	for day(n) > date { // a clock that went back
		n--
	}
	return Period{day(n), record.AddDays(day(n+1), -1)}
}

// ceilings of a plan in the business's currency; Max where there is none.
type ceilings struct {
	invoices int64
	turnover money.Amount
}

// ceilings of a business. A plan that is no longer on offer has none.
func (s *Service) ceilings(f ledger.Facts) ceilings {
	c := ceilings{int64(money.Max), money.Max}
	plan, ok := s.plans().Find(f.Plan)
	if !ok {
		return c
	}
	c.invoices = int64(plan.InvoicesPerYear)
	if most, listed := plan.TurnoverPerYear[f.Currency.Code()]; listed {
		c.turnover = money.Amount(most)
	}
	return c
}

// refuse says which ceiling is reached, if one is.
func (c ceilings) refuse(f ledger.Facts, u used) error {
	switch {
	case u.invoices >= c.invoices:
		return ErrPlanInvoices.With(f.Plan, c.invoices)
	case u.turnover >= c.turnover:
		return ErrPlanTurnover.With(f.Plan, c.turnover, f.Currency.Code())
	}
	return nil
}

// used is how much of its plan a business has used in a year.
type used struct {
	invoices      int64
	turnover      money.Amount
	invoicesNoted *time.Time // when the refusal was first told
	turnoverNoted *time.Time
}

// turnover of an issued invoice, by the operator's choice before or with tax.
func (s *Service) turnover(i *Invoice) money.Amount {
	if s.plans().Basis == "GROSS" {
		return i.BaseTotal
	}
	return i.BaseNet
}

// count takes one more invoice, and its turnover if it is issued, out of what the plan allows, or refuses.
func (s *Service) count(ctx context.Context, b *ledger.Book, i *Invoice) error {
	most := s.ceilings(b.Facts)
	if b.Holding() {
		if err := s.refusal(ctx, b, most); err != nil {
			return err
		}
		return counting.Add(ctx, b, counted{i.planYear, s.turnover(i)})
	}
	done, err := raise(ctx, b.Tx, b.BusinessID, i.planYear, s.turnover(i), most)
	if err != nil || done {
		return err
	}
	return cmp.Or(s.refusal(ctx, b, most), errUncounted)
}

type usedRead struct{}

// counted is what an invoice takes out of its plan.
type counted struct {
	year     string
	turnover money.Amount
}

// counting adds up what invoices take. They are of one year, as they are of one instant.
var counting = &ledger.Later[string, counted]{Rank: ledger.RankCount, Write: func(ctx context.Context, b *ledger.Book, list []counted) error {
	var turnover money.Amount
	for _, c := range list {
		turnover += c.turnover
	}
	return addUsed(ctx, b.Tx, b.BusinessID, list[0].year, len(list), turnover)
}}

// errUncounted cannot be: whoever counts has the books to themselves.
var errUncounted = errors.New("an invoice was not counted although no ceiling is reached")

// Allowed refuses when no further invoice may be created.
func (s *Service) Allowed(ctx context.Context, b *ledger.Book) error {
	return s.refusal(ctx, b, s.ceilings(b.Facts))
}

func (s *Service) refusal(ctx context.Context, b *ledger.Book, most ceilings) error {
	year := s.year(b.Facts, b.Today()).First
	known := ledger.Recall[string, used](b, usedRead{})
	u, ok := known[year]
	if !ok {
		var err error
		if u, err = findUsed(ctx, b.Tx, b.BusinessID, year); err != nil {
			return err
		}
		known[year] = u
	}
	for _, c := range counting.Kept(b) {
		u.invoices++
		u.turnover += c.turnover
	}
	return most.refuse(b.Facts, u)
}

// countIssued adds the turnover of a draft that is issued. Issuing is never refused.
func (s *Service) countIssued(ctx context.Context, b *ledger.Book, i *Invoice) error {
	return addUsed(ctx, b.Tx, b.BusinessID, s.year(b.Facts, b.DateAt(*i.IssuedAt)).First, 0, s.turnover(i))
}

// giveBackTurnover of an invoice that is voided, to the year in which it was issued.
func (s *Service) giveBackTurnover(ctx context.Context, b *ledger.Book, i *Invoice) error {
	return addUsed(ctx, b.Tx, b.BusinessID, s.year(b.Facts, b.DateAt(*i.IssuedAt)).First, 0, -s.turnover(i))
}

// giveBackDraft that is deleted, to the year in which it counted.
func (s *Service) giveBackDraft(ctx context.Context, b *ledger.Book, i *Invoice) error {
	return addUsed(ctx, b.Tx, b.BusinessID, i.planYear, -1, 0)
}
