package money

import (
	"errors"

	"github.com/shopspring/decimal"
)

var (
	// ErrTwoDiscounts says that a line has both a percentage and an amount off.
	ErrTwoDiscounts = errors.New("a line has a discount in percent or as an amount, not both")
	// ErrDiscountPercent says that a discount is below 0 or above 100 percent.
	ErrDiscountPercent = errors.New("a discount is 0 to 100 percent")
	// ErrDiscountAmount says that a discount is below 0.
	ErrDiscountAmount = errors.New("a discount is not negative")
)

// Line is so much of something at a price. At most one of the discounts is not zero.
type Line struct {
	Quantity        Factor // may be negative: goods taken back
	UnitPrice       Factor // major units
	DiscountPercent Factor // 0 to 100
	DiscountAmount  Amount // ≥ 0, off the line as a whole, whatever the sign of the quantity
}

// Priced is what a line comes to.
type Priced struct {
	// Amount is round(gross − discount), with gross = quantity × unit price, exact, in minor units.
	Amount Amount
	// Discount is what was taken off: the DiscountAmount, or for a percentage round(gross) − Amount, so that
	// price, discount and amount add up on paper.
	Discount Amount
}

// Price calculates the line in currency c, rounding once.
func (l Line) Price(c Currency) (Priced, error) {
	if err := l.check(c); err != nil {
		return Priced{}, err
	}
	gross := l.Quantity.Decimal().Mul(l.UnitPrice.Decimal()).Shift(int32(c.Exponent()))
	off := decimal.NewFromInt(int64(l.DiscountAmount))
	if !l.DiscountPercent.IsZero() {
		off = gross.Mul(l.DiscountPercent.Decimal()).Shift(-2)
	}
	amount, err := Round(gross.Sub(off))
	if err != nil {
		return Priced{}, err
	}
	if l.DiscountPercent.IsZero() {
		return Priced{amount, l.DiscountAmount}, nil
	}
	full, err := Round(gross)
	if err != nil {
		return Priced{}, err
	}
	discount, err := full.Sub(amount)
	return Priced{amount, discount}, err
}

func (l Line) check(c Currency) error {
	switch {
	case c.IsZero():
		return ErrCurrency
	case !l.DiscountPercent.IsZero() && l.DiscountAmount != 0:
		return ErrTwoDiscounts
	case l.DiscountPercent.Sign() < 0 || l.DiscountPercent.Decimal().GreaterThan(hundred):
		return ErrDiscountPercent
	case l.DiscountAmount < 0:
		return ErrDiscountAmount
	case !l.DiscountAmount.InRange():
		return ErrOutOfRange
	}
	return nil
}
