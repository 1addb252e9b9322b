package money

import (
	"errors"
	"math/big"

	"github.com/shopspring/decimal"
)

// ErrNoWhole says that a part was to be taken of a whole of zero.
var ErrNoWhole = errors.New("a part of zero has no ratio")

var hundred = decimal.NewFromInt(100)

// Ratio is an exact fraction to take of an amount: a percentage, or one amount over another. It need not end
// as a decimal (21/121 does not). The zero value is 0.
type Ratio struct{ num, den *big.Int } // den > 0, or both nil

// RatioOf is part / whole.
func RatioOf(part, whole Amount) (Ratio, error) {
	switch {
	case whole == 0:
		return Ratio{}, ErrNoWhole
	case !part.InRange() || !whole.InRange():
		return Ratio{}, ErrOutOfRange
	}
	num, den := big.NewInt(int64(part)), big.NewInt(int64(whole))
	if den.Sign() < 0 {
		num.Neg(num)
		den.Neg(den)
	}
	return Ratio{num, den}, nil
}

// Percent is f / 100.
func Percent(f Factor) Ratio { return ratioOf(f.Decimal(), hundred) }

// ratioOf is part / whole for a positive whole.
func ratioOf(part, whole decimal.Decimal) Ratio {
	part, whole = decimal.RescalePair(part, whole)
	return Ratio{part.Coefficient(), whole.Coefficient()}
}

// Of is round(a × r).
func (r Ratio) Of(a Amount) (Amount, error) {
	if !a.InRange() {
		return 0, ErrOutOfRange
	}
	num, den := r.times(a)
	return roundQuotient(num, den)
}

// times is a × r, exact, as a fraction.
func (r Ratio) times(a Amount) (num, den *big.Int) {
	if r.den == nil {
		return new(big.Int), big.NewInt(1)
	}
	return new(big.Int).Mul(big.NewInt(int64(a)), r.num), r.den
}
