package payment_test

import (
	"context"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestADeletedPaymentLeavesItsEntriesAndTheirMirrors(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		a, b, c := w.invoice(t, ada, "30"), w.invoice(t, ada, "40"), w.invoice(t, ada, "5")
		n := w.receipt(ada, 10000, all(a))
		n.Date, n.ExternalID = "2026-11-02", pointer("mine")
		p := done(t, w, w.payments.Create(w.by, n))
		p = done(t, w, w.payments.Allocate(w.by, p.ID, to(some(b, 1000), all(c)), nil))
		p = done(t, w, w.payments.Allocate(w.by, p.ID, to(all(b)), nil))
		p = done(t, w, w.payments.Unallocate(w.by, p.ID, p.Allocations[2].ID, nil))
		before := len(w.events(t))
		news := w.news(t, func() { done(t, w, w.payments.Delete(w.by, p.ID, nil, pointer(4))) })
		entries := w.entries(t, p.ID)
		same(t, "mirrors", entries[4:], []string{
			"2026-11-02 delete:receipt: 1000 -10000 1100 3000 " + ada + " 2150 7000 " + ada,
			"2026-11-02 delete:allocate: 2150 -1000 " + ada + " 1100 1000 " + ada + " 2150 -500 " + ada + " 1100 500 " + ada,
			"2026-11-02 delete:allocate: 2150 -3000 " + ada + " 1100 3000 " + ada,
			"2026-11-02 delete:unallocate: 1100 -500 " + ada + " 2150 500 " + ada,
		})
		same(t, "events", kinds(news), "payment.deleted invoice.reopened invoice.reopened")
		last := ""
		for _, h := range w.events(t)[before:] {
			if h.kind == "journal_entry.posted" {
				last = h.data["journalEntryId"].(string)
			}
		}
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "RECEIPT", "amount": 10000, "currency": "EUR", "invoiceIds": []string{a.ID, b.ID}, "journalEntryId": last, "version": 5,
		})
		same(t, "reopened", []any{news[1].data["invoiceId"], news[1].data["amountDue"], news[2].data["invoiceId"], news[2].data["amountDue"]},
			[]any{a.ID, 3000, b.ID, 4000})
		same(t, "relief of the invoices", query(t, w.Store, db.Value[int], `SELECT base_settled FROM invoices WHERE business_id = $1`, w.by.BusinessID), []int{0, 0, 0})

		_, err := w.payments.Get(ctx, w.by, p.ID)
		want(t, err, record.ErrNotFound.With("payment"))
		_, err = run(w, w.payments.Delete(w.by, p.ID, nil, nil))
		want(t, err, record.ErrNotFound.With("payment"))
		rows := query(t, w.Store, db.Value[int], `SELECT count(*) FROM payment_allocations WHERE payment_id = $1
			UNION ALL SELECT count(*) FROM external_ids WHERE record_id = $1`, p.ID)
		same(t, "rows left", rows, []int{0, 0})
	})
}

func TestADeletionHasItsDate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		n := w.receipt(ada, 10000)
		n.Date = "2026-10-01"
		p := done(t, w, w.payments.Create(w.by, n))
		w.exec(t, `UPDATE books SET lock_date = '2026-10-31' WHERE business_id = $1`, w.by.BusinessID)
		_, err := run(w, w.payments.Delete(w.by, p.ID, nil, nil))
		want(t, err, ledger.ErrLocked.With("2026-10-31"))
		_, err = run(w, w.payments.Delete(w.by, p.ID, pointer("2026-11-31"), nil))
		same(t, "offences", offences(err), "reversalDate")
		_, err = run(w, w.payments.Delete(w.by, p.ID, pointer("2026-11-01"), pointer(2)))
		want(t, err, record.ErrStale.With(1, 2))
		done(t, w, w.payments.Delete(w.by, p.ID, pointer("2026-11-01"), nil))
		same(t, "mirror", w.entries(t, p.ID)[1], "2026-11-01 delete:receipt: 1000 -10000 2150 10000 "+ada)
	})
}

func TestARefundIsDeletedBeforeItsPayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		n := w.receipt(ada, 10000)
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("0.95")
		p := done(t, w, w.payments.Create(w.by, n))
		give := back(4000)
		give.ExchangeRate = pointer("0.9")
		r := done(t, w, w.payments.Refund(w.by, p.ID, give, nil))
		_, err := run(w, w.payments.Delete(w.by, p.ID, nil, nil))
		want(t, err, payment.ErrRefunded)
		same(t, "code", payment.ErrRefunded.Code, "RECORD_IN_USE")
		news := w.news(t, func() { done(t, w, w.payments.Delete(w.by, r.ID, nil, nil)) })
		same(t, "events", kinds(news), "payment.deleted")
		same(t, "told", []any{news[0].data["kind"], news[0].data["invoiceIds"], news[0].data["version"]}, []any{"REFUND", []any{}, 2})
		p, err = w.payments.Get(ctx, w.by, p.ID)
		must(t, err)
		same(t, "the receipt", []any{p.Allocated, p.Unallocated, p.Refunded, p.Version}, []any{0, 10000, 0, 3})
		same(t, "its credit", query(t, w.Store, db.Value[int], `SELECT base_credit FROM payments WHERE id = $1`, p.ID), []int{9500})
		done(t, w, w.payments.Delete(w.by, p.ID, nil, nil))
		w.empty(t)
	})
}

func TestASupplierPaymentIsDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob := w.supplier(t)
		p := done(t, w, w.payments.Create(w.by, payment.New{Kind: payment.Disbursement, Date: today, Amount: 7, BankAccountID: w.accounts["1000"], SupplierID: &bob}))
		done(t, w, w.payments.Delete(w.by, p.ID, nil, nil))
		w.empty(t)
	})
}

func TestAnArchivedAccountTakesNoMirror(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		cash := w.bank(t, nil)
		n := w.receipt(w.customer(t), 100)
		n.BankAccountID = cash
		p := done(t, w, w.payments.Create(w.by, n))
		w.exec(t, `UPDATE accounts SET status = 'ARCHIVED' WHERE id = $1`, cash)
		_, err := run(w, w.payments.Delete(w.by, p.ID, nil, nil))
		want(t, err, record.ErrArchived.With("account"))
	})
}

// An entry that has its mirror already gets no second one.
func TestWhatWasReversedIsNotReversedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 100)))
		p = done(t, w, w.payments.Allocate(w.by, p.ID, to(all(w.invoice(t, ada, "1"))), nil))
		done(t, w, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
			entries, err := b.EntriesOf(ctx, ledger.FromPayment, p.ID)
			if err == nil {
				_, err = b.Reverse(ctx, entries[1], today, "undo", nil)
			}
			return struct{}{}, err
		}))
		done(t, w, w.payments.Delete(w.by, p.ID, nil, nil))
		var actions []string
		for _, e := range w.entries(t, p.ID) {
			actions = append(actions, strings.Fields(e)[1])
		}
		same(t, "entries", actions, []string{"receipt:", "allocate:", "undo:", "delete:receipt:"})
	})
}

// empty checks that nothing is left on the accounts that payments are booked on.
func (w *world) empty(t *testing.T) {
	t.Helper()
	left := query(t, w.Store, db.Value[string], `SELECT a.code FROM account_months m JOIN accounts a ON a.id = m.account_id WHERE m.business_id = $1
		GROUP BY a.code HAVING sum(m.debit) <> sum(m.credit)`, w.by.BusinessID)
	same(t, "accounts with a balance", left, []string{})
}
