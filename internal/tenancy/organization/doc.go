// Package organization owns developer organizations: the owners of apps and of sandbox businesses.
//
// Tables: organizations, organization_members; it reads the names of users along with their roles. Roles: OWNER (everything), DEVELOPER (everything but members,
// ownership and deactivation), VIEWER (read). Invariant: an organization always has an OWNER. To anyone who is not a
// member an organization does not exist (CONS-06).
package organization
