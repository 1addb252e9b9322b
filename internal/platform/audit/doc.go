// Package audit keeps who did what, when and from where, for operators to look up.
//
// Table: audit_log. Features write to it through trail.Keeper, in the transaction of the action itself. The database refuses to
// change a row, and to delete one before another is 13 months younger: see 0008_logs.sql.
//
// Invariants: an action and its row are there together or not at all; details are small and hold no secret; what others chose (the
// user agent) is cut and cleaned.
package audit
