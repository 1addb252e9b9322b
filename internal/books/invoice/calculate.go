package invoice

import (
	"errors"
	"fmt"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/tax"
)

// calculate works out every amount of an invoice from its lines: prices and discounts, rounded per line; tax, rounded per
// line or per rate; the sums. rates holds those that the lines name. What is beyond the range of amounts, or comes to less
// than nothing, is the caller's to change.
func (i *Invoice) calculate(rates map[string]tax.Rate) error {
	currency, err := money.ParseCurrency(i.Currency)
	if err != nil {
		return err
	}
	if err := i.price(currency); err != nil {
		return err
	}
	groups := i.groups()
	i.TaxSummary = make([]TaxSum, 0, len(groups))
	for _, g := range groups {
		sum, err := i.tax(g, rates[g.rateID])
		if err != nil {
			return tooLarge(err)
		}
		i.TaxSummary = append(i.TaxSummary, sum)
	}
	if err := i.sum(); err != nil {
		return tooLarge(err)
	}
	if i.Total < 0 {
		return fault.InvalidFields("lines must come to a total of 0 or more, not " + fmt.Sprint(i.Total))
	}
	i.AmountDue = i.Total
	return nil
}

// price works out what each line comes to. Until it is taxed, all of that is net.
func (i *Invoice) price(currency money.Currency) error {
	var c fault.Check
	discounts := make([]money.Amount, len(i.Lines))
	for n := range i.Lines {
		l := &i.Lines[n]
		line := money.Line{Quantity: l.Quantity, UnitPrice: l.UnitPrice}
		if l.DiscountPercent != nil {
			line.DiscountPercent = *l.DiscountPercent
		}
		if l.DiscountAmount != nil {
			line.DiscountAmount = *l.DiscountAmount
		}
		priced, err := line.Price(currency)
		if err != nil && !errors.Is(err, money.ErrOutOfRange) {
			return err
		}
		c.Require(err == nil, strings.TrimSuffix(linePaths[n], "."), "%s", beyond)
		l.LineAmount, l.NetAmount, l.TaxAmount = priced.Amount, priced.Amount, 0
		discounts[n] = priced.Discount
	}
	if err := c.Err(); err != nil {
		return err
	}
	var err error
	i.DiscountTotal, err = money.Sum(discounts...)
	return tooLarge(err)
}

// group is the lines of one rate of tax, by their places.
type group struct {
	rateID string
	lines  []int
}

// groups are the rates that an invoice uses, in the order of first use. Lines without a rate belong to none, and where the
// mode is NONE no line does.
func (i *Invoice) groups() []group {
	var groups []group
	if i.TaxMode == money.Untaxed {
		return nil
	}
	place := map[string]int{}
	for n, l := range i.Lines {
		if l.TaxRateID == nil {
			continue
		}
		at, seen := place[*l.TaxRateID]
		if !seen {
			at = len(groups)
			place[*l.TaxRateID] = at
			groups = append(groups, group{rateID: *l.TaxRateID})
		}
		groups[at].lines = append(groups[at].lines, n)
	}
	return groups
}

// tax taxes the lines of one rate.
func (i *Invoice) tax(g group, rate tax.Rate) (TaxSum, error) {
	amounts := make([]money.Amount, len(g.lines))
	for n, line := range g.lines {
		amounts[n] = i.Lines[line].LineAmount
	}
	taxed, err := i.taxed(amounts, rate.Rate)
	if err != nil {
		return TaxSum{}, err
	}
	nets, taxes := make([]money.Amount, len(taxed)), make([]money.Amount, len(taxed))
	for n, t := range taxed {
		i.Lines[g.lines[n]].NetAmount, i.Lines[g.lines[n]].TaxAmount = t.Net, t.Tax
		nets[n], taxes[n] = t.Net, t.Tax
	}
	sum := TaxSum{TaxRateID: g.rateID, Name: rate.Name, Rate: rate.Rate}
	if sum.TaxableAmount, err = money.Sum(nets...); err != nil {
		return TaxSum{}, err
	}
	sum.TaxAmount, err = money.Sum(taxes...)
	return sum, err
}

func (i *Invoice) taxed(amounts []money.Amount, rate money.Factor) ([]money.Taxed, error) {
	if i.TaxRounding == PerDocument {
		return money.TaxGroup(amounts, rate, i.TaxMode)
	}
	taxed := make([]money.Taxed, len(amounts))
	for n, a := range amounts {
		var err error
		if taxed[n], err = money.TaxLine(a, rate, i.TaxMode); err != nil {
			return nil, err
		}
	}
	return taxed, nil
}

// sum adds the lines up.
func (i *Invoice) sum() (err error) {
	nets, taxes := make([]money.Amount, len(i.Lines)), make([]money.Amount, len(i.Lines))
	for n, l := range i.Lines {
		nets[n], taxes[n] = l.NetAmount, l.TaxAmount
	}
	if i.Subtotal, err = money.Sum(nets...); err != nil {
		return err
	}
	if i.TaxTotal, err = money.Sum(taxes...); err != nil {
		return err
	}
	i.Total, err = i.Subtotal.Add(i.TaxTotal)
	return err
}

var beyond = fmt.Sprintf("must come to at most %d minor units", money.Max)

// tooLarge says in the caller's terms that an amount is beyond what the books can hold.
func tooLarge(err error) error {
	if errors.Is(err, money.ErrOutOfRange) {
		return fault.InvalidFields("lines " + beyond)
	}
	return err
}
