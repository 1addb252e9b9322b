// Package app owns partner apps: who they are to OAuth, who built them, and whether they may run.
//
// Tables: apps, app_secrets. An app belongs to a developer organization, or to nobody while it has only registered
// itself. It is ACTIVE, DEACTIVATED (by its developer) or SUSPENDED (by an operator; wins over the other); either
// acts on the next request and is fully reversible, because tokens are refused, not deleted. It is UNREVIEWED,
// APPROVED or REVOKED; only an APPROVED one may be connected to businesses that are no sandbox.
//
// Invariants: a client id is unique and never starts with https:// unless it is a metadata document's address; a
// CONFIDENTIAL app has at most two client secrets, a PUBLIC one none; only hashes of secrets are stored; to anyone
// outside its organization an app does not exist (CONS-06).
package app
