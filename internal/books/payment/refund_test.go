package payment_test

import (
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func back(amount money.Amount) payment.Refunding {
	return payment.Refunding{Amount: amount, Date: today}
}

func TestCreditIsGivenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		n := w.receipt(ada, 10000, all(w.invoice(t, ada, "30")))
		n.Method = pointer(payment.Card)
		p := done(t, w, w.payments.Create(w.by, n))
		var r payment.Payment
		news := w.news(t, func() { r = done(t, w, w.payments.Refund(w.by, p.ID, back(2500), pointer(1))) })
		same(t, "entries", w.entries(t, r.ID), []string{"2026-11-14 refund: 2150 2500 " + ada + " 1000 -2500"})
		same(t, "events", kinds(news), "payment.refunded")
		payload(t, news[0], event.Data{
			"paymentId": r.ID, "kind": "REFUND", "date": today, "amount": 2500, "currency": "EUR", "customerId": ada, "supplierId": nil,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 0, "unallocatedAmount": 0, "allocations": []any{}, "version": 1, "refundOfPaymentId": p.ID,
		})
		w.asRead(t, r)
		same(t, "what it gives back", []any{*r.RefundOf, r.Method}, []any{p.ID, payment.Card})
		p, err := w.payments.Get(ctx, w.by, p.ID)
		must(t, err)
		same(t, "the receipt", []any{p.Allocated, p.Unallocated, p.Refunded, p.Version}, []any{3000, 4500, 2500, 2})

		_, err = run(w, w.payments.Refund(w.by, p.ID, back(4501), nil))
		same(t, "offences", offences(err), "amount")
		_, err = run(w, w.payments.Refund(w.by, r.ID, back(1), nil))
		want(t, err, record.ErrState.With("REFUND", "refund"))
		_, err = run(w, w.payments.Refund(w.by, p.ID, back(1), pointer(1)))
		want(t, err, record.ErrStale.With(2, 1))
		_, err = run(w, w.payments.Refund(w.by, "pay_0", back(1), nil))
		want(t, err, record.ErrNotFound.With("payment"))
	})
}

func TestARefundHasItsOwnWayAndRate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, cash, dollars, yen := w.customer(t), w.bank(t, nil), w.bank(t, pointer("USD")), w.bank(t, pointer("JPY"))
		n := w.receipt(ada, 10000)
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("0.95")
		p := done(t, w, w.payments.Create(w.by, n))
		r := done(t, w, w.payments.Refund(w.by, p.ID, back(1000), nil))
		same(t, "at the same rate", w.entries(t, r.ID), []string{"2026-11-14 refund: 2150 950 " + ada + " 1000 -950"})
		r = done(t, w, w.payments.Refund(w.by, p.ID, payment.Refunding{
			Amount: 2000, Date: "2026-11-20", BankAccountID: &cash, Method: pointer(payment.Cash), ExchangeRate: pointer("1"), Reference: pointer("R"), Memo: pointer("M"),
			ExternalID: pointer("back")}, nil))
		same(t, "at another", w.entries(t, r.ID), []string{"2026-11-20 refund: 2150 1900 " + ada + " " + cash + " -2000 6900 100"})
		same(t, "members", []any{r.BankAccountID, r.Method, *r.ExchangeRate, *r.Reference, *r.Memo, *r.ExternalID}, []any{cash, "CASH", "1", "R", "M", "back"})
		done(t, w, w.payments.Refund(w.by, p.ID, payment.Refunding{Amount: 1, Date: today, BankAccountID: &dollars}, nil))

		_, err := run(w, w.payments.Refund(w.by, p.ID, payment.Refunding{Amount: 1, Date: today, BankAccountID: &yen}, nil))
		want(t, err, payment.ErrCurrency.With("bankAccountId", "JPY", "USD"))
		_, err = run(w, w.payments.Refund(w.by, p.ID, payment.Refunding{Amount: 1, Date: "2026-11-13"}, nil))
		same(t, "offences before the payment", offences(err), "date")
		_, err = run(w, w.payments.Refund(w.by, p.ID, payment.Refunding{
			Date: "x", BankAccountID: pointer(""), Method: pointer(payment.Method("")), ExchangeRate: pointer("-1")}, nil))
		same(t, "offences", offences(err), "amount date method exchangeRate bankAccountId")
		w.exec(t, `UPDATE accounts SET status = 'ARCHIVED' WHERE id = $1`, cash)
		_, err = run(w, w.payments.Refund(w.by, p.ID, payment.Refunding{Amount: 1, Date: today, BankAccountID: &cash}, nil))
		want(t, err, record.ErrArchived.With("account"))
		w.exec(t, `UPDATE books SET lock_date = $2 WHERE business_id = $1`, w.by.BusinessID, today)
		_, err = run(w, w.payments.Refund(w.by, p.ID, back(1), nil))
		want(t, err, ledger.ErrLocked.With(today))
	})
}
