// Package usage counts the calls that apps make.
//
// Tables: usage_counts, by business, and usage_totals, of all businesses together, so that what an app's developers look at costs the
// same however many businesses it has. Counting happens in memory, off the path of the request; Flush writes what has gathered, every few
// seconds and when a node stops, so what Series shows is that much late and a crash loses no more than that. RollUp moves
// minutes into their hour and their day when the hour is over, so that a year by the day is read as days alone.
//
// Invariants: memory is bounded, however many different calls there are: detail is given up first, and a call itself only when
// there are more apps than a meter can hold; a call that was written stands in its minute, or else in one hour and one day of each table, so
// moving it neither loses nor doubles it; a request that a limit refused is a call, an error and rate-limited (RATE-04).
//
// The one thing that is not exact: when the store commits a flush and its answer is lost on the way, the flush is repeated.
package usage
