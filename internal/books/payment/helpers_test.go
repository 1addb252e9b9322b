package payment_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

// today is the date of a test's clock.
const today = "2026-11-14"

// house is a store with all features of the books on it.
type house struct {
	*dbtest.Store
	payments   *payment.Service
	invoices   *invoice.Service
	parties    *party.Service
	ledger     *ledger.Service
	businesses *business.Service
	owner      string
}

func newHouse(t dbtest.T, s *dbtest.Store) *house {
	t.Helper()
	h := &house{Store: s, owner: s.Person(t), businesses: &business.Service{DB: s.DB, IDs: s.IDs}}
	h.ledger = &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
	taxes := &tax.Service{DB: s.DB, Ledger: h.ledger}
	h.parties = &party.Service{DB: s.DB, Ledger: h.ledger, Taxes: taxes}
	h.invoices = &invoice.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Taxes: taxes}
	h.payments = &payment.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Invoices: h.invoices}
	return h
}

// world is a business with books, worked on by an app.
type world struct {
	*house
	by       record.Call
	accounts map[string]string // code → id
}

// shop opens a business with that base currency.
func (h *house) shop(t dbtest.T, currency string) *world {
	t.Helper()
	b, err := h.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: currency, TimeZone: "UTC", Plan: "SCALE"}, h.owner)
	must(t, err)
	must(t, h.Write(ctx, func(tx *db.Tx) error { return h.ledger.OpenBooks(ctx, tx, b.ID) }))
	w := &world{house: h, accounts: map[string]string{}}
	w.by = record.Call{BusinessID: b.ID, Actor: event.Actor{Type: event.App, AppID: "app_1", UserID: h.owner}}
	for _, a := range query(t, h.Store, func(scan db.Scan) (a [2]string, err error) { err = scan(&a[0], &a[1]); return a, err },
		`SELECT code, id FROM accounts WHERE business_id = $1`, b.ID) {
		w.accounts[a[0]] = a[1]
	}
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newHouse(t, s).shop(t, "EUR")) })
}

// run gives a step its transaction.
func run[T any](w *world, step db.Step[T]) (T, error) { return db.Run(ctx, w.Store.DB, step) }

// done runs a step that must not be refused.
func done[T any](t dbtest.T, w *world, step db.Step[T]) T {
	t.Helper()
	v, err := run(w, step)
	must(t, err)
	return v
}

func query[T any](t dbtest.T, s *dbtest.Store, scan func(db.Scan) (T, error), sql string, args ...any) []T {
	t.Helper()
	var list []T
	must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, scan, sql, args...)
		return err
	}))
	return list
}

func (w *world) exec(t dbtest.T, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) customer(t dbtest.T) string {
	t.Helper()
	return done(t, w, w.parties.Create(w.by, record.Customer, party.New{DisplayName: "Ada"})).ID
}

func (w *world) supplier(t dbtest.T) string {
	t.Helper()
	return done(t, w, w.parties.Create(w.by, record.Supplier, party.New{DisplayName: "Bob"})).ID
}

// invoice issues one for that price in major units.
func (w *world) invoice(t dbtest.T, customer, price string) invoice.Invoice {
	t.Helper()
	return done(t, w, w.invoices.Create(w.by, invoice.New{CustomerID: customer, Issue: true, Lines: []invoice.NewLine{{Description: "Work", UnitPrice: price}}}))
}

// foreign issues an invoice in another currency.
func (w *world) foreign(t dbtest.T, customer, price, currency, rate string) invoice.Invoice {
	t.Helper()
	return done(t, w, w.invoices.Create(w.by, invoice.New{
		CustomerID: customer, Issue: true, Currency: &currency, ExchangeRate: &rate, Lines: []invoice.NewLine{{Description: "Work", UnitPrice: price}},
	}))
}

// bank opens an account that holds money in a currency.
func (w *world) bank(t dbtest.T, currency *string) string {
	t.Helper()
	subtype := ledger.Bank
	id := "acc_" + strings.ToLower(fmt.Sprintf("%026d", len(w.accounts)))
	w.accounts[id] = id
	w.exec(t, `INSERT INTO accounts (id, business_id, code, name, search, type, subtype, currency, status, version, created_at, updated_at)
		VALUES ($1, $2, $1, $1, $1, 'ASSET', $3, $4, 'ACTIVE', 1, 0, 0)`, id, w.by.BusinessID, subtype, currency)
	return id
}

// receipt is an ordinary one into the business's bank account.
func (w *world) receipt(customer string, amount money.Amount, to ...payment.Wanted) payment.New {
	return payment.New{Kind: payment.Receipt, Date: today, Amount: amount, BankAccountID: w.accounts["1000"], CustomerID: &customer, Allocations: to}
}

// all asks for as much as goes to an invoice, some for an amount.
func all(i invoice.Invoice) payment.Wanted { return payment.Wanted{InvoiceID: i.ID} }

func some(i invoice.Invoice, amount money.Amount) payment.Wanted {
	return payment.Wanted{InvoiceID: i.ID, Amount: &amount}
}

// entries are the lines of everything that a payment posted, in order: "date action: account debit/credit …".
func (w *world) entries(t dbtest.T, paymentID string) []string {
	t.Helper()
	var list []string
	last := ""
	for _, l := range query(t, w.Store, func(scan db.Scan) (l [6]string, err error) {
		var debit, credit int64
		var party *string
		err = scan(&l[0], &l[1], &l[2], &l[3], &debit, &credit, &party)
		l[4] = fmt.Sprint(debit - credit)
		if party != nil {
			l[5] = " " + *party
		}
		return l, err
	}, `SELECT e.id, e.date, e.source_action, a.code, l.debit, l.credit, coalesce(l.customer_id, l.supplier_id) FROM journal_entries e
		JOIN journal_lines l ON l.entry_id = e.id JOIN accounts a ON a.id = l.account_id
		WHERE e.business_id = $1 AND e.source_type = 'PAYMENT' AND e.source_id = $2 ORDER BY e.number, l.position`, w.by.BusinessID, paymentID) {
		if l[0] != last {
			action, _, _ := strings.Cut(l[2], ":alc_")
			list = append(list, l[1]+" "+action+":")
			last = l[0]
		}
		list[len(list)-1] += " " + l[3] + " " + l[4] + l[5]
	}
	return list
}

// happening is an event of the log.
type happening struct {
	kind string
	data map[string]any
}

func (w *world) events(t dbtest.T) []happening {
	t.Helper()
	return query(t, w.Store, func(scan db.Scan) (h happening, err error) {
		var data string
		if err = scan(&h.kind, &data); err == nil {
			err = json.Unmarshal([]byte(data), &h.data)
		}
		return h, err
	}, `SELECT type, data FROM events WHERE business_id = $1 ORDER BY number`, w.by.BusinessID)
}

// news runs something and gives the events that it made, without those of the journal.
func (w *world) news(t *testing.T, do func()) []happening {
	t.Helper()
	before := len(w.events(t))
	do()
	var list []happening
	for _, h := range w.events(t)[before:] {
		if !strings.HasPrefix(h.kind, "journal_entry.") {
			list = append(list, h)
		}
	}
	return list
}

func kinds(list []happening) string {
	var names []string
	for _, h := range list {
		names = append(names, h.kind)
	}
	return strings.Join(names, " ")
}

// payload compares the whole payload of an event.
func payload(t *testing.T, h happening, want event.Data) {
	t.Helper()
	want["actor"] = event.Data{"type": "APP", "appId": "app_1"}
	text, err := json.Marshal(want)
	must(t, err)
	got, err := json.Marshal(h.data)
	must(t, err)
	if string(got) != string(text) {
		t.Errorf("%s tells\n%s, not\n%s", h.kind, got, text)
	}
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal; with values, for those too.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	if !errors.Is(err, refusal) || len(refusal.Params) > 0 && fault.From(err).Text() != refusal.Text() {
		t.Errorf("got %v, want %v", err, refusal)
	}
}

// offences are the members that a validation failure names, in its order.
func offences(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid || len(f.Fields) == 0 {
		return fmt.Sprint("no validation failure: ", err)
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}

// same compares what can be printed.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\n%s, want\n%s", what, g, w)
	}
}

// asRead checks that a payment reads as it was returned.
func (w *world) asRead(t *testing.T, p payment.Payment) {
	t.Helper()
	read, err := w.payments.Get(ctx, w.by, p.ID)
	must(t, err)
	if !reflect.DeepEqual(read, p) {
		t.Errorf("reads as\n%+v, not\n%+v", read, p)
	}
}

func pointer[T any](v T) *T { return &v }
