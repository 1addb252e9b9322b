// Package tally tells what became of an app's deliveries, however many there are.
//
// Tables: delivery_counts, delivery_counting. It reads, and never writes, webhooks, deliveries and their attempts.
//
// A busy app has millions of deliveries a month. How many were made in an hour is counted once, when it has been over for a while
// (CountHours), by business and of all businesses together; what has failed or waits stands in indexes that are kept anyway; the rest was
// delivered. Minutes that are not counted yet, or that are only a part of an hour, are counted when somebody asks.
//
// Invariants: an hour is counted by one node; hours before the instant in delivery_counting are counted, and no others; what is counted of all
// businesses is the sum of what is counted of each; a delivery that is removed before its time leaves its hour in the same transaction (Removing, Removed).
package tally
