package payment_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
	"daybook/internal/books/payment"
)

// amount draws one: tiny, ordinary, large, now and then enormous.
func (p *play) amount(name string) money.Amount {
	switch evenly(p.T, name+" size", 8) {
	case 0:
		return 1
	case 1, 2:
		return money.Amount(rapid.Int64Range(1, 30).Draw(p.T, name))
	case 3:
		return money.Amount(rapid.Int64Range(1, 1_000_000_000).Draw(p.T, name))
	}
	return money.Amount(rapid.Int64Range(1, 50_000).Draw(p.T, name))
}

// part draws an amount up to a whole, at times above it.
func (p *play) part(name string, whole money.Amount) money.Amount {
	switch evenly(p.T, name+" part", 8) {
	case 0:
		return whole + 1
	case 1, 2:
		return max(whole, 1)
	case 3:
		return 1
	}
	return money.Amount(rapid.Int64Range(1, int64(max(whole, 1))).Draw(p.T, name))
}

// major writes minor units as a price.
func major(minor money.Amount, currency string) string {
	digits := []byte(strings.Repeat("0", 4))
	digits = append(digits, []byte(pad(minor))...)
	e := money.MustCurrency(currency).Exponent()
	whole, fraction := digits[:len(digits)-e], digits[len(digits)-e:]
	text := strings.TrimLeft(string(whole), "0")
	if text == "" {
		text = "0"
	}
	if e > 0 {
		text += "." + string(fraction)
	}
	return text
}

func pad(minor money.Amount) string {
	text, err := minor.MarshalJSON()
	if err != nil {
		panic(err)
	}
	return string(text)
}

var rates = []string{"0.92", "0.95", "1", "1.005", "0.0061", "0.0000003", "3.2541", "157.3333333333", "0.333", "7"}

// rate of a currency; nil for the base currency.
func (p *play) rate(currency string) *string {
	if currency == p.base {
		return nil
	}
	return pointer(among(p.T, "rate", rates))
}

// wishes draws what to allocate of so much, and what should come of it: the amounts, or the refusal.
func (p *play) wishes(left money.Amount, customer, currency string, most int) (list []payment.Wanted, made []refAllocation, outcome string) {
	near := slices.DeleteFunc(slices.Clone(p.invoices), func(i *refInvoice) bool {
		return i.customer != customer || i.currency != currency || !i.payable()
	})
	var chosen []*refInvoice
	for range most {
		from := near
		if p.rarely("any invoice") {
			from = p.invoices
		}
		if i, ok := pick(p, "invoice", from); ok && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	strange, mixed := false, ""
	for _, i := range chosen {
		w := payment.Wanted{InvoiceID: i.id}
		if evenly(p.T, "given", 2) == 1 {
			w.Amount = pointer(p.part("allocated", min(left, max(i.due(), 1))))
		}
		list = append(list, w)
		if mixed == "" && i.customer == customer && i.currency != currency {
			mixed = "CURRENCY_MISMATCH"
		}
		strange = strange || i.customer != customer
	}
	switch {
	case mixed != "":
		return list, nil, mixed
	case strange:
		return list, nil, "fields"
	}
	for n, i := range chosen {
		amount := min(left, i.due())
		if list[n].Amount != nil {
			amount = *list[n].Amount
		}
		switch {
		case !i.payable():
			return list, nil, "INVALID_STATE"
		case amount > i.due():
			return list, nil, "ALLOCATION_EXCEEDS_DUE"
		case amount > left || amount == 0:
			return list, nil, "ALLOCATION_EXCEEDS_AMOUNT"
		}
		left -= amount
		made = append(made, refAllocation{invoice: i, amount: amount})
	}
	return list, made, "done"
}

// some payment: mostly a receipt of which something is left, and that fits an invoice if it is to.
func (p *play) some(fitting bool) (*refPayment, bool) {
	full := slices.DeleteFunc(slices.Clone(p.payments), func(r *refPayment) bool {
		return r.left() == 0 || fitting && !slices.ContainsFunc(p.invoices, func(i *refInvoice) bool {
			return i.customer == r.customer && i.currency == r.currency && i.payable()
		})
	})
	if len(full) == 0 || p.rarely("any payment") {
		full = p.payments
	}
	return pick(p, "payment", full)
}
