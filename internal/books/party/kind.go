package party

import (
	"daybook/internal/base/id"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// nature is how the two kinds differ.
type nature struct {
	word    string // in the table
	ids     id.Prefix
	idName  string // the member that names the record in events
	address string // what the first address is called
	// shipping says whether there is a second one.
	shipping bool

	created, updated, archived, deleted, redact event.Type
}

var natures = map[record.Kind]nature{
	record.Customer: {
		word: "CUSTOMER", ids: id.Customer, idName: "customerId", address: "billingAddress", shipping: true,
		created: event.CustomerCreated, updated: event.CustomerUpdated, archived: event.CustomerArchived, deleted: event.CustomerDeleted,
		redact: event.CustomerRedact,
	},
	record.Supplier: {
		word: "SUPPLIER", ids: id.Supplier, idName: "supplierId", address: "address",
		created: event.SupplierCreated, updated: event.SupplierUpdated, archived: event.SupplierArchived, deleted: event.SupplierDeleted,
		redact: event.SupplierRedact,
	},
}
