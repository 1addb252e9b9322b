package money_test

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

// The oracle: the same laws on math/big.Rat, which the package does not use.

var (
	eur = money.MustCurrency("EUR")
	usd = money.MustCurrency("USD")
	jpy = money.MustCurrency("JPY")
	kwd = money.MustCurrency("KWD")
)

func factor(text string) money.Factor { return money.MustFactor(text) }

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text)
	}
	return r
}

func ratOf(a money.Amount) *big.Rat { return new(big.Rat).SetInt64(int64(a)) }

func times(factors ...*big.Rat) *big.Rat {
	product := big.NewRat(1, 1)
	for _, f := range factors {
		product.Mul(product, f)
	}
	return product
}

// tenTo is 10^e for any sign of e.
func tenTo(e int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil))
	if e < 0 {
		return p.Inv(p)
	}
	return p
}

// rounded is half away from zero: the floor of |x| + 1/2, with the sign of x.
func rounded(x *big.Rat) *big.Int {
	up := new(big.Rat).Add(new(big.Rat).Abs(x), big.NewRat(1, 2))
	n := new(big.Int).Div(up.Num(), up.Denom())
	if x.Sign() < 0 {
		n.Neg(n)
	}
	return n
}

func inRange(n *big.Int) bool { return n.CmpAbs(big.NewInt(9_007_199_254_740_991)) <= 0 }

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// wantExact checks a result against its exact value: rounded if that is in range, else ErrOutOfRange.
func wantExact(t failer, got money.Amount, err error, exact *big.Rat) {
	t.Helper()
	want := rounded(exact)
	switch {
	case !inRange(want):
		if !errors.Is(err, money.ErrOutOfRange) {
			t.Errorf("%s is out of range, but gave %d, %v", exact.FloatString(3), got, err)
		}
	case err != nil:
		t.Errorf("%s: %v", exact.FloatString(3), err)
	case big.NewInt(int64(got)).Cmp(want) != 0:
		t.Errorf("%s gave %d, wants %s", exact.FloatString(3), got, want)
	}
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error is %v, wants %v", err, want)
	}
}

func amounts(least, most money.Amount) *rapid.Generator[money.Amount] {
	return rapid.Map(rapid.Int64Range(int64(least), int64(most)), func(n int64) money.Amount { return money.Amount(n) })
}

func anyAmount() *rapid.Generator[money.Amount] { return amounts(money.Min, money.Max) }

func factors(pattern string) *rapid.Generator[money.Factor] {
	return rapid.Map(rapid.StringMatching(pattern), factor)
}

func anyFactor() *rapid.Generator[money.Factor] { return factors(`-?[0-9]{1,12}(\.[0-9]{1,10})?`) }

func anyCurrency() *rapid.Generator[money.Currency] { return rapid.SampledFrom(money.Currencies()) }
