package report_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/books/report"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

// world is a business far east, where it is already tomorrow, with all features of the books.
type world struct {
	*dbtest.Store
	t        *testing.T
	ledger   *ledger.Service
	parties  *party.Service
	invoices *invoice.Service
	payments *payment.Service
	reports  *report.Service
	by       record.Call
	accounts map[string]string // code → id
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t *testing.T, s *dbtest.Store) *world {
	t.Helper()
	w := &world{Store: s, t: t, accounts: map[string]string{}}
	w.ledger = &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
	taxes := &tax.Service{DB: s.DB, Ledger: w.ledger}
	w.parties = &party.Service{DB: s.DB, Ledger: w.ledger, Taxes: taxes}
	w.invoices = &invoice.Service{DB: s.DB, Ledger: w.ledger, Parties: w.parties, Taxes: taxes}
	w.payments = &payment.Service{DB: s.DB, Ledger: w.ledger, Parties: w.parties, Invoices: w.invoices}
	w.reports = &report.Service{DB: s.DB, Invoices: w.invoices}
	b, err := (&business.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, business.New{
		Name: "Shop", Country: "NZ", Currency: "NZD", TimeZone: "Pacific/Auckland", Plan: "SCALE",
	}, s.Person(t))
	must(t, err)
	must(t, s.Write(ctx, func(tx *db.Tx) error { return w.ledger.OpenBooks(ctx, tx, b.ID) }))
	w.by = record.Call{BusinessID: b.ID, Actor: event.Actor{Type: event.User, UserID: "usr_1"}}
	page, err := w.ledger.ListAccounts(ctx, w.by, nil)
	must(t, err)
	for _, a := range page.Data {
		w.accounts[a.Code] = a.ID
	}
	return w
}

// run does a step that must succeed.
func run[T any](w *world, step db.Step[T]) T {
	w.t.Helper()
	done, err := db.Run(ctx, w.DB, step)
	must(w.t, err)
	return done
}

// post books an amount from one account to another.
func (w *world) post(date, debit, credit string, amount money.Amount) {
	w.t.Helper()
	run(w, w.ledger.CreateEntry(w.by, ledger.NewEntry{Date: date, Lines: []ledger.NewLine{
		{AccountID: w.accounts[debit], Debit: amount}, {AccountID: w.accounts[credit], Credit: amount},
	}}))
}

func (w *world) customer() string {
	w.t.Helper()
	return run(w, w.parties.Create(w.by, record.Customer, party.New{DisplayName: "Ada"})).ID
}

// invoice issues one without tax, for a price in major units.
func (w *world) invoice(customerID, issued, due, price string) invoice.Invoice {
	w.t.Helper()
	return run(w, w.invoices.Create(w.by, invoice.New{
		CustomerID: customerID, IssueDate: &issued, DueDate: &due, Issue: true,
		Lines: []invoice.NewLine{{Description: "Work", UnitPrice: price, TaxRateID: record.Clearing[string]()}},
	}))
}

// pay receives money for an invoice.
func (w *world) pay(i invoice.Invoice, date string, amount money.Amount) {
	w.t.Helper()
	run(w, w.payments.Create(w.by, payment.New{
		Kind: payment.Receipt, Date: date, Amount: amount, BankAccountID: w.accounts["1000"], CustomerID: &i.CustomerID,
		Allocations: []payment.Wanted{{InvoiceID: i.ID}},
	}))
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// offences are the members that a validation failure names, in its order.
func offences(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid || f.Code != "" {
		return fmt.Sprintf("no validation failure: %v", err)
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}

// shown is a section as text.
func shown(s report.Section) string {
	var words []string
	for _, r := range s.Rows {
		name := r.Code
		if r.AccountID == "" {
			name = r.Name
		}
		words = append(words, fmt.Sprintf("%s %d", name, r.Amount))
	}
	return fmt.Sprintf("%s = %d", strings.Join(words, ", "), s.Total)
}
