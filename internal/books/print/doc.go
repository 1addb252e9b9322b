// Package print sets documents in type: an invoice as a PDF that can be sent to a customer.
//
// It owns no table and knows no records: a Document holds plain values, as they are to be printed. The same Document gives the same
// bytes at any time. The typeface is built in; letters it lacks are replaced by what is nearest, or visibly by a box.
package print
