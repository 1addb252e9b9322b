package bulk

import (
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
)

// MaxRows of one import.
const MaxRows = 200

// Mode says what becomes of the other rows when one is refused.
type Mode string

// The modes.
const (
	Partial Mode = "PARTIAL" // each row by itself; the default
	Atomic  Mode = "ATOMIC"  // all or none
)

// OnDuplicate says what becomes of a row whose externalId names an invoice already.
type OnDuplicate string

// The ways.
const (
	Skip OnDuplicate = "SKIP" // the default
	Fail OnDuplicate = "FAIL"
)

// Request is an import.
type Request struct {
	Mode        Mode
	OnDuplicate OnDuplicate
	// DryRun tells what would be, and writes nothing.
	DryRun bool
	Rows   []Row
	// CustomersRefusal is what a row is refused with that would create a customer, and PaymentsRefusal one that would record a
	// payment; nil where the caller may.
	CustomersRefusal error
	PaymentsRefusal  error
}

// Row is an invoice to be imported. Its externalId is required.
type Row struct {
	Invoice invoice.New
	// Customer may be given instead of the invoice's customerId: found by its externalId, or created.
	Customer *party.New
	// Payment settles the invoice, which must be issued. Kind, customer and allocation follow from the invoice, and so does the
	// currency unless it is given; what is paid beyond what is due becomes the customer's credit.
	Payment *payment.New
	// Problem is why the row could not even be read; it is refused with that.
	Problem error
}

// check judges the import as a whole, and fills in defaults.
func (r *Request) check() error {
	var c fault.Check
	if r.Mode == "" {
		r.Mode = Partial
	}
	if r.OnDuplicate == "" {
		r.OnDuplicate = Skip
	}
	c.Require(r.Mode == Partial || r.Mode == Atomic, "mode", "must be PARTIAL or ATOMIC")
	c.Require(r.OnDuplicate == Skip || r.OnDuplicate == Fail, "onDuplicate", "must be SKIP or FAIL")
	c.Require(len(r.Rows) >= 1 && len(r.Rows) <= MaxRows, "invoices", "must have 1 to %d rows", MaxRows)
	return c.Err()
}

// names are what the calling app calls the invoice of a row, and its customer if that is given; as they are kept.
type names struct{ invoice, customer string }

// check judges what makes a row of an invoice. The invoice itself, a new customer and the payment are judged where they are
// made.
func (row Row) check() (names, error) {
	if row.Problem != nil {
		return names{}, row.Problem
	}
	var c fault.Check
	n := names{invoice: text.Line(&c, "externalId", value(row.Invoice.ExternalID), 1, 100)}
	if row.Customer != nil {
		n.customer = text.Line(&c, "customer.externalId", value(row.Customer.ExternalID), 1, 100)
		c.Require(row.Invoice.CustomerID == "", "customer", "must not be given along with customerId")
	} else {
		c.Require(row.Invoice.CustomerID != "", "customerId", "must be the id of a customer, unless customer is given")
	}
	c.Require(row.Payment == nil || row.Invoice.Issue, "payment", "must be absent unless issue is true")
	return n, c.Err()
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
