// Package bulk brings many invoices into a business's books in one call, with their customers and payments. It owns no table:
// each row goes the ways of a single customer, invoice and payment, so it becomes exactly what single calls would have made.
//
// An import is one transaction with the books open once. In mode PARTIAL every row has its own outcome, and a row that is
// refused leaves nothing behind; in mode ATOMIC one refusal takes everything back, and so does a dry run in either mode.
//
// Most rows are not refused, so they go in one after another behind one savepoint. When a row is refused after it may have
// written, everything since the savepoint is undone, the good rows are done again and the savepoint is set behind them: no row
// is done more than twice, and the usual import pays for one savepoint. The Book is put back along with the rows, so numbers
// have no hole and nobody is told of what did not happen.
package bulk
