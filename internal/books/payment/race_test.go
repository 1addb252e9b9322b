package payment_test

import (
	"errors"
	"sync"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/payment"
)

// Of many who spend the same credit at once, only as many succeed as it is enough for.
func TestCreditIsSpentOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer(t)
		p := done(t, w, w.payments.Create(w.by, w.receipt(ada, 1000)))
		i := w.invoice(t, ada, "90")
		const spenders = 8
		failed := make([]error, spenders)
		var wait sync.WaitGroup
		for n := range spenders {
			wait.Go(func() {
				if n%2 == 0 {
					_, failed[n] = run(w, w.payments.Allocate(w.by, p.ID, to(some(i, 300)), nil))
				} else {
					_, failed[n] = run(w, w.payments.Refund(w.by, p.ID, back(300), nil))
				}
			})
		}
		wait.Wait()
		succeeded := 0
		for _, err := range failed {
			switch {
			case err == nil:
				succeeded++
			case !errors.Is(err, payment.ErrExceedsAmount) && offences(err) != "amount":
				t.Error(err)
			}
		}
		p, err := w.payments.Get(ctx, w.by, p.ID)
		must(t, err)
		same(t, "succeeded, spent, left", []any{succeeded, p.Allocated + p.Refunded, p.Unallocated}, []any{3, money.Amount(900), money.Amount(100)})
	})
}
