package money_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

func TestArithmeticStopsAtTheEdges(t *testing.T) {
	outside := money.Max + 1
	cases := map[string]struct {
		do   func() (money.Amount, error)
		want money.Amount
		err  error
	}{
		"the largest amount is an amount":           {func() (money.Amount, error) { return money.NewAmount(9007199254740991) }, money.Max, nil},
		"one more is not":                           {func() (money.Amount, error) { return money.NewAmount(9007199254740992) }, 0, money.ErrOutOfRange},
		"the smallest amount is an amount":          {func() (money.Amount, error) { return money.NewAmount(-9007199254740991) }, money.Min, nil},
		"one less is not":                           {func() (money.Amount, error) { return money.NewAmount(-9007199254740992) }, 0, money.ErrOutOfRange},
		"a sum may reach the largest":               {func() (money.Amount, error) { return (money.Max - 1).Add(1) }, money.Max, nil},
		"a sum may not pass it":                     {func() (money.Amount, error) { return money.Max.Add(1) }, 0, money.ErrOutOfRange},
		"a difference may reach the smallest":       {func() (money.Amount, error) { return (money.Min + 1).Sub(1) }, money.Min, nil},
		"a difference may not pass it":              {func() (money.Amount, error) { return money.Min.Sub(1) }, 0, money.ErrOutOfRange},
		"a sum that would wrap is refused":          {func() (money.Amount, error) { return money.Amount(math.MaxInt64).Add(math.MaxInt64) }, 0, money.ErrOutOfRange},
		"a difference that would wrap is refused":   {func() (money.Amount, error) { return money.Amount(math.MinInt64).Sub(1) }, 0, money.ErrOutOfRange},
		"a wrap back into range is refused":         {func() (money.Amount, error) { return money.Amount(math.MinInt64).Add(math.MinInt64) }, 0, money.ErrOutOfRange},
		"a term outside is refused in a good sum":   {func() (money.Amount, error) { return outside.Add(-1) }, 0, money.ErrOutOfRange},
		"a term outside is refused on the right":    {func() (money.Amount, error) { return money.Amount(-1).Add(outside) }, 0, money.ErrOutOfRange},
		"a term outside is refused in a difference": {func() (money.Amount, error) { return money.Amount(2).Sub(outside) }, 0, money.ErrOutOfRange},
		"the mirror of the smallest is the largest": {func() (money.Amount, error) { return money.Min.Neg() }, money.Max, nil},
		"the mirror of what has none is refused":    {func() (money.Amount, error) { return money.Amount(math.MinInt64).Neg() }, 0, money.ErrOutOfRange},
		"the size of the smallest is the largest":   {func() (money.Amount, error) { return money.Min.Abs() }, money.Max, nil},
		"the size of a positive amount is itself":   {func() (money.Amount, error) { return money.Amount(7).Abs() }, 7, nil},
		"the size of what is outside is refused":    {func() (money.Amount, error) { return outside.Abs() }, 0, money.ErrOutOfRange},
		"the size of what has none is refused":      {func() (money.Amount, error) { return money.Amount(math.MinInt64).Abs() }, 0, money.ErrOutOfRange},
		"the sum of nothing is zero":                {func() (money.Amount, error) { return money.Sum() }, 0, nil},
		"a sum may pass the edge on its way":        {func() (money.Amount, error) { return money.Sum(money.Max, money.Max, money.Min) }, money.Max, nil},
		"a sum may not end past the edge":           {func() (money.Amount, error) { return money.Sum(money.Max, money.Max, money.Min, 1) }, 0, money.ErrOutOfRange},
		"a sum may not have a term outside":         {func() (money.Amount, error) { return money.Sum(outside, -outside) }, 0, money.ErrOutOfRange},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.do()
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestASumOfThousandsDoesNotWrap(t *testing.T) {
	many := make([]money.Amount, 4096) // 2^12 × (2^53 − 1) is −4096 in 64 bits
	for i := range many {
		many[i] = money.Max
	}
	_, err := money.Sum(many...)
	wantError(t, err, money.ErrOutOfRange)
}

func TestSignsOfAmounts(t *testing.T) {
	if money.Min.Sign() != -1 || money.Amount(0).Sign() != 0 || money.Max.Sign() != 1 {
		t.Error("signs are wrong")
	}
}

func TestCheckedArithmeticAgreesWithBigIntegers(t *testing.T) {
	bare := rapid.OneOf(anyAmount(), rapid.Map(rapid.Int64(), func(n int64) money.Amount { return money.Amount(n) }))
	valid := func(terms ...money.Amount) bool {
		for _, a := range terms {
			if !inRange(big.NewInt(int64(a))) {
				return false
			}
		}
		return true
	}
	check := func(t *rapid.T, got money.Amount, err error, want *big.Rat, terms ...money.Amount) {
		t.Helper()
		if !valid(terms...) {
			want = ratOf(money.Max + 1)
		}
		wantExact(t, got, err, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := bare.Draw(t, "a"), bare.Draw(t, "b")
		got, err := a.Add(b)
		check(t, got, err, new(big.Rat).Add(ratOf(a), ratOf(b)), a, b)
		got, err = a.Sub(b)
		check(t, got, err, new(big.Rat).Sub(ratOf(a), ratOf(b)), a, b)
		got, err = a.Neg()
		check(t, got, err, new(big.Rat).Neg(ratOf(a)), a)
		got, err = a.Abs()
		check(t, got, err, new(big.Rat).Abs(ratOf(a)), a)

		terms := rapid.SliceOfN(bare, 0, 8).Draw(t, "terms")
		sum := new(big.Rat)
		for _, term := range terms {
			sum.Add(sum, ratOf(term))
		}
		got, err = money.Sum(terms...)
		check(t, got, err, sum, terms...)
	})
}

func TestAmountsInJSONAreIntegersOnly(t *testing.T) {
	cases := map[string]struct {
		json string
		want money.Amount
		err  error
	}{
		"an integer":                {`1250`, 1250, nil},
		"a negative integer":        {`-1250`, -1250, nil},
		"zero":                      {`0`, 0, nil},
		"minus zero":                {`-0`, 0, nil},
		"the largest":               {`9007199254740991`, money.Max, nil},
		"the smallest":              {`-9007199254740991`, money.Min, nil},
		"one above the largest":     {`9007199254740992`, 0, money.ErrOutOfRange},
		"one below the smallest":    {`-9007199254740992`, 0, money.ErrOutOfRange},
		"more than 64 bits hold":    {`99999999999999999999`, 0, money.ErrOutOfRange},
		"a decimal":                 {`12.5`, 0, money.ErrNotInteger},
		"a decimal that is whole":   {`12.0`, 0, money.ErrNotInteger},
		"an exponent":               {`1e3`, 0, money.ErrNotInteger},
		"an upper-case exponent":    {`1E3`, 0, money.ErrNotInteger},
		"a decimal with exponent":   {`1.5e1`, 0, money.ErrNotInteger},
		"a string":                  {`"1250"`, 0, money.ErrNotInteger},
		"null":                      {`null`, 0, nil},
		"a boolean":                 {`true`, 0, money.ErrNotInteger},
		"an object":                 {`{}`, 0, money.ErrNotInteger},
		"an array around an amount": {`[1]`, 0, money.ErrNotInteger},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got money.Amount
			err := json.Unmarshal([]byte(c.json), &got)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %d, wants %d", got, c.want)
			}
		})
	}
}

func TestWhatIsNotJSONIsNoAmount(t *testing.T) {
	for _, text := range []string{"", "-", "+5", "007", "-01", " 5", "5 ", "1_000", "0x10", "٣"} {
		a := money.Amount(1)
		wantError(t, a.UnmarshalJSON([]byte(text)), money.ErrNotInteger)
		if a != 1 {
			t.Errorf("%q changed the amount", text)
		}
	}
}

func TestANullableAmountIsAPointer(t *testing.T) {
	got := struct{ Amount *money.Amount }{new(money.Amount)}
	if err := json.Unmarshal([]byte(`{"Amount": null}`), &got); err != nil || got.Amount != nil {
		t.Errorf("got %v, %v", got.Amount, err)
	}
}

func TestAmountsReadBackFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyAmount().Draw(t, "a")
		data, err := json.Marshal(a)
		if err != nil || string(data) != big.NewInt(int64(a)).String() {
			t.Fatalf("%d is written %s, %v", a, data, err)
		}
		var back money.Amount
		if err := json.Unmarshal(data, &back); err != nil || back != a {
			t.Fatalf("%s is read as %d, %v", data, back, err)
		}
	})
	_, err := json.Marshal(money.Max + 1)
	wantError(t, err, money.ErrOutOfRange)
	_, err = json.Marshal(money.Min - 1)
	wantError(t, err, money.ErrOutOfRange)
}
