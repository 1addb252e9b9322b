package money_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func line(quantity, price, percent string, off money.Amount) money.Line {
	return money.Line{Quantity: factor(quantity), UnitPrice: factor(price), DiscountPercent: factor(percent), DiscountAmount: off}
}

func TestPricingALine(t *testing.T) {
	cases := map[string]struct {
		line     money.Line
		currency money.Currency
		amount   money.Amount
		discount money.Amount
		err      error
	}{
		"one at a price":                               {line("1", "10.07", "0", 0), eur, 1007, 0, nil},
		"many at a price":                              {line("3", "10.07", "0", 0), eur, 3021, 0, nil},
		"a price below a cent":                         {line("1000", "0.00015", "0", 0), eur, 15, 0, nil},
		"half a cent goes up":                          {line("1", "0.005", "0", 0), eur, 1, 0, nil},
		"less than half a cent goes down":              {line("1", "0.0049999999", "0", 0), eur, 0, 0, nil},
		"a negative half cent goes down":               {line("-1", "0.005", "0", 0), eur, -1, 0, nil},
		"two negatives are positive":                   {line("-2", "-1.5", "0", 0), eur, 300, 0, nil},
		"nothing at a price":                           {line("0", "10", "0", 0), eur, 0, 0, nil},
		"a currency without decimals":                  {line("3", "1.5", "0", 0), jpy, 5, 0, nil},
		"a currency with three decimals":               {line("1", "1.2345", "0", 0), kwd, 1235, 0, nil},
		"a percentage off":                             {line("1", "10.00", "12.5", 0), eur, 875, 125, nil},
		"half a cent off: the columns add up":          {line("1", "10.05", "50", 0), eur, 503, 502, nil},
		"rounded once, not price and discount apart":   {line("1", "0.0149", "10", 0), eur, 1, 0, nil},
		"all of it off":                                {line("1", "10.07", "100", 0), eur, 0, 1007, nil},
		"just above all of it off":                     {line("1", "10.07", "100.0001", 0), eur, 0, 0, money.ErrDiscountPercent},
		"just below nothing off":                       {line("1", "10.07", "-0.0001", 0), eur, 0, 0, money.ErrDiscountPercent},
		"the least percentage off":                     {line("1", "1000000", "0.0001", 0), eur, 99999900, 100, nil},
		"a percentage off goods taken back":            {line("-1", "10.00", "10", 0), eur, -900, -100, nil},
		"an amount off":                                {line("2", "10.00", "0", 150), eur, 1850, 150, nil},
		"an amount off more than the price":            {line("1", "1.00", "0", 150), eur, -50, 150, nil},
		"an amount off a fraction, across zero":        {line("1", "0.005", "0", 1), eur, -1, 1, nil},
		"an amount off goods taken back":               {line("-1", "10.00", "0", 150), eur, -1150, 150, nil},
		"the least amount below nothing off":           {line("1", "10.00", "0", -1), eur, 0, 0, money.ErrDiscountAmount},
		"an amount off that is no amount":              {line("1", "10.00", "0", money.Max+1), eur, 0, 0, money.ErrOutOfRange},
		"both discounts":                               {line("1", "10.00", "10", 1), eur, 0, 0, money.ErrTwoDiscounts},
		"the largest line":                             {line("1", "90071992547.40991", "0", 0), kwd, 90071992547410, 0, nil},
		"the largest amount":                           {line("100", "900719925474.0991", "0", 0), eur, money.Max, 0, nil},
		"half a unit past the largest amount":          {line("100", "900719925474.09915", "0", 0), eur, 0, 0, money.ErrOutOfRange},
		"the smallest amount":                          {line("-100", "900719925474.0991", "0", 0), eur, money.Min, 0, nil},
		"far past the largest amount":                  {line("999999999999", "999999999999", "0", 0), kwd, 0, 0, money.ErrOutOfRange},
		"a price past the largest, all of it off":      {line("999999999999", "999999999999", "100", 0), eur, 0, 0, money.ErrOutOfRange},
		"an amount off brings it back into range":      {line("100", "900719925474.0992", "0", 1), eur, money.Max, 1, nil},
		"without a currency nothing can be calculated": {line("1", "10.00", "0", 0), money.Currency{}, 0, 0, money.ErrCurrency},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.line.Price(c.currency)
			wantError(t, err, c.err)
			if got.Amount != c.amount || got.Discount != c.discount {
				t.Errorf("got %+v, wants %d and %d off", got, c.amount, c.discount)
			}
		})
	}
}

func TestPricingAgreesWithRationals(t *testing.T) {
	decimals := factors(`-?[0-9]{1,7}(\.[0-9]{1,10})?`)
	percents := factors(`100|[0-9]{1,2}(\.[0-9]{1,4})?`)
	rapid.Check(t, func(t *rapid.T) {
		l := money.Line{Quantity: decimals.Draw(t, "quantity"), UnitPrice: decimals.Draw(t, "price")}
		if rapid.Bool().Draw(t, "percent") {
			l.DiscountPercent = percents.Draw(t, "off")
		} else {
			l.DiscountAmount = amounts(0, 100_000).Draw(t, "off")
		}
		c := anyCurrency().Draw(t, "currency")
		gross := times(rat(l.Quantity.String()), rat(l.UnitPrice.String()), tenTo(c.Exponent()))
		off := ratOf(l.DiscountAmount)
		if !l.DiscountPercent.IsZero() {
			off = times(gross, rat(l.DiscountPercent.String()), big.NewRat(1, 100))
		}
		if !inRange(rounded(gross)) {
			t.Skip("beyond the range, which the table covers")
		}

		got, err := l.Price(c)
		wantExact(t, got.Amount, err, new(big.Rat).Sub(gross, off))
		away := new(big.Rat).Sub(ratOf(got.Discount), off)
		if away.Abs(away).Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%d off, exactly %s", got.Discount, off.FloatString(3))
		}
		if full := rounded(gross).Int64(); !l.DiscountPercent.IsZero() && int64(got.Amount+got.Discount) != full {
			t.Errorf("%d and %d off do not add up to %d", got.Amount, got.Discount, full)
		}
	})
}
