package payment_test

import (
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func to(list ...payment.Wanted) payment.Allocating { return payment.Allocating{Allocations: list} }

func TestCreditIsAppliedToInvoicesLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 10000)))
		a, b := w.invoice(t, ada, "30"), w.invoice(t, ada, "90")
		news := w.news(t, func() { p = done(t, w, w.payments.Allocate(w.by, p.ID, to(all(a), some(b, 5000)), pointer(1))) })
		same(t, "entries", w.entries(t, p.ID), []string{
			"2026-11-14 receipt: 1000 10000 2150 -10000 " + ada,
			"2026-11-14 allocate: 2150 3000 " + ada + " 1100 -3000 " + ada + " 2150 5000 " + ada + " 1100 -5000 " + ada,
		})
		same(t, "events", kinds(news), "payment.allocated invoice.paid payment.allocated invoice.partially_paid")
		told := []event.Data{
			{"allocationId": p.Allocations[0].ID, "invoiceId": a.ID, "amount": 3000},
			{"allocationId": p.Allocations[1].ID, "invoiceId": b.ID, "amount": 5000},
		}
		for i, h := range []happening{news[0], news[2]} {
			payload(t, h, event.Data{
				"paymentId": p.ID, "kind": "RECEIPT", "date": today, "amount": 10000, "currency": "EUR", "customerId": ada, "supplierId": nil,
				"bankAccountId": w.accounts["1000"], "allocatedAmount": 8000, "unallocatedAmount": 2000, "allocations": told, "version": 2,
				"allocationId": told[i]["allocationId"], "invoiceId": told[i]["invoiceId"], "allocationAmount": told[i]["amount"],
			})
		}
		w.asRead(t, p)

		p = done(t, w, w.payments.Allocate(w.by, p.ID, to(all(b)), nil))
		same(t, "the rest", []money.Amount{p.Allocated, p.Unallocated, p.Allocations[2].Amount}, []money.Amount{10000, 0, 2000})
	})
}

func TestCreditKeepsTheValueItCameIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		n := w.receipt(ada, 10000)
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("0.95")
		p := done(t, w, w.payments.Create(w.by, n))
		i := w.foreign(t, ada, "40", "USD", "0.92")
		p = done(t, w, w.payments.Allocate(w.by, p.ID, to(all(i)), nil))
		p = done(t, w, w.payments.Unallocate(w.by, p.ID, p.Allocations[0].ID, nil))
		same(t, "entries", w.entries(t, p.ID), []string{
			"2026-11-14 receipt: 1000 9500 2150 -9500 " + ada,
			"2026-11-14 allocate: 2150 3800 " + ada + " 1100 -3680 " + ada + " 6900 -120",
			"2026-11-14 unallocate: 1100 3680 " + ada + " 2150 -3800 " + ada + " 6900 120",
		})
	})
}

func TestAnAllocationIsTakenAway(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		a, b := w.invoice(t, ada, "30"), w.invoice(t, ada, "90")
		n := w.receipt(ada, 10000, all(a), all(b))
		n.Date = "2026-11-02"
		p := done(t, w, w.payments.Create(w.by, n))
		gone := p.Allocations[0].ID
		news := w.news(t, func() { p = done(t, w, w.payments.Unallocate(w.by, p.ID, gone, nil)) })
		same(t, "entries", w.entries(t, p.ID), []string{
			"2026-11-02 receipt: 1000 10000 1100 -3000 " + ada + " 1100 -7000 " + ada,
			"2026-11-14 unallocate: 1100 3000 " + ada + " 2150 -3000 " + ada,
		})
		same(t, "events", kinds(news), "payment.unallocated invoice.reopened")
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "RECEIPT", "date": "2026-11-02", "amount": 10000, "currency": "EUR", "customerId": ada, "supplierId": nil,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 7000, "unallocatedAmount": 3000,
			"allocations": []event.Data{{"allocationId": p.Allocations[0].ID, "invoiceId": b.ID, "amount": 7000}}, "version": 2,
			"allocationId": gone, "invoiceId": a.ID, "allocationAmount": 3000,
		})
		w.asRead(t, p)
		_, err := run(w, w.payments.Unallocate(w.by, p.ID, gone, nil))
		want(t, err, record.ErrNotFound.With("allocation"))
	})
}

func TestAnAllocationHasItsDate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		i := w.invoice(t, ada, "90")
		early, late := w.receipt(ada, 1000), w.receipt(ada, 1000)
		early.Date, late.Date = "2026-10-01", "2026-12-01"
		p, q := done(t, w, w.payments.Create(w.by, early)), done(t, w, w.payments.Create(w.by, late))

		a := to(some(i, 100))
		a.Date = pointer("2026-10-02")
		same(t, "given", done(t, w, w.payments.Allocate(w.by, p.ID, a, nil)).Allocations[0].Date, "2026-10-02")
		same(t, "by default", done(t, w, w.payments.Allocate(w.by, p.ID, to(some(i, 100)), nil)).Allocations[1].Date, today)
		same(t, "not before the payment", done(t, w, w.payments.Allocate(w.by, q.ID, to(some(i, 100)), nil)).Allocations[0].Date, "2026-12-01")
		a.Date = pointer("2026-09-30")
		_, err := run(w, w.payments.Allocate(w.by, p.ID, a, nil))
		same(t, "offences", offences(err), "date")
		w.exec(t, `UPDATE books SET lock_date = '2026-10-31' WHERE business_id = $1`, w.by.BusinessID)
		a.Date = pointer("2026-10-31")
		_, err = run(w, w.payments.Allocate(w.by, p.ID, a, nil))
		want(t, err, ledger.ErrLocked.With("2026-10-31"))
	})
}

func TestAnAllocationIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, bob := w.customer(t), w.supplier(t)
		i := w.invoice(t, ada, "90")
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 1000)))
		made := done(t, w, w.payments.Create(w.by, payment.New{
			Kind: payment.Disbursement, Date: today, Amount: 1, BankAccountID: w.accounts["1000"], SupplierID: &bob}))

		_, err := run(w, w.payments.Allocate(w.by, p.ID, payment.Allocating{Date: pointer("soon")}, nil))
		same(t, "offences", offences(err), "allocations date")
		_, err = run(w, w.payments.Allocate(w.by, "pay_0", to(all(i)), nil))
		want(t, err, record.ErrNotFound.With("payment"))
		_, err = run(w, w.payments.Allocate(w.by, p.ID, to(all(i)), pointer(2)))
		want(t, err, record.ErrStale.With(1, 2))
		_, err = run(w, w.payments.Allocate(w.by, made.ID, to(all(i)), nil))
		want(t, err, record.ErrState.With("DISBURSEMENT", "allocate"))
		_, err = run(w, w.payments.Allocate(w.by, p.ID, to(some(i, 1001)), nil))
		want(t, err, payment.ErrExceedsAmount.With("allocations.0", 1001, 1000))
		_, err = run(w, w.payments.Unallocate(w.by, p.ID, "alc_0", pointer(3)))
		want(t, err, record.ErrStale.With(1, 3))
		stranger := w.house.shop(t, "EUR")
		_, err = run(stranger, w.payments.Allocate(stranger.by, p.ID, to(all(i)), nil))
		want(t, err, record.ErrNotFound.With("payment"))
	})
}

// What was written off stays so: its payments cannot be taken back.
func TestAPaymentOfAnInvoiceThatWasWrittenOffStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		i := w.invoice(t, ada, "90")
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 1000, all(i))))
		done(t, w, w.invoices.WriteOff(w.by, i.ID, nil, nil))
		_, err := run(w, w.payments.Unallocate(w.by, p.ID, p.Allocations[0].ID, nil))
		want(t, err, record.ErrState.With("UNCOLLECTIBLE", "unallocate"))
		_, err = run(w, w.payments.Delete(w.by, p.ID, nil, nil))
		want(t, err, record.ErrState.With("UNCOLLECTIBLE", "unallocate"))
		if _, err := w.payments.Get(ctx, w.by, p.ID); err != nil {
			t.Errorf("the payment is gone: %v", err)
		}
	})
}
