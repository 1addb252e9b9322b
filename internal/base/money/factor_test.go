package money_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

var (
	accepted  = regexp.MustCompile(`\A-?[0-9]{1,12}(\.[0-9]{1,10})?\z`)
	canonical = regexp.MustCompile(`\A(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])\z`)
)

func TestReadingFactors(t *testing.T) {
	cases := map[string]struct {
		text     string
		want     string // empty: refused
		sign     int
		decimals int
	}{
		"a whole number":                     {"21", "21", 1, 0},
		"a decimal":                          {"0.92", "0.92", 1, 2},
		"a negative decimal":                 {"-3.5", "-3.5", -1, 1},
		"trailing zeros go":                  {"10.0700", "10.07", 1, 2},
		"a fraction of zeros goes":           {"10.00", "10", 1, 0},
		"zeros before the point stay":        {"100", "100", 1, 0},
		"leading zeros go":                   {"007.5", "7.5", 1, 1},
		"zero":                               {"0", "0", 0, 0},
		"zero with decimals":                 {"0.000", "0", 0, 0},
		"minus zero":                         {"-0", "0", 0, 0},
		"minus zero with decimals":           {"-00.00", "0", 0, 0},
		"a small negative":                   {"-0.0000000001", "-0.0000000001", -1, 10},
		"twelve digits":                      {"999999999999", "999999999999", 1, 0},
		"thirteen digits":                    {"1000000000000", "", 0, 0},
		"thirteen digits of zeros":           {"0000000000000", "", 0, 0},
		"ten decimals":                       {"0.1234567891", "0.1234567891", 1, 10},
		"eleven decimals":                    {"0.12345678912", "", 0, 0},
		"eleven decimals, the last zero":     {"0.12345678910", "", 0, 0},
		"twelve digits with ten decimals":    {"-999999999999.9999999999", "-999999999999.9999999999", -1, 10},
		"a plus sign":                        {"+1", "", 0, 0},
		"two minus signs":                    {"--1", "", 0, 0},
		"a minus sign alone":                 {"-", "", 0, 0},
		"a typographic minus":                {"\u22121", "", 0, 0},
		"an exponent":                        {"1e3", "", 0, 0},
		"an upper-case exponent":             {"1E3", "", 0, 0},
		"nothing before the point":           {".5", "", 0, 0},
		"nothing after the point":            {"5.", "", 0, 0},
		"a minus sign after the point":       {"5.-5", "", 0, 0},
		"two points":                         {"1.2.3", "", 0, 0},
		"a decimal comma":                    {"1,5", "", 0, 0},
		"empty":                              {"", "", 0, 0},
		"a space before":                     {" 1", "", 0, 0},
		"a line end after":                   {"1\n", "", 0, 0},
		"an underscore":                      {"1_000", "", 0, 0},
		"a hexadecimal":                      {"0x1", "", 0, 0},
		"infinity":                           {"Inf", "", 0, 0},
		"not a number":                       {"NaN", "", 0, 0},
		"digits of another alphabet":         {"٣", "", 0, 0},
		"a fraction":                         {"1/3", "", 0, 0},
		"a zero byte":                        {"1\x00", "", 0, 0},
		"a million digits are refused early": {strings.Repeat("9", 1_000_000), "", 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.ParseFactor(c.text)
			if c.want == "" {
				wantError(t, err, money.ErrFactor)
				return
			}
			if err != nil || got.String() != c.want || got.Sign() != c.sign || got.Decimals() != c.decimals || got.IsZero() != (c.sign == 0) {
				t.Errorf("got %s (sign %d, %d decimals), %v", got, got.Sign(), got.Decimals(), err)
			}
		})
	}
}

func TestTheZeroFactorIsZero(t *testing.T) {
	var zero money.Factor
	if zero.String() != "0" || !zero.IsZero() || zero != factor("-0.0") || zero.Cmp(factor("0")) != 0 || !zero.Decimal().IsZero() {
		t.Error("the zero value is not 0")
	}
}

func TestComparingFactors(t *testing.T) {
	rising := []string{"-999999999999.9999999999", "-10", "-9.5", "-0.0000000001", "0", "0.0000000001", "0.09", "0.1", "9", "10", "999999999999.9999999999"}
	for i, low := range rising {
		for j, high := range rising {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := factor(low).Cmp(factor(high)); got != want {
				t.Errorf("%s against %s is %d", low, high, got)
			}
		}
	}
	if !factor("1.50").Equal(factor("01.5")) || factor("1.5").Equal(factor("-1.5")) {
		t.Error("equality is not that of the numbers")
	}
}

func TestAWrongFactorInTheSourceTextPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("did not panic")
		}
	}()
	money.MustFactor("1e3")
}

func TestFactorsCompareAsTheirNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyFactor().Draw(t, "a"), anyFactor().Draw(t, "b")
		want := rat(a.String()).Cmp(rat(b.String()))
		if a.Cmp(b) != want || (a == b) != (want == 0) {
			t.Fatalf("%s against %s: %d, == is %v", a, b, a.Cmp(b), a == b)
		}
	})
}

func FuzzFactor(f *testing.F) {
	for _, seed := range []string{"0", "-0.0", "1", "-12.50", "999999999999.9999999999", "1000000000000", "0.00000000001", "+1", "1e3", ".5", "5.", "1\n", "\u22121", "", "-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := money.ParseFactor(text)
		if ok := accepted.MatchString(text); ok != (err == nil) {
			t.Fatalf("%q fits the pattern: %v, but: %v", text, ok, err)
		}
		if err != nil {
			if !got.IsZero() {
				t.Fatalf("%q is refused but gave %s", text, got)
			}
			return
		}
		number := rat(text)
		if rat(got.String()).Cmp(number) != 0 || got.Decimal().Rat().Cmp(number) != 0 {
			t.Fatalf("%q became %s, for calculation %s", text, got, got.Decimal())
		}
		if !canonical.MatchString(got.String()) {
			t.Fatalf("%q became %q, which is not canonical", text, got)
		}
		if again, err := money.ParseFactor(got.String()); err != nil || again != got {
			t.Fatalf("%q does not read back: %s, %v", got, again, err)
		}
		if got.Sign() != number.Sign() || got.IsZero() != (number.Sign() == 0) {
			t.Fatalf("%q has sign %d", text, got.Sign())
		}
		if d := got.Decimals(); !times(number, tenTo(d)).IsInt() || d > 0 && times(number, tenTo(d-1)).IsInt() {
			t.Fatalf("%q has not %d decimals", text, d)
		}
	})
}
