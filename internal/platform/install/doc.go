// Package install owns what binds an app to a business: the installation, and the consents of the people behind it.
//
// Tables: installations, consents. An installation is ACTIVE or UNINSTALLED and carries the granted scopes, the union
// of what was consented to. It ends by uninstalling; a later approval makes a new row with a new id, so nothing that
// belonged to the old one comes back to life. Revoking access ends consents (and with them tokens) but leaves the
// installation ACTIVE.
//
// Invariants: at most one ACTIVE installation per business and app, and one live consent per user and installation
// (the database holds both); only members with apps.connect approve and only those with apps.manage end; an app that
// is not APPROVED is connected only to sandboxes of its own organization, or, while it has none, of one the approving
// user belongs to. Codes, tokens and deliveries keep the installation's id and ask this row each time.
package install
