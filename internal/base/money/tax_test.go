package money_test

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func sumOf(taxed []money.Taxed) (net, tax money.Amount) {
	for _, x := range taxed {
		net, tax = net+x.Net, tax+x.Tax
	}
	return net, tax
}

// eachLine taxes the amounts one by one.
func eachLine(t failer, list []money.Amount, rate money.Factor, mode money.TaxMode) []money.Taxed {
	t.Helper()
	taxed := make([]money.Taxed, len(list))
	for i, a := range list {
		var err error
		if taxed[i], err = money.TaxLine(a, rate, mode); err != nil {
			t.Errorf("%d at %s: %v", a, rate, err)
		}
	}
	return taxed
}

func TestThreeLinesOf1007At21Percent(t *testing.T) {
	lines := make([]money.Amount, 3)
	for i := range lines {
		priced, err := line("1", "10.07", "0", 0).Price(eur)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = priced.Amount
	}

	byLine := eachLine(t, lines, factor("21"), money.Exclusive)
	if diff := cmp.Diff([]money.Taxed{{1007, 211}, {1007, 211}, {1007, 211}}, byLine); diff != "" {
		t.Error("line by line:", diff)
	}
	if net, tax := sumOf(byLine); tax != 633 || net+tax != 3654 {
		t.Errorf("line by line: tax %d, total %d", tax, net+tax)
	}

	together, err := money.TaxGroup(lines, factor("21"), money.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]money.Taxed{{1007, 212}, {1007, 211}, {1007, 211}}, together); diff != "" {
		t.Error("together:", diff)
	}
	if net, tax := sumOf(together); tax != 634 || net+tax != 3655 {
		t.Errorf("together: tax %d, total %d", tax, net+tax)
	}
}

func TestTaxingOneLine(t *testing.T) {
	cases := map[string]struct {
		amount money.Amount
		rate   string
		mode   money.TaxMode
		want   money.Taxed
		err    error
	}{
		"on top":                                {1000, "21", money.Exclusive, money.Taxed{Net: 1000, Tax: 210}, nil},
		"contained":                             {1210, "21", money.Inclusive, money.Taxed{Net: 1000, Tax: 210}, nil},
		"contained, rounded":                    {1000, "21", money.Inclusive, money.Taxed{Net: 826, Tax: 174}, nil},
		"half a unit on top goes up":            {50, "1", money.Exclusive, money.Taxed{Net: 50, Tax: 1}, nil},
		"below half a unit on top goes down":    {49, "1", money.Exclusive, money.Taxed{Net: 49, Tax: 0}, nil},
		"a negative half unit goes down":        {-50, "1", money.Exclusive, money.Taxed{Net: -50, Tax: -1}, nil},
		"half a unit contained is tax":          {1, "100", money.Inclusive, money.Taxed{Net: 0, Tax: 1}, nil},
		"a negative half contained is tax":      {-1, "100", money.Inclusive, money.Taxed{Net: 0, Tax: -1}, nil},
		"a rate with decimals":                  {10000, "8.8750", money.Exclusive, money.Taxed{Net: 10000, Tax: 888}, nil},
		"a rate of zero on top":                 {1000, "0", money.Exclusive, money.Taxed{Net: 1000, Tax: 0}, nil},
		"a rate of zero contained":              {1000, "0", money.Inclusive, money.Taxed{Net: 1000, Tax: 0}, nil},
		"no tax, whatever the rate":             {1000, "21", money.Untaxed, money.Taxed{Net: 1000, Tax: 0}, nil},
		"a rate just below zero":                {1000, "-0.0001", money.Exclusive, money.Taxed{}, money.ErrTaxRate},
		"a rate that would divide by zero":      {1000, "-100", money.Inclusive, money.Taxed{}, money.ErrTaxRate},
		"a mode in lower case":                  {1000, "21", "exclusive", money.Taxed{}, money.ErrTaxMode},
		"no mode":                               {1000, "21", "", money.Taxed{}, money.ErrTaxMode},
		"the largest, doubled":                  {money.Max, "100", money.Exclusive, money.Taxed{Net: money.Max, Tax: money.Max}, nil},
		"tax past the largest":                  {money.Max, "100.0000000001", money.Exclusive, money.Taxed{}, money.ErrOutOfRange},
		"an amount outside, even without tax":   {money.Max + 1, "21", money.Untaxed, money.Taxed{}, money.ErrOutOfRange},
		"an amount outside, with tax contained": {money.Min - 1, "21", money.Inclusive, money.Taxed{}, money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := money.TaxLine(c.amount, factor(c.rate), c.mode)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %+v, wants %+v", got, c.want)
			}
			alone, err := money.TaxGroup([]money.Amount{c.amount}, factor(c.rate), c.mode)
			wantError(t, err, c.err)
			if c.err == nil && (len(alone) != 1 || alone[0] != c.want) {
				t.Errorf("as a group of one it is %+v", alone)
			}
		})
	}
}

func TestTaxingAGroupWithTaxContained(t *testing.T) {
	// 3 × 1000 × 21/121 = 520.66 → 521; each share is 173.55.
	got, err := money.TaxGroup([]money.Amount{1000, 1000, 1000}, factor("21"), money.Inclusive)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]money.Taxed{{826, 174}, {826, 174}, {827, 173}}, got); diff != "" {
		t.Error(diff)
	}
}

func rates() *rapid.Generator[money.Factor] { return factors(`100|[0-9]{1,2}(\.[0-9]{1,4})?`) }

func modes() *rapid.Generator[money.TaxMode] {
	return rapid.SampledFrom([]money.TaxMode{money.Exclusive, money.Inclusive, money.Untaxed})
}

// exactTax is the part of an amount that is tax, by the oracle.
func exactTax(rate money.Factor, mode money.TaxMode) *big.Rat {
	r, whole := rat(rate.String()), big.NewRat(100, 1)
	switch mode {
	case money.Untaxed:
		return new(big.Rat)
	case money.Inclusive:
		whole.Add(whole, r)
	}
	return new(big.Rat).Quo(r, whole)
}

func TestTaxAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(amounts(-1e12, 1e12), 1, 10).Draw(t, "amounts")
		rate, mode := rates().Draw(t, "rate"), modes().Draw(t, "mode")
		part := exactTax(rate, mode)

		exact := new(big.Rat)
		for i, x := range eachLine(t, list, rate, mode) {
			share := times(ratOf(list[i]), part)
			wantExact(t, x.Tax, nil, share)
			exact.Add(exact, share)
		}
		together, err := money.TaxGroup(list, rate, mode)
		_, tax := sumOf(together)
		wantExact(t, tax, err, exact)
	})
}

func TestNetAndTaxMakeTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(amounts(-1e12, 1e12), 1, 10).Draw(t, "amounts")
		rate, mode := rates().Draw(t, "rate"), modes().Draw(t, "mode")
		together, err := money.TaxGroup(list, rate, mode)
		if err != nil {
			t.Fatal(err)
		}
		for _, taxed := range [][]money.Taxed{eachLine(t, list, rate, mode), together} {
			for i, x := range taxed {
				made := x.Net
				if mode == money.Inclusive {
					made += x.Tax
				}
				if made != list[i] {
					t.Errorf("%d became %+v under %s", list[i], x, mode)
				}
			}
		}
	})
}

func TestTaxByLineAndTogetherDifferByHalfAUnitPerLineAndRateAtMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := modes().Draw(t, "mode")
		groups := rapid.IntRange(1, 4).Draw(t, "rates")
		var lines int
		var byLine, together money.Taxed
		for range groups {
			list := rapid.SliceOfN(rapid.OneOf(amounts(-50, 50), amounts(-1e9, 1e9)), 1, 30).Draw(t, "amounts")
			rate := rates().Draw(t, "rate")
			net, tax := sumOf(eachLine(t, list, rate, mode))
			byLine.Net, byLine.Tax = byLine.Net+net, byLine.Tax+tax
			group, err := money.TaxGroup(list, rate, mode)
			if err != nil {
				t.Fatal(err)
			}
			net, tax = sumOf(group)
			together.Net, together.Tax = together.Net+net, together.Tax+tax
			lines += len(list)
		}
		most := money.Amount(lines + groups) // in half units
		if off := 2 * (byLine.Tax - together.Tax); off > most || off < -most {
			t.Errorf("tax is %d by line and %d together, with %d lines and %d rates", byLine.Tax, together.Tax, lines, groups)
		}
		off := 2 * (byLine.Net + byLine.Tax - together.Net - together.Tax)
		if mode != money.Exclusive {
			most = 0
		}
		if off > most || off < -most {
			t.Errorf("totals are %+v by line and %+v together, with %d lines and %d rates", byLine, together, lines, groups)
		}
	})
}
