package invoice

import (
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
)

// New is an invoice to be created. What is nil takes its default.
type New struct {
	CustomerID   string
	Number       *string // else given at the issue, from the business's series
	IssueDate    *string // today
	DueDate      *string // by the customer's terms, else the business's
	Currency     *string // the customer's
	ExchangeRate *string // base currency per unit
	TaxMode      *string // the business's
	TaxRounding  *string // the business's
	Lines        []NewLine
	Reference    *string
	Notes        *string
	ExternalID   *string
	// ExpectedTotal is what the caller computed; if we compute another, nothing is created.
	ExpectedTotal *money.Amount
	// Issue issues it at once.
	Issue bool
	// Origin is by default API for apps and UI for people.
	Origin Origin
}

// NewLine is a line to be made.
type NewLine struct {
	Description     string
	Quantity        *string // 1
	UnitPrice       string  // major units
	DiscountPercent *string
	DiscountAmount  *money.Amount
	AccountID       *string // the business's account for sales
	// TaxRateID null is no tax; absent it is the default of the account, if one is named, else of the customer.
	TaxRateID record.Patch[string]
	ItemCode  *string
}

// wish is what a caller wants an invoice to be, each member judged by itself. What is empty takes its default.
type wish struct {
	number     string
	customerID string
	issueDate  string
	dueDate    string
	currency   string
	rate       *money.Factor
	rateKept   bool // it was there before
	mode       money.TaxMode
	rounding   Rounding
	lines      []wishedLine
	reference  *string
	notes      *string
	externalID *string
	expected   *money.Amount
	issue      bool
	origin     Origin
}

// wishedLine is a line whose account may still be open.
type wishedLine struct {
	Line
	taxed bool // the caller chose a rate, or none
	kept  bool // it was there before, and was judged then
}

// check judges each member by itself; every offence is named.
func (n New) check() (wish, error) {
	var c fault.Check
	w := wish{
		customerID: n.CustomerID, lines: readLines(&c, n.Lines), externalID: record.CheckExternalID(&c, n.ExternalID), expected: n.ExpectedTotal,
		issue: n.Issue, origin: n.Origin,
	}
	c.Require(n.CustomerID != "", "customerId", "must be the id of a customer")
	readInto(n.Number, &w.number, func(s string) string { return readNumber(&c, s) })
	readInto(n.IssueDate, &w.issueDate, func(s string) string { return readDate(&c, "issueDate", s) })
	readInto(n.DueDate, &w.dueDate, func(s string) string { return readDate(&c, "dueDate", s) })
	readInto(n.Currency, &w.currency, func(s string) string { return readCurrency(&c, s) })
	readInto(n.ExchangeRate, &w.rate, func(s string) *money.Factor { return readExchangeRate(&c, s) })
	readInto(n.TaxMode, &w.mode, func(s string) money.TaxMode { return readMode(&c, s) })
	readInto(n.TaxRounding, &w.rounding, func(s string) Rounding { return readRounding(&c, s) })
	w.reference, w.notes = readReference(&c, n.Reference), readNotes(&c, n.Notes)
	if n.Issue {
		c.Require(len(n.Lines) > 0, "lines", needed)
	}
	return w, c.Err()
}

// readInto reads a value that may be absent.
func readInto[T any](given *string, into *T, read func(string) T) {
	if given != nil {
		*into = read(*given)
	}
}

func readNumber(c *fault.Check, s string) string { return text.Line(c, "number", s, 1, 30) }

func readDate(c *fault.Check, path, s string) string {
	record.CheckDate(c, path, s)
	return s
}

func readCurrency(c *fault.Check, s string) string {
	_, err := money.ParseCurrency(s)
	c.Require(err == nil, "currency", "must be an ISO 4217 code such as EUR")
	return s
}

func readExchangeRate(c *fault.Check, s string) *money.Factor {
	f, err := money.ParseFactor(s)
	c.Require(err == nil && f.Sign() > 0, "exchangeRate", "must be a decimal string above 0, such as \"0.92\"")
	return &f
}

func readMode(c *fault.Check, s string) money.TaxMode {
	mode := money.TaxMode(s)
	c.Require(mode == money.Exclusive || mode == money.Inclusive || mode == money.Untaxed, "taxMode", "must be one of EXCLUSIVE, INCLUSIVE, NONE")
	return mode
}

func readRounding(c *fault.Check, s string) Rounding {
	c.Require(s == string(PerLine) || s == string(PerDocument), "taxRounding", "must be one of LINE, DOCUMENT")
	return Rounding(s)
}

func readReference(c *fault.Check, s *string) *string {
	return text.Optional(c, "reference", s, 100)
}

func readNotes(c *fault.Check, s *string) *string { return text.Lines(c, "notes", s, 2000) }
