package money

import "errors"

// TaxMode says how amounts relate to tax.
type TaxMode string

// The modes.
const (
	Exclusive TaxMode = "EXCLUSIVE" // tax comes on top of the amount
	Inclusive TaxMode = "INCLUSIVE" // tax is contained in the amount
	Untaxed   TaxMode = "NONE"      // no tax, whatever the rate
)

var (
	// ErrTaxMode says that a mode is none of the three.
	ErrTaxMode = errors.New("tax mode is EXCLUSIVE, INCLUSIVE or NONE")
	// ErrTaxRate says that a rate is below zero.
	ErrTaxRate = errors.New("a tax rate is not negative")
)

// Taxed is an amount parted into net and tax. Under Exclusive the net is the amount; under Inclusive net and
// tax add up to the amount.
type Taxed struct{ Net, Tax Amount }

// TaxLine taxes one amount by itself: round(amount × rate/100), or round(amount × rate/(100 + rate)) when
// the tax is contained. rate is in percent.
func TaxLine(amount Amount, rate Factor, mode TaxMode) (Taxed, error) {
	share, err := taxRatio(rate, mode)
	if err != nil {
		return Taxed{}, err
	}
	tax, err := share.Of(amount)
	if err != nil {
		return Taxed{}, err
	}
	return part(amount, tax, mode)
}

// TaxGroup taxes all amounts of one rate together, rounding once, and spreads the tax over them (see
// Spread). The result has the order of amounts.
func TaxGroup(amounts []Amount, rate Factor, mode TaxMode) ([]Taxed, error) {
	share, err := taxRatio(rate, mode)
	if err != nil {
		return nil, err
	}
	taxes, _, err := Spread(amounts, share)
	if err != nil {
		return nil, err
	}
	taxed := make([]Taxed, len(amounts))
	for i, tax := range taxes {
		if taxed[i], err = part(amounts[i], tax, mode); err != nil {
			return nil, err
		}
	}
	return taxed, nil
}

// taxRatio is the part of an amount that is tax on it, or in it.
func taxRatio(rate Factor, mode TaxMode) (Ratio, error) {
	if rate.Sign() < 0 {
		return Ratio{}, ErrTaxRate
	}
	switch mode {
	case Exclusive:
		return Percent(rate), nil
	case Inclusive:
		return ratioOf(rate.Decimal(), hundred.Add(rate.Decimal())), nil
	case Untaxed:
		return Ratio{}, nil
	}
	return Ratio{}, ErrTaxMode
}

func part(amount, tax Amount, mode TaxMode) (Taxed, error) {
	if mode != Inclusive {
		return Taxed{Net: amount, Tax: tax}, nil
	}
	net, err := amount.Sub(tax)
	return Taxed{Net: net, Tax: tax}, err
}
