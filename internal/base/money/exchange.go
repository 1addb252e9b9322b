package money

import (
	"errors"

	"github.com/shopspring/decimal"
)

var (
	// ErrExchangeRate says that a rate of exchange is zero or below.
	ErrExchangeRate = errors.New("a rate of exchange is above zero")
	// ErrSettled says that the settled part of a total is below zero or above the total.
	ErrSettled = errors.New("the settled part lies between zero and a total above zero")
)

// Convert is a, an amount in from, as an amount in to. rate is how many major units of to one major unit of
// from is worth; the exponents of both currencies are accounted for, so 100 JPY minor units at 0.0062 are
// 62 EUR minor units.
func Convert(a Amount, from, to Currency, rate Factor) (Amount, error) {
	switch {
	case from.IsZero() || to.IsZero():
		return 0, ErrCurrency
	case rate.Sign() <= 0:
		return 0, ErrExchangeRate
	case !a.InRange():
		return 0, ErrOutOfRange
	}
	shift := int32(to.Exponent() - from.Exponent())
	return Round(decimal.NewFromInt(int64(a)).Mul(rate.Decimal()).Shift(shift))
}

// Settle is the part of a value that goes with settling part of a total: round(settled × value / total).
// total and settled are in one currency; value is the same total as carried in another, and so is the
// result. Settling all of the total at once gives all of the value; but the rounded results of several parts
// need not add up to it, so whoever settles the last part takes what is left of the value instead.
func Settle(settled, total, value Amount) (Amount, error) {
	if settled < 0 || settled > total || total == 0 {
		return 0, ErrSettled
	}
	share, err := RatioOf(value, total)
	if err != nil {
		return 0, err
	}
	return share.Of(settled)
}
