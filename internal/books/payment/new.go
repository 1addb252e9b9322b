package payment

import (
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
)

// New is a payment to be recorded.
type New struct {
	Kind          Kind
	Date          string
	Amount        money.Amount
	Currency      *string // nil: the bank account's, else the base currency
	ExchangeRate  *string // base currency per unit
	Method        *Method // nil: by bank transfer
	BankAccountID string
	CustomerID    *string // of a receipt
	SupplierID    *string // of a disbursement
	Allocations   []Wanted
	Reference     *string
	Memo          *string
	ExternalID    *string
}

// check cleans and judges what can be judged by itself.
func (n New) check() (New, error) {
	var c fault.Check
	c.Require(n.Kind == Receipt || n.Kind == Disbursement, "kind", "must be RECEIPT or DISBURSEMENT")
	record.CheckDate(&c, "date", n.Date)
	checkAmount(&c, "amount", n.Amount)
	if n.Currency != nil {
		_, err := money.ParseCurrency(*n.Currency)
		c.Require(err == nil, "currency", "must be an ISO 4217 code such as EUR")
	}
	checkRate(&c, n.ExchangeRate)
	checkMethod(&c, n.Method)
	c.Require(n.BankAccountID != "", "bankAccountId", "must be the id of an account")
	switch n.Kind {
	case Receipt:
		c.Require(n.CustomerID != nil && *n.CustomerID != "", "customerId", "must be the customer who paid")
		c.Require(n.SupplierID == nil, "supplierId", "must be absent: a RECEIPT is from a customer")
		wishes(n.Allocations).check(&c)
	case Disbursement:
		c.Require(n.SupplierID != nil && *n.SupplierID != "", "supplierId", "must be the supplier who was paid")
		c.Require(n.CustomerID == nil, "customerId", "must be absent: a DISBURSEMENT is to a supplier")
		c.Require(len(n.Allocations) == 0, "allocations", "must be absent: only a RECEIPT settles invoices")
	}
	n.Reference, n.Memo = checkReference(&c, n.Reference), checkMemo(&c, n.Memo)
	n.ExternalID = record.CheckExternalID(&c, n.ExternalID)
	return n, c.Err()
}

func checkRate(c *fault.Check, rate *string) {
	if rate == nil {
		return
	}
	f, err := money.ParseFactor(*rate)
	c.Require(err == nil && f.Sign() > 0, "exchangeRate", "must be a decimal string above 0, such as \"0.92\"")
}

func checkMethod(c *fault.Check, m *Method) {
	c.Require(m == nil || slices.Contains(methods, *m), "method", "must be any of %s", methodNames)
}

func checkReference(c *fault.Check, s *string) *string { return text.Optional(c, "reference", s, 100) }

func checkMemo(c *fault.Check, s *string) *string { return text.Optional(c, "memo", s, 500) }
