package payment

import (
	"strconv"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
)

// maxAllocations of one call.
const maxAllocations = 100

// Wanted is an allocation that a caller asks for.
type Wanted struct {
	InvoiceID string
	// Amount; nil for the smaller of what is left of the payment and what is due on the invoice.
	Amount *money.Amount
}

// wishes is what one call asks for, in the caller's order.
type wishes []Wanted

func (list wishes) check(c *fault.Check) {
	c.Require(len(list) <= maxAllocations, "allocations", "must be at most %d", maxAllocations)
	seen := map[string]bool{}
	for i, w := range list {
		path := at(i)
		switch {
		case w.InvoiceID == "":
			c.Add(path+".invoiceId", "must be the id of an invoice")
		case seen[w.InvoiceID]:
			c.Add(path+".invoiceId", "must not name an invoice twice")
		}
		seen[w.InvoiceID] = true
		if w.Amount != nil {
			checkAmount(c, path+".amount", *w.Amount)
		}
	}
}

func (list wishes) invoiceIDs() []string {
	ids := make([]string, len(list))
	for i, w := range list {
		ids[i] = w.InvoiceID
	}
	return ids
}

// judge decides how much of a payment goes to each invoice, or why it cannot.
func (list wishes) judge(p *Payment, found map[string]*invoice.Invoice) ([]money.Amount, error) {
	var c fault.Check
	for i, w := range list {
		inv, ok := found[w.InvoiceID]
		path := at(i) + ".invoiceId"
		switch {
		case !ok:
			return nil, record.ErrReference.With(path)
		case p.CustomerID == nil || inv.CustomerID != *p.CustomerID:
			c.Add(path, "must be an invoice of the payment's customer")
		case inv.Currency != p.Currency:
			return nil, ErrCurrency.With(path, inv.Currency, p.Currency)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	left := p.Unallocated
	amounts := make([]money.Amount, len(list))
	for i, w := range list {
		inv := found[w.InvoiceID]
		if inv.Status != invoice.Open && inv.Status != invoice.PartiallyPaid {
			return nil, record.ErrState.With(inv.Status, "allocate")
		}
		var err error
		if amounts[i], err = w.amount(at(i), left, inv.AmountDue); err != nil {
			return nil, err
		}
		left -= amounts[i]
	}
	return amounts, nil
}

// amount is how much is allocated when so much is left of the payment and so much is due.
func (w Wanted) amount(path string, left, due money.Amount) (money.Amount, error) {
	amount := min(left, due)
	if w.Amount != nil {
		amount = *w.Amount
	}
	switch {
	case amount > due:
		return 0, ErrExceedsDue.With(path, amount, due)
	case amount > left || amount == 0:
		return 0, ErrExceedsAmount.With(path, amount, left)
	}
	return amount, nil
}

func at(i int) string { return "allocations." + strconv.Itoa(i) }

func checkAmount(c *fault.Check, path string, a money.Amount) {
	c.Require(a > 0 && a.InRange(), path, "must be a whole number of minor units from 1 to %d", money.Max)
}
