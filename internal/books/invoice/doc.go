// Package invoice owns invoices: what they come to, the states they go through, what they book, and how many of them a
// business's plan allows.
//
// Tables: invoices, plan_usage. Events: invoice.*, business.plan_limit_reached.
//
// A draft may still change in every way and books nothing. Issuing fixes its amounts, gives it a number and books the
// receivable; from then on only payments, a write-off or its voiding change what is due. The table of states is status.go;
// the arithmetic is calculate.go.
//
// Invariants: total = subtotal + taxTotal ≥ 0; amountDue = total − amountPaid − amountWrittenOff, 0 for a void one; the
// status follows from the amounts; numbers of the series have no hole; what an invoice carries on the receivable account is
// BaseTotal − BaseSettled, in the base currency; a business never creates more than its plan allows.
package invoice
