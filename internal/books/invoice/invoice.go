package invoice

import (
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/party"
	"daybook/internal/platform/event"
)

// Rounding says where tax is rounded.
type Rounding string

// The ways to round.
const (
	PerLine     Rounding = "LINE"
	PerDocument Rounding = "DOCUMENT" // once per rate of tax
)

// Invoice is what a customer owes for something.
type Invoice struct {
	ID         string
	BusinessID string
	Number     string // empty while there is none
	Status     Status
	// Overdue is derived, on the business's own date.
	Overdue      bool
	CustomerID   string
	BillTo       *BillTo // fixed at issue
	IssueDate    string
	DueDate      string
	Currency     string
	ExchangeRate *money.Factor // base currency per unit; nil in the base currency
	TaxMode      money.TaxMode
	TaxRounding  Rounding
	Lines        []Line
	Reference    *string
	Notes        *string

	Subtotal         money.Amount
	DiscountTotal    money.Amount
	TaxTotal         money.Amount
	Total            money.Amount
	TaxSummary       []TaxSum
	AmountPaid       money.Amount
	AmountWrittenOff money.Amount
	AmountDue        money.Amount

	// In the base currency, once issued: what counts as turnover before tax, what the receivable was raised by, and what
	// it was relieved by since.
	BaseNet     money.Amount
	BaseTotal   money.Amount
	BaseSettled money.Amount

	IssuedAt       *time.Time
	SentAt         *time.Time
	PaidAt         *time.Time
	VoidedAt       *time.Time
	VoidReason     *string
	JournalEntryID *string // of the issue
	Source         Source
	ExternalID     *string
	MadeBy         event.Actor
	ChangedBy      event.Actor
	Version        int
	CreatedAt      time.Time
	UpdatedAt      time.Time

	planYear  string // the period it counts in
	unwritten bool   // its row is kept back: what changes now is in it
}

// Line is one line of an invoice, kept as JSON with it. Of the discounts at most one is there.
type Line struct {
	ID              string        `json:"id"`
	Description     string        `json:"description"`
	Quantity        money.Factor  `json:"quantity"`
	UnitPrice       money.Factor  `json:"unitPrice"`
	DiscountPercent *money.Factor `json:"discountPercent"`
	DiscountAmount  *money.Amount `json:"discountAmount"`
	AccountID       string        `json:"accountId"`
	TaxRateID       *string       `json:"taxRateId"`
	ItemCode        *string       `json:"itemCode"`

	LineAmount money.Amount `json:"lineAmount"`
	NetAmount  money.Amount `json:"netAmount"`
	TaxAmount  money.Amount `json:"taxAmount"`
}

// TaxSum is what an invoice's lines of one rate come to. It keeps the rate as it was.
type TaxSum struct {
	TaxRateID     string       `json:"taxRateId"`
	Name          string       `json:"name"`
	Rate          money.Factor `json:"rate"`
	TaxableAmount money.Amount `json:"taxableAmount"`
	TaxAmount     money.Amount `json:"taxAmount"`
}

// BillTo is the customer as the invoice was issued to.
type BillTo struct {
	Name      string         `json:"name"`
	TaxNumber *string        `json:"taxNumber"`
	Address   *party.Address `json:"address"`
}

// Origin is the way an invoice came in.
type Origin string

// The origins.
const (
	ByAPI    Origin = "API"
	ByUI     Origin = "UI"
	ByImport Origin = "IMPORT"
)

// Source is where an invoice came from.
type Source struct {
	Type  Origin
	AppID *string
}

// late reports whether an invoice is overdue on a date.
func (i *Invoice) late(today string) bool {
	return i.DueDate < today && i.AmountDue > 0 && (i.Status == Open || i.Status == PartiallyPaid)
}

// number as the wire has it: null while there is none.
func (i *Invoice) numberOrNil() *string {
	if i.Number == "" {
		return nil
	}
	return &i.Number
}
