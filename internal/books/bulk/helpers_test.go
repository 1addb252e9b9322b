package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/bulk"
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
	ledger   *ledger.Service
	taxes    *tax.Service
	parties  *party.Service
	invoices *invoice.Service
	payments *payment.Service
	bulk     *bulk.Service
}

func newHouse(s *dbtest.Store) *house {
	h := &house{Store: s}
	h.ledger = &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
	h.taxes = &tax.Service{DB: s.DB, Ledger: h.ledger}
	h.parties = &party.Service{DB: s.DB, Ledger: h.ledger, Taxes: h.taxes}
	h.invoices = &invoice.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Taxes: h.taxes}
	h.payments = &payment.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Invoices: h.invoices}
	h.bulk = &bulk.Service{DB: s.DB, Ledger: h.ledger, Parties: h.parties, Invoices: h.invoices, Payments: h.payments}
	return h
}

// world is a business with a customer, worked on by an app.
type world struct {
	*house
	t        dbtest.T
	by       record.Call
	customer party.Party
	rate     tax.Rate          // 21 %
	accounts map[string]string // code → id
	seen     int64             // the last event that was looked at
}

// each gives the test a world on each database, and looks at its books afterwards.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := newHouse(s).world(t, "SCALE")
		t.Cleanup(func() { w.agrees(t) })
		test(t, w)
	})
}

// world opens a business in euros with that plan.
func (h *house) world(t dbtest.T, plan string) *world {
	t.Helper()
	owner := h.Person(t)
	b, err := (&business.Service{DB: h.DB, IDs: h.IDs}).Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR", TimeZone: "UTC", Plan: plan}, owner)
	must(t, err)
	must(t, h.Write(ctx, func(tx *db.Tx) error {
		if err := h.ledger.OpenBooks(ctx, tx, b.ID); err != nil {
			return err
		}
		return h.taxes.OpenRates(ctx, tx, b.ID, "NL")
	}))
	w := &world{house: h, t: t, accounts: map[string]string{}}
	w.by = record.Call{BusinessID: b.ID, Actor: event.Actor{Type: event.App, AppID: "app_one", UserID: owner}}
	rates, err := h.taxes.List(ctx, w.by, nil)
	must(t, err)
	for _, r := range rates.Data {
		if r.Rate.String() == "21" {
			w.rate = r
		}
	}
	for _, a := range list(w, func(scan db.Scan) (a [2]string, err error) { err = scan(&a[0], &a[1]); return a, err },
		`SELECT code, id FROM accounts WHERE business_id = $1`, b.ID) {
		w.accounts[a[0]] = a[1]
	}
	w.customer = done(w, h.parties.Create(w.by, record.Customer, party.New{DisplayName: "Ada", ExternalID: ptr("ada")}))
	w.events()
	return w
}

// another app works on the same business.
func (w *world) another(appID string) *world {
	o := *w
	o.by.Actor.AppID = appID
	return &o
}

// row is an issued invoice of one line for so much before tax, for the world's customer.
func (w *world) row(name, price string) bulk.Row {
	return bulk.Row{Invoice: invoice.New{
		CustomerID: w.customer.ID, ExternalID: &name, Issue: true,
		Lines: []invoice.NewLine{{Description: "Work", UnitPrice: price, TaxRateID: record.Setting(w.rate.ID)}},
	}}
}

// rows are that many good ones, named by a prefix and their places.
func (w *world) rows(prefix string, n int) []bulk.Row {
	rows := make([]bulk.Row, n)
	for i := range rows {
		rows[i] = w.row(fmt.Sprint(prefix, i), fmt.Sprint(i+1))
	}
	return rows
}

// with changes a row.
func with(row bulk.Row, change func(*bulk.Row)) bulk.Row {
	row.Invoice.Lines = append([]invoice.NewLine{}, row.Invoice.Lines...)
	change(&row)
	return row
}

// forNew makes a row one for a customer given with it.
func forNew(row bulk.Row, name, display string) bulk.Row {
	row.Invoice.CustomerID = ""
	row.Customer = &party.New{ExternalID: &name, DisplayName: display}
	return row
}

// paid gives a row a payment into the bank.
func (w *world) paid(row bulk.Row, amount money.Amount) bulk.Row {
	row.Payment = &payment.New{Date: today, Amount: amount, BankAccountID: w.accounts["1000"]}
	return row
}

// load imports what must not be refused as a whole.
func (w *world) load(r bulk.Request) bulk.Result {
	w.t.Helper()
	result, err := w.bulk.Import(ctx, w.by, r)
	must(w.t, err)
	return result
}

// all imports rows in mode PARTIAL.
func (w *world) all(rows ...bulk.Row) bulk.Result {
	w.t.Helper()
	return w.load(bulk.Request{Rows: rows})
}

// outcomes in short: the status of each row, or the code of its refusal, which for validation failures is the members it names.
func outcomes(list []bulk.Outcome) string {
	var words []string
	for _, o := range list {
		if o.Refusal != nil {
			words = append(words, code(o.Refusal))
			continue
		}
		words = append(words, string(o.Status))
	}
	return strings.Join(words, " ")
}

func code(err error) string {
	f := fault.From(err)
	switch {
	case f == nil:
		return fmt.Sprint("malfunction:", err)
	case f.Code != "":
		return f.Code
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return "(" + strings.Join(paths, ",") + ")"
}

// told is an event of the log.
type told struct {
	Type string
	Data map[string]any
}

// events reads what was told since it was last asked.
func (w *world) events() []told {
	w.t.Helper()
	return list(w, func(scan db.Scan) (e told, err error) {
		err = scan(&e.Type, db.JSON(&e.Data), &w.seen)
		return e, err
	}, `SELECT type, data, number FROM events WHERE business_id = $1 AND number > $2 ORDER BY number`, w.by.BusinessID, w.seen)
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

// tables that an import may write to.
var tables = []string{"invoices", "parties", "payments", "payment_allocations", "journal_entries", "journal_lines", "external_ids", "events", "plan_usage"}

// everything the business has in those tables, and its numbers.
func (w *world) everything() string {
	w.t.Helper()
	var b strings.Builder
	for _, table := range tables {
		fmt.Fprintln(&b, table, one[int](w, `SELECT count(*) FROM `+table+` WHERE business_id = $1`, w.by.BusinessID))
	}
	for _, sql := range []string{
		`SELECT last_entry FROM books WHERE business_id = $1`, `SELECT last_invoice FROM books WHERE business_id = $1`,
		`SELECT CAST(coalesce(sum(invoices), 0) AS BIGINT) FROM plan_usage WHERE business_id = $1`,
		`SELECT CAST(coalesce(sum(turnover), 0) AS BIGINT) FROM plan_usage WHERE business_id = $1`,
		`SELECT CAST(coalesce(sum(debit), 0) AS BIGINT) FROM account_months WHERE business_id = $1`,
		`SELECT CAST(coalesce(sum(balance), 0) AS BIGINT) FROM party_balances WHERE business_id = $1`,
		`SELECT coalesce(max(last), 0) FROM event_counters WHERE business_id = $1`,
	} {
		fmt.Fprintln(&b, one[int64](w, sql, w.by.BusinessID))
	}
	return b.String()
}

// agrees holds everything that an import writes against everything else: the trial balance is zero, sums are those of the lines,
// what customers owe is what their invoices carry, numbers have no hole, plan_usage is what there is, nothing hangs in the air.
func (w *world) agrees(t testing.TB) {
	t.Helper()
	for what, sql := range map[string]string{
		"trial balance": `SELECT CAST(coalesce(sum(debit - credit), 0) AS BIGINT) FROM journal_lines WHERE business_id = $1`,
		"months": `SELECT count(*) FROM (SELECT account_id, substr(date, 1, 7) AS month, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines
			WHERE business_id = $1 GROUP BY account_id, substr(date, 1, 7)) l FULL JOIN (SELECT * FROM account_months WHERE business_id = $1) m
			ON m.account_id = l.account_id AND m.month = l.month WHERE l.debit IS NULL OR m.debit IS NULL OR l.debit <> m.debit OR l.credit <> m.credit`,
		"receivables": `SELECT CAST((SELECT coalesce(sum(p.balance), 0) FROM party_balances p JOIN accounts a ON a.id = p.account_id
			WHERE p.business_id = $1 AND a.system_role = 'RECEIVABLE') - (SELECT coalesce(sum(base_total - base_settled), 0) FROM invoices WHERE business_id = $1) AS BIGINT)`,
		"credit": `SELECT CAST((SELECT coalesce(sum(p.balance), 0) FROM party_balances p JOIN accounts a ON a.id = p.account_id
			WHERE p.business_id = $1 AND a.system_role = 'CUSTOMER_CREDIT') + (SELECT coalesce(sum(base_credit), 0) FROM payments WHERE business_id = $1) AS BIGINT)`,
		"entry numbers": `SELECT (SELECT last_entry FROM books WHERE business_id = $1) - (SELECT count(number) FROM journal_entries WHERE business_id = $1)
			+ (SELECT last_entry FROM books WHERE business_id = $1) - (SELECT coalesce(max(number), 0) FROM journal_entries WHERE business_id = $1)`,
		"invoice numbers": `SELECT (SELECT last_invoice FROM books WHERE business_id = $1) - (SELECT count(*) FROM invoices WHERE business_id = $1
			AND number LIKE 'INV-______' AND CAST(substr(number, 5) AS BIGINT) BETWEEN 1 AND (SELECT last_invoice FROM books WHERE business_id = $1))`, // others were chosen
		"counted":       `SELECT CAST((SELECT coalesce(sum(invoices), 0) FROM plan_usage WHERE business_id = $1) - (SELECT count(*) FROM invoices WHERE business_id = $1) AS BIGINT)`,
		"turnover":      `SELECT CAST((SELECT coalesce(sum(turnover), 0) FROM plan_usage WHERE business_id = $1) - (SELECT coalesce(sum(base_net), 0) FROM invoices WHERE business_id = $1) AS BIGINT)`,
		"event numbers": `SELECT CAST((SELECT coalesce(max(last), 0) FROM event_counters WHERE business_id = $1) - (SELECT count(*) FROM events WHERE business_id = $1) AS BIGINT)`,
		"names": `SELECT count(*) FROM external_ids x WHERE x.business_id = $1 AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.id = x.record_id)
			AND NOT EXISTS (SELECT 1 FROM parties p WHERE p.id = x.record_id) AND NOT EXISTS (SELECT 1 FROM payments y WHERE y.id = x.record_id)`,
		"entries of nothing": `SELECT count(*) FROM journal_entries e WHERE e.business_id = $1 AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.id = e.source_id)
			AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.id = e.source_id)`,
	} {
		if off := one[int64](w, sql, w.by.BusinessID); off != 0 {
			t.Errorf("%s: off by %d", what, off)
		}
	}
	there := map[string]bool{}
	for _, id := range list(w, db.Value[string], `SELECT id FROM invoices WHERE business_id = $1 UNION ALL SELECT id FROM parties WHERE business_id = $1
		UNION ALL SELECT id FROM payments WHERE business_id = $1 UNION ALL SELECT id FROM journal_entries WHERE business_id = $1`, w.by.BusinessID) {
		there[id] = true
	}
	everything := *w
	everything.seen = 0
	for _, e := range everything.events() {
		for _, member := range []string{"invoiceId", "customerId", "paymentId", "journalEntryId"} {
			if id, ok := e.Data[member].(string); ok && !there[id] {
				t.Errorf("%s tells of %s, which is not there", e.Type, id)
			}
		}
	}
}

func done[T any](w *world, step db.Step[T]) T {
	w.t.Helper()
	v, err := db.Run(ctx, w.DB, step)
	must(w.t, err)
	return v
}

func list[T any](w *world, scan func(db.Scan) (T, error), sql string, args ...any) []T {
	w.t.Helper()
	var found []T
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = db.All(ctx, tx, scan, sql, args...)
		return err
	}))
	return found
}

// one reads a single value.
func one[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	return list(w, db.Value[T], sql, args...)[0]
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func must(t dbtest.T, err error) {
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
	if len(params) > 0 && fmt.Sprint(f.Params...) != fmt.Sprint(params...) {
		t.Errorf("%s: values are %v, want %v", f.Code, f.Params, params)
	}
}

// same compares what can be printed.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\n%s, want\n%s", what, g, w)
	}
}

func ptr[T any](v T) *T { return &v }

// wanted is what payments ask for.
type wanted = payment.Wanted

// unlimited is an offer whose only plans are as good as endless.
var unlimited = &business.Plans{
	List: []business.Plan{{Key: "FREE", InvoicesPerYear: 1 << 40}, {Key: "SANDBOX", InvoicesPerYear: 1 << 40}, {Key: "SCALE", InvoicesPerYear: 1 << 40}},
	Year: "CALENDAR", Basis: "NET",
}
