package invoice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

// today in the businesses of the tests.
const today = "2026-11-14"

// house is a store with the services on it.
type house struct {
	*dbtest.Store
	ledger   *ledger.Service
	taxes    *tax.Service
	parties  *party.Service
	invoices *invoice.Service
}

// world is a business in Amsterdam with a customer, seen by an app.
type world struct {
	*house
	t        *testing.T
	by       record.Call
	customer party.Party
	standard tax.Rate // 21 %
	reduced  tax.Rate // 9 %
	seen     int64    // the last event that was looked at
}

// each gives the test a world on each database.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newHouse(s).world(t, "EUR")) })
}

func newHouse(s *dbtest.Store) *house {
	h := &house{Store: s}
	h.ledger = &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
	h.taxes = &tax.Service{DB: s.DB, Ledger: h.ledger}
	h.parties = &party.Service{DB: s.DB, Ledger: h.ledger, Taxes: h.taxes}
	h.invoices = &invoice.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Taxes: h.taxes}
	return h
}

// world makes a business with that base currency.
func (h *house) world(t *testing.T, currency string) *world {
	t.Helper()
	return h.worldOf(t, business.New{Name: "Shop", Country: "NL", Currency: currency, Plan: "SCALE"})
}

func (h *house) worldOf(t *testing.T, n business.New) *world {
	t.Helper()
	owner := h.Person(t)
	b, err := (&business.Service{DB: h.DB, IDs: h.IDs}).Create(ctx, n, owner)
	must(t, err)
	must(t, h.Write(ctx, func(tx *db.Tx) error {
		if err := h.ledger.OpenBooks(ctx, tx, b.ID); err != nil {
			return err
		}
		return h.taxes.OpenRates(ctx, tx, b.ID, "NL")
	}))
	w := &world{house: h, t: t, by: record.Call{BusinessID: b.ID, Actor: event.Actor{Type: event.App, AppID: "app_one", UserID: owner}}}
	rates, err := h.taxes.List(ctx, w.by, nil)
	must(t, err)
	for _, r := range rates.Data {
		switch r.Rate.String() {
		case "21":
			w.standard = r
		case "9":
			w.reduced = r
		}
	}
	w.customer = w.party(party.New{DisplayName: "Ada"})
	w.events()
	t.Cleanup(w.agrees)
	return w
}

// agrees holds the ledger against the invoices: what each customer owes on the receivable account is what their invoices
// carry, and every status follows from the amounts.
func (w *world) agrees() {
	type sum struct {
		customer string
		amount   money.Amount
	}
	read := func(sql string) (sums map[string]money.Amount) {
		sums = map[string]money.Amount{}
		must(w.t, w.Read(ctx, func(tx *db.Tx) error {
			list, err := db.All(ctx, tx, func(scan db.Scan) (s sum, err error) {
				err = scan(&s.customer, &s.amount)
				return s, err
			}, sql, w.by.BusinessID)
			for _, s := range list {
				if s.amount != 0 {
					sums[s.customer] = s.amount
				}
			}
			return err
		}))
		return sums
	}
	ledger := read(`SELECT p.party_id, p.balance FROM party_balances p JOIN accounts a ON a.id = p.account_id WHERE p.business_id = $1 AND a.system_role = 'RECEIVABLE'`)
	carried := read(`SELECT customer_id, CAST(sum(base_total - base_settled) AS BIGINT) FROM invoices WHERE business_id = $1 GROUP BY customer_id`)
	if fmt.Sprint(ledger) != fmt.Sprint(carried) {
		w.t.Errorf("the ledger has %v, the invoices carry %v", ledger, carried)
	}
	wrong := read(`SELECT id, total + 1 FROM invoices WHERE business_id = $1 AND NOT (
		(status = 'DRAFT' AND issued_at IS NULL AND amount_due = total AND amount_paid = 0 AND bill_to IS NULL)
		OR (status = 'OPEN' AND number <> '' AND amount_paid = 0 AND amount_due = total AND amount_due > 0 AND paid_at IS NULL)
		OR (status = 'PARTIALLY_PAID' AND amount_paid > 0 AND amount_due > 0 AND amount_paid + amount_due = total AND paid_at IS NULL)
		OR (status = 'PAID' AND amount_due = 0 AND amount_paid = total AND paid_at IS NOT NULL)
		OR (status = 'VOID' AND amount_due = 0 AND amount_paid = 0 AND voided_at IS NOT NULL)
		OR (status = 'UNCOLLECTIBLE' AND amount_due = 0 AND amount_paid + amount_written_off = total AND amount_written_off > 0))`)
	if len(wrong) > 0 {
		w.t.Errorf("status and amounts disagree in %v", wrong)
	}
}

// party makes a customer.
func (w *world) party(n party.New) party.Party {
	w.t.Helper()
	return run(w, w.parties.Create(w.by, record.Customer, n))
}

// account makes an account.
func (w *world) account(n ledger.NewAccount) ledger.Account {
	w.t.Helper()
	return run(w, w.ledger.CreateAccount(w.by, n))
}

// run does a step that must succeed.
func run[T any](w *world, step db.Step[T]) T {
	w.t.Helper()
	done, err := db.Run(ctx, w.DB, step)
	must(w.t, err)
	return done
}

// refused is the refusal of a step.
func refused[T any](w *world, step db.Step[T]) error {
	w.t.Helper()
	_, err := db.Run(ctx, w.DB, step)
	if err == nil {
		w.t.Error("was not refused")
	}
	return err
}

// plain is one line for so much, at the standard rate.
func (w *world) plain(price string) invoice.New {
	return invoice.New{CustomerID: w.customer.ID, Lines: []invoice.NewLine{{Description: "Work", UnitPrice: price, TaxRateID: record.Setting(w.standard.ID)}}}
}

// bare is one line for so much without tax.
func (w *world) bare(price string) invoice.New {
	n := w.plain(price)
	n.Lines[0].TaxRateID = record.Clearing[string]()
	return n
}

// draft and issued make such an invoice.
func (w *world) draft(n invoice.New) invoice.Invoice {
	w.t.Helper()
	return run(w, w.invoices.Create(w.by, n))
}

func (w *world) issued(n invoice.New) invoice.Invoice {
	w.t.Helper()
	n.Issue = true
	return w.draft(n)
}

func (w *world) get(invoiceID string) invoice.Invoice {
	w.t.Helper()
	i, err := w.invoices.Get(ctx, w.by, invoiceID)
	must(w.t, err)
	return i
}

// pay settles part of an invoice as a payment at par does, books it and returns the relief. It leaves the rows of a payment.
func (w *world) pay(invoiceID string, amount money.Amount, date string) money.Amount {
	w.t.Helper()
	return run(w, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (money.Amount, error) {
		found, err := w.invoices.Load(ctx, b, []string{invoiceID})
		if err != nil {
			return 0, err
		}
		payment := b.NewID("pay")
		relief, err := w.invoices.Settle(ctx, b, found[invoiceID], amount, payment)
		if err != nil {
			return 0, err
		}
		chart, err := b.Accounts(ctx, []ledger.Role{ledger.DefaultBank, ledger.Receivable})
		if err != nil {
			return 0, err
		}
		if _, err := b.Tx.Exec(ctx, `INSERT INTO payments (id, business_id, kind, date, amount, currency, method, bank_account_id, customer_id, allocated, refunded,
			unallocated, base_amount, base_credit, entries, made_by, changed_by, version, created_at, updated_at)
			VALUES ($1, $2, 'RECEIPT', $3, $4, 'EUR', 'CASH', $5, $6, $4, 0, 0, $7, 0, 1, '{}', '{}', 1, $8, $8)`,
			payment, w.by.BusinessID, date, amount, chart.Role(ledger.DefaultBank).ID, found[invoiceID].CustomerID, relief, b.Tx.Now()); err != nil {
			return 0, err
		}
		if _, err := b.Tx.Exec(ctx, `INSERT INTO payment_allocations (id, business_id, payment_id, invoice_id, amount, relief, credit, date, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8)`, b.NewID("alc"), w.by.BusinessID, payment, invoiceID, amount, relief, date, b.Tx.Now()); err != nil {
			return 0, err
		}
		_, err = b.Post(ctx, ledger.Posting{Date: date, Source: ledger.Source{Type: ledger.FromPayment, ID: payment, Action: "1"}, Lines: []ledger.Line{
			ledger.Line{AccountID: chart.Role(ledger.DefaultBank).ID}.Amount(relief),
			ledger.Line{AccountID: chart.Role(ledger.Receivable).ID, CustomerID: &found[invoiceID].CustomerID}.Amount(-relief),
		}})
		return relief, err
	}))
}

// unpay takes a settlement back.
func (w *world) unpay(invoiceID string, amount, relief money.Amount) error {
	w.t.Helper()
	_, err := db.Run(ctx, w.DB, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		var done struct{}
		found, err := w.invoices.Load(ctx, b, []string{invoiceID})
		if err != nil {
			return done, err
		}
		if err := w.invoices.Unsettle(ctx, b, found[invoiceID], amount, relief, "pay_gone"); err != nil {
			return done, err
		}
		chart, err := b.Accounts(ctx, []ledger.Role{ledger.DefaultBank, ledger.Receivable})
		if err != nil {
			return done, err
		}
		_, err = b.Post(ctx, ledger.Posting{Date: b.Today(), Source: ledger.Source{Type: ledger.FromPayment, ID: b.NewID("pay"), Action: "1"}, Lines: []ledger.Line{
			ledger.Line{AccountID: chart.Role(ledger.DefaultBank).ID}.Amount(-relief),
			ledger.Line{AccountID: chart.Role(ledger.Receivable).ID, CustomerID: &found[invoiceID].CustomerID}.Amount(relief),
		}})
		return done, err
	}))
	return err
}

// told is an event that was appended.
type told struct {
	Type string
	Data map[string]any
}

// events reads what was told since it was last asked.
func (w *world) events() []told {
	w.t.Helper()
	var list []told
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, func(scan db.Scan) (e told, err error) {
			err = scan(&e.Type, db.JSON(&e.Data), &w.seen)
			return e, err
		}, `SELECT type, data, number FROM events WHERE business_id = $1 AND number > $2 ORDER BY number`, w.by.BusinessID, w.seen)
		return err
	}))
	return list
}

// happened is the types of events since it was last asked.
func (w *world) happened() string {
	w.t.Helper()
	var types []string
	for _, e := range w.events() {
		types = append(types, e.Type)
	}
	return strings.Join(types, " ")
}

// booked writes the lines of an entry: code of the account, the amount signed as debit − credit, and what else they say.
func (w *world) booked(invoiceID, action string) string {
	w.t.Helper()
	var lines []string
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		lines, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
			var code, date, memo string
			var amount money.Amount
			var customer, currency *string
			var foreign *money.Amount
			err := scan(&code, &amount, &customer, &currency, &foreign, &date, &memo)
			text := fmt.Sprintf("%s %d", code, amount)
			if currency != nil {
				text += fmt.Sprintf(" (%s %d)", *currency, *foreign)
			}
			if customer != nil {
				text += " customer"
			}
			return text, err
		}, `SELECT a.code, l.debit - l.credit, l.customer_id, l.currency, l.foreign_amount, e.date, e.memo FROM journal_entries e
			JOIN journal_lines l ON l.entry_id = e.id JOIN accounts a ON a.id = l.account_id
			WHERE e.business_id = $1 AND e.source_type = 'INVOICE' AND e.source_id = $2 AND e.source_action = $3 ORDER BY l.position`, w.by.BusinessID, invoiceID, action)
		return err
	}))
	return strings.Join(lines, ", ")
}

// one reads a single value.
func one[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	var v T
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		v, err = db.One(ctx, tx, db.Value[T], sql, args...)
		return err
	}))
	return v
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal and its values.
func want(t *testing.T, err error, refusal *fault.Fault, params ...any) {
	t.Helper()
	f := fault.From(err)
	if f == nil || !errors.Is(f, refusal) {
		t.Errorf("got %v, want %v", err, refusal)
		return
	}
	for n, p := range params {
		if n >= len(f.Params) || fmt.Sprint(f.Params[n]) != fmt.Sprint(p) {
			t.Errorf("%s: values are %v, want %v", f.Code, f.Params, params)
			return
		}
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

// taxNew is a rate to be made.
func taxNew(name, percent string, kind tax.Kind) tax.New {
	return tax.New{Name: name, Rate: money.MustFactor(percent), Kind: kind, Category: tax.Standard}
}

func ptr[T any](v T) *T { return &v }

// text of a value as JSON, for comparisons.
func text(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}
