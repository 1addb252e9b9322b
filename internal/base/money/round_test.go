package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func TestRoundingIsHalfAwayFromZero(t *testing.T) {
	cases := map[string]struct {
		exact string
		want  money.Amount
		err   error
	}{
		"a whole number stays":           {"5", 5, nil},
		"zero stays":                     {"0.000", 0, nil},
		"just below a half goes down":    {"0.4999999999", 0, nil},
		"a half goes up":                 {"0.5", 1, nil},
		"just above a half goes up":      {"0.5000000001", 1, nil},
		"an odd half goes up":            {"1.5", 2, nil},
		"an even half goes up":           {"2.5", 3, nil},
		"a negative half goes down":      {"-0.5", -1, nil},
		"an even negative half too":      {"-2.5", -3, nil},
		"just above a negative half":     {"-0.4999999999", 0, nil},
		"very small is zero":             {"0.09", 0, nil},
		"a positive exponent is read":    {"12e3", 12000, nil},
		"half a unit below the edge":     {"9007199254740991.4999", money.Max, nil},
		"half a unit past the edge":      {"9007199254740991.5", 0, money.ErrOutOfRange},
		"half a unit past the low edge":  {"-9007199254740991.5", 0, money.ErrOutOfRange},
		"sixteen digits past the edge":   {"9999999999999999", 0, money.ErrOutOfRange},
		"seventeen digits":               {"10000000000000000", 0, money.ErrOutOfRange},
		"the low edge":                   {"-9007199254740991.4999", money.Min, nil},
		"far past what 64 bits can hold": {"123456789012345678901234567890", 0, money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.Round(decimal.RequireFromString(c.exact))
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestHugeExponentsCostNothing(t *testing.T) {
	_, err := money.Round(decimal.New(1, math.MaxInt32))
	wantError(t, err, money.ErrOutOfRange)
	for _, exact := range []decimal.Decimal{decimal.New(-5, math.MinInt32), decimal.New(0, math.MaxInt32), {}} {
		if got, err := money.Round(exact); err != nil || got != 0 {
			t.Errorf("got %d, %v", got, err)
		}
	}
}

func TestRoundingAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits, exponent := rapid.Int64().Draw(t, "digits"), rapid.IntRange(-20, 3).Draw(t, "exponent")
		got, err := money.Round(decimal.New(digits, int32(exponent)))
		wantExact(t, got, err, times(new(big.Rat).SetInt64(digits), tenTo(exponent)))
	})
}

func TestRatiosAreExact(t *testing.T) {
	ratio := func(part, whole money.Amount) money.Ratio {
		r, err := money.RatioOf(part, whole)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	cases := map[string]struct {
		ratio money.Ratio
		of    money.Amount
		want  money.Amount
		err   error
	}{
		"a third of a hundred":          {ratio(1, 3), 100, 33, nil},
		"two thirds of a hundred":       {ratio(2, 3), 100, 67, nil},
		"half of an odd amount":         {ratio(1, 2), 101, 51, nil},
		"half of a negative odd amount": {ratio(1, 2), -101, -51, nil},
		"of a negative whole":           {ratio(1, -2), 101, -51, nil},
		"of two negatives":              {ratio(-1, -2), 101, 51, nil},
		"a percentage":                  {money.Percent(factor("21")), 1007, 211, nil},
		"a percentage with decimals":    {money.Percent(factor("0.125")), 400, 1, nil},
		"nothing said is nothing taken": {money.Ratio{}, money.Max, 0, nil},
		"all of the largest":            {ratio(money.Max, money.Max), money.Max, money.Max, nil},
		"more than the largest":         {ratio(money.Max, money.Max-1), money.Max, 0, money.ErrOutOfRange},
		"of an amount outside":          {ratio(1, 3), money.Max + 1, 0, money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.ratio.Of(c.of)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestRatiosThatAreNone(t *testing.T) {
	_, err := money.RatioOf(1, 0)
	wantError(t, err, money.ErrNoWhole)
	_, err = money.RatioOf(money.Max+1, 1)
	wantError(t, err, money.ErrOutOfRange)
	_, err = money.RatioOf(1, money.Min-1)
	wantError(t, err, money.ErrOutOfRange)
}

func TestRatiosAgreeWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part, whole, of := anyAmount().Draw(t, "part"), anyAmount().Draw(t, "whole"), anyAmount().Draw(t, "of")
		if whole == 0 {
			whole = 1
		}
		r, err := money.RatioOf(part, whole)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Of(of)
		wantExact(t, got, err, new(big.Rat).Quo(times(ratOf(of), ratOf(part)), ratOf(whole)))
	})
}
