package money

import (
	"errors"
	"strconv"
	"strings"
)

// ErrPlain says that a text is not the plain decimal form of an amount in its currency.
var ErrPlain = errors.New("not a plain decimal amount with at most the decimals of its currency")

// Plain is a as a decimal in major units for programs and files: 1234.50, -0.05, always with all decimals of
// the currency.
func Plain(a Amount, c Currency) string {
	sign, whole, fraction := majorUnits(a, c)
	return sign + whole + fraction
}

// Format is a for people: 1,234.50.
func Format(a Amount, c Currency) string {
	sign, whole, fraction := majorUnits(a, c)
	return sign + grouped(whole) + fraction
}

// FormatWithCode is a for people where the currency is not clear from the place: EUR 1,234.50.
func FormatWithCode(a Amount, c Currency) string {
	if c.IsZero() {
		return Format(a, c)
	}
	return c.Code() + " " + Format(a, c)
}

// majorUnits cuts a into sign, whole units and, if the currency has decimals, the point with them.
func majorUnits(a Amount, c Currency) (sign, whole, fraction string) {
	digits, negative := strings.CutPrefix(strconv.FormatInt(int64(a), 10), "-")
	if negative {
		sign = "-"
	}
	e := c.Exponent()
	if e == 0 {
		return sign, digits, ""
	}
	if short := e + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - e
	return sign, digits[:point], "." + digits[point:]
}

// grouped puts a comma between every three digits, counted from the right.
func grouped(digits string) string {
	var out strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteByte(digits[i])
	}
	return out.String()
}

// ParsePlain reads what Plain writes. Fewer decimals than the currency has are read as if zeros followed;
// more are refused, even zeros, because they hint at another currency.
func ParsePlain(text string, c Currency) (Amount, error) {
	w, ok := splitDecimal(text)
	missing := c.Exponent() - len(w.fraction)
	if !ok || missing < 0 {
		return 0, ErrPlain
	}
	n, err := strconv.ParseInt(w.whole+w.fraction+strings.Repeat("0", missing), 10, 64)
	if err != nil {
		return 0, ErrOutOfRange
	}
	if w.negative {
		n = -n
	}
	return NewAmount(n)
}
