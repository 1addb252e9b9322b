package money

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrCurrency says that a code is not one of the currencies in use, or that none was given.
var ErrCurrency = errors.New("not an upper-case code of an ISO 4217 currency in use")

// Currency is a currency in use. It is comparable and cannot hold a code that is not in the table; the zero
// value is no currency at all.
type Currency struct{ code string }

// ParseCurrency finds a currency by its upper-case ISO 4217 code.
func ParseCurrency(code string) (Currency, error) {
	if _, known := exponents[code]; !known {
		return Currency{}, fmt.Errorf("%.8q: %w", code, ErrCurrency)
	}
	return Currency{code}, nil
}

// MustCurrency is ParseCurrency for codes in the source text; it panics.
func MustCurrency(code string) Currency {
	c, err := ParseCurrency(code)
	if err != nil {
		panic(err)
	}
	return c
}

// Currencies lists every currency in use, by code.
func Currencies() []Currency {
	all := make([]Currency, 0, len(exponents))
	for code := range exponents {
		all = append(all, Currency{code})
	}
	slices.SortFunc(all, func(a, b Currency) int { return strings.Compare(a.code, b.code) })
	return all
}

// Code is the ISO 4217 code, empty for no currency.
func (c Currency) Code() string { return c.code }

// String is Code, for logs.
func (c Currency) String() string { return c.code }

// IsZero reports whether it is no currency at all.
func (c Currency) IsZero() bool { return c.code == "" }

// Exponent is how many decimals the minor unit is: 1 major unit = 10^Exponent minor units. For no currency it
// is the usual 2, so that Format can show what a bug left behind; calculations refuse instead.
func (c Currency) Exponent() int {
	if e, known := exponents[c.code]; known {
		return e
	}
	return usualExponent
}
