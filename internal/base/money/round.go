package money

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// maxDigits is how many digits Max has.
const maxDigits = 16

// Round brings an exact number of minor units to a whole one: half away from zero, so 0.5 is 1 and −0.5
// is −1.
func Round(exact decimal.Decimal) (Amount, error) {
	// The size is judged before any power of ten is built: an exponent can be in the millions.
	digits := int64(exact.NumDigits()) + int64(exact.Exponent())
	switch {
	case exact.IsZero() || digits < 0:
		return 0, nil
	case digits > maxDigits:
		return 0, ErrOutOfRange
	}
	n, one := decimal.RescalePair(exact, decimal.NewFromInt(1))
	return roundQuotient(n.Coefficient(), one.Coefficient())
}

// roundQuotient is num / den by Round's law. den is positive.
func roundQuotient(num, den *big.Int) (Amount, error) {
	whole, rest := new(big.Int).QuoRem(num, den, new(big.Int))
	if twice := rest.Lsh(rest, 1); twice.CmpAbs(den) >= 0 {
		whole.Add(whole, big.NewInt(int64(num.Sign())))
	}
	return fromBig(whole)
}
