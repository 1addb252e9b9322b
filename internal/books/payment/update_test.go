package payment_test

import (
	"testing"
	"time"

	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAPaymentKeepsWhatIsSaidAboutIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 100)))
		w.Clock.Advance(time.Hour)
		ch := payment.Change{
			Reference: record.Setting(" R "), Memo: record.Setting("M"), Method: record.Setting(payment.Check), ExternalID: record.Setting("x"),
		}
		news := w.news(t, func() { p = done(t, w, w.payments.Update(w.by, p.ID, ch, pointer(1))) })
		same(t, "events", kinds(news), "payment.updated")
		payload(t, news[0], event.Data{
			"paymentId": p.ID, "kind": "RECEIPT", "date": today, "amount": 100, "currency": "EUR", "customerId": ada, "supplierId": nil,
			"bankAccountId": w.accounts["1000"], "allocatedAmount": 0, "unallocatedAmount": 100, "allocations": []any{}, "version": 2,
			"changes": []string{"externalId", "memo", "method", "reference"},
		})
		w.asRead(t, p)
		same(t, "members", []any{*p.Reference, *p.Memo, p.Method, *p.ExternalID, p.UpdatedAt.Sub(p.CreatedAt)}, []any{"R", "M", "CHECK", "x", time.Hour})

		news = w.news(t, func() { p = done(t, w, w.payments.Update(w.by, p.ID, ch, nil)) })
		same(t, "events of no change", kinds(news), "")
		same(t, "version", p.Version, 2)

		ch = payment.Change{Reference: record.Clearing[string](), Memo: record.Setting("  "), ExternalID: record.Clearing[string]()}
		news = w.news(t, func() { done(t, w, w.payments.Update(w.by, p.ID, ch, nil)) })
		same(t, "changes", news[0].data["changes"], []any{"externalId", "memo", "reference"})
		p, err := w.payments.Get(ctx, w.by, p.ID)
		must(t, err)
		if p.Reference != nil || p.Memo != nil || p.ExternalID != nil || p.Method != payment.Check {
			t.Errorf("left: %v %v %v %v", p.Reference, p.Memo, p.ExternalID, p.Method)
		}
	})
}

func TestAChangeIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		n := w.receipt(ada, 100)
		n.ExternalID = pointer("taken")
		taken := done(t, w, w.payments.Create(w.by, n))
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 100)))
		_, err := run(w, w.payments.Update(w.by, p.ID, payment.Change{Method: record.Clearing[payment.Method](), Memo: record.Setting("a\nb")}, nil))
		same(t, "offences", offences(err), "method memo")
		_, err = run(w, w.payments.Update(w.by, p.ID, payment.Change{Method: record.Setting(payment.Method("IOU"))}, nil))
		same(t, "offences", offences(err), "method")
		_, err = run(w, w.payments.Update(w.by, p.ID, payment.Change{ExternalID: record.Setting("taken")}, nil))
		want(t, err, record.ErrExternalID.With(taken.ID))
		_, err = run(w, w.payments.Update(w.by, p.ID, payment.Change{}, pointer(7)))
		want(t, err, record.ErrStale.With(1, 7))
		_, err = run(w, w.payments.Update(w.by, "pay_0", payment.Change{}, nil))
		want(t, err, record.ErrNotFound.With("payment"))
		person := w.by
		person.Actor = event.Actor{Type: event.User, UserID: w.owner}
		same(t, "a person's name for it", kinds(w.news(t, func() {
			done(t, w, w.payments.Update(person, p.ID, payment.Change{ExternalID: record.Setting("y")}, nil))
		})), "")
	})
}
