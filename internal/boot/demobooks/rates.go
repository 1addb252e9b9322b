package demobooks

import "daybook/internal/base/money"

// rates of a business's country.
type rates struct {
	list    []rate
	country string
}

type rate struct {
	id       string
	percent  money.Factor
	category string
}

// find is the rate of a class. A country without such a rate has another for it, or none at all.
func (r rates) find(class taxClass) *rate {
	var found *rate
	pick := func(category string) {
		for i := range r.list {
			// of several reduced rates the lowest is that of bread
			if one := &r.list[i]; one.category == category && (found == nil || one.percent.Cmp(found.percent) < 0) {
				found = one
			}
		}
	}
	switch {
	case class == untaxed:
		return nil
	case class == zero, class == food && r.country == "GB":
		pick("ZERO")
	case class == food:
		pick("REDUCED")
	}
	if found == nil && class != zero {
		pick("STANDARD")
	}
	if found == nil {
		pick("OUT_OF_SCOPE")
	}
	return found
}

// id of the rate of a class; nil for none.
func (r rates) id(class taxClass) *string {
	if found := r.find(class); found != nil {
		return &found.id
	}
	return nil
}

// of is the tax on an amount.
func (r rates) of(class taxClass, amount money.Amount, mode money.TaxMode) (money.Taxed, error) {
	found := r.find(class)
	if found == nil {
		return money.Taxed{Net: amount}, nil
	}
	return money.TaxLine(amount, found.percent, mode)
}
