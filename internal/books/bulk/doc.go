// Package bulk brings many invoices into a business's books in one call, with their customers and payments. It owns no table:
// each row goes the ways of a single customer, invoice and payment, so it becomes exactly what single calls would have made.
//
// An import is one transaction with the books open once. In mode PARTIAL every row has its own outcome, and a row that is
// refused leaves nothing behind; in mode ATOMIC one refusal takes everything back, and so does a dry run in either mode.
//
// The Book keeps all rows back until it closes (ledger.Book.Hold). So a refused row costs a return to the state before it, and
// with what it was about to write go the numbers it had and what it told; and the rest goes out in a few statements.
package bulk
