package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
)

// shown is a list of sums as text: code, debits and credits.
func shown(list []ledger.Sum) string {
	var words []string
	for _, s := range list {
		words = append(words, fmt.Sprintf("%s %d/%d", s.Account.Code, s.Debit, s.Credit))
	}
	return strings.Join(words, ", ")
}

func TestSumsOfPeriods(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.another(t)
		other.post(t, other.sale("2026-01-15", 77))
		for i, date := range []string{"2025-12-31", "2026-01-01", "2026-01-15", "2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"} {
			amount := money.Amount(1)
			for range i {
				amount *= 10
			}
			w.post(t, w.sale(date, amount))
		}
		w.post(t, ledger.NewEntry{Date: "2026-02-02", Lines: []ledger.NewLine{w.dr("5000", 5), w.cr("1000", 5)}})
		read := func(what func(tx *db.Tx) ([]ledger.Sum, error)) string {
			var list []ledger.Sum
			must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
				list, err = what(tx)
				return err
			}))
			return shown(list)
		}
		for dates, wanted := range map[string]string{
			"2026-01-01 2026-01-31": "1000 1110/0, 4000 0/1110",
			"2026-01-02 2026-01-31": "1000 1100/0, 4000 0/1100",
			"2026-01-01 2026-01-30": "1000 110/0, 4000 0/110",
			"2026-01-15 2026-01-15": "1000 100/0, 4000 0/100",
			"2026-01-15 2026-02-01": "1000 11100/0, 4000 0/11100",
			"2025-12-31 2026-03-01": "1000 1111111/5, 4000 0/1111111, 5000 5/0",
			"2025-01-01 2026-02-28": "1000 111111/5, 4000 0/111111, 5000 5/0",
			"2025-12-15 2026-02-15": "1000 11111/5, 4000 0/11111, 5000 5/0",
			"2026-03-02 2026-03-31": "",
			"2026-02-28 2026-02-01": "", // the wrong way round
			"2026-03-01 2026-01-01": "",
			"1900-01-01 2199-12-31": "1000 1111111/5, 4000 0/1111111, 5000 5/0",
		} {
			from, to, _ := strings.Cut(dates, " ")
			if got := read(func(tx *db.Tx) ([]ledger.Sum, error) { return ledger.Movements(ctx, tx, w.by.BusinessID, from, to) }); got != wanted {
				t.Errorf("%s: %s", dates, got)
			}
		}
		for asOf, wanted := range map[string]string{
			"2025-12-30": "", "2025-12-31": "1000 1/0, 4000 0/1", "2026-01-31": "1000 1111/0, 4000 0/1111", "2026-02-01": "1000 11111/0, 4000 0/11111",
			"": "1000 1111111/5, 4000 0/1111111, 5000 5/0",
		} {
			if got := read(func(tx *db.Tx) ([]ledger.Sum, error) { return ledger.TrialBalance(ctx, tx, w.by.BusinessID, asOf) }); got != wanted {
				t.Errorf("as of %s: %s", asOf, got)
			}
		}
	})
}

func TestBalancesOfParties(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer, supplier, stranger := w.party(t, id.Customer), w.party(t, id.Supplier), w.party(t, id.Customer)
		post := func(lines ...ledger.Line) { done(t, w, postLines(w, lines...)) }
		post(ledger.Line{AccountID: w.id("1100"), Debit: 100, CustomerID: &customer}, ledger.Line{AccountID: w.id("4000"), Credit: 100, CustomerID: &customer})
		post(ledger.Line{AccountID: w.id("1000"), Debit: 70},
			ledger.Line{AccountID: w.id("1100"), Credit: 60, CustomerID: &customer}, ledger.Line{AccountID: w.id("2150"), Credit: 10, CustomerID: &customer})
		post(ledger.Line{AccountID: w.id("6000"), Debit: 50}, ledger.Line{AccountID: w.id("2000"), Credit: 50, SupplierID: &supplier})
		post(ledger.Line{AccountID: w.id("1150"), Debit: 7, SupplierID: &supplier}, ledger.Line{AccountID: w.id("1000"), Credit: 7})

		must(t, w.Read(ctx, func(tx *db.Tx) error {
			counted, n := db.Counting(ctx)
			got, err := ledger.PartyBalances(counted, tx, w.by.BusinessID, []string{customer, supplier, stranger, customer})
			if err != nil {
				return err
			}
			if len(got) != 2 || got[customer] != (ledger.PartyBalance{Receivable: 40, CustomerCredit: 10}) ||
				got[supplier] != (ledger.PartyBalance{Payable: 50, SupplierPrepayment: 7}) || n.Load() != 1 {
				t.Errorf("got %+v by %d statements", got, n.Load())
			}
			if got, err := ledger.PartyBalances(ctx, tx, w.by.BusinessID, nil); err != nil || len(got) != 0 {
				t.Errorf("of nobody: %v, %v", got, err)
			}
			if got, err := ledger.PartyBalances(ctx, tx, "biz_1", []string{customer}); err != nil || len(got) != 0 {
				t.Errorf("elsewhere: %v, %v", got, err)
			}
			for party, used := range map[string]bool{customer: true, supplier: true, stranger: false} {
				if got, err := ledger.UsedParty(ctx, tx, w.by.BusinessID, party); err != nil || got != used {
					t.Errorf("%s is used: %v, %v", party, got, err)
				}
			}
			if got, err := ledger.UsedParty(ctx, tx, "biz_1", customer); err != nil || got {
				t.Errorf("used elsewhere: %v, %v", got, err)
			}
			for code, posted := range map[string]bool{"1000": true, "1150": true, "3000": false} {
				if got, err := ledger.PostedTo(ctx, tx, w.by.BusinessID, w.id(code)); err != nil || got != posted {
					t.Errorf("%s was posted to: %v, %v", code, got, err)
				}
			}
			return nil
		}))
	})
}
