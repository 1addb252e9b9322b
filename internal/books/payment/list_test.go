package payment_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

func TestPaymentsAreListed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, eve, bob, cash := w.customer(t), w.customer(t), w.supplier(t), w.bank(t, nil)
		i, j := w.invoice(t, ada, "10"), w.invoice(t, ada, "20")
		made := map[string]string{} // id → name
		add := func(name string, p payment.Payment) {
			made[p.ID] = name
			w.Clock.Advance(time.Second)
		}
		n := w.receipt(ada, 5000, all(i), all(j))
		n.Date, n.ExternalID = "2026-11-01", pointer("first")
		first := done(t, w, w.payments.Create(w.by, n))
		add("a", first)
		n = w.receipt(eve, 100)
		n.BankAccountID, n.Method = cash, pointer(payment.Cash)
		add("b", done(t, w, w.payments.Create(w.by, n)))
		n = w.receipt(ada, 2000)
		n.Currency, n.ExchangeRate = pointer("USD"), pointer("2")
		add("c", done(t, w, w.payments.Create(w.by, n)))
		add("d", done(t, w, w.payments.Create(w.by, payment.New{Kind: payment.Disbursement, Date: "2026-11-20", Amount: 7, BankAccountID: cash, SupplierID: &bob})))
		add("e", done(t, w, w.payments.Refund(w.by, first.ID, back(2000), nil)))
		other := w.house.shop(t, "EUR")
		done(t, other, other.payments.Create(other.by, other.receipt(other.customer(t), 1)))

		for _, row := range []struct{ params, want string }{
			{"", "edcba"},
			{"sort=createdAt", "abcde"},
			{"sort=date", "abced"},
			{"sort=-amount", "aecbd"},
			{"sort=updatedAt", "bcdae"},
			{"kind=REFUND,DISBURSEMENT", "ed"},
			{"customerId=" + ada, "eca"},
			{"supplierId=" + bob, "d"},
			{"invoiceId=" + i.ID, "a"},
			{"invoiceId=" + i.ID + "," + j.ID, "a"},
			{"invoiceId=inv_0", ""},
			{"bankAccountId=" + cash, "db"},
			{"method=CASH", "b"},
			{"currency=USD", "c"},
			{"dateFrom=2026-11-14&dateTo=2026-11-14", "ecb"},
			{"dateTo=2026-11-01", "a"},
			{"unallocated=true", "cb"},
			{"unallocated=false&kind=RECEIPT", "a"},
			{"externalId=first", "a"},
			{"ids=" + first.ID, "a"},
		} {
			page, err := w.payments.List(ctx, w.by, params(row.params))
			must(t, err)
			got := ""
			for _, p := range page.Data {
				got += made[p.ID]
				w.asRead(t, p)
			}
			same(t, row.params, got, row.want)
		}
		page, err := w.payments.List(ctx, w.by, params("limit=2&sort=amount"))
		must(t, err)
		page, err = w.payments.List(ctx, w.by, params("limit=2&sort=amount&cursor="+*page.Next))
		must(t, err)
		same(t, "second page", made[page.Data[0].ID]+made[page.Data[1].ID], "ce")
		_, err = w.payments.List(ctx, w.by, params("kind=GIFT&method=IOU&unallocated=maybe&dateFrom=now&color=red"))
		same(t, "offences", offences(err), "color kind method dateFrom unallocated")
	})
}

func TestPaymentsCostFewStatements(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		a, b, c := w.invoice(t, ada, "10"), w.invoice(t, ada, "20"), w.invoice(t, ada, "30")
		counted, n := db.Counting(ctx)
		spent := func(what string, most int64) {
			t.Helper()
			if got := n.Swap(0); got > most {
				t.Errorf("%s took %d statements, more than %d", what, got, most)
			}
		}
		p, err := db.Run(counted, w.Store.DB, w.payments.Create(w.by, w.receipt(ada, 9000, all(a))))
		must(t, err)
		spent("a receipt with an allocation", 14)
		p, err = db.Run(counted, w.Store.DB, w.payments.Allocate(w.by, p.ID, to(all(b), all(c)), nil))
		must(t, err)
		spent("two later allocations", 15)
		_, err = w.payments.Get(counted, w.by, p.ID)
		must(t, err)
		spent("reading it", 1)
		_, err = w.payments.List(counted, w.by, nil)
		must(t, err)
		spent("a list", 2)
		_, err = db.Run(counted, w.Store.DB, w.payments.Delete(w.by, p.ID, nil, nil))
		must(t, err)
		spent("deleting it", 24)
	})
}

func TestAPartyOfAPaymentIsUsed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, eve, bob := w.customer(t), w.customer(t), w.supplier(t)
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 9000)))
		done(t, w, w.payments.Create(w.by, payment.New{Kind: payment.Disbursement, Date: today, Amount: 7, BankAccountID: w.accounts["1000"], SupplierID: &bob}))
		used := func(business, party string) (yes bool) {
			must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
				yes, err = w.payments.UsedParty(ctx, tx, business, party)
				return err
			}))
			return yes
		}
		same(t, "used", []bool{used(w.by.BusinessID, ada), used(w.by.BusinessID, eve), used(w.by.BusinessID, bob), used("biz_0", ada)}, []bool{true, false, true, false})
		stranger := record.Call{BusinessID: w.house.shop(t, "EUR").by.BusinessID, Actor: w.by.Actor}
		_, err := w.payments.Get(ctx, stranger, p.ID)
		want(t, err, record.ErrNotFound.With("payment"))
	})
}

func params(query string) map[string][]string {
	m := map[string][]string{}
	for _, part := range strings.Split(query, "&") {
		if name, value, ok := strings.Cut(part, "="); ok {
			m[name] = []string{value}
		}
	}
	return m
}
