package money

import (
	"cmp"
	"math/big"
	"slices"
)

// Spread takes a ratio of a group of amounts as a whole, rounds that once, and gives each amount its part.
//
// The exact share of an amount is amount × r; it is not taken from the rounded total, which would blow the
// parts up where amounts of both signs nearly cancel. The total is round(Σ shares). For every input:
//
//   - the parts add up to the total, exactly;
//   - each part is its exact share rounded down or up, so it is less than one minor unit away, never has
//     the other sign, and is the share itself where that is whole;
//   - mirrored amounts give mirrored parts;
//   - parts are as near to the shares as these laws allow: largest remainder, ties to the lower position.
//
// How: every share is rounded down (towards −∞) and the units then missing to the total go, one each, to the
// largest remainders. At least 0 and at most as many units are missing as shares have a remainder, because
// the total is within half a unit of the sum of the shares. If the sum of the shares is negative – or zero,
// and the first share that is not zero is negative – all of it happens on the mirrored shares.
func Spread(amounts []Amount, r Ratio) (parts []Amount, total Amount, err error) {
	if slices.ContainsFunc(amounts, func(a Amount) bool { return !a.InRange() }) {
		return nil, 0, ErrOutOfRange
	}
	shares, den := exactShares(amounts, r)
	sum := new(big.Int)
	for _, share := range shares {
		sum.Add(sum, share)
	}
	if total, err = roundQuotient(sum, den); err != nil {
		return nil, 0, err
	}
	mirrored := leansNegative(sum, shares)
	if mirrored {
		for _, share := range shares {
			share.Neg(share)
		}
		total = -total
	}
	if parts, err = largestRemainder(shares, den, total); err != nil {
		return nil, 0, err
	}
	if mirrored {
		for i := range parts {
			parts[i] = -parts[i]
		}
		total = -total
	}
	return parts, total, nil
}

// exactShares is amount × r for each amount, as numerators over one denominator.
func exactShares(amounts []Amount, r Ratio) (shares []*big.Int, den *big.Int) {
	_, den = r.times(0)
	shares = make([]*big.Int, len(amounts))
	for i, a := range amounts {
		shares[i], _ = r.times(a)
	}
	return shares, den
}

func leansNegative(sum *big.Int, shares []*big.Int) bool {
	if sum.Sign() != 0 {
		return sum.Sign() < 0
	}
	first := slices.IndexFunc(shares, func(share *big.Int) bool { return share.Sign() != 0 })
	return first >= 0 && shares[first].Sign() < 0
}

// largestRemainder rounds the shares so that they add up to total, which is their sum rounded.
func largestRemainder(shares []*big.Int, den *big.Int, total Amount) ([]Amount, error) {
	floors := make([]*big.Int, len(shares))
	remainders := make([]*big.Int, len(shares))
	missing := big.NewInt(int64(total))
	byRemainder := make([]int, len(shares))
	for i, share := range shares {
		// DivMod is Euclidean: with a positive denominator it rounds down and the remainder is not negative.
		floors[i], remainders[i] = new(big.Int).DivMod(share, den, new(big.Int))
		missing.Sub(missing, floors[i])
		byRemainder[i] = i
	}
	slices.SortFunc(byRemainder, func(i, j int) int {
		return cmp.Or(remainders[j].Cmp(remainders[i]), cmp.Compare(i, j))
	})
	for _, i := range byRemainder[:missing.Int64()] {
		floors[i].Add(floors[i], big.NewInt(1))
	}
	parts := make([]Amount, len(shares))
	for i, part := range floors {
		var err error
		if parts[i], err = fromBig(part); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
