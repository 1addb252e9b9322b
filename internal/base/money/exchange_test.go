package money_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func TestAnInvoiceInDollarsSettledAtAnotherRate(t *testing.T) {
	total := money.Amount(100_00)
	receivable, err := money.Convert(total, usd, eur, factor("0.92"))
	if err != nil || receivable != 92_00 {
		t.Fatalf("issued at 0.92 it is %d, %v", receivable, err)
	}
	bank, err := money.Convert(total, usd, eur, factor("0.95"))
	if err != nil || bank != 95_00 {
		t.Fatalf("paid at 0.95 it is %d, %v", bank, err)
	}
	relieved, err := money.Settle(total, total, receivable)
	if err != nil || relieved != 92_00 {
		t.Fatalf("%d is relieved, %v", relieved, err)
	}
	if gain, err := bank.Sub(relieved); err != nil || gain != 3_00 {
		t.Errorf("the difference is %d, %v", gain, err)
	}
}

func TestConverting(t *testing.T) {
	cases := map[string]struct {
		amount   money.Amount
		from, to money.Currency
		rate     string
		want     money.Amount
		err      error
	}{
		"at one":                                {12345, eur, eur, "1", 12345, nil},
		"half a unit goes up":                   {1, usd, eur, "0.5", 1, nil},
		"a negative half unit goes down":        {-1, usd, eur, "0.5", -1, nil},
		"below half a unit goes down":           {1, usd, eur, "0.4999999999", 0, nil},
		"from no decimals to two":               {100, jpy, eur, "0.0062", 62, nil},
		"from two decimals to none":             {100_00, eur, jpy, "161.295", 16130, nil},
		"from three decimals to two":            {1_000, kwd, eur, "3.0", 300, nil},
		"from two decimals to three":            {1_00, eur, kwd, "0.3331", 333, nil},
		"from three decimals to none":           {1_500, kwd, jpy, "1", 2, nil},
		"from no decimals to three":             {2, jpy, kwd, "0.0021", 4, nil},
		"nothing stays nothing":                 {0, usd, eur, "0.92", 0, nil},
		"a rate of zero":                        {100, usd, eur, "0", 0, money.ErrExchangeRate},
		"the least rate":                        {money.Max, usd, eur, "0.0000000001", 900720, nil},
		"a negative rate":                       {100, usd, eur, "-0.92", 0, money.ErrExchangeRate},
		"the largest at one":                    {money.Max, usd, eur, "1", money.Max, nil},
		"the largest just above one":            {money.Max, usd, eur, "1.0000000001", 0, money.ErrOutOfRange},
		"the largest to more decimals":          {money.Max, usd, kwd, "1", 0, money.ErrOutOfRange},
		"an amount outside that would fit":      {money.Max + 1, usd, eur, "0.1", 0, money.ErrOutOfRange},
		"from no currency":                      {1, money.Currency{}, eur, "1", 0, money.ErrCurrency},
		"to no currency":                        {1, eur, money.Currency{}, "1", 0, money.ErrCurrency},
		"a rate with all its digits":            {1, jpy, kwd, "999999999999.9999999999", 1_000_000_000_000_000, nil},
		"a rate with all its digits, too large": {10, jpy, kwd, "999999999999.9999999999", 0, money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.Convert(c.amount, c.from, c.to, factor(c.rate))
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestConvertingAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(anyAmount(), amounts(-1e6, 1e6)).Draw(t, "amount")
		from, to := anyCurrency().Draw(t, "from"), anyCurrency().Draw(t, "to")
		rate := factors(`[1-9][0-9]{0,3}(\.[0-9]{1,10})?|0\.[0-9]{0,9}[1-9]`).Draw(t, "rate")
		got, err := money.Convert(a, from, to, rate)
		wantExact(t, got, err, times(ratOf(a), rat(rate.String()), tenTo(to.Exponent()-from.Exponent())))
	})
}

func TestSettling(t *testing.T) {
	cases := map[string]struct {
		settled, total, value money.Amount
		want                  money.Amount
		err                   error
	}{
		"all":                             {10000, 10000, 9200, 9200, nil},
		"nothing":                         {0, 10000, 9200, 0, nil},
		"half":                            {5000, 10000, 9200, 4600, nil},
		"a third, rounded":                {3333, 10000, 9200, 3066, nil},
		"half a unit goes up":             {1, 2, 1, 1, nil},
		"a unit less than all":            {9999, 10000, 9200, 9199, nil},
		"a unit more than all":            {10001, 10000, 9200, 0, money.ErrSettled},
		"a unit less than nothing":        {-1, 10000, 9200, 0, money.ErrSettled},
		"nothing of nothing":              {0, 0, 0, 0, money.ErrSettled},
		"of a negative total":             {-1, -2, 1, 0, money.ErrSettled},
		"of a total carried at nothing":   {1, 2, 0, 0, nil},
		"of a total carried at a debt":    {1, 2, -1, -1, nil},
		"the largest of the largest":      {money.Max, money.Max, money.Max, money.Max, nil},
		"of a total that is no amount":    {1, money.Max + 1, 1, 0, money.ErrOutOfRange},
		"of a value that is no amount":    {1, 2, money.Max + 1, 0, money.ErrOutOfRange},
		"products beyond 64 bits are not": {money.Max - 1, money.Max, money.Max, money.Max - 1, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.Settle(c.settled, c.total, c.value)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestSettlingAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := amounts(1, money.Max).Draw(t, "total")
		settled, value := amounts(0, total).Draw(t, "settled"), anyAmount().Draw(t, "value")
		got, err := money.Settle(settled, total, value)
		wantExact(t, got, err, new(big.Rat).Quo(times(ratOf(settled), ratOf(value)), ratOf(total)))
		if all, err := money.Settle(total, total, value); err != nil || all != value {
			t.Errorf("all of it is %d, %v, wants %d", all, err, value)
		}
	})
}
