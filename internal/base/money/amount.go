package money

import (
	"errors"
	"math/big"
	"strconv"
)

// Amount is money in minor units (cents) of a currency that is known from where the amount stands.
type Amount int64

// The range of an Amount: ±(2^53 − 1), the integers that every JSON parser reads exactly.
const (
	Max Amount = 9_007_199_254_740_991
	Min Amount = -Max
)

var (
	// ErrOutOfRange says that an amount, or the result of a calculation, lies beyond Min or Max.
	ErrOutOfRange = errors.New("amount is beyond ±9007199254740991 minor units")
	// ErrNotInteger says that JSON held something else than an integer where an amount belongs.
	ErrNotInteger = errors.New("amount must be a JSON integer of minor units")
)

// NewAmount is n as an Amount, if it is in range.
func NewAmount(n int64) (Amount, error) { return Amount(n).checked() }

// InRange reports whether a lies between Min and Max. Only a conversion from a bare integer can make one
// that does not; the arithmetic refuses it.
func (a Amount) InRange() bool { return Min <= a && a <= Max }

func (a Amount) checked() (Amount, error) {
	if !a.InRange() {
		return 0, ErrOutOfRange
	}
	return a, nil
}

// Add is a + b. Two amounts in range cannot overflow an int64, so checking the terms and then the sum
// suffices.
func (a Amount) Add(b Amount) (Amount, error) {
	if !a.InRange() || !b.InRange() {
		return 0, ErrOutOfRange
	}
	return (a + b).checked()
}

// Sub is a − b.
func (a Amount) Sub(b Amount) (Amount, error) {
	if !a.InRange() || !b.InRange() {
		return 0, ErrOutOfRange
	}
	return (a - b).checked()
}

// Neg is −a.
func (a Amount) Neg() (Amount, error) { return Amount(0).Sub(a) }

// Abs is a without its sign.
func (a Amount) Abs() (Amount, error) {
	if a < 0 {
		return a.Neg()
	}
	return a.checked()
}

// Sign is −1, 0 or 1.
func (a Amount) Sign() int {
	switch {
	case a < 0:
		return -1
	case a > 0:
		return 1
	}
	return 0
}

// Sum adds any number of amounts. Only the terms and the final sum must be in range, not the sums on the
// way, so that the order of the terms never matters.
func Sum(amounts ...Amount) (Amount, error) {
	var sum big.Int
	for _, a := range amounts {
		if !a.InRange() {
			return 0, ErrOutOfRange
		}
		sum.Add(&sum, big.NewInt(int64(a)))
	}
	return fromBig(&sum)
}

func fromBig(n *big.Int) (Amount, error) {
	if !n.IsInt64() {
		return 0, ErrOutOfRange
	}
	return NewAmount(n.Int64())
}

// MarshalJSON writes an integer; an amount out of range does not leave.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.InRange() {
		return nil, ErrOutOfRange
	}
	return strconv.AppendInt(nil, int64(a), 10), nil
}

// UnmarshalJSON reads an integer and nothing else: 10.0, 1e3 and "10" are refused, since each of them shows that the
// sender does not count in minor units. null leaves the amount as it is, as it does for every type of the library.
func (a *Amount) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	n, ok := splitDecimal(string(data))
	if !ok || n.hasPoint || len(n.whole) > 1 && n.whole[0] == '0' {
		return ErrNotInteger
	}
	parsed, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return ErrOutOfRange
	}
	checked, err := NewAmount(parsed)
	if err != nil {
		return err
	}
	*a = checked
	return nil
}
