package print

import (
	"strings"

	"daybook/internal/base/money"
)

// price writes a decimal as amounts are written: groups of three digits, and at least the decimals of the currency.
func price(decimal string, c money.Currency) string {
	sign, whole, fraction := cut(decimal)
	if missing := c.Exponent() - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	return join(sign, whole, fraction)
}

// quantity writes a decimal without zeros that say nothing.
func quantity(decimal string) string {
	sign, whole, fraction := cut(decimal)
	return join(sign, whole, strings.TrimRight(fraction, "0"))
}

// percent writes a rate: 21%.
func percent(decimal string) string {
	if decimal == "" {
		return ""
	}
	return quantity(decimal) + "%"
}

func (d Discount) text(c money.Currency) string {
	switch {
	case d.Percent != "" && strings.Trim(d.Percent, "0.") != "":
		return percent(d.Percent)
	case d.Amount != 0:
		return money.Format(d.Amount, c)
	}
	return ""
}

func cut(decimal string) (sign, whole, fraction string) {
	if rest, negative := strings.CutPrefix(decimal, "-"); negative {
		sign, decimal = "-", rest
	}
	whole, fraction, _ = strings.Cut(decimal, ".")
	return sign, whole, fraction
}

func join(sign, whole, fraction string) string {
	var out strings.Builder
	out.WriteString(sign)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteByte(whole[i])
	}
	if fraction != "" {
		out.WriteString("." + fraction)
	}
	return out.String()
}
