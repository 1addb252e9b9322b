package ledger_test

import (
	"testing"

	"daybook/internal/books/ledger"
)

func TestTheSeriesOfInvoicesGoesBackToANumberThatWasLetGo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		next := func(back ...string) (number string) {
			must(t, w.books(func(b *ledger.Book) error {
				for _, n := range back {
					b.ReturnInvoiceNumber(n)
				}
				number = b.NextInvoiceNumber()
				return nil
			}))
			return number
		}
		for i, step := range []struct {
			back []string
			want string
		}{
			{nil, "INV-000001"},
			{nil, "INV-000002"},
			{nil, "INV-000003"},
			{[]string{"INV-000002"}, "INV-000002"}, // whoever takes it passes over what others hold
			{nil, "INV-000003"},
			{[]string{"INV-000004", "INV-999999"}, "INV-000004"}, // not yet given
			{[]string{"INV-1", "INV-0000001", "inv-000001", "2026-1", "", "INV-000000", "INV--00001", "INV-+00001"}, "INV-000005"},
			{[]string{"INV-000003", "INV-000001"}, "INV-000001"},
		} {
			if got := next(step.back...); got != step.want {
				t.Errorf("step %d: %s, want %s", i, got, step.want)
			}
		}
	})
}
