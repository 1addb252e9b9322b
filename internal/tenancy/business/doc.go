// Package business owns businesses, their members, and what each member may do.
//
// Tables: businesses, business_members, role_overrides, member_overrides, sandboxes, test_users. A business is real, or a
// sandbox of a developer organization, which has at most ten. Every member has a role; a business may grant or deny single
// permissions to a role or to one member. The effective permission is the member's override, else the role's, else the default; an OWNER has all.
//
// Invariants: a business always has an OWNER; permissions are worked out anew at every use, so a change acts on the
// next request; to anyone who is not a member a business does not exist.
package business
