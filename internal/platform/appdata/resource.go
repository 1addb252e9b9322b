package appdata

import (
	"slices"
	"strings"

	"daybook/internal/base/id"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// ResourceType names a sort of record that values can stand on.
type ResourceType string

// The sorts.
const (
	Invoice      ResourceType = "INVOICE"
	Customer     ResourceType = "CUSTOMER"
	Supplier     ResourceType = "SUPPLIER"
	Payment      ResourceType = "PAYMENT"
	Account      ResourceType = "ACCOUNT"
	JournalEntry ResourceType = "JOURNAL_ENTRY"
)

// ResourceTypes is every sort, in the order of the documentation.
var ResourceTypes = []ResourceType{Invoice, Customer, Supplier, Payment, Account, JournalEntry}

// nature is what a sort of record asks of those who keep values on it, and how its ids begin.
type nature struct {
	ids        id.Prefix
	scope      scope.Scope
	permission business.Permission
}

var natures = map[ResourceType]nature{
	Invoice:      {id.Invoice, scope.InvoicesRead, business.InvoicesView},
	Customer:     {id.Customer, scope.CustomersRead, business.CustomersView},
	Supplier:     {id.Supplier, scope.SuppliersRead, business.SuppliersView},
	Payment:      {id.Payment, scope.PaymentsRead, business.PaymentsView},
	Account:      {id.Account, scope.AccountsRead, business.AccountsView},
	JournalEntry: {id.JournalEntry, scope.JournalRead, business.JournalView},
}

// Known reports whether there is such a sort.
func (t ResourceType) Known() bool { return slices.Contains(ResourceTypes, t) }

// Scope is the read scope of the sort.
func (t ResourceType) Scope() scope.Scope { return natures[t].scope }

// Permission is what a person needs to see records of the sort.
func (t ResourceType) Permission() business.Permission { return natures[t].permission }

// Names reports whether an id has the form of the sort's.
func (t ResourceType) Names(resourceID string) bool { return id.Valid(natures[t].ids, resourceID) }

// typeOf is the sort of record that an id names, by its prefix.
func typeOf(resourceID string) (ResourceType, bool) {
	for _, t := range ResourceTypes {
		if strings.HasPrefix(resourceID, string(natures[t].ids)+"_") {
			return t, true
		}
	}
	return "", false
}

// Call is an app that works in a business, in the name of a person.
type Call struct {
	BusinessID string
	AppID      string
	Scopes     scope.Set       // of the token: those of the installation, or fewer
	Access     business.Access // of the person
}

// admit asks for what a sort of record asks (ADAT-05).
func (c Call) admit(t ResourceType) error {
	if !c.Scopes.Has(t.Scope()) {
		return ErrTypeAccess.With(t, t.Scope())
	}
	if !c.Access.May(t.Permission()) {
		return business.ErrPermission.With(t.Permission())
	}
	return nil
}
