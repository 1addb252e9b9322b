package bulk_test

import (
	"errors"
	"path/filepath"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// FuzzImport proves that no row, however odd, is a malfunction or disturbs the good rows around it, and that the books agree
// whatever was let in.
func FuzzImport(f *testing.F) {
	f.Add("order-1", "", "bea", "Bea", "1", "10.07", "2026-11-14", "", "", int64(12100), "2026-11-14", byte(0b111))
	f.Add("good 1", "cus_x", "", "", "-1", "0", "2026-02-30", "USD", "0.9", int64(-1), "", byte(0b1011))
	f.Add("\x00", "\xff", "ada", "\u202e", "1e9", "999999999999", "0000-00-00", "JPY", "0.0000000001", int64(1)<<53, "9999-99-99", byte(0b10111))
	w := fuzzed(f)
	f.Fuzz(func(t *testing.T, name, customerID, customerName, display, quantity, price, date, currency, rate string, amount int64, paidOn string, flags byte) {
		on := func(bit int) bool { return flags>>bit&1 == 1 }
		odd := bulk.Row{Invoice: invoice.New{
			ExternalID: &name, CustomerID: customerID, Issue: on(0), IssueDate: given(date), Currency: given(currency), ExchangeRate: given(rate),
			Lines: []invoice.NewLine{{Description: display, Quantity: &quantity, UnitPrice: price, TaxRateID: record.Setting(w.rate.ID)}},
		}}
		if on(1) {
			odd.Customer = &party.New{ExternalID: &customerName, DisplayName: display, Currency: given(currency)}
		}
		if on(2) {
			odd.Payment = &payment.New{Date: paidOn, Amount: money.Amount(amount), BankAccountID: w.accounts["1000"], ExchangeRate: given(rate), ExternalID: &display}
		}
		if on(3) {
			odd.Invoice.Number = &display
		}
		r := bulk.Request{DryRun: on(4), Rows: []bulk.Row{w.row("good 1", "1"), odd, w.row("good 2", "2"), odd}}
		if on(5) {
			r.Mode = bulk.Atomic
		}
		if on(6) {
			r.OnDuplicate = bulk.Fail
		}
		var rejection *bulk.Rejection
		// Everything is taken back afterwards, so that one round knows nothing of another.
		_ = w.Write(ctx, func(tx *db.Tx) error {
			result, err := w.bulk.Step(w.by, r)(ctx, tx)
			if errors.As(err, &rejection) {
				result, err = rejection.Result, nil
			}
			if err != nil {
				t.Error(err)
				return errTakeBack
			}
			for i, o := range result.Outcomes {
				if (o.Status == bulk.Failed) != (o.Refusal != nil) || o.Refusal != nil && fault.KindOf(o.Refusal) == fault.Internal {
					t.Errorf("row %d became %+v", i, o)
				}
				if i%2 == 0 && o.Status == bulk.Failed && text.Clean(name) != "good 2" {
					t.Errorf("good row %d was refused: %v", i, o.Refusal)
				}
			}
			if rejection == nil {
				kept(t, tx, w, result, on(3))
			}
			return errTakeBack
		})
	})
}

var errTakeBack = errors.New("taken back")

// kept looks at the books from within the transaction. Where rows chose numbers, those may be any of the series.
func kept(t *testing.T, tx *db.Tx, w *world, r bulk.Result, chosen bool) {
	t.Helper()
	series := `SELECT (SELECT last_invoice FROM books WHERE business_id = $1) - (SELECT count(*) FROM invoices WHERE business_id = $1 AND number <> '')`
	if chosen {
		series = `SELECT 0 FROM books WHERE business_id = $1`
	}
	for what, sql := range map[string]string{
		"invoice numbers": series,
		"trial balance":   `SELECT CAST(coalesce(sum(debit - credit), 0) AS BIGINT) FROM journal_lines WHERE business_id = $1`,
		"entry numbers":   `SELECT (SELECT last_entry FROM books WHERE business_id = $1) - (SELECT count(*) FROM journal_entries WHERE business_id = $1)`,
		"receivables": `SELECT CAST((SELECT coalesce(sum(p.balance), 0) FROM party_balances p JOIN accounts a ON a.id = p.account_id
			WHERE p.business_id = $1 AND a.system_role = 'RECEIVABLE') - (SELECT coalesce(sum(base_total - base_settled), 0) FROM invoices WHERE business_id = $1) AS BIGINT)`,
	} {
		off, err := db.One(ctx, tx, db.Value[int64], sql, w.by.BusinessID)
		if err != nil || off != 0 {
			t.Errorf("%s: off by %d, %v", what, off, err)
		}
	}
	invoices, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM invoices WHERE business_id = $1`, w.by.BusinessID)
	want := r.Summary.Created
	if r.DryRun {
		want = 0
	}
	if err != nil || invoices != want {
		t.Errorf("%d invoices, told were %d: %v", invoices, want, err)
	}
}

// fuzzed is a world for a fuzz target, on SQLite.
func fuzzed(f *testing.F) *world {
	d, err := db.Open(ctx, db.Options{Database: filepath.Join(f.TempDir(), "daybook.db"), Clock: clock.NewHand(dbtest.Start)})
	must(f, err)
	f.Cleanup(d.Close)
	_, err = d.Migrate(ctx, schema.Migrations())
	must(f, err)
	return newHouse(&dbtest.Store{DB: d, IDs: id.NewSource(clock.NewHand(dbtest.Start))}).world(f, "SCALE")
}

// given is nil for an empty text.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
