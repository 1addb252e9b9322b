// Package record is what all records of the books have in common: who changes them, what an app calls them, their
// version, and how they are listed.
//
// Table: external_ids.
package record
