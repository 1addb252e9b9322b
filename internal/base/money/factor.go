package money

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// The digits a Factor may have before and after the point.
const (
	factorWhole    = 12
	factorDecimals = 10
)

// ErrFactor says that a text is not a Factor.
var ErrFactor = errors.New("not a decimal with 1 to 12 digits, and after a point 1 to 10 more, without plus sign or exponent")

// Factor is an exact decimal: quantity, unit price, percentage, rate of exchange. The zero value is 0.
//
// It holds its canonical text, so two Factors are == exactly when their numbers are equal, and it can key a
// map. Canonical means: no leading zeros but the one before the point, no trailing zeros after it, no
// point without decimals, no minus before zero. "007.50" is "7.5", "-0.00" is "0".
type Factor struct{ text string } // empty for 0

// ParseFactor reads -?\d{1,12}(\.\d{1,10})? and nothing else.
func ParseFactor(text string) (Factor, error) {
	w, ok := splitDecimal(text)
	if !ok || len(w.whole) > factorWhole || len(w.fraction) > factorDecimals {
		return Factor{}, ErrFactor
	}
	whole := strings.TrimLeft(w.whole, "0")
	fraction := strings.TrimRight(w.fraction, "0")
	if whole == "" && fraction == "" {
		return Factor{}, nil
	}
	if whole == "" {
		whole = "0"
	}
	if w.negative {
		whole = "-" + whole
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return Factor{whole}, nil
}

// MustFactor is ParseFactor for numbers in the source text; it panics.
func MustFactor(text string) Factor {
	f, err := ParseFactor(text)
	if err != nil {
		panic(err)
	}
	return f
}

// String is the canonical form, for storage and output.
func (f Factor) String() string {
	if f.text == "" {
		return "0"
	}
	return f.text
}

// IsZero reports whether it is 0.
func (f Factor) IsZero() bool { return f.text == "" }

// Sign is −1, 0 or 1.
func (f Factor) Sign() int {
	switch {
	case f.text == "":
		return 0
	case f.text[0] == '-':
		return -1
	}
	return 1
}

// Decimals is how many digits after the point the number needs: trailing zeros do not count.
func (f Factor) Decimals() int {
	_, fraction, _ := strings.Cut(f.text, ".")
	return len(fraction)
}

// Cmp is −1, 0 or 1 as f is less than, equal to or greater than g.
func (f Factor) Cmp(g Factor) int { return f.Decimal().Cmp(g.Decimal()) }

// Equal reports whether both are the same number, as == does.
func (f Factor) Equal(g Factor) bool { return f == g }

// Decimal is the number for exact calculation.
func (f Factor) Decimal() decimal.Decimal { return decimal.RequireFromString(f.String()) }
