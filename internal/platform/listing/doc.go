// Package listing owns what apps show of themselves in the marketplace, and what becomes of it on its way there.
//
// Tables: listings, listing_revisions, listing_comments. An app has at most one listing: an address (slug) and a row of revisions. At
// most one revision is open, that is worked on or looked at (DRAFT, SUBMITTED, IN_REVIEW, CHANGES_REQUESTED, REJECTED), and at most one
// is live (PUBLISHED). state.go has the one table of what may be done to a revision, by whom, and what it is then; everything asks it.
//
// Invariants: what a reviewer decides about is what was submitted: content cannot change meanwhile, and the app as it was then
// (scopes, redirect URIs, webhooks, extensions) is kept as a snapshot, which an approval compares with the app as it is. Developer
// and reviewer see the result of the same checks (preflight.go). Every change is one conditional update of the revision's row, so of
// any number who claim one, one has it. A picture that the live or the open revision shows is not deleted (CONS-02).
package listing
