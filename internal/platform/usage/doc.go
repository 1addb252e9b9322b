// Package usage counts the calls that apps make.
//
// Tables: usage_counts, by business, and usage_totals, of all businesses together, so that what an app's developers look at costs the
// same however many businesses it has. Counting happens in memory, off the path of the request; Flush writes what has gathered, every few
// seconds and when a node stops, so what Series shows is that much late and a crash loses no more than that. RollUp moves
// minutes that are over into hours, and hours into days.
//
// Invariants: memory is bounded, however many different calls there are: detail is given up first, and a call itself only when
// there are more apps than a meter can hold; a call that was written stands in one row of a table, so moving it neither loses nor doubles
// it, and its minute enters the totals when it becomes part of an hour; a request that a limit refused is a call, an error and rate-limited (RATE-04).
//
// The one thing that is not exact: when the store commits a flush and its answer is lost on the way, the flush is repeated.
package usage
