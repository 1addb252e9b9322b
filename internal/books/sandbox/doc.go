// Package sandbox owns what a developer organization does with its sandbox businesses: make them, fill and empty their books,
// try ceilings and roles in them, and have any event of the catalog happen there.
//
// It owns no table; what a sandbox is besides a business lies in tenancy/business. It stands above all features of the books,
// because its verbs are made of theirs. rows.go is the one list of all rows that a business has, in the tables of every feature.
//
// Invariants: only the organization's members see its sandboxes, and only those who may build change them; nothing here touches
// a business that is no sandbox (the database refuses to empty its books, too); an organization has at most ten.
//
// Emptying may take long, so it happens in pieces: first the sandbox is marked, from which moment nobody writes into its books;
// then its rows go, a few hundred at a time; then, in one transaction, it begins anew or is gone. What a stopped node leaves
// half done a background job finishes (Finish). Of any number that reset or delete one sandbox at the same time, one does.
//
// A trigger does the real thing: it runs the verbs that the API runs, in the name of an owner of the sandbox, and tells which
// events came of it. Nothing is made up.
package sandbox
