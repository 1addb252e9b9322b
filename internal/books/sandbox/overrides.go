package sandbox

import (
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/platform/event"
)

// Overrides say what a trigger is to work on; what is nil it finds or makes. Each sort of event takes some of them.
type Overrides struct {
	CustomerID     *string
	SupplierID     *string
	InvoiceID      *string
	PaymentID      *string
	AccountID      *string
	JournalEntryID *string
	TaxRateID      *string
	Amount         *money.Amount // of what is made, in minor units
	AppID          *string
	Scopes         []string // to grant
}

// Want is what somebody wants to happen.
type Want struct {
	Type event.Type
	// ClientID is the app that an event of audience app concerns; by default the only one that it can concern.
	ClientID  *string
	Overrides Overrides
}

// given are the names of the members that were sent.
func (o Overrides) given() []string {
	var names []string
	for _, m := range []struct {
		name string
		sent bool
	}{
		{"customerId", o.CustomerID != nil}, {"supplierId", o.SupplierID != nil}, {"invoiceId", o.InvoiceID != nil}, {"paymentId", o.PaymentID != nil},
		{"accountId", o.AccountID != nil}, {"journalEntryId", o.JournalEntryID != nil}, {"taxRateId", o.TaxRateID != nil}, {"amount", o.Amount != nil},
		{"appId", o.AppID != nil}, {"scopes", o.Scopes != nil},
	} {
		if m.sent {
			names = append(names, m.name)
		}
	}
	return names
}

// Check says what is wrong with a want: the event is to be one of the catalog, and every override is to mean something to it.
func (w Want) Check() error {
	a, known := acts[w.Type]
	switch {
	case w.Type == "":
		return fault.InvalidFields("type must be the name of an event such as invoice.paid")
	case !known:
		return ErrType.With(w.Type)
	}
	var c fault.Check
	for _, name := range w.Overrides.given() {
		c.Require(slices.Contains(a.takes, name), "overrides."+name, "means nothing to %s, which takes %s", w.Type, a.takesWords())
	}
	if amount := w.Overrides.Amount; amount != nil {
		c.Require(*amount > 0 && amount.InRange(), "overrides.amount", "must be a whole number of minor units above 0")
	}
	entry, _ := event.Find(w.Type)
	c.Require(w.ClientID == nil || entry.Audience == event.ForApp, "clientId", "means nothing to %s, which concerns no single app", w.Type)
	c.Require(w.ClientID == nil || w.Overrides.AppID == nil, "clientId", "must not be given along with overrides.appId")
	return c.Err()
}

func (a act) takesWords() string {
	if len(a.takes) == 0 {
		return "none"
	}
	return strings.Join(a.takes, ", ")
}
