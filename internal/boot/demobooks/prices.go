package demobooks

import (
	"fmt"

	"daybook/internal/base/money"
)

// cents is an amount as the tables of this package write it: hundredths of a euro.
type cents = int64

// levels are what costs one euro elsewhere, in hundredths of the currency. They are rough: prices are made of them, and
// rates of exchange. A currency that is not listed counts as the euro.
var levels = map[string]int64{
	"AED": 404, "AUD": 166, "BHD": 41, "BRL": 620, "CAD": 150, "CHF": 95, "CLP": 104_000, "CNY": 790, "COP": 465_000, "CZK": 2_480, "DKK": 746,
	"EGP": 5_400, "EUR": 100, "GBP": 86, "HKD": 860, "HUF": 39_500, "IDR": 1_770_000, "ILS": 400, "INR": 9_200, "ISK": 15_000, "JOD": 78, "JPY": 16_000,
	"KES": 14_200, "KRW": 148_000, "KWD": 34, "MAD": 1_080, "MXN": 2_050, "MYR": 510, "NGN": 170_000, "NOK": 1_170, "NZD": 182, "OMR": 42, "PHP": 6_300,
	"PLN": 430, "RON": 497, "SAR": 412, "SEK": 1_130, "SGD": 146, "THB": 3_950, "TND": 340, "TRY": 4_500, "UAH": 4_500, "USD": 110, "VND": 2_770_000,
	"ZAR": 2_000,
}

func level(c money.Currency) int64 {
	if l, known := levels[c.Code()]; known {
		return l
	}
	return levels["EUR"]
}

// worth is what so many cents come to in a currency.
func worth(c money.Currency, amount cents) money.Amount {
	minor := amount * level(c)
	for range c.Exponent() {
		minor *= 10
	}
	return money.Amount(minor / 10_000)
}

// price is the same, as a price tag shows it: not 3.47 but 3.45.
func price(c money.Currency, amount cents) money.Amount {
	exact := worth(c, amount)
	step := money.Amount(1)
	for next := []money.Amount{5, 2}; exact >= 40*step*next[0]; next[0], next[1] = next[1], next[0] {
		step *= next[0]
	}
	return max((exact+step/2)/step*step, 1)
}

// exchangeRate is how much one unit of a foreign currency is worth on a day: it drifts by up to two percent around the
// ratio of the levels.
func exchangeRate(base, foreign money.Currency, on day) string {
	const one = 10_000_000_000 // the decimals that a rate may have
	rate := level(base) * one / level(foreign)
	const swing = 292 // days
	at := (int(on) + 31*int(foreign.Code()[0]) + 7*int(foreign.Code()[1])) % swing
	drift := max(at, swing-at) - swing*3/4 // from −73 to 73
	rate += rate / 4_000 * int64(drift)
	unit := int64(1) // five digits are what banks quote
	for rate/unit >= 100_000 {
		unit *= 10
	}
	rate = rate / unit * unit
	return fmt.Sprintf("%d.%010d", rate/one, rate%one)
}
