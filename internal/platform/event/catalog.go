package event

import "daybook/internal/platform/scope"

// Type names an event.
type Type string

// Audience says who may hear of an event.
type Audience string

// The audiences.
const (
	ForBusiness Audience = "business" // every app that holds the gating scope
	ForApp      Audience = "app"      // the one app it concerns, whatever its scopes
	ForPrivacy  Audience = "privacy"  // as business; an app must act on it
)

// The events.
const (
	InvoiceCreated       Type = "invoice.created"
	InvoiceUpdated       Type = "invoice.updated"
	InvoiceIssued        Type = "invoice.issued"
	InvoiceSent          Type = "invoice.sent"
	InvoicePartiallyPaid Type = "invoice.partially_paid"
	InvoicePaid          Type = "invoice.paid"
	InvoiceOverdue       Type = "invoice.overdue"
	InvoiceReopened      Type = "invoice.reopened"
	InvoiceVoided        Type = "invoice.voided"
	InvoiceWrittenOff    Type = "invoice.written_off"
	InvoiceDeleted       Type = "invoice.deleted"
	PaymentReceived      Type = "payment.received"
	PaymentMade          Type = "payment.made"
	PaymentRefunded      Type = "payment.refunded"
	PaymentUpdated       Type = "payment.updated"
	PaymentAllocated     Type = "payment.allocated"
	PaymentUnallocated   Type = "payment.unallocated"
	PaymentDeleted       Type = "payment.deleted"
	CustomerCreated      Type = "customer.created"
	CustomerUpdated      Type = "customer.updated"
	CustomerArchived     Type = "customer.archived"
	CustomerDeleted      Type = "customer.deleted"
	SupplierCreated      Type = "supplier.created"
	SupplierUpdated      Type = "supplier.updated"
	SupplierArchived     Type = "supplier.archived"
	SupplierDeleted      Type = "supplier.deleted"
	AccountCreated       Type = "account.created"
	AccountUpdated       Type = "account.updated"
	AccountArchived      Type = "account.archived"
	AccountDeleted       Type = "account.deleted"
	EntryPosted          Type = "journal_entry.posted"
	EntryReversed        Type = "journal_entry.reversed"
	TaxRateCreated       Type = "tax_rate.created"
	TaxRateUpdated       Type = "tax_rate.updated"
	BooksLocked          Type = "books.locked"
	BooksUnlocked        Type = "books.unlocked"
	BusinessUpdated      Type = "business.updated"
	PlanLimitReached     Type = "business.plan_limit_reached"
	AppInstalled         Type = "app.installed"
	AppUninstalled       Type = "app.uninstalled"
	AppScopesUpdated     Type = "app.scopes_updated"
	BusinessRedact       Type = "business.redact"
	AppDataUpdated       Type = "app_data.updated"
	CustomerRedact       Type = "customer.redact"
	SupplierRedact       Type = "supplier.redact"
)

// Entry is one row of the catalog.
type Entry struct {
	Type     Type
	Audience Audience
	Scope    scope.Scope // that an app needs to hear of it; empty for audience app
}

// Catalog is every event there is, in the order of the documentation.
var Catalog = catalog()

func catalog() []Entry {
	var list []Entry
	add := func(a Audience, s scope.Scope, types ...Type) {
		for _, t := range types {
			list = append(list, Entry{t, a, s})
		}
	}
	add(ForBusiness, "invoices:read", InvoiceCreated, InvoiceUpdated, InvoiceIssued, InvoiceSent, InvoicePartiallyPaid, InvoicePaid, InvoiceOverdue,
		InvoiceReopened, InvoiceVoided, InvoiceWrittenOff, InvoiceDeleted)
	add(ForBusiness, "payments:read", PaymentReceived, PaymentMade, PaymentRefunded, PaymentUpdated, PaymentAllocated, PaymentUnallocated, PaymentDeleted)
	add(ForBusiness, "customers:read", CustomerCreated, CustomerUpdated, CustomerArchived, CustomerDeleted)
	add(ForBusiness, "suppliers:read", SupplierCreated, SupplierUpdated, SupplierArchived, SupplierDeleted)
	add(ForBusiness, "accounts:read", AccountCreated, AccountUpdated, AccountArchived, AccountDeleted)
	add(ForBusiness, "journal:read", EntryPosted, EntryReversed)
	add(ForBusiness, "taxes:read", TaxRateCreated, TaxRateUpdated)
	add(ForBusiness, "journal:read", BooksLocked, BooksUnlocked)
	add(ForBusiness, "profile:read", BusinessUpdated)
	add(ForBusiness, "invoices:read", PlanLimitReached)
	add(ForApp, "", AppInstalled, AppUninstalled, AppScopesUpdated, BusinessRedact, AppDataUpdated)
	add(ForPrivacy, "customers:read", CustomerRedact)
	add(ForPrivacy, "suppliers:read", SupplierRedact)
	return list
}

// Find looks an event up in the catalog.
func Find(t Type) (Entry, bool) {
	e, ok := byType[t]
	return e, ok
}

var byType = func() map[Type]Entry {
	m := map[Type]Entry{}
	for _, e := range Catalog {
		m[e.Type] = e
	}
	return m
}()
