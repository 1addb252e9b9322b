// Package tax owns the rates of tax that documents are made with.
//
// Table: tax_rates. Events: tax_rate.created, tax_rate.updated.
//
// Invariants: what a rate means (its percentage, kind, category and account) never changes, so documents made with it keep
// their meaning; another percentage is another record, which supersedes the first. Only name and status change in place.
package tax
