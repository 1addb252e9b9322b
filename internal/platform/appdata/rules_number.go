package appdata

import (
	"cmp"
	"encoding/json"
	"slices"

	"daybook/internal/base/money"
)

const (
	mostDecimals  = 10
	usualDecimals = 2
)

type numberRules struct {
	Min      *money.Factor `json:"min"`
	Max      *money.Factor `json:"max"`
	Decimals *int          `json:"decimals"`
}

func (r *numberRules) complete() error {
	orElse(&r.Decimals, usualDecimals)
	if *r.Decimals < 0 || *r.Decimals > mostDecimals {
		return cannot("decimals must be 0 to %d", mostDecimals)
	}
	return ordered(r.Min, r.Max, money.Factor.Cmp)
}

// judge takes a decimal string, or a whole number; a JSON number with a fraction has lost its exact value on the way.
func (r *numberRules) judge(value json.RawMessage) (any, []Reason) {
	s, ok := str(value)
	if !ok {
		s = string(value) // a whole number has the form of a decimal; true, {} and 1e3 do not
	}
	n, err := money.ParseFactor(s)
	if err != nil || !ok && slices.Contains(value, '.') {
		return nil, []Reason{WrongType}
	}
	var against []Reason
	if n.Decimals() > *r.Decimals {
		against = append(against, TooManyDecimals)
	}
	if against = append(against, between(n, r.Min, r.Max, money.Factor.Cmp)...); len(against) > 0 {
		return nil, against
	}
	return n.String(), nil
}

type moneyRules struct {
	Min        *money.Amount    `json:"min"`
	Max        *money.Amount    `json:"max"`
	Currencies []money.Currency `json:"currencies"`
}

func (r *moneyRules) complete() error {
	seen := map[money.Currency]bool{}
	for _, c := range r.Currencies {
		if seen[c] {
			return cannot("currencies must not name %s twice", c)
		}
		seen[c] = true
	}
	if r.Currencies != nil && len(r.Currencies) == 0 {
		return cannot("currencies must name at least one; leave it out to allow all")
	}
	return ordered(r.Min, r.Max, cmp.Compare)
}

// sum is a value of type MONEY, as it is kept and shown.
type sum struct {
	Amount   money.Amount   `json:"amount"`
	Currency money.Currency `json:"currency"`
}

func (r *moneyRules) judge(value json.RawMessage) (any, []Reason) {
	// Read by hand: the library would take AMOUNT for amount, and a missing one for 0.
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil || len(members) != 2 {
		return nil, []Reason{WrongType}
	}
	var s sum
	amount, code := members["amount"], members["currency"]
	if amount == nil || string(amount) == "null" || json.Unmarshal(amount, &s.Amount) != nil || code == nil || json.Unmarshal(code, &s.Currency) != nil || s.Currency.IsZero() {
		return nil, []Reason{WrongType}
	}
	against := between(s.Amount, r.Min, r.Max, cmp.Compare)
	if r.Currencies != nil && !slices.Contains(r.Currencies, s.Currency) {
		against = append(against, CurrencyNotAllowed)
	}
	if len(against) > 0 {
		return nil, against
	}
	return s, nil
}

type booleanRules struct{}

func (*booleanRules) complete() error { return nil }

func (*booleanRules) judge(value json.RawMessage) (any, []Reason) {
	switch string(value) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return nil, []Reason{WrongType}
}
