package organization

import "daybook/internal/base/fault"

// What organization refuses.
var (
	ErrNotFound     = fault.New(fault.NotFound, "NOT_FOUND", "There is no such organization.")
	ErrNoMember     = fault.New(fault.NotFound, "NOT_FOUND", "This user is not a member of the organization.")
	ErrRoleTooLow   = fault.New(fault.Forbidden, "ORGANIZATION_ROLE_REQUIRED", "Your role in the organization is {0}, which does not allow this. Ask an owner of the organization.")
	ErrLastOwner    = fault.New(fault.Conflict, "LAST_OWNER", "An organization needs an owner. Make another member owner first.")
	ErrChanged      = fault.New(fault.Stale, "VERSION_CONFLICT", "The organization was changed by someone else. Read it again and repeat your change.")
	ErrAlreadyThere = fault.New(fault.Conflict, "ALREADY_MEMBER", "This user is already a member of the organization.")
)
