package invoice

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Usage is how much of its plan a business has used in the present year.
type Usage struct {
	Plan          string
	Period        Period
	Currency      string
	Invoices      int64
	InvoiceLimit  *int64 // nil: none
	Turnover      money.Amount
	TurnoverLimit *money.Amount // nil: none
	TurnoverBasis string        // NET or GROSS of tax
}

// Usage tells how much of its plan a business has used.
func (s *Service) Usage(ctx context.Context, by record.Call) (Usage, error) {
	var usage Usage
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		f, err := ledger.FactsOf(ctx, tx, by.BusinessID)
		if err != nil {
			return err
		}
		year := s.year(f, f.DateAt(tx.Now()))
		u, err := findUsed(ctx, tx, by.BusinessID, year.First)
		most := s.ceilings(f)
		usage = Usage{
			Plan: f.Plan, Period: year, Currency: f.Currency.Code(), Invoices: u.invoices, InvoiceLimit: bounded(most.invoices, int64(money.Max)),
			Turnover: u.turnover, TurnoverLimit: bounded(most.turnover, money.Max), TurnoverBasis: s.plans().Basis,
		}
		return err
	})
	return usage, err
}

// bounded is a limit, nil where it stands for none.
func bounded[T comparable](limit, none T) *T {
	if limit == none {
		return nil
	}
	return &limit
}

// NoteRefusal tells, once per ceiling and year, that an invoice was refused because the plan allows no more. The refused
// creation left nothing behind, so whoever ran it hands its error to this, afterwards; any other error is passed over.
func (s *Service) NoteRefusal(ctx context.Context, by record.Call, refusal error) error {
	l := limitOf(refusal)
	if l == "" {
		return nil
	}
	var known bool
	err := s.DB.Read(ctx, func(tx *db.Tx) error { // most refusals are not the first
		f, err := ledger.FactsOf(ctx, tx, by.BusinessID)
		if err != nil {
			return err
		}
		u, err := findUsed(ctx, tx, by.BusinessID, s.year(f, f.DateAt(tx.Now())).First)
		known = l == countLimit && u.invoicesNoted != nil || l == turnoverLimit && u.turnoverNoted != nil
		return err
	})
	if err != nil || known {
		return err
	}
	_, err = db.Run(ctx, s.DB, ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		return struct{}{}, s.tellLimit(ctx, b, l)
	}))
	return err
}

// limit names a ceiling in events.
type limit string

const (
	countLimit    limit = "INVOICE_COUNT"
	turnoverLimit limit = "TURNOVER"
)

func limitOf(refusal error) limit {
	switch {
	case errors.Is(refusal, ErrPlanInvoices):
		return countLimit
	case errors.Is(refusal, ErrPlanTurnover):
		return turnoverLimit
	}
	return ""
}

func (s *Service) tellLimit(ctx context.Context, b *ledger.Book, l limit) error {
	year, most := s.year(b.Facts, b.Today()), s.ceilings(b.Facts)
	u, err := findUsed(ctx, b.Tx, b.BusinessID, year.First)
	if err != nil {
		return err
	}
	data := event.Data{"plan": b.Plan, "limit": l, "limitValue": most.invoices, "used": u.invoices, "periodEnd": year.Last}
	told, reached := u.invoicesNoted != nil, u.invoices >= most.invoices
	if l == turnoverLimit {
		data["limitValue"], data["used"] = most.turnover, u.turnover
		told, reached = u.turnoverNoted != nil, u.turnover >= most.turnover
	}
	if told || !reached { // another was quicker, or the plan has changed since
		return nil
	}
	if err := setNoted(ctx, b.Tx, b.BusinessID, year.First, l); err != nil {
		return err
	}
	b.Tell(event.PlanLimitReached, data)
	return nil
}
