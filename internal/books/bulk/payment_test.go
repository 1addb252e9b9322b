package bulk_test

import (
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

func TestAPaymentSettlesItsInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		whole := with(w.paid(w.row("whole", "10"), 1210), func(r *bulk.Row) {
			r.Payment.Method, r.Payment.ExternalID, r.Payment.Reference = ptr(payment.Card), ptr("pay-1"), ptr("R")
		})
		r := w.all(whole, w.paid(w.row("part", "10"), 10), w.paid(w.row("more", "10"), 1300))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED CREATED")
		for i, want := range []struct {
			status           invoice.Status
			paid, due, spare money.Amount
		}{{invoice.Paid, 1210, 0, 0}, {invoice.PartiallyPaid, 10, 1200, 0}, {invoice.Paid, 1210, 0, 90}} {
			got, err := w.invoices.Get(ctx, w.by, *r.Outcomes[i].InvoiceID)
			must(t, err)
			payments, err := w.payments.List(ctx, w.by, map[string][]string{"invoiceId": {got.ID}})
			must(t, err)
			if len(payments.Data) != 1 {
				t.Fatalf("%d payments", len(payments.Data))
			}
			p := payments.Data[0]
			if got.Status != want.status || got.AmountPaid != want.paid || got.AmountDue != want.due || p.Unallocated != want.spare || p.Allocated != want.paid {
				t.Errorf("row %d became %+v, paid by %+v", i, got, p)
			}
			if p.Kind != payment.Receipt || *p.CustomerID != w.customer.ID || p.Date != today || p.Currency != "EUR" {
				t.Errorf("row %d was paid by %+v", i, p)
			}
			if i == 0 && (p.Method != payment.Card || *p.ExternalID != "pay-1" || *p.Reference != "R") {
				t.Errorf("the payment became %+v", p)
			}
		}
	})
}

func TestAPaymentIsRefusedWithItsRow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		done(w, w.ledger.SetLockDate(w.by, ptr("2026-06-30")))
		w.events()
		before := w.everything()
		r := w.all(
			w.paid(w.row("amount", "10"), 0),
			with(w.paid(w.row("date", "10"), 10), func(r *bulk.Row) { r.Payment.Date = "yesterday" }),
			with(w.paid(w.row("account", "10"), 10), func(r *bulk.Row) { r.Payment.BankAccountID = w.accounts["4000"] }),
			with(w.paid(w.row("locked", "10"), 10), func(r *bulk.Row) { r.Payment.Date = "2026-06-30" }),
			with(w.paid(w.row("currency", "10"), 10), func(r *bulk.Row) { r.Payment.Currency, r.Payment.ExchangeRate = ptr("USD"), ptr("0.9") }),
			with(w.paid(w.row("rate", "10"), 10), func(r *bulk.Row) { r.Payment.ExchangeRate = ptr("0.9") }),
			w.paid(w.row("nothing due", "0"), 10),
		)
		same(t, "outcomes", outcomes(r.Outcomes), "(payment.amount) (payment.date) ACCOUNT_TYPE_INVALID PERIOD_LOCKED CURRENCY_MISMATCH (payment.exchangeRate) INVALID_STATE")
		want(t, r.Outcomes[2].Refusal, ledger.ErrType, "payment.bankAccountId", "BANK or CASH")
		want(t, r.Outcomes[3].Refusal, ledger.ErrLocked, "2026-06-30")
		want(t, r.Outcomes[4].Refusal, payment.ErrCurrency, "The invoice", "EUR", "USD")
		want(t, r.Outcomes[6].Refusal, record.ErrState)
		same(t, "left behind", w.everything(), before)
	})
}

func TestTheNameOfAPaymentIsGivenOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		named := func(row bulk.Row) bulk.Row {
			return with(w.paid(row, 10), func(r *bulk.Row) { r.Payment.ExternalID = ptr("pay-1") })
		}
		r := w.all(named(w.row("one", "10")), named(w.row("two", "10")), w.row("three", "10"))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED DUPLICATE_EXTERNAL_ID CREATED")
		same(t, "numbers", *r.Outcomes[0].Number+" "+*r.Outcomes[2].Number, "INV-000001 INV-000002")
	})
}

func TestAPaymentIsInTheCurrencyOfItsInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		dollars := func(name string) bulk.Row {
			return with(w.paid(w.row(name, "100"), 12100), func(r *bulk.Row) { r.Invoice.Currency, r.Invoice.ExchangeRate = ptr("USD"), ptr("0.92") })
		}
		r := w.all(dollars("no rate"), with(dollars("rate"), func(r *bulk.Row) { r.Payment.ExchangeRate = ptr("0.95") }))
		same(t, "outcomes", outcomes(r.Outcomes), "EXCHANGE_RATE_REQUIRED CREATED")
		got, err := w.invoices.Get(ctx, w.by, *r.Outcomes[1].InvoiceID)
		must(t, err)
		if got.Status != invoice.Paid || got.Currency != "USD" || got.BaseTotal != 11132 {
			t.Errorf("became %+v", got)
		}
		gain := one[money.Amount](w, `SELECT CAST(sum(credit - debit) AS BIGINT) FROM account_months WHERE account_id = $1`, w.accounts["6900"])
		same(t, "gain", gain, 363)
	})
}

func TestOnlyARowWithAPaymentNeedsLeaveToPay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.all(w.row("there", "1"))
		r := w.load(bulk.Request{PaymentsRefusal: errScope.With("payments:write"), Rows: []bulk.Row{
			w.row("one", "10"), w.paid(w.row("two", "10"), 10), w.paid(forNew(w.row("three", "10"), "bea", "Bea"), 10), w.paid(w.row("there", "10"), 10), w.row("four", "1"),
		}})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED INSUFFICIENT_SCOPE INSUFFICIENT_SCOPE SKIPPED CREATED")
		want(t, r.Outcomes[1].Refusal, errScope, "payments:write")
		same(t, "payments", one[int](w, `SELECT count(*) FROM payments`), 0)
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 1)
	})
}
