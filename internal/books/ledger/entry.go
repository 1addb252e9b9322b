package ledger

import (
	"fmt"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/platform/event"
)

// SourceType is what an entry follows from.
type SourceType string

// The sources.
const (
	FromManual  SourceType = "MANUAL"
	FromInvoice SourceType = "INVOICE"
	FromPayment SourceType = "PAYMENT"
	FromSystem  SourceType = "SYSTEM"
)

var sourceTypes = []SourceType{FromManual, FromInvoice, FromPayment, FromSystem}

// Source names what an entry follows from; together with the business it is unique. A manual entry is its own source,
// and that of its reversal.
type Source struct {
	Type   SourceType
	ID     string
	Action string
}

// The actions of manual entries.
const (
	actionPost    = "POST"
	actionReverse = "REVERSE"
)

// EntryStatus of a journal entry.
type EntryStatus string

// The statuses.
const (
	Draft    EntryStatus = "DRAFT"
	Posted   EntryStatus = "POSTED"
	Reversed EntryStatus = "REVERSED"
)

// Entry is a journal entry.
type Entry struct {
	ID          string
	BusinessID  string
	Number      *int64 // nil for a draft
	Date        string
	Memo        *string
	Status      EntryStatus
	Source      Source
	ReversalOf  *string
	ReversedBy  *string
	DebitTotal  money.Amount
	CreditTotal money.Amount
	Lines       []Line
	ExternalID  *string
	MadeBy      event.Actor
	Version     int
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// NumberText is the number as people write it, empty for a draft.
func (e Entry) NumberText() string {
	if e.Number == nil {
		return ""
	}
	return EntryNumber(*e.Number)
}

// EntryNumber is an entry's number as people write it.
func EntryNumber(n int64) string { return fmt.Sprintf("JE-%06d", n) }

// Line is one line of an entry; of debit and credit one is zero. Amounts are in the base currency. A line names at most one
// party. (As JSON it is how a draft keeps its lines.)
type Line struct {
	ID            string        `json:"id"`
	AccountID     string        `json:"accountId"`
	Debit         money.Amount  `json:"debit"`
	Credit        money.Amount  `json:"credit"`
	Description   *string       `json:"description,omitempty"`
	CustomerID    *string       `json:"customerId,omitempty"`
	SupplierID    *string       `json:"supplierId,omitempty"`
	Currency      *string       `json:"currency,omitempty"` // of the document, where it is not the base currency
	ForeignAmount *money.Amount `json:"foreignAmount,omitempty"`
}

// Amount makes a line of a signed amount: a debit when above zero, a credit when below.
func (l Line) Amount(signed money.Amount) Line {
	l.Debit, l.Credit = 0, 0
	if signed > 0 {
		l.Debit = signed
	} else {
		l.Credit = -signed
	}
	return l
}

// mirror is the line that takes this one back.
func (l Line) mirror() Line {
	l.ID, l.Debit, l.Credit = "", l.Credit, l.Debit
	if l.ForeignAmount != nil {
		turned := -*l.ForeignAmount
		l.ForeignAmount = &turned
	}
	return l
}

// party is the customer or supplier that the line names.
func (l Line) party() *string {
	if l.CustomerID != nil {
		return l.CustomerID
	}
	return l.SupplierID
}

func totals(lines []Line) (debits, credits money.Amount, err error) {
	for _, l := range lines {
		if debits, err = debits.Add(l.Debit); err != nil {
			return 0, 0, errTooMuch
		}
		if credits, err = credits.Add(l.Credit); err != nil {
			return 0, 0, errTooMuch
		}
	}
	return debits, credits, nil
}

// entryData is what events tell of an entry.
func entryData(e Entry, currency money.Currency) event.Data {
	return event.Data{
		"journalEntryId": e.ID, "number": e.NumberText(), "date": e.Date, "sourceType": e.Source.Type, "sourceId": e.Source.ID,
		"debitTotal": e.DebitTotal, "currency": currency.Code(), "lineCount": len(e.Lines), "version": e.Version,
	}
}
