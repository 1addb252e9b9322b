package party

import (
	"reflect"
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
)

// New is what it takes to create a party.
type New struct {
	Type             *Type // COMPANY by default
	DisplayName      string
	LegalName        *string
	FirstName        *string
	LastName         *string
	Email            *string
	Phone            *string
	TaxNumber        *string
	Currency         *string // the business's by default
	Address          *Address
	ShippingAddress  *Address
	PaymentTermsDays *int
	DefaultTaxRateID *string
	Notes            *string
	ExternalID       *string
}

// patch is the change that makes the party of an empty one, so that one set of rules judges both.
func (n New) patch() Patch {
	return Patch{
		Type: given(n.Type), DisplayName: record.Setting(n.DisplayName), LegalName: given(n.LegalName), FirstName: given(n.FirstName),
		LastName: given(n.LastName), Email: given(n.Email), Phone: given(n.Phone), TaxNumber: given(n.TaxNumber), Currency: given(n.Currency),
		Address: n.Address.patch(), ShippingAddress: n.ShippingAddress.patch(), PaymentTermsDays: given(n.PaymentTermsDays),
		DefaultTaxRateID: given(n.DefaultTaxRateID), Notes: given(n.Notes), ExternalID: given(n.ExternalID),
	}
}

// Patch changes a party.
type Patch struct {
	Type             record.Patch[Type]
	DisplayName      record.Patch[string]
	LegalName        record.Patch[string]
	FirstName        record.Patch[string]
	LastName         record.Patch[string]
	Email            record.Patch[string]
	Phone            record.Patch[string]
	TaxNumber        record.Patch[string]
	Currency         record.Patch[string]
	Address          record.Patch[AddressPatch]
	ShippingAddress  record.Patch[AddressPatch]
	PaymentTermsDays record.Patch[int]
	DefaultTaxRateID record.Patch[string]
	Notes            record.Patch[string]
	ExternalID       record.Patch[string]
}

// check judges and cleans what can be judged without the record.
func (p Patch) check(kind record.Kind) (Patch, error) {
	var c fault.Check
	nature := natures[kind]
	if value(&c, "type", p.Type) {
		c.Require(p.Type.Value == Company || p.Type.Value == Individual, "type", "must be COMPANY or INDIVIDUAL")
	}
	if value(&c, "displayName", p.DisplayName) {
		p.DisplayName.Value = text.Line(&c, "displayName", p.DisplayName.Value, 1, 200)
	}
	optional(&c, "legalName", &p.LegalName, 200)
	optional(&c, "firstName", &p.FirstName, 100)
	optional(&c, "lastName", &p.LastName, 100)
	if optional(&c, "email", &p.Email, 254) {
		c.Require(text.IsEmail(p.Email.Value), "email", "must be an e-mail address such as ada@example.com")
	}
	optional(&c, "phone", &p.Phone, 40)
	optional(&c, "taxNumber", &p.TaxNumber, 40)
	if value(&c, "currency", p.Currency) {
		_, err := money.ParseCurrency(p.Currency.Value)
		c.Require(err == nil, "currency", "must be an ISO 4217 code such as EUR")
	}
	p.Address.Value.check(&c, nature.address)
	c.Require(nature.shipping || !p.ShippingAddress.Set, "shippingAddress", "is not a member of a %s", kind)
	p.ShippingAddress.Value.check(&c, "shippingAddress")
	days := p.PaymentTermsDays
	c.Require(!days.Set || days.Null || days.Value >= 0 && days.Value <= 365, "paymentTermsDays", "must be a whole number from 0 to 365")
	if p.Notes.Set && !p.Notes.Null {
		p.Notes = cleaned(text.Lines(&c, "notes", &p.Notes.Value, 2000))
	}
	if p.ExternalID.Set && !p.ExternalID.Null {
		p.ExternalID = cleaned(record.CheckExternalID(&c, &p.ExternalID.Value))
	}
	return p, c.Err()
}

// apply gives the party as it becomes, and the names of the members that differ from what they were, sorted.
func (p Patch) apply(now Party) (Party, []string) {
	next := now
	next.Type = p.Type.Or(now.Type)
	next.DisplayName = p.DisplayName.Or(now.DisplayName)
	next.LegalName, next.FirstName, next.LastName = p.LegalName.Optional(now.LegalName), p.FirstName.Optional(now.FirstName), p.LastName.Optional(now.LastName)
	next.Email, next.Phone, next.TaxNumber = p.Email.Optional(now.Email), p.Phone.Optional(now.Phone), p.TaxNumber.Optional(now.TaxNumber)
	if p.Currency.Set {
		next.Currency = money.MustCurrency(p.Currency.Value) // check has seen it
	}
	next.Address, next.ShippingAddress = merge(now.Address, p.Address), merge(now.ShippingAddress, p.ShippingAddress)
	next.PaymentTermsDays = p.PaymentTermsDays.Optional(now.PaymentTermsDays)
	next.DefaultTaxRateID = p.DefaultTaxRateID.Optional(now.DefaultTaxRateID)
	next.Notes = p.Notes.Optional(now.Notes)
	next.ExternalID = p.ExternalID.Optional(now.ExternalID)
	return next, differences(now, next)
}

func differences(a, b Party) []string {
	names := []string{}
	for _, m := range []struct {
		name string
		a, b any
	}{
		{"type", a.Type, b.Type}, {"displayName", a.DisplayName, b.DisplayName}, {"legalName", a.LegalName, b.LegalName},
		{"firstName", a.FirstName, b.FirstName}, {"lastName", a.LastName, b.LastName}, {"email", a.Email, b.Email}, {"phone", a.Phone, b.Phone},
		{"taxNumber", a.TaxNumber, b.TaxNumber}, {"currency", a.Currency, b.Currency}, {natures[a.Kind].address, a.Address, b.Address},
		{"shippingAddress", a.ShippingAddress, b.ShippingAddress}, {"paymentTermsDays", a.PaymentTermsDays, b.PaymentTermsDays},
		{"defaultTaxRateId", a.DefaultTaxRateID, b.DefaultTaxRateID}, {"notes", a.Notes, b.Notes}, {"externalId", a.ExternalID, b.ExternalID},
	} {
		if !reflect.DeepEqual(m.a, m.b) {
			names = append(names, m.name)
		}
	}
	slices.Sort(names)
	return names
}

// given is the patch that sets a value, if there is one.
func given[T any](v *T) record.Patch[T] {
	if v == nil {
		return record.Patch[T]{}
	}
	return record.Setting(*v)
}

// cleaned is the patch that sets what is left of a value: nothing takes it away.
func cleaned(v *string) record.Patch[string] {
	if v == nil {
		return record.Clearing[string]()
	}
	return record.Setting(*v)
}

// value reports whether a member that is never null has a value to judge.
func value[T any](c *fault.Check, path string, p record.Patch[T]) bool {
	c.Require(!p.Null, path, "must not be null")
	return p.Set && !p.Null
}

// optional cleans a line that may be null, and reports whether it has a value.
func optional(c *fault.Check, path string, p *record.Patch[string], most int) bool {
	if p.Set && !p.Null {
		*p = cleaned(text.Optional(c, path, &p.Value, most))
	}
	return p.Set && !p.Null
}
