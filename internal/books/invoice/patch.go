package invoice

import (
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

// Patch changes an invoice. A null takes the value away, and what needs one gets its default again. Lines are replaced
// whole.
type Patch struct {
	CustomerID    record.Patch[string]
	Number        record.Patch[string]
	IssueDate     record.Patch[string]
	DueDate       record.Patch[string]
	Currency      record.Patch[string]
	ExchangeRate  record.Patch[string]
	TaxMode       record.Patch[string]
	TaxRounding   record.Patch[string]
	Lines         record.Patch[[]NewLine]
	Reference     record.Patch[string]
	Notes         record.Patch[string]
	ExternalID    record.Patch[string]
	ExpectedTotal *money.Amount
}

// termsOnly reports whether a patch names only what stays open after the issue.
func (p Patch) termsOnly() bool {
	return !p.CustomerID.Set && !p.Number.Set && !p.IssueDate.Set && !p.Currency.Set && !p.ExchangeRate.Set && !p.TaxMode.Set && !p.TaxRounding.Set &&
		!p.Lines.Set
}

// on is what a caller wants an invoice to be who has sent a patch for it.
func (p Patch) on(i Invoice) (wish, error) {
	var c fault.Check
	w := wish{
		number: i.Number, customerID: i.CustomerID, issueDate: i.IssueDate, dueDate: i.DueDate, currency: i.Currency, rate: i.ExchangeRate, rateKept: !p.ExchangeRate.Set,
		mode: i.TaxMode, rounding: i.TaxRounding, reference: i.Reference, notes: i.Notes, externalID: i.ExternalID, expected: p.ExpectedTotal,
	}
	c.Require(!p.CustomerID.Set || !p.CustomerID.Null && p.CustomerID.Value != "", "customerId", "must be the id of a customer")
	put(p.CustomerID, &w.customerID, func(s string) string { return s })
	put(p.Number, &w.number, func(s string) string { return readNumber(&c, s) })
	put(p.IssueDate, &w.issueDate, func(s string) string { return readDate(&c, "issueDate", s) })
	put(p.DueDate, &w.dueDate, func(s string) string { return readDate(&c, "dueDate", s) })
	put(p.Currency, &w.currency, func(s string) string { return readCurrency(&c, s) })
	put(p.ExchangeRate, &w.rate, func(s string) *money.Factor { return readExchangeRate(&c, s) })
	put(p.TaxMode, &w.mode, func(s string) money.TaxMode { return readMode(&c, s) })
	put(p.TaxRounding, &w.rounding, func(s string) Rounding { return readRounding(&c, s) })
	put(p.Reference, &w.reference, func(s string) *string { return readReference(&c, &s) })
	put(p.Notes, &w.notes, func(s string) *string { return readNotes(&c, &s) })
	put(p.ExternalID, &w.externalID, func(s string) *string { return record.CheckExternalID(&c, &s) })
	if p.Lines.Set {
		w.lines = readLines(&c, p.Lines.Value)
	} else {
		for _, l := range i.Lines {
			w.lines = append(w.lines, wishedLine{Line: l, taxed: true, kept: true})
		}
	}
	return w, c.Err()
}

// put reads a member of a patch that is there; null empties it.
func put[T, V any](p record.Patch[V], into *T, read func(V) T) {
	switch {
	case p.Null:
		var none T
		*into = none
	case p.Set:
		*into = read(p.Value)
	}
}

// changes names the members in which two states of an invoice differ, sorted.
func changes(was, is Invoice) []string {
	var names []string
	for _, m := range []struct {
		name string
		same bool
	}{
		{"amountDue", was.AmountDue == is.AmountDue},
		{"currency", was.Currency == is.Currency},
		{"customerId", was.CustomerID == is.CustomerID},
		{"discountTotal", was.DiscountTotal == is.DiscountTotal},
		{"dueDate", was.DueDate == is.DueDate},
		{"exchangeRate", equal(was.ExchangeRate, is.ExchangeRate)},
		{"externalId", equal(was.ExternalID, is.ExternalID)},
		{"issueDate", was.IssueDate == is.IssueDate},
		{"lines", slices.EqualFunc(was.Lines, is.Lines, Line.equal)},
		{"notes", equal(was.Notes, is.Notes)},
		{"number", was.Number == is.Number},
		{"reference", equal(was.Reference, is.Reference)},
		{"subtotal", was.Subtotal == is.Subtotal},
		{"taxMode", was.TaxMode == is.TaxMode},
		{"taxRounding", was.TaxRounding == is.TaxRounding},
		{"taxSummary", slices.Equal(was.TaxSummary, is.TaxSummary)},
		{"taxTotal", was.TaxTotal == is.TaxTotal},
		{"total", was.Total == is.Total},
	} {
		if !m.same {
			names = append(names, m.name)
		}
	}
	return names
}
