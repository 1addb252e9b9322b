package money_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/money"
)

func TestExponentsOfCurrencies(t *testing.T) {
	const none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
	const three = "BHD IQD JOD KWD LYD OMR TND"
	all := money.Currencies()
	for _, c := range all {
		want := 2
		if slices.Contains(strings.Fields(none), c.Code()) {
			want = 0
		}
		if slices.Contains(strings.Fields(three), c.Code()) {
			want = 3
		}
		if c.Exponent() != want {
			t.Errorf("%s has exponent %d, wants %d", c, c.Exponent(), want)
		}
	}
	for _, code := range strings.Fields(none + " " + three + " EUR USD GBP CHF CNY INR BRL HUF MGA MRU TWD XCG ZWG SLE VED VES") {
		if _, err := money.ParseCurrency(code); err != nil {
			t.Errorf("%s is missing: %v", code, err)
		}
	}
	if len(all) != 155 {
		t.Errorf("%d currencies, wants 155", len(all))
	}
}

func TestCurrenciesAreListedOnceInOrder(t *testing.T) {
	all := money.Currencies()
	for i, c := range all {
		if i > 0 && all[i-1].Code() >= c.Code() {
			t.Errorf("%s stands after %s", c, all[i-1])
		}
		if back, err := money.ParseCurrency(c.Code()); err != nil || back != c {
			t.Errorf("%s is read as %v, %v", c, back, err)
		}
	}
}

func TestWhatIsNotACurrency(t *testing.T) {
	cases := map[string]string{
		"lower case":                       "eur",
		"mixed case":                       "Eur",
		"two letters":                      "EU",
		"four letters":                     "EURO",
		"empty":                            "",
		"with a space":                     "EUR ",
		"a sign":                           "€",
		"never assigned":                   "ZZZ",
		"withdrawn: the lev":               "BGN",
		"withdrawn: the kuna":              "HRK",
		"withdrawn: the Antillean guilder": "ANG",
		"a fund with four decimals":        "CLF",
		"gold":                             "XAU",
		"the code for tests":               "XTS",
		"the code for no currency":         "XXX",
		"a very long text":                 strings.Repeat("EUR", 1000),
	}
	for name, code := range cases {
		t.Run(name, func(t *testing.T) {
			c, err := money.ParseCurrency(code)
			wantError(t, err, money.ErrCurrency)
			if !c.IsZero() {
				t.Errorf("gave %s", c)
			}
			if len(err.Error()) > 100 {
				t.Error("the error repeats the whole text")
			}
		})
	}
}

func TestNoCurrencyIsNoCurrency(t *testing.T) {
	var none money.Currency
	if !none.IsZero() || none.Code() != "" || none.Exponent() != 2 || eur.IsZero() || eur.String() != "EUR" {
		t.Error("the zero value is not told from a currency")
	}
}

func TestAWrongCurrencyInTheSourceTextPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("did not panic")
		}
	}()
	money.MustCurrency("eur")
}
