package party

import (
	"strings"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Type says whom we deal with.
type Type string

// The types.
const (
	Company    Type = "COMPANY"
	Individual Type = "INDIVIDUAL"
)

// Status of a party.
type Status string

// The statuses. Redacted is final.
const (
	Active   Status = "ACTIVE"
	Archived Status = "ARCHIVED"
	Redacted Status = "REDACTED"
)

// Party is a customer or a supplier.
type Party struct {
	ID               string
	BusinessID       string
	Kind             record.Kind
	Type             Type
	DisplayName      string
	LegalName        *string
	FirstName        *string
	LastName         *string
	Email            *string
	Phone            *string
	TaxNumber        *string
	Currency         money.Currency
	Address          *Address // a customer's billing address
	ShippingAddress  *Address // of customers only
	PaymentTermsDays *int
	DefaultTaxRateID *string
	Notes            *string
	Status           Status
	// Balance in the base currency: what a customer owes us less unapplied credit, or what we owe a supplier less
	// prepayments.
	Balance    money.Amount
	ExternalID *string // what the calling app calls it
	MadeBy     event.Actor
	ChangedBy  event.Actor
	Version    int
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Usable refuses a party that new documents may not name.
func (p Party) Usable() error {
	if p.Status != Active {
		return record.ErrArchived.With(p.Kind)
	}
	return nil
}

// redacted is the party without anything personal.
func (p Party) redacted() Party {
	p.DisplayName = "Redacted"
	p.LegalName, p.FirstName, p.LastName, p.Email, p.Phone, p.TaxNumber, p.Notes = nil, nil, nil, nil, nil, nil, nil
	p.Address, p.ShippingAddress = nil, nil
	p.Status = Redacted
	return p
}

// search is what display names are found and sorted by.
func (p Party) search() string { return strings.ToLower(p.DisplayName) }

// emailKey is what e-mail addresses are found by.
func (p Party) emailKey() *string {
	if p.Email == nil {
		return nil
	}
	key := strings.ToLower(*p.Email)
	return &key
}

// data is what events tell of a party.
func (p Party) data() event.Data {
	return event.Data{natures[p.Kind].idName: p.ID, "type": p.Type, "status": p.Status, "currency": p.Currency, "version": p.Version}
}

func (p Party) changed(members ...string) event.Data {
	d := p.data()
	d["changes"] = members
	return d
}
