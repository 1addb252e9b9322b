package invoice_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/schema/dbtest"
)

func TestPaymentsSettleAnInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		w.events()
		w.pay(i.ID, 2100, today)
		got := w.get(i.ID)
		if got.Status != invoice.PartiallyPaid || got.AmountPaid != 2100 || got.AmountDue != 10000 || got.PaidAt != nil || got.Version != 2 || got.BaseSettled != 2100 {
			t.Errorf("got %s", text(got))
		}
		e := w.events()
		if len(e) != 2 || e[0].Type != "invoice.partially_paid" || e[0].Data["allocatedAmount"] != 2100.0 || e[0].Data["paymentId"] == nil || e[0].Data["amountDue"] != 10000.0 {
			t.Errorf("told %s", text(e))
		}
		w.pay(i.ID, 10000, today)
		got = w.get(i.ID)
		if got.Status != invoice.Paid || got.AmountDue != 0 || got.PaidAt == nil || got.Version != 3 {
			t.Errorf("got %s", text(got))
		}
		e = w.events()
		if len(e) != 2 || e[0].Type != "invoice.paid" || e[0].Data["paidAt"] != "2026-11-14T12:00:00.000Z" || e[0].Data["status"] != "PAID" {
			t.Errorf("told %s", text(e))
		}
		must(t, w.unpay(i.ID, 2100, 2100))
		got = w.get(i.ID)
		if got.Status != invoice.PartiallyPaid || got.AmountDue != 2100 || got.PaidAt != nil || got.Version != 4 {
			t.Errorf("got %s", text(got))
		}
		e = w.events()
		if len(e) != 2 || e[0].Type != "invoice.reopened" || e[0].Data["previousStatus"] != "PAID" || e[0].Data["paymentId"] != "pay_gone" || e[0].Data["status"] != "PARTIALLY_PAID" {
			t.Errorf("told %s", text(e))
		}
		must(t, w.unpay(i.ID, 10000, 10000))
		if got := w.get(i.ID); got.Status != invoice.Open {
			t.Errorf("got %s", got.Status)
		}
		if e := w.events(); e[0].Data["previousStatus"] != "PARTIALLY_PAID" {
			t.Errorf("told %s", text(e))
		}
		run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil))
	})
}

func TestSeveralSettlementsInOneTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		run(w, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
			found, err := w.invoices.Load(ctx, b, []string{i.ID, "inv_nothing"})
			if err != nil || len(found) != 1 {
				return struct{}{}, err
			}
			for range 3 {
				if _, err := w.invoices.Settle(ctx, b, found[i.ID], 100, "pay_1"); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, w.invoices.Unsettle(ctx, b, found[i.ID], 300, 300, "pay_1")
		}))
		if got := w.get(i.ID); got.Status != invoice.Open || got.Version != 5 {
			t.Errorf("got %s", text(got))
		}
	})
}

func TestWhatCannotBeSettled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		try := func(i invoice.Invoice, amount money.Amount) error {
			return refused(w, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (money.Amount, error) {
				found, err := w.invoices.Load(ctx, b, []string{i.ID})
				if err != nil {
					return 0, err
				}
				return w.invoices.Settle(ctx, b, found[i.ID], amount, "pay_1")
			}))
		}
		want(t, try(w.draft(w.plain("1")), 1), record.ErrState, "DRAFT", "allocate")
		want(t, try(w.issued(w.plain("0")), 1), record.ErrState, "PAID", "allocate")
		open := w.issued(w.plain("1"))
		want(t, w.unpay(open.ID, 1, 1), record.ErrState, "OPEN", "unallocate")
		for _, amount := range []money.Amount{0, -1, 122} { // the payment has judged it, so this is a malfunction
			if err := try(open, amount); fault.From(err) != nil {
				t.Errorf("%d: %v", amount, err)
			}
		}
		w.pay(open.ID, 21, today)
		if err := w.unpay(open.ID, 22, 22); err == nil || fault.From(err) != nil {
			t.Errorf("gave back more than was paid: %v", err)
		}
	})
}

// TestTheCarriedValueRunsOutWithTheAmount settles invoices in a foreign currency in any parts and takes any of them back:
// what an invoice carries stays between nothing and all, and is nothing exactly when it is paid.
func TestTheCarriedValueRunsOutWithTheAmount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := newHouse(s).world(t, "EUR")
		rapid.Check(t, func(r *rapid.T) {
			n := w.bare("1")
			n.Lines[0].UnitPrice = rapid.StringMatching(`[0-9]{1,2}\.[0-9][1-9]`).Draw(r, "price")
			n.Currency, n.ExchangeRate = ptr("USD"), ptr(rapid.StringMatching(`[0-2]\.[0-9]{1,3}[1-9]`).Draw(r, "rate"))
			n.Issue = true
			i, err := db.Run(ctx, w.DB, w.invoices.Create(w.by, n))
			if err != nil {
				r.Fatal(err)
			}
			type part struct{ amount, relief money.Amount }
			var parts []part
			for range rapid.IntRange(1, 6).Draw(r, "steps") {
				_, err := db.Run(ctx, w.DB, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
					found, err := w.invoices.Load(ctx, b, []string{i.ID})
					if err != nil {
						return struct{}{}, err
					}
					inv := found[i.ID]
					if len(parts) > 0 && (inv.AmountDue == 0 || rapid.IntRange(0, 3).Draw(r, "back") == 0) {
						last := parts[len(parts)-1]
						parts = parts[:len(parts)-1]
						if err := w.invoices.Unsettle(ctx, b, inv, last.amount, last.relief, "pay_1"); err != nil {
							return struct{}{}, err
						}
						if len(parts) == 0 && inv.BaseSettled != 0 {
							r.Errorf("nothing is paid, but %d is settled", inv.BaseSettled)
						}
					} else {
						amount := money.Amount(rapid.Int64Range(1, int64(inv.AmountDue)).Draw(r, "amount"))
						relief, err := w.invoices.Settle(ctx, b, inv, amount, "pay_1")
						if err != nil {
							return struct{}{}, err
						}
						if relief < 0 || inv.BaseSettled > inv.BaseTotal || (inv.Status == invoice.Paid) != (inv.AmountDue == 0) {
							r.Errorf("%d relieved %d, so %d of %d is settled", amount, relief, inv.BaseSettled, inv.BaseTotal)
						}
						if inv.AmountDue == 0 && inv.BaseSettled != inv.BaseTotal {
							r.Errorf("paid, but %d of %d is settled", inv.BaseSettled, inv.BaseTotal)
						}
						parts = append(parts, part{amount, relief})
					}
					return struct{}{}, nil
				}))
				if err != nil {
					r.Fatal(err)
				}
			}
			w.exec(`UPDATE invoices SET base_settled = base_total WHERE id = $1`, i.ID) // the test books nothing, so agrees must not look
			w.exec(`UPDATE party_balances SET balance = 0 WHERE business_id = $1`, w.by.BusinessID)
		})
	})
}

// The steps of the documentation, and what was received until when.
func TestWhatWasStillToBeReceived(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bill := func(price, issued string) invoice.Invoice {
			n := w.bare(price)
			n.IssueDate, n.DueDate = &issued, &issued
			return w.issued(n)
		}
		a, b, c := bill("100", "2026-01-10"), bill("200", "2026-02-10"), bill("300", "2026-03-10")
		bill("400", "2026-03-10")
		w.draft(w.plain("9"))
		other := w.account(ledger.NewAccount{Code: "4100", Name: "Other", Type: ledger.Revenue})
		n := w.bare("50") // booked on both sides, and taken back on the day
		n.IssueDate, n.Lines = ptr("2026-01-10"), append(n.Lines, invoice.NewLine{Description: "back", UnitPrice: "-20", AccountID: &other.ID})
		run(w, w.invoices.Void(w.by, w.issued(n).ID, invoice.Voiding{Date: ptr("2026-01-10")}, nil))
		w.pay(a.ID, 4000, "2026-02-01")
		w.pay(a.ID, 6000, "2026-04-01")
		run(w, w.invoices.Void(w.by, b.ID, invoice.Voiding{Date: ptr("2026-03-01")}, nil))
		w.pay(c.ID, 10000, "2026-03-20")
		run(w, w.invoices.WriteOff(w.by, c.ID, ptr("2026-04-10"), nil))
		for _, c := range []struct{ asOf, want string }{
			{"2026-01-09", "null"},
			{"2026-01-10", `["INV-000001 due 2026-01-10: 10000"]`},
			{"2026-02-10", `["INV-000001 due 2026-01-10: 6000","INV-000002 due 2026-02-10: 20000"]`},
			{"2026-03-15", `["INV-000001 due 2026-01-10: 6000","INV-000003 due 2026-03-10: 30000","INV-000004 due 2026-03-10: 40000"]`},
			{"2026-04-01", `["INV-000003 due 2026-03-10: 20000","INV-000004 due 2026-03-10: 40000"]`},
			{"2026-04-10", `["INV-000004 due 2026-03-10: 40000"]`},
			{today, `["INV-000004 due 2026-03-10: 40000"]`},
		} {
			if got := text(w.receivables(c.asOf)); got != c.want {
				t.Errorf("as of %s: %s", c.asOf, got)
			}
		}
	})
}
