package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type addressDoc struct {
	Line1      *string `json:"line1"`
	Line2      *string `json:"line2"`
	City       *string `json:"city"`
	Region     *string `json:"region"`
	PostalCode *string `json:"postalCode"`
	Country    *string `json:"country" doc:"ISO 3166-1 alpha-2"`
}

func newAddressDoc(a *party.Address) *addressDoc { return (*addressDoc)(a) }

// PartyFields are what customers and suppliers have in common.
type PartyFields struct {
	ID               string  `json:"id"`
	ExternalID       *string `json:"externalId"`
	Type             string  `json:"type" enum:"COMPANY,INDIVIDUAL"`
	DisplayName      string  `json:"displayName"`
	LegalName        *string `json:"legalName"`
	FirstName        *string `json:"firstName"`
	LastName         *string `json:"lastName"`
	Email            *string `json:"email"`
	Phone            *string `json:"phone"`
	TaxNumber        *string `json:"taxNumber"`
	Currency         string  `json:"currency"`
	PaymentTermsDays *int    `json:"paymentTermsDays"`
	DefaultTaxRateID *string `json:"defaultTaxRateId"`
	Notes            *string `json:"notes"`
	Status           string  `json:"status" enum:"ACTIVE,ARCHIVED,REDACTED"`
	Balance          amount  `json:"balance" doc:"Base currency. Of a customer: receivable less unapplied credit; of a supplier: payable less prepayments"`
	Version          int     `json:"version"`
	CreatedAt        string  `json:"createdAt"`
	UpdatedAt        string  `json:"updatedAt"`
}

func (f PartyFields) revision() int { return f.Version }

func partyFields(p party.Party) PartyFields {
	return PartyFields{
		ID: p.ID, ExternalID: p.ExternalID, Type: string(p.Type), DisplayName: p.DisplayName, LegalName: p.LegalName, FirstName: p.FirstName,
		LastName: p.LastName, Email: p.Email, Phone: p.Phone, TaxNumber: p.TaxNumber, Currency: p.Currency.Code(), PaymentTermsDays: p.PaymentTermsDays,
		DefaultTaxRateID: p.DefaultTaxRateID, Notes: p.Notes, Status: string(p.Status), Balance: p.Balance, Version: p.Version,
		CreatedAt: instant(p.CreatedAt), UpdatedAt: instant(p.UpdatedAt),
	}
}

type customerDoc struct {
	PartyFields
	BillingAddress  *addressDoc `json:"billingAddress"`
	ShippingAddress *addressDoc `json:"shippingAddress"`
}

func newCustomerDoc(p party.Party) customerDoc {
	return customerDoc{partyFields(p), newAddressDoc(p.Address), newAddressDoc(p.ShippingAddress)}
}

type supplierDoc struct {
	PartyFields
	Address *addressDoc `json:"address"`
}

func newSupplierDoc(p party.Party) supplierDoc {
	return supplierDoc{partyFields(p), newAddressDoc(p.Address)}
}

type newAddress struct {
	Line1      *string `json:"line1,omitempty" maxLength:"200"`
	Line2      *string `json:"line2,omitempty" maxLength:"200"`
	City       *string `json:"city,omitempty" maxLength:"200"`
	Region     *string `json:"region,omitempty" maxLength:"200"`
	PostalCode *string `json:"postalCode,omitempty" maxLength:"200"`
	Country    *string `json:"country,omitempty" doc:"ISO 3166-1 alpha-2"`
}

// newCustomer and newSupplier have the members of party.New, in its order; a supplier has one address.
type newCustomer struct {
	Type             *party.Type `json:"type,omitempty" enum:"COMPANY,INDIVIDUAL"`
	DisplayName      string      `json:"displayName" maxLength:"200"`
	LegalName        *string     `json:"legalName,omitempty" maxLength:"200"`
	FirstName        *string     `json:"firstName,omitempty" maxLength:"100"`
	LastName         *string     `json:"lastName,omitempty" maxLength:"100"`
	Email            *string     `json:"email,omitempty" maxLength:"254"`
	Phone            *string     `json:"phone,omitempty" maxLength:"40"`
	TaxNumber        *string     `json:"taxNumber,omitempty" maxLength:"40"`
	Currency         *string     `json:"currency,omitempty" doc:"By default the business's"`
	BillingAddress   *newAddress `json:"billingAddress,omitempty"`
	ShippingAddress  *newAddress `json:"shippingAddress,omitempty"`
	PaymentTermsDays *int        `json:"paymentTermsDays,omitempty" minimum:"0" maximum:"365"`
	DefaultTaxRateID *string     `json:"defaultTaxRateId,omitempty"`
	Notes            *string     `json:"notes,omitempty" maxLength:"2000"`
	ExternalID       *string     `json:"externalId,omitempty" maxLength:"100"`
}

func (b newCustomer) made() party.New {
	return party.New{
		Type: b.Type, DisplayName: b.DisplayName, LegalName: b.LegalName, FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, Phone: b.Phone,
		TaxNumber: b.TaxNumber, Currency: b.Currency, Address: (*party.Address)(b.BillingAddress), ShippingAddress: (*party.Address)(b.ShippingAddress),
		PaymentTermsDays: b.PaymentTermsDays, DefaultTaxRateID: b.DefaultTaxRateID, Notes: b.Notes, ExternalID: b.ExternalID,
	}
}

type newSupplier struct {
	Type             *party.Type `json:"type,omitempty" enum:"COMPANY,INDIVIDUAL"`
	DisplayName      string      `json:"displayName" maxLength:"200"`
	LegalName        *string     `json:"legalName,omitempty" maxLength:"200"`
	FirstName        *string     `json:"firstName,omitempty" maxLength:"100"`
	LastName         *string     `json:"lastName,omitempty" maxLength:"100"`
	Email            *string     `json:"email,omitempty" maxLength:"254"`
	Phone            *string     `json:"phone,omitempty" maxLength:"40"`
	TaxNumber        *string     `json:"taxNumber,omitempty" maxLength:"40"`
	Currency         *string     `json:"currency,omitempty" doc:"By default the business's"`
	Address          *newAddress `json:"address,omitempty"`
	PaymentTermsDays *int        `json:"paymentTermsDays,omitempty" minimum:"0" maximum:"365"`
	DefaultTaxRateID *string     `json:"defaultTaxRateId,omitempty"`
	Notes            *string     `json:"notes,omitempty" maxLength:"2000"`
	ExternalID       *string     `json:"externalId,omitempty" maxLength:"100"`
}

func (b newSupplier) made() party.New {
	return party.New{
		Type: b.Type, DisplayName: b.DisplayName, LegalName: b.LegalName, FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, Phone: b.Phone,
		TaxNumber: b.TaxNumber, Currency: b.Currency, Address: (*party.Address)(b.Address), PaymentTermsDays: b.PaymentTermsDays,
		DefaultTaxRateID: b.DefaultTaxRateID, Notes: b.Notes, ExternalID: b.ExternalID,
	}
}

// addressPatch is merged member by member, as a merge patch is.
type addressPatch struct {
	Line1      record.Patch[string] `json:"line1,omitempty" maxLength:"200"`
	Line2      record.Patch[string] `json:"line2,omitempty" maxLength:"200"`
	City       record.Patch[string] `json:"city,omitempty" maxLength:"200"`
	Region     record.Patch[string] `json:"region,omitempty" maxLength:"200"`
	PostalCode record.Patch[string] `json:"postalCode,omitempty" maxLength:"200"`
	Country    record.Patch[string] `json:"country,omitempty"`
}

func madeAddress(p record.Patch[addressPatch]) record.Patch[party.AddressPatch] {
	return record.Patch[party.AddressPatch]{Set: p.Set, Null: p.Null, Value: party.AddressPatch(p.Value)}
}

type customerPatch struct {
	Type             record.Patch[party.Type]   `json:"type,omitempty"`
	DisplayName      record.Patch[string]       `json:"displayName,omitempty" maxLength:"200"`
	LegalName        record.Patch[string]       `json:"legalName,omitempty" maxLength:"200"`
	FirstName        record.Patch[string]       `json:"firstName,omitempty" maxLength:"100"`
	LastName         record.Patch[string]       `json:"lastName,omitempty" maxLength:"100"`
	Email            record.Patch[string]       `json:"email,omitempty" maxLength:"254"`
	Phone            record.Patch[string]       `json:"phone,omitempty" maxLength:"40"`
	TaxNumber        record.Patch[string]       `json:"taxNumber,omitempty" maxLength:"40"`
	Currency         record.Patch[string]       `json:"currency,omitempty"`
	BillingAddress   record.Patch[addressPatch] `json:"billingAddress,omitempty"`
	ShippingAddress  record.Patch[addressPatch] `json:"shippingAddress,omitempty"`
	PaymentTermsDays record.Patch[int]          `json:"paymentTermsDays,omitempty" minimum:"0" maximum:"365"`
	DefaultTaxRateID record.Patch[string]       `json:"defaultTaxRateId,omitempty"`
	Notes            record.Patch[string]       `json:"notes,omitempty" maxLength:"2000"`
	ExternalID       record.Patch[string]       `json:"externalId,omitempty" maxLength:"100"`
}

func (b customerPatch) made() party.Patch {
	return party.Patch{
		Type: b.Type, DisplayName: b.DisplayName, LegalName: b.LegalName, FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, Phone: b.Phone,
		TaxNumber: b.TaxNumber, Currency: b.Currency, Address: madeAddress(b.BillingAddress), ShippingAddress: madeAddress(b.ShippingAddress),
		PaymentTermsDays: b.PaymentTermsDays, DefaultTaxRateID: b.DefaultTaxRateID, Notes: b.Notes, ExternalID: b.ExternalID,
	}
}

type supplierPatch struct {
	Type             record.Patch[party.Type]   `json:"type,omitempty"`
	DisplayName      record.Patch[string]       `json:"displayName,omitempty" maxLength:"200"`
	LegalName        record.Patch[string]       `json:"legalName,omitempty" maxLength:"200"`
	FirstName        record.Patch[string]       `json:"firstName,omitempty" maxLength:"100"`
	LastName         record.Patch[string]       `json:"lastName,omitempty" maxLength:"100"`
	Email            record.Patch[string]       `json:"email,omitempty" maxLength:"254"`
	Phone            record.Patch[string]       `json:"phone,omitempty" maxLength:"40"`
	TaxNumber        record.Patch[string]       `json:"taxNumber,omitempty" maxLength:"40"`
	Currency         record.Patch[string]       `json:"currency,omitempty"`
	Address          record.Patch[addressPatch] `json:"address,omitempty"`
	PaymentTermsDays record.Patch[int]          `json:"paymentTermsDays,omitempty" minimum:"0" maximum:"365"`
	DefaultTaxRateID record.Patch[string]       `json:"defaultTaxRateId,omitempty"`
	Notes            record.Patch[string]       `json:"notes,omitempty" maxLength:"2000"`
	ExternalID       record.Patch[string]       `json:"externalId,omitempty" maxLength:"100"`
}

func (b supplierPatch) made() party.Patch {
	return party.Patch{
		Type: b.Type, DisplayName: b.DisplayName, LegalName: b.LegalName, FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, Phone: b.Phone,
		TaxNumber: b.TaxNumber, Currency: b.Currency, Address: madeAddress(b.Address), PaymentTermsDays: b.PaymentTermsDays,
		DefaultTaxRateID: b.DefaultTaxRateID, Notes: b.Notes, ExternalID: b.ExternalID,
	}
}

func (a *API) customerRoutes() []Route {
	return partyRoutes[newCustomer, customerPatch](a, partyRows[customerDoc]{
		path: "/customers", one: "a customer", many: "customers", kind: record.Customer, resource: apiversion.Customer, list: &party.CustomerListing,
		read: scope.CustomersRead, write: scope.CustomersWrite, view: business.CustomersView, manage: business.CustomersManage, doc: newCustomerDoc,
	})
}

func (a *API) supplierRoutes() []Route {
	return partyRoutes[newSupplier, supplierPatch](a, partyRows[supplierDoc]{
		path: "/suppliers", one: "a supplier", many: "suppliers", kind: record.Supplier, resource: apiversion.Supplier, list: &party.SupplierListing,
		read: scope.SuppliersRead, write: scope.SuppliersWrite, view: business.SuppliersView, manage: business.SuppliersManage, doc: newSupplierDoc,
	})
}

// partyRows is how the rows of customers and suppliers differ.
type partyRows[D any] struct {
	path, one, many string
	kind            record.Kind
	resource        apiversion.Resource
	list            *record.List
	read, write     scope.Scope
	view, manage    business.Permission
	doc             func(party.Party) D
}

func partyRoutes[N interface{ made() party.New }, P interface{ made() party.Patch }, D any](a *API, t partyRows[D]) []Route {
	row := func(method, path string, s scope.Scope, p business.Permission, summary string, v verb) Route {
		return Route{Method: method, Path: t.path + path, Scopes: []scope.Scope{s}, Permission: p, Resource: t.resource, Request: t.resource,
			Partner: true, Summary: summary, verb: v}
	}
	redact := row("POST", "/{id}/redact", "", business.PrivacyRedact, "Erase what is personal about "+t.one+", for good",
		act(http.StatusOK, func(c *call, _ nothing) (idem.Step[party.Party], error) {
			return a.Parties.Redact(c.by, t.kind, c.id(), c.seen), nil
		}, t.doc))
	redact.Scopes, redact.Partner = nil, false
	create := row("POST", "", t.write, t.manage, "Create "+t.one, change(http.StatusCreated, func(c *call, b N) (idem.Step[party.Party], error) {
		return a.Parties.Create(c.by, t.kind, b.made()), nil
	}, t.doc))
	create.together = true
	return []Route{
		row("GET", "", t.read, t.view, "List "+t.many, page(t.list, func(ctx context.Context, c *call, params map[string][]string) (record.Page[party.Party], error) {
			return a.Parties.List(ctx, c.by, t.kind, params)
		}, t.doc)),
		create,
		row("GET", "/{id}", t.read, t.view, "Get "+t.one, show(func(ctx context.Context, c *call) (D, error) {
			p, err := a.Parties.Get(ctx, c.by, t.kind, c.id())
			return t.doc(p), err
		})),
		row("PATCH", "/{id}", t.write, t.manage, "Change "+t.one, change(http.StatusOK, func(c *call, b P) (idem.Step[party.Party], error) {
			return a.Parties.Update(c.by, t.kind, c.id(), b.made(), c.seen), nil
		}, t.doc)),
		row("DELETE", "/{id}", t.write, t.manage, "Delete "+t.one+" that was never used", remove(func(c *call) idem.Step[struct{}] {
			return a.Parties.Delete(c.by, t.kind, c.id(), c.seen)
		})),
		row("POST", "/{id}/archive", t.write, t.manage, "Keep "+t.one+" from new documents", act(http.StatusOK, func(c *call, _ nothing) (idem.Step[party.Party], error) {
			return a.Parties.Archive(c.by, t.kind, c.id(), c.seen), nil
		}, t.doc)),
		row("POST", "/{id}/restore", t.write, t.manage, "Take "+t.one+" out of the archive", act(http.StatusOK, func(c *call, _ nothing) (idem.Step[party.Party], error) {
			return a.Parties.Restore(c.by, t.kind, c.id(), c.seen), nil
		}, t.doc)),
		redact,
	}
}
