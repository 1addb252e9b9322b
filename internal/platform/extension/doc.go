// Package extension owns the pages of an app that are shown inside the pages of a business: as a page of their own, beside a record,
// as a tab of it, or in a dialog.
//
// Table: app_extensions. An extension belongs to an app and names a path relative to the App URL; where that leads is worked out anew
// whenever it is shown, so a changed App URL counts at once.
//
// Invariants: an app has at most 10; one that stands beside records is declared only by an app that registered their read scope; what is
// saved leads to a page on the App URL's origin. What changes afterwards (the App URL, the registered scopes, the app's state) deletes
// nothing: an extension that no longer fits is not shown, and the console says why. Nothing of our own hosts, and nothing that a browser
// would send our session to, is ever put into a frame.
//
// It is shown only where an installation is ACTIVE and grants the read scope, and to people who may see the record.
package extension
