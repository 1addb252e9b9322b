package appdata

import (
	"encoding/json"
	"slices"
	"strings"

	"daybook/internal/base/money"
)

// Example is a value that the field's rules allow, for whoever wants to see one written; false if none was found: rules may leave
// next to no room.
func (f Field) Example() (json.RawMessage, bool) {
	for _, candidate := range f.candidates() {
		text, err := json.Marshal(candidate)
		if err != nil {
			continue
		}
		if kept, against := f.judge(text); len(against) == 0 {
			return kept, true
		}
	}
	return nil, false
}

// candidates are values that are likely to be allowed, among them those at the edges of what is.
func (f Field) candidates() []any {
	switch r := f.Rules.(type) {
	case *textRules:
		return []any{"Trial", strings.Repeat("x", max(1, *r.MinLength))}
	case *urlRules:
		return []any{"https://example.com/trial", "https://a.test"}
	case *choiceRules:
		return anys(r.Choices)
	case *numberRules:
		return edges("1", r.Min, r.Max)
	case *dateRules:
		return edges("2026-01-01", r.Min, r.Max)
	case *dateTimeRules:
		return edges("2026-01-01T12:00:00Z", r.Min, r.Max)
	case *moneyRules:
		currency := slices.Concat(r.Currencies, []money.Currency{money.MustCurrency("EUR")})[0]
		var sums []any
		for _, amount := range edges(money.Amount(100), r.Min, r.Max) {
			sums = append(sums, map[string]any{"amount": amount, "currency": currency})
		}
		return sums
	}
	return []any{true}
}

// edges are a usual value, and the least and the most that is allowed, if there are such.
func edges[T any](usual any, least, most *T) []any {
	list := []any{usual}
	for _, edge := range []*T{least, most} {
		if edge != nil {
			list = append(list, *edge)
		}
	}
	return list
}
