package payment

import (
	"time"

	"daybook/internal/base/money"
	"daybook/internal/platform/event"
)

// Kind says which way the money went.
type Kind string

// The kinds.
const (
	Receipt      Kind = "RECEIPT"      // from a customer
	Disbursement Kind = "DISBURSEMENT" // to a supplier
	Refund       Kind = "REFUND"       // back to a customer, of a receipt
)

// Method is how the money went.
type Method string

// The methods.
const (
	BankTransfer Method = "BANK_TRANSFER"
	Card         Method = "CARD"
	Cash         Method = "CASH"
	Check        Method = "CHECK"
	DirectDebit  Method = "DIRECT_DEBIT"
	Other        Method = "OTHER"
)

var methods = []Method{BankTransfer, Card, Cash, Check, DirectDebit, Other}

// Status of a payment: there is one, since a deleted payment is gone.
const Status = "POSTED"

// Payment is money that came in or went out.
type Payment struct {
	ID            string
	BusinessID    string
	Kind          Kind
	Date          string
	Amount        money.Amount
	Currency      string
	ExchangeRate  *money.Factor // nil in the base currency
	Method        Method
	BankAccountID string
	CustomerID    *string
	SupplierID    *string
	Reference     *string
	Memo          *string
	// Allocated, Unallocated and Refunded add up to the amount of a receipt; they are zero for the other kinds.
	Allocated   money.Amount
	Unallocated money.Amount
	Refunded    money.Amount
	RefundOf    *string // the receipt that a refund gives back
	Allocations []Allocation
	ExternalID  *string
	MadeBy      event.Actor
	ChangedBy   event.Actor
	Version     int
	CreatedAt   time.Time
	UpdatedAt   time.Time

	baseAmount money.Amount // in the base currency
	baseCredit money.Amount // what customer credit still carries of it
	entries    int          // how many postings it has made
}

// Allocation is the part of a receipt that settles an invoice.
type Allocation struct {
	ID        string
	InvoiceID string
	Amount    money.Amount
	Date      string
	CreatedAt time.Time

	relief money.Amount // by how much the receivable was relieved, in the base currency
	credit money.Amount // how much of the payment's value was used, in the base currency
}

// credit is what is left of the payment.
func (p *Payment) credit() credit { return credit{p.Unallocated, p.baseCredit} }

func (p *Payment) setCredit(c credit) { p.Unallocated, p.baseCredit = c.amount, c.base }
