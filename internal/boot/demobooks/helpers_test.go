package demobooks_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/boot"
	"daybook/internal/boot/fixture"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

// house opens a house at an instant.
func house(t *testing.T, database string, now time.Time, plans *business.Plans) *boot.House {
	t.Helper()
	h, err := boot.OpenHouse(ctx, boot.StoreConfig{
		Database: database, KeyFile: filepath.Join(t.TempDir(), "daybook.key"), Clock: clock.NewHand(now), Plans: plans, Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	t.Cleanup(h.Close)
	return h
}

// shops is a world of one owner's businesses, written as the members of an entry, with demo books.
func shops(entries ...string) string {
	var text strings.Builder
	text.WriteString("users: [{key: ada, email: ada@example.test, password: x}]\nbusinesses:\n")
	for i, e := range entries {
		fmt.Fprintf(&text, "  - {key: b%d, books: DEMO, members: [{user: ada, role: OWNER}], %s}\n", i, e)
	}
	return text.String()
}

func load(t *testing.T, h *boot.House, text string) fixture.Result {
	t.Helper()
	file, err := fixture.Parse([]byte(text))
	must(t, err)
	done, err := fixture.Load(ctx, h, file, func(string) {})
	must(t, err)
	return done
}

// books is everything that the features tell of one business.
type books struct {
	ledger.Facts
	by        record.Call
	today     string
	invoices  []invoice.Invoice
	payments  []payment.Payment
	customers []party.Party
	suppliers []party.Party
	entries   []ledger.Entry
	usage     invoice.Usage
	months    []month
	trial     []ledger.Sum
}

// month is what the journal says at the end of a month.
type month struct {
	start    string
	end      string
	sum      money.Amount // of all balances
	bank     money.Amount
	credit   money.Amount
	tax      money.Amount // on sales, not paid yet
	revenue  money.Amount // of this month
	expenses money.Amount
}

func read(t *testing.T, h *boot.House, businessID string) books {
	t.Helper()
	b := books{by: record.Call{BusinessID: businessID}}
	var err error
	b.Facts, err = h.Ledger.Facts(ctx, b.by)
	must(t, err)
	b.today = b.DateAt(h.Clock.Now())
	b.usage, err = h.Invoices.Usage(ctx, b.by)
	must(t, err)
	b.invoices = all(t, b.by, h.Invoices.List)
	b.payments = all(t, b.by, h.Payments.List)
	b.entries = all(t, b.by, h.Ledger.ListEntries)
	parties := func(kind record.Kind) []party.Party {
		return all(t, b.by, func(ctx context.Context, by record.Call, params map[string][]string) (record.Page[party.Party], error) {
			return h.Parties.List(ctx, by, kind, params)
		})
	}
	b.customers, b.suppliers = parties(record.Customer), parties(record.Supplier)
	b.today = min(b.today, "2199-12-31") // the last day that books have
	b.months = monthly(t, b, all(t, b.by, h.Ledger.ListAccounts))
	must(t, h.DB.Read(ctx, func(tx *db.Tx) (err error) {
		b.trial, err = ledger.TrialBalance(ctx, tx, businessID, b.today)
		return err
	}))
	return b
}

// all reads a list to its end.
func all[T any](t *testing.T, by record.Call, list func(context.Context, record.Call, map[string][]string) (record.Page[T], error)) []T {
	t.Helper()
	var data []T
	params := map[string][]string{"limit": {"100"}, "sort": {"createdAt"}}
	for {
		page, err := list(ctx, by, params)
		must(t, err)
		data = append(data, page.Data...)
		if page.Next == nil {
			return data
		}
		params["cursor"] = []string{*page.Next}
	}
}

func monthly(t *testing.T, b books, accounts []ledger.Account) (list []month) {
	t.Helper()
	of := map[string]ledger.Account{}
	for _, a := range accounts {
		of[a.ID] = a
	}
	now, err := time.Parse(time.DateOnly, b.today)
	must(t, err)
	for first := time.Date(now.Year()-1, now.Month(), 1, 0, 0, 0, 0, time.UTC); !first.After(now); first = first.AddDate(0, 1, 0) {
		m := month{start: first.Format(time.DateOnly), end: first.AddDate(0, 1, -1).Format(time.DateOnly)}
		for _, e := range b.entries {
			if e.Status == ledger.Draft || e.Date > m.end {
				continue
			}
			for _, l := range e.Lines {
				amount := l.Debit - l.Credit
				m.sum += amount
				switch a := of[l.AccountID]; {
				case a.Is(ledger.DefaultBank):
					m.bank += amount
				case a.Is(ledger.CustomerCredit):
					m.credit -= amount
				case a.Is(ledger.OutputTax):
					m.tax -= amount
				case a.Type == ledger.Revenue && e.Date >= m.start:
					m.revenue -= amount
				case a.Type == ledger.Expense && e.Date >= m.start:
					m.expenses += amount
				}
			}
		}
		list = append(list, m)
	}
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
