package invoice_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

var errFailed = errors.New("something broke")

func TestNumbersHaveNoHoles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var drafts []invoice.Invoice
		for range 16 {
			drafts = append(drafts, w.draft(w.bare("1")))
		}
		n := w.plain("1")
		n.Number = ptr("INV-000007") // a caller's own, amid the series
		w.issued(n)
		var wait sync.WaitGroup
		for worker := range 32 {
			wait.Go(func() {
				step := w.invoices.Create(w.by, invoice.New{CustomerID: w.customer.ID, Issue: true, Lines: n.Lines})
				if worker%2 == 0 {
					step = w.invoices.Issue(w.by, drafts[worker/2].ID, nil)
				}
				// Every third fails after it took its number.
				if worker%3 == 0 {
					err := w.Write(ctx, func(tx *db.Tx) error {
						if _, err := step(ctx, tx); err != nil {
							return err
						}
						return errFailed
					})
					if !errors.Is(err, errFailed) {
						t.Error(err)
					}
					return
				}
				if _, err := db.Run(ctx, w.DB, step); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		for table, from := range map[string]string{"invoices": "issued_at IS NOT NULL", "journal_entries": "number IS NOT NULL"} {
			var numbers []string
			must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
				numbers, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
					if table == "invoices" {
						return db.Value[string](scan)
					}
					n, err := db.Value[int64](scan)
					return fmt.Sprintf("INV-%06d", n), err
				}, `SELECT number FROM `+table+` WHERE business_id = $1 AND `+from+` ORDER BY number`, w.by.BusinessID)
				return err
			}))
			if len(numbers) != 22 { // one, and 21 of 32
				t.Errorf("%s: %d numbers", table, len(numbers))
			}
			for n, number := range numbers {
				if want := fmt.Sprintf("INV-%06d", n+1); number != want {
					t.Errorf("%s: number %d is %s", table, n+1, number)
				}
			}
		}
	})
}

func TestOfManyWhoEndAnInvoiceOneDoes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		w.events()
		var wait sync.WaitGroup
		var mu sync.Mutex
		done := 0
		for worker := range 12 {
			wait.Go(func() {
				var err error
				switch worker % 3 {
				case 0:
					_, err = db.Run(ctx, w.DB, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil))
				case 1:
					_, err = db.Run(ctx, w.DB, w.invoices.WriteOff(w.by, i.ID, nil, nil))
				default:
					_, err = db.Run(ctx, w.DB, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
						found, err := w.invoices.Load(ctx, b, []string{i.ID})
						if err == nil {
							_, err = w.invoices.Settle(ctx, b, found[i.ID], 12100, "pay_1")
						}
						return struct{}{}, err
					}))
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					done++
				} else {
					want(t, err, record.ErrState)
				}
			})
		}
		wait.Wait()
		if done != 1 {
			t.Errorf("%d did", done)
		}
		if got := w.get(i.ID); got.Status == invoice.Paid { // settled without a booking: only this test does that
			w.exec(`UPDATE invoices SET base_settled = 0 WHERE id = $1`, i.ID)
		}
	})
}
