// Package party owns customers and suppliers. They are the same record with other names for some members, so everything
// here takes the kind: record.Customer or record.Supplier.
//
// Table: parties. Events: customer.*, supplier.*.
//
// Invariants: only a party that nothing ever referred to is deleted; its currency is fixed as soon as anything does; what is
// redacted holds no personal data and stays redacted; events never hold any. The balance is the ledger's, read with the
// record.
package party
