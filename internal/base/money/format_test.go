package money_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func TestWritingAmounts(t *testing.T) {
	cases := map[string]struct {
		amount   money.Amount
		currency money.Currency
		plain    string
		people   string
		withCode string
	}{
		"a thousand and more":      {123450, eur, "1234.50", "1,234.50", "EUR 1,234.50"},
		"below a thousand":         {99999, eur, "999.99", "999.99", "EUR 999.99"},
		"a thousand":               {100000, eur, "1000.00", "1,000.00", "EUR 1,000.00"},
		"a million":                {100000000, eur, "1000000.00", "1,000,000.00", "EUR 1,000,000.00"},
		"negative":                 {-123450, eur, "-1234.50", "-1,234.50", "EUR -1,234.50"},
		"negative hundreds":        {-12345, eur, "-123.45", "-123.45", "EUR -123.45"},
		"cents":                    {5, eur, "0.05", "0.05", "EUR 0.05"},
		"negative cents":           {-5, eur, "-0.05", "-0.05", "EUR -0.05"},
		"zero":                     {0, eur, "0.00", "0.00", "EUR 0.00"},
		"no decimals":              {1234, jpy, "1234", "1,234", "JPY 1,234"},
		"zero without decimals":    {0, jpy, "0", "0", "JPY 0"},
		"three decimals":           {1234567, kwd, "1234.567", "1,234.567", "KWD 1,234.567"},
		"one of three decimals":    {1, kwd, "0.001", "0.001", "KWD 0.001"},
		"the largest":              {money.Max, eur, "90071992547409.91", "90,071,992,547,409.91", "EUR 90,071,992,547,409.91"},
		"an amount outside":        {math.MinInt64, jpy, "-9223372036854775808", "-9,223,372,036,854,775,808", "JPY -9,223,372,036,854,775,808"},
		"without any currency yet": {123450, money.Currency{}, "1234.50", "1,234.50", "1,234.50"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := money.Plain(c.amount, c.currency); got != c.plain {
				t.Errorf("plain is %q, wants %q", got, c.plain)
			}
			if got := money.Format(c.amount, c.currency); got != c.people {
				t.Errorf("for people it is %q, wants %q", got, c.people)
			}
			if got := money.FormatWithCode(c.amount, c.currency); got != c.withCode {
				t.Errorf("with code it is %q, wants %q", got, c.withCode)
			}
		})
	}
}

func TestReadingPlainAmounts(t *testing.T) {
	cases := map[string]struct {
		text     string
		currency money.Currency
		want     money.Amount
		err      error
	}{
		"all decimals":               {"1234.50", eur, 123450, nil},
		"fewer decimals":             {"1234.5", eur, 123450, nil},
		"no decimals":                {"1234", eur, 123400, nil},
		"one decimal too many":       {"1234.500", eur, 0, money.ErrPlain},
		"any decimal where none is":  {"12.0", jpy, 0, money.ErrPlain},
		"three decimals":             {"-0.001", kwd, -1, nil},
		"leading zeros":              {"0012.00", eur, 1200, nil},
		"minus zero":                 {"-0.00", eur, 0, nil},
		"the largest":                {"90071992547409.91", eur, money.Max, nil},
		"one above the largest":      {"90071992547409.92", eur, 0, money.ErrOutOfRange},
		"the smallest":               {"-90071992547409.91", eur, money.Min, nil},
		"one below the smallest":     {"-90071992547409.92", eur, 0, money.ErrOutOfRange},
		"more than 64 bits":          {"99999999999999999999", eur, 0, money.ErrOutOfRange},
		"grouped for people":         {"1,234.50", eur, 0, money.ErrPlain},
		"a plus sign":                {"+1.00", eur, 0, money.ErrPlain},
		"an exponent":                {"1e2", eur, 0, money.ErrPlain},
		"nothing before the point":   {".50", eur, 0, money.ErrPlain},
		"nothing after the point":    {"1.", eur, 0, money.ErrPlain},
		"two points":                 {"1.2.3", kwd, 0, money.ErrPlain},
		"two minus signs":            {"--1", eur, 0, money.ErrPlain},
		"empty":                      {"", eur, 0, money.ErrPlain},
		"a space":                    {" 1.00", eur, 0, money.ErrPlain},
		"digits of another alphabet": {"١٢", eur, 0, money.ErrPlain},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.ParsePlain(c.text, c.currency)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestWrittenAmountsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, c := anyAmount().Draw(t, "amount"), anyCurrency().Draw(t, "currency")
		plain := money.Plain(a, c)
		if back, err := money.ParsePlain(plain, c); err != nil || back != a {
			t.Fatalf("%d %s is written %q and read as %d, %v", a, c, plain, back, err)
		}
		if rat(plain).Cmp(times(ratOf(a), tenTo(-c.Exponent()))) != 0 {
			t.Fatalf("%d %s is written %q", a, c, plain)
		}
		if people := money.Format(a, c); strings.ReplaceAll(people, ",", "") != plain {
			t.Fatalf("%q for people is %q", plain, people)
		}
	})
}
