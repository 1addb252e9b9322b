package payment

import (
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

// Whatever is taken and given back in whatever order, the value goes with the amount: never below zero, nothing when
// nothing is left, and what was taken and what is left are the whole.
func TestTheValueOfCreditGoesWithItsAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := credit{
			money.Amount(rapid.Int64Range(1, int64(money.Max)).Draw(t, "amount")),
			money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "value")),
		}
		if rapid.Bool().Draw(t, "small") {
			whole.amount, whole.base = whole.amount%20+1, whole.base%20
		}
		left := whole
		var taken []credit
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if back := rapid.Bool().Draw(t, "back"); back && len(taken) > 0 {
				i := rapid.IntRange(0, len(taken)-1).Draw(t, "which")
				left.giveBack(taken[i].amount, taken[i].base)
				taken = append(taken[:i], taken[i+1:]...)
			} else if left.amount > 0 {
				amount := money.Amount(rapid.Int64Range(1, int64(left.amount)).Draw(t, "part"))
				value, err := left.take(amount)
				if err != nil {
					t.Fatal(err)
				}
				taken = append(taken, credit{amount, value})
			}
			sum := left
			for _, c := range taken {
				if c.base < 0 {
					t.Fatalf("%d was taken with a value of %d", c.amount, c.base)
				}
				sum.giveBack(c.amount, c.base)
			}
			switch {
			case sum != whole:
				t.Fatalf("%v left and %v taken are %v, not %v", left, taken, sum, whole)
			case left.amount < 0 || left.base < 0 || left.amount == 0 && left.base != 0:
				t.Fatalf("%v is left", left)
			}
		}
	})
}

func TestCreditTakesTheShareOfWhatIsLeft(t *testing.T) {
	c := credit{10, 5}
	var values []money.Amount
	for range 10 {
		value, err := c.take(1)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	var sum money.Amount
	for _, v := range values {
		if sum += v; v > 1 {
			t.Errorf("one of ten took %d of a value of 5", v)
		}
	}
	if sum != 5 {
		t.Errorf("ten tenths took %v, together %d of a value of 5", values, sum)
	}
	if _, err := c.take(1); err == nil {
		t.Error("more was taken than there was")
	}
}
