package payment

import "daybook/internal/base/money"

// credit is what is left of a receipt: an amount in the payment's currency, and the value that it carries in the base
// currency.
type credit struct{ amount, base money.Amount }

// take uses part of the credit and tells the value that goes with it: its share, rounded, of what is left; with the last
// part all that is left. So the value never runs out before the amount, nor outlives it, and the values taken and left
// always add up to the whole.
func (c *credit) take(amount money.Amount) (base money.Amount, err error) {
	base, err = money.Settle(amount, c.amount, c.base)
	if err != nil {
		return 0, err
	}
	c.amount -= amount
	c.base -= base
	return base, nil
}

// giveBack undoes a take.
func (c *credit) giveBack(amount, base money.Amount) {
	c.amount += amount
	c.base += base
}
