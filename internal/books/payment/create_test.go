package payment_test

import (
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAReceiptIsCustomerCreditUntilItIsAllocated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		var p payment.Payment
		news := w.news(t, func() { p = done(t, w, w.payments.Create(w.by, w.receipt(ada, 12100))) })
		same(t, "entries", w.entries(t, p.ID), []string{"2026-11-14 receipt: 1000 12100 2150 -12100 " + ada})
		same(t, "events", kinds(news), "payment.received")
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "RECEIPT", "date": today, "amount": 12100, "currency": "EUR", "customerId": ada, "supplierId": nil,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 0, "unallocatedAmount": 12100, "allocations": []any{}, "version": 1, "method": "BANK_TRANSFER",
		})
		w.asRead(t, p)
		same(t, "amounts", []money.Amount{p.Allocated, p.Unallocated, p.Refunded}, []money.Amount{0, 12100, 0})
	})
}

func TestAReceiptSettlesInvoicesInTheOrderOfItsList(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		a, b, c := w.invoice(t, ada, "100"), w.invoice(t, ada, "50"), w.invoice(t, ada, "70")
		var p payment.Payment
		news := w.news(t, func() {
			p = done(t, w, w.payments.Create(w.by, w.receipt(ada, 18000, all(c), some(a, 4000), all(b))))
		})
		same(t, "entries", w.entries(t, p.ID), []string{
			"2026-11-14 receipt: 1000 18000 1100 -7000 " + ada + " 1100 -4000 " + ada + " 1100 -5000 " + ada + " 2150 -2000 " + ada,
		})
		same(t, "events", kinds(news), "payment.received invoice.paid invoice.partially_paid invoice.paid")
		told := func(i int, invoiceID string, amount int) event.Data {
			return event.Data{"allocationId": p.Allocations[i].ID, "invoiceId": invoiceID, "amount": amount}
		}
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "RECEIPT", "date": today, "amount": 18000, "currency": "EUR", "customerId": ada, "supplierId": nil,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 16000, "unallocatedAmount": 2000,
			"allocations": []any{told(0, c.ID, 7000), told(1, a.ID, 4000), told(2, b.ID, 5000)}, "version": 1, "method": "BANK_TRANSFER",
		})
		same(t, "payment of invoice.paid", news[1].data["paymentId"], p.ID)
		w.asRead(t, p)
	})
}

func TestTheLastInvoiceGetsWhatIsLeft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		a, b := w.invoice(t, ada, "100"), w.invoice(t, ada, "50")
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 12000, all(a), all(b))))
		same(t, "allocations", []money.Amount{p.Allocations[0].Amount, p.Allocations[1].Amount, p.Unallocated}, []money.Amount{10000, 2000, 0})
		_, err := run(w, w.payments.Create(w.by, w.receipt(ada, 3000, all(b), all(w.invoice(t, ada, "1")))))
		want(t, err, payment.ErrExceedsAmount.With("allocations.1", 0, 0))
	})
}

// The example of the ledger's table: USD 100.00 issued at 0.92, paid at 0.95.
func TestADifferenceOfExchangeIsBookedOnSettlement(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		i := w.foreign(t, ada, "100", "USD", "0.92")
		n := w.receipt(ada, 10000, all(i))
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("0.95")
		p := done(t, w, w.payments.Create(w.by, n))
		same(t, "entries", w.entries(t, p.ID), []string{"2026-11-14 receipt: 1000 9500 1100 -9200 " + ada + " 6900 -300"})

		j := w.foreign(t, ada, "100", "USD", "0.92")
		n.Amount, n.ExchangeRate, n.Allocations = 15000, pointer("0.9"), []payment.Wanted{some(j, 5000)}
		p = done(t, w, w.payments.Create(w.by, n))
		same(t, "entries of a part", w.entries(t, p.ID), []string{"2026-11-14 receipt: 1000 13500 1100 -4600 " + ada + " 2150 -9000 " + ada + " 6900 100"})
		lines := query(t, w.Store, scanForeign, `SELECT l.currency, l.foreign_amount FROM journal_lines l JOIN journal_entries e ON e.id = l.entry_id
			WHERE e.source_id = $1 ORDER BY l.position`, p.ID)
		same(t, "in dollars", lines, []string{"USD 15000", "USD -5000", "USD -10000", ""})
	})
}

func TestMoneyGoesToASupplier(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob := w.supplier(t)
		n := payment.New{
			Kind: payment.Disbursement, Date: "2026-11-01", Amount: 999, Currency: pointer("KWD"), ExchangeRate: pointer("3.01"), Method: pointer(payment.Cash),
			BankAccountID: w.accounts["1000"], SupplierID: &bob, Reference: pointer(" R1 "), Memo: pointer("for bread"), ExternalID: pointer("x-1"),
		}
		var p payment.Payment
		news := w.news(t, func() { p = done(t, w, w.payments.Create(w.by, n)) })
		same(t, "entries", w.entries(t, p.ID), []string{"2026-11-01 disbursement: 2000 301 " + bob + " 1000 -301"})
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "DISBURSEMENT", "date": "2026-11-01", "amount": 999, "currency": "KWD", "customerId": nil, "supplierId": bob,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 0, "unallocatedAmount": 0, "allocations": []any{}, "version": 1, "method": "CASH",
		})
		same(t, "events", kinds(news), "payment.made")
		read, err := w.payments.Get(ctx, w.by, p.ID)
		must(t, err)
		same(t, "as read", []any{*read.Reference, *read.Memo, *read.ExternalID, *read.ExchangeRate}, []any{"R1", "for bread", "x-1", "3.01"})
		other := w.by
		other.Actor.AppID = "app_2"
		read, err = w.payments.Get(ctx, other, p.ID)
		must(t, err)
		if read.ExternalID != nil {
			t.Errorf("another app reads the external id %q", *read.ExternalID)
		}
		_, err = run(w, w.payments.Create(w.by, n))
		want(t, err, record.ErrExternalID.With(p.ID))
	})
}

func TestANewPaymentIsJudgedMemberByMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, bob := w.customer(t), w.supplier(t)
		long := string(make([]rune, 501))
		for _, row := range []struct {
			change func(*payment.New)
			want   string
		}{
			{func(n *payment.New) { *n = payment.New{} }, "kind date amount bankAccountId"},
			{func(n *payment.New) { n.Kind = payment.Refund }, "kind"},
			{func(n *payment.New) { n.Date = "2026-02-30" }, "date"},
			{func(n *payment.New) { n.Amount = -1 }, "amount"},
			{func(n *payment.New) { n.Amount = money.Max + 1 }, "amount"},
			{func(n *payment.New) { n.Currency = pointer("EURO") }, "currency"},
			{func(n *payment.New) { n.ExchangeRate = pointer("0") }, "exchangeRate"},
			{func(n *payment.New) { n.ExchangeRate = pointer("1,1") }, "exchangeRate"},
			{func(n *payment.New) { n.ExchangeRate = pointer("1.1") }, "exchangeRate"},
			{func(n *payment.New) { n.Method = pointer(payment.Method("BARTER")) }, "method"},
			{func(n *payment.New) { n.CustomerID = nil }, "customerId"},
			{func(n *payment.New) { n.SupplierID = &bob }, "supplierId"},
			{func(n *payment.New) { n.Kind, n.SupplierID = payment.Disbursement, &bob }, "customerId"},
			{func(n *payment.New) { n.Kind, n.CustomerID = payment.Disbursement, nil }, "supplierId"},
			{func(n *payment.New) {
				n.Kind, n.CustomerID, n.SupplierID, n.Allocations = payment.Disbursement, nil, &bob, []payment.Wanted{{InvoiceID: "inv_1"}}
			}, "allocations"},
			{func(n *payment.New) { n.Reference, n.Memo, n.ExternalID = &long, &long, &long }, "reference reference memo memo externalId externalId"},
			{func(n *payment.New) {
				n.Allocations = []payment.Wanted{{InvoiceID: "inv_1", Amount: pointer(money.Amount(0))}, {InvoiceID: "inv_1"}, {}}
			}, "allocations.0.amount allocations.1.invoiceId allocations.2.invoiceId"},
			{func(n *payment.New) {
				for range 101 {
					n.Allocations = append(n.Allocations, payment.Wanted{InvoiceID: w.IDs.New("inv")})
				}
			}, "allocations"},
		} {
			n := w.receipt(ada, 100)
			row.change(&n)
			_, err := run(w, w.payments.Create(w.by, n))
			same(t, "offences", offences(err), row.want)
		}
	})
}

func TestANewPaymentIsRefusedByWhatItNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, eve, bob := w.customer(t), w.customer(t), w.supplier(t)
		gone := w.customer(t)
		done(t, w, w.parties.Archive(w.by, record.Customer, gone, nil))
		closed, dollars := w.bank(t, nil), w.bank(t, pointer("USD"))
		w.exec(t, `UPDATE accounts SET status = 'ARCHIVED' WHERE id = $1`, closed)
		other := w.house.shop(t, "EUR")
		open, hers, foreign, paid := w.invoice(t, ada, "10"), w.invoice(t, eve, "10"), w.foreign(t, ada, "10", "USD", "2"), w.invoice(t, ada, "10")
		done(t, w, w.payments.Create(w.by, w.receipt(ada, 1000, all(paid))))
		for _, row := range []struct {
			name   string
			change func(*payment.New)
			want   *fault.Fault
		}{
			{"unknown customer", func(n *payment.New) { n.CustomerID = pointer("cus_0") }, record.ErrReference.With("customerId")},
			{"a supplier as customer", func(n *payment.New) { n.CustomerID = &bob }, record.ErrReference.With("customerId")},
			{"a customer as supplier", func(n *payment.New) { n.Kind, n.CustomerID, n.SupplierID = payment.Disbursement, nil, &ada }, record.ErrReference.With("supplierId")},
			{"archived customer", func(n *payment.New) { n.CustomerID = &gone }, record.ErrArchived.With("customer")},
			{"unknown account", func(n *payment.New) { n.BankAccountID = "acc_0" }, record.ErrReference.With("bankAccountId")},
			{"account of another business", func(n *payment.New) { n.BankAccountID = other.accounts["1000"] }, record.ErrReference.With("bankAccountId")},
			{"archived account", func(n *payment.New) { n.BankAccountID = closed }, record.ErrArchived.With("account")},
			{"account of another sort", func(n *payment.New) { n.BankAccountID = w.accounts["4000"] }, ledger.ErrType.With("bankAccountId", "BANK or CASH")},
			{"euros to a dollar account", func(n *payment.New) { n.BankAccountID, n.Currency = dollars, pointer("EUR") },
				payment.ErrCurrency.With("bankAccountId", "USD", "EUR")},
			{"no rate", func(n *payment.New) { n.Currency = pointer("USD") }, payment.ErrRate.With("USD", "EUR")},
			{"no rate for the account's currency", func(n *payment.New) { n.BankAccountID = dollars }, payment.ErrRate.With("USD", "EUR")},
			{"unknown invoice", func(n *payment.New) { n.Allocations = []payment.Wanted{all(open), {InvoiceID: "inv_0"}} },
				record.ErrReference.With("allocations.1.invoiceId")},
			{"invoice in another currency", func(n *payment.New) { n.Allocations = []payment.Wanted{all(foreign)} },
				payment.ErrCurrency.With("allocations.0.invoiceId", "USD", "EUR")},
			{"settled invoice", func(n *payment.New) { n.Allocations = []payment.Wanted{all(paid)} }, record.ErrState.With("PAID", "allocate")},
			{"more than is due", func(n *payment.New) { n.Allocations = []payment.Wanted{some(open, 1001)} },
				payment.ErrExceedsDue.With("allocations.0", 1001, 1000)},
			{"more than was paid", func(n *payment.New) { n.Amount, n.Allocations = 999, []payment.Wanted{some(open, 1000)} },
				payment.ErrExceedsAmount.With("allocations.0", 1000, 999)},
		} {
			n := w.receipt(ada, 5000)
			row.change(&n)
			_, err := run(w, w.payments.Create(w.by, n))
			t.Run(row.name, func(t *testing.T) { want(t, err, row.want) })
		}
		_, err := run(w, w.payments.Create(w.by, w.receipt(ada, 5000, all(hers))))
		same(t, "offences with another's invoice", offences(err), "allocations.0.invoiceId")
		n := w.receipt(ada, money.Max)
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("1.1")
		_, err = run(w, w.payments.Create(w.by, n))
		same(t, "offences of too much", offences(err), "amount")
		w.exec(t, `UPDATE books SET lock_date = $2 WHERE business_id = $1`, w.by.BusinessID, today)
		_, err = run(w, w.payments.Create(w.by, w.receipt(ada, 100)))
		want(t, err, ledger.ErrLocked.With(today))
	})
}

func TestAPaymentTakesItsCurrencyFromTheAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, dollars := w.customer(t), w.bank(t, pointer("USD"))
		n := w.receipt(ada, 100)
		n.BankAccountID, n.ExchangeRate = dollars, pointer("0.5")
		same(t, "currency", done(t, w, w.payments.Create(w.by, n)).Currency, "USD")
		n = w.receipt(ada, 100)
		n.ExchangeRate = pointer("1.0") // allowed, and says nothing
		p := done(t, w, w.payments.Create(w.by, n))
		same(t, "currency", p.Currency, "EUR")
		if p.ExchangeRate != nil {
			t.Errorf("a payment in the base currency has the rate %v", *p.ExchangeRate)
		}
	})
}

func TestAPaymentMayBeTooSmallToBeBooked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.receipt(w.customer(t), 1)
		n.Currency, n.ExchangeRate = pointer("JPY"), pointer("0.0001")
		p := done(t, w, w.payments.Create(w.by, n))
		same(t, "entries", w.entries(t, p.ID), []string{})
		news := w.news(t, func() { done(t, w, w.payments.Delete(w.by, p.ID, nil, nil)) })
		same(t, "entry of the deletion", news[0].data["journalEntryId"], nil)
	})
}

func scanForeign(scan db.Scan) (string, error) {
	var currency *string
	var amount *int64
	err := scan(&currency, &amount)
	if currency == nil || amount == nil {
		return "", err
	}
	return fmt.Sprint(*currency, " ", *amount), err
}
