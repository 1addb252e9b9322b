package print

import (
	"time"

	"daybook/internal/base/money"
)

// Document is an invoice as it is to be printed. What is empty is left out.
type Document struct {
	Business Business
	BillTo   Party
	// Number is empty while there is none.
	Number    string
	IssueDate string // YYYY-MM-DD, as DueDate
	DueDate   string
	Reference string
	Currency  money.Currency
	Lines     []Line
	// TaxIncluded says that the amounts of the lines contain the tax.
	TaxIncluded bool
	Subtotal    money.Amount // without tax
	Taxes       []Tax
	Total       money.Amount
	Paid        money.Amount
	WrittenOff  money.Amount
	Due         money.Amount
	Notes       string
	Stamp       Stamp
}

// Business is who sends the invoice.
type Business struct {
	Name      string
	LegalName string
	TaxNumber string
	Country   string
}

// Party is who receives it.
type Party struct {
	Name      string
	TaxNumber string
	Address   []string // line by line
}

// Line is one line of an invoice. Quantity, UnitPrice, Discount and TaxRate are decimals; the price is in major units.
type Line struct {
	Description string
	Code        string
	Quantity    string
	UnitPrice   string
	Discount    Discount
	TaxRate     string // percent; empty without tax
	Amount      money.Amount
}

// Discount of a line: a percentage or an amount, or none.
type Discount struct {
	Percent string
	Amount  money.Amount
}

// Tax is one row of the summary of taxes.
type Tax struct {
	Name    string
	Rate    string // percent
	Taxable money.Amount
	Amount  money.Amount
}

// Stamp is a state of the invoice that nobody must overlook.
type Stamp string

// The stamps. Draft and Void lie across every page.
const (
	NoStamp Stamp = ""
	Draft   Stamp = "DRAFT"
	Void    Stamp = "VOID"
	Paid    Stamp = "PAID"
)

// date writes a date for people; what is no date is printed as it is.
func date(text string) string {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return t.Format("2 January 2006")
}
