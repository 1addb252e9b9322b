// Package payment owns money that came in or went out: receipts from customers, what is paid to suppliers, and refunds.
//
// Tables: payments, payment_allocations. Events: payment.*; those of the invoices that a payment settles are told by
// invoice, after the payment's own.
//
// A receipt is allocated to invoices of its customer; what is left of it is the customer's credit, to be allocated later
// or given back. In a foreign currency the credit carries a value in the base currency, and every use of it takes its share
// of that value, the last use all that is left (credit.go). An invoice is relieved by the value that it carries; the
// difference of the two is a gain or loss of exchange.
//
// Invariants: of a receipt, amount = allocated + unallocated + refunded; its value in the base currency = what its
// allocations and refunds used + what its credit still carries; the customer's balance on the account of customer credit is
// the sum of what their receipts still carry. A deleted payment is gone, its entries stay, each beside its mirror.
package payment
