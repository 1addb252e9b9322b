package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// together runs n calls at once.
func together(n int, call func(i int)) {
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wait.Go(func() {
			<-start
			call(i)
		})
	}
	close(start)
	wait.Wait()
}

var errChanged = errors.New("changed my mind")

func TestNumbersHaveNoGapWhoeverPostsAndWhoeverFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const posters, each = 32, 4
		var mu sync.Mutex
		var numbers, invoices []string
		together(posters, func(i int) {
			for j := range each {
				fails := (i+j)%3 == 0
				_, err := do(w, ledger.Do(w.Service, w.by, func(ctx context.Context, b *ledger.Book) (string, error) {
					e, err := b.Post(ctx, ledger.Posting{Date: "2026-11-01", Source: ledger.Source{Type: ledger.FromSystem, ID: b.NewID("x"), Action: "A"},
						Lines: []ledger.Line{{AccountID: w.id("1000"), Debit: 1}, {AccountID: w.id("4000"), Credit: 1}}})
					if err != nil {
						return "", err
					}
					number := b.NextInvoiceNumber()
					if fails {
						return "", errChanged // after everything was written
					}
					b.Tx.AfterCommit(func() {
						mu.Lock()
						defer mu.Unlock()
						numbers, invoices = append(numbers, e.NumberText()), append(invoices, number)
					})
					return number, nil
				}))
				if fails != errors.Is(err, errChanged) || !fails && err != nil {
					t.Errorf("got %v", err)
				}
			}
		})
		slices.Sort(numbers)
		slices.Sort(invoices)
		for i := range numbers {
			if numbers[i] != fmt.Sprintf("JE-%06d", i+1) || invoices[i] != fmt.Sprintf("INV-%06d", i+1) {
				t.Fatalf("at %d there are %s and %s", i, numbers[i], invoices[i])
			}
		}
		page, err := w.ListEntries(ctx, w.by, params("sort", "-number", "limit", "1"))
		must(t, err)
		if len(numbers) < posters || int(*page.Data[0].Number) != len(numbers) {
			t.Errorf("%d numbers were given, the last entry is %s", len(numbers), page.Data[0].NumberText())
		}
		if told := len(w.told(t, 0)); told != len(numbers) {
			t.Errorf("%d entries, %d events", len(numbers), told)
		}
		agree(t, w)
	})
}

func TestAnEntryIsReversedOnceHoweverManyTry(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 5 {
			e := w.post(t, w.sale("2026-11-01", 5))
			var mu sync.Mutex
			won, lost := 0, 0
			together(16, func(int) {
				_, err := do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case errors.Is(err, record.ErrState):
					lost++
				default:
					t.Error(err)
				}
			})
			if won != 1 || lost != 15 {
				t.Errorf("%d won, %d lost", won, lost)
			}
		}
		agree(t, w)
	})
}

func TestADraftIsPostedOrDeletedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 5 {
			n := w.sale("2026-11-01", 5)
			n.Draft = true
			e := w.post(t, n)
			var mu sync.Mutex
			won := 0
			together(8, func(i int) {
				var err error
				if i%2 == 0 {
					_, err = do(w, w.PostEntry(w.by, e.ID, nil))
				} else {
					_, err = do(w, w.DeleteEntry(w.by, e.ID, nil))
				}
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					won++
				case !errors.Is(err, record.ErrState) && !errors.Is(err, record.ErrNotFound):
					t.Error(err)
				}
			})
			if won != 1 {
				t.Errorf("%d won", won)
			}
		}
		agree(t, w)
	})
}

func TestACodeIsTakenOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		won := 0
		together(16, func(int) {
			_, err := do(w, w.CreateAccount(w.by, vans()))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, ledger.ErrCode) {
				t.Error(err)
			}
		})
		if won != 1 {
			t.Errorf("%d accounts with one code", won)
		}
	})
}

// agree proves that numbers, sums and lines of a business tell the same, by the plainest statements there are.
func agree(t interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}, w *world) {
	t.Helper()
	one := func(what, sql string, wanted int64) {
		t.Helper()
		var got int64
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			got, err = db.One(ctx, tx, db.Value[int64], sql, w.by.BusinessID)
			return err
		}))
		if got != wanted {
			t.Fatalf("%s: %d, want %d", what, got, wanted)
		}
	}
	one("debits − credits", `SELECT CAST(coalesce(sum(debit - credit), 0) AS BIGINT) FROM journal_lines WHERE business_id = $1`, 0)
	one("gaps in the numbers", `SELECT CAST(coalesce(max(number), 0) - count(number) AS BIGINT) FROM journal_entries WHERE business_id = $1`, 0)
	one("numbers that the books have given too many", `SELECT last_entry - (SELECT coalesce(max(number), 0) FROM journal_entries WHERE business_id = $1)
		FROM books WHERE business_id = $1`, 0)
	one("account months that are not the sums of lines", `SELECT count(*) FROM (
		SELECT account_id, month, debit, credit FROM account_months WHERE business_id = $1
		EXCEPT SELECT account_id, substr(date, 1, 7), CAST(sum(debit) AS BIGINT), CAST(sum(credit) AS BIGINT) FROM journal_lines
			WHERE business_id = $1 GROUP BY account_id, substr(date, 1, 7)) x`, 0)
	one("sums of lines that no account month has", `SELECT count(*) FROM (
		SELECT account_id, substr(date, 1, 7), CAST(sum(debit) AS BIGINT), CAST(sum(credit) AS BIGINT) FROM journal_lines
			WHERE business_id = $1 GROUP BY account_id, substr(date, 1, 7)
		EXCEPT SELECT account_id, month, debit, credit FROM account_months WHERE business_id = $1) x`, 0)
	one("party balances that are not the sums of lines", `SELECT count(*) FROM (
		SELECT party_id, account_id, balance FROM party_balances WHERE business_id = $1
		EXCEPT SELECT coalesce(customer_id, supplier_id), account_id, CAST(sum(debit - credit) AS BIGINT) FROM journal_lines
			WHERE business_id = $1 AND coalesce(customer_id, supplier_id) IS NOT NULL GROUP BY coalesce(customer_id, supplier_id), account_id) x`, 0)
	one("sums of lines that no party balance has", `SELECT count(*) FROM (
		SELECT coalesce(customer_id, supplier_id), account_id, CAST(sum(debit - credit) AS BIGINT) FROM journal_lines
			WHERE business_id = $1 AND coalesce(customer_id, supplier_id) IS NOT NULL GROUP BY coalesce(customer_id, supplier_id), account_id
		EXCEPT SELECT party_id, account_id, balance FROM party_balances WHERE business_id = $1) x`, 0)
	one("reversed entries whose mirror does not name them", `SELECT count(*) FROM journal_entries e WHERE e.business_id = $1 AND (e.status = 'REVERSED') <>
		EXISTS (SELECT 1 FROM journal_entries m WHERE m.reversal_of = e.id AND m.id = e.reversed_by)`, 0)
}
