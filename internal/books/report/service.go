package report

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// Service has the reports.
type Service struct {
	DB       *db.DB
	Invoices *invoice.Service
}

// Row is an account in a report, with its balance on the side that is usual in its section.
type Row struct {
	// AccountID and Code are empty for results, which are no account.
	AccountID string
	Code      string
	Name      string
	Amount    money.Amount
}

// Section is a part of a report.
type Section struct {
	Rows  []Row
	Total money.Amount
}

func (s *Section) add(r Row) {
	if r.Amount != 0 {
		s.Rows = append(s.Rows, r)
		s.Total += r.Amount
	}
}

// account adds what an account shows on the side on which it grows.
func (s *Section) account(sum ledger.Sum) {
	a := sum.Account
	s.add(Row{AccountID: a.ID, Code: a.Code, Name: a.Name, Amount: a.Normal(sum.Balance())})
}

// on gives a report its day, its currency and one state of the store. Without a day it is today where the business is.
func (s *Service) on(ctx context.Context, by record.Call, asOf *string, read func(tx *db.Tx, day string, currency money.Currency) error) error {
	var c fault.Check
	if asOf != nil {
		record.CheckDate(&c, "asOf", *asOf)
	}
	if err := c.Err(); err != nil {
		return err
	}
	return s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		f, err := ledger.FactsOf(ctx, tx, by.BusinessID)
		if err != nil {
			return err
		}
		day := f.DateAt(tx.Now())
		if asOf != nil {
			day = *asOf
		}
		return read(tx, day, f.Currency)
	})
}
