package report

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
)

// AgedReceivables is what customers owed at the end of a day, by how long it was overdue.
type AgedReceivables struct {
	AsOf     string
	Currency money.Currency
	Rows     []AgedRow // by customer id
	Totals   Ages
}

// AgedRow is one customer.
type AgedRow struct {
	CustomerID string
	Ages
}

// Ages splits a sum by the days since it was due. An invoice is Current on the day on which it is due.
type Ages struct {
	Current    money.Amount
	Days1to30  money.Amount
	Days31to60 money.Amount
	Days61to90 money.Amount
	Over90     money.Amount
	Total      money.Amount
}

// AgedReceivables shows them at the end of a day; nil is today.
func (s *Service) AgedReceivables(ctx context.Context, by record.Call, asOf *string) (AgedReceivables, error) {
	var report AgedReceivables
	err := s.on(ctx, by, asOf, func(tx *db.Tx, day string, currency money.Currency) error {
		items, err := s.Invoices.Receivables(ctx, tx, by.BusinessID, day)
		report = agedOf(items, day)
		report.AsOf, report.Currency = day, currency
		return err
	})
	return report, err
}

// agedOf sorts items, which come customer by customer, by their age.
func agedOf(items []invoice.OpenItem, day string) AgedReceivables {
	report := AgedReceivables{Rows: []AgedRow{}}
	for _, item := range items {
		if n := len(report.Rows); n == 0 || report.Rows[n-1].CustomerID != item.CustomerID {
			report.Rows = append(report.Rows, AgedRow{CustomerID: item.CustomerID})
		}
		age := record.DaysBetween(item.DueDate, day)
		report.Rows[len(report.Rows)-1].add(age, item.Due)
		report.Totals.add(age, item.Due)
	}
	return report
}

func (a *Ages) add(days int, due money.Amount) {
	switch {
	case days <= 0:
		a.Current += due
	case days <= 30:
		a.Days1to30 += due
	case days <= 60:
		a.Days31to60 += due
	case days <= 90:
		a.Days61to90 += due
	default:
		a.Over90 += due
	}
	a.Total += due
}
