package money_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func TestSpreading(t *testing.T) {
	type list = []money.Amount
	cases := map[string]struct {
		amounts list
		percent string
		parts   list
		total   money.Amount
	}{
		"three equal shares: the odd unit goes to the first":        {list{1007, 1007, 1007}, "21", list{212, 211, 211}, 634},
		"mirrored, the odd unit goes to the first too":              {list{-1007, -1007, -1007}, "21", list{-212, -211, -211}, -634},
		"the larger remainder comes before the lower position":      {list{1002, 1008}, "21", list{210, 212}, 422},
		"mirrored, the larger remainder comes first too":            {list{-1002, -1008}, "21", list{-210, -212}, -422},
		"a whole share is left alone":                               {list{100, 1007, 1007, 1007}, "21", list{21, 212, 211, 211}, 655},
		"two units go to the first two":                             {list{6, 6, 6, 6}, "10", list{1, 1, 0, 0}, 2},
		"a total rounded down leaves all shares down":               {list{4, 0, 0}, "10", list{0, 0, 0}, 0},
		"a total rounded up gives one unit":                         {list{5, 0}, "10", list{1, 0}, 1},
		"a discount line among others":                              {list{1007, 1007, -1007}, "21", list{211, 211, -211}, 211},
		"mirrored discount line":                                    {list{-1007, -1007, 1007}, "21", list{-211, -211, 211}, -211},
		"shares near a unit go there even if the total is zero":     {list{9, -9, 1}, "10", list{1, -1, 0}, 0},
		"amounts that cancel: shares meet in the middle":            {list{5, -5}, "10", list{1, -1}, 0},
		"amounts that cancel, mirrored":                             {list{-5, 5}, "10", list{-1, 1}, 0},
		"a leading zero does not decide what is mirrored":           {list{0, -5, 5}, "10", list{0, -1, 1}, 0},
		"nearly cancelling amounts keep their own shares":           {list{1_000_000, -999_999}, "60", list{600_000, -599_999}, 1},
		"a negative total of mixed signs":                           {list{3, -14}, "10", list{0, -1}, -1},
		"zero percent is zero for all":                              {list{1007, -5, 3}, "0", list{0, 0, 0}, 0},
		"a hundred percent is the amounts":                          {list{1007, -5, 3}, "100", list{1007, -5, 3}, 1005},
		"one amount gets all":                                       {list{1007}, "21", list{211}, 211},
		"no amounts, no parts":                                      {list{}, "21", list{}, 0},
		"the largest amounts may cancel":                            {list{money.Max, money.Min, 1}, "100", list{money.Max, money.Min, 1}, 1},
		"a negative ratio mirrors":                                  {list{1007, 1007, 1007}, "-21", list{-212, -211, -211}, -634},
		"the last of several remainders wins when it is larger":     {list{1, 1, 1, 4}, "10", list{0, 0, 0, 1}, 1},
		"zero remainders never get a unit, however low they stand":  {list{10, 20, 5}, "10", list{1, 2, 1}, 4},
		"of equal remainders the lower position wins past a larger": {list{4, 8, 4}, "10", list{1, 1, 0}, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			given := slices.Clone(c.amounts)
			parts, total, err := money.Spread(c.amounts, money.Percent(factor(c.percent)))
			if err != nil || total != c.total {
				t.Errorf("total is %d, %v; wants %d", total, err, c.total)
			}
			if diff := cmp.Diff(c.parts, parts); diff != "" {
				t.Error(diff)
			}
			if !slices.Equal(given, c.amounts) {
				t.Error("the amounts given were changed")
			}
		})
	}
}

func TestSpreadingStopsAtTheEdges(t *testing.T) {
	cases := map[string]struct {
		amounts []money.Amount
		percent string
		err     error
	}{
		"the total reaches the largest": {[]money.Amount{money.Max - 1, 1}, "100", nil},
		"the total passes it":           {[]money.Amount{money.Max, 1}, "100", money.ErrOutOfRange},
		"a part passes it":              {[]money.Amount{money.Max, money.Min}, "101", money.ErrOutOfRange},
		"an amount is outside":          {[]money.Amount{money.Max + 1}, "1", money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := money.Spread(c.amounts, money.Percent(factor(c.percent)))
			wantError(t, err, c.err)
		})
	}
}

// spreadCase draws small amounts often: there the shares are close to each other and ties are common.
func spreadCase(t *rapid.T, most int) (list []money.Amount, r money.Ratio, exact *big.Rat) {
	amount := rapid.OneOf(amounts(-30, 30), amounts(-100_000, 100_000), amounts(-1e12, 1e12))
	list = rapid.SliceOfN(amount, 0, most).Draw(t, "amounts")
	part, whole := amounts(-200, 200).Draw(t, "part"), amounts(1, 200).Draw(t, "whole")
	r, err := money.RatioOf(part, whole)
	if err != nil {
		t.Fatal(err)
	}
	return list, r, big.NewRat(int64(part), int64(whole))
}

func TestPartsAddUpAndAreWithinOneUnitOfTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, r, exact := spreadCase(t, 20)
		parts, total, err := money.Spread(list, r)
		if err != nil || len(parts) != len(list) {
			t.Fatalf("%d parts, %v", len(parts), err)
		}
		shares, sum := new(big.Rat), money.Amount(0)
		for i, p := range parts {
			share := times(ratOf(list[i]), exact)
			shares.Add(shares, share)
			sum += p
			off := new(big.Rat).Sub(ratOf(p), share)
			if off.Abs(off).Cmp(big.NewRat(1, 1)) >= 0 {
				t.Errorf("part %d is %d, its share is %s", i, p, share.FloatString(3))
			}
			if p.Sign()*share.Sign() < 0 {
				t.Errorf("part %d is %d, its share %s has the other sign", i, p, share.FloatString(3))
			}
		}
		if sum != total {
			t.Errorf("the parts %v add up to %d, the total is %d", parts, sum, total)
		}
		wantExact(t, total, nil, shares)
	})
}

func TestMirroredAmountsGiveMirroredParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, r, _ := spreadCase(t, 12)
		mirrored := make([]money.Amount, len(list))
		for i, a := range list {
			mirrored[i] = -a
		}
		parts, total, err := money.Spread(list, r)
		back, backTotal, backErr := money.Spread(mirrored, r)
		if err != nil || backErr != nil || total != -backTotal {
			t.Fatalf("totals %d, %v and %d, %v", total, err, backTotal, backErr)
		}
		for i := range parts {
			if parts[i] != -back[i] {
				t.Fatalf("%v mirrored is %v", parts, back)
			}
		}
	})
}

// distance is how far parts are from their shares, all together.
func distance(parts, list []money.Amount, ratio *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, p := range parts {
		off := new(big.Rat).Sub(ratOf(p), times(ratOf(list[i]), ratio))
		sum.Add(sum, off.Abs(off))
	}
	return sum
}

func TestNoOtherWholePartsAreNearer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, r, exact := spreadCase(t, 6)
		parts, total, err := money.Spread(list, r)
		if err != nil {
			t.Fatal(err)
		}
		near := distance(parts, list, exact)
		other := make([]money.Amount, len(list))
		for choice := range 1 << len(list) { // every way to round each share down or up
			sum := money.Amount(0)
			for i, a := range list {
				share := times(ratOf(a), exact)
				other[i] = money.Amount(new(big.Int).Div(share.Num(), share.Denom()).Int64() + int64(choice>>i&1))
				sum += other[i]
			}
			if sum == total && distance(other, list, exact).Cmp(near) < 0 {
				t.Fatalf("%v is nearer than %v", other, parts)
			}
		}
	})
}
