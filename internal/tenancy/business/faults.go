package business

import "daybook/internal/base/fault"

// What business refuses.
var (
	ErrNotFound     = fault.New(fault.NotFound, "NOT_FOUND", "There is no such business.")
	ErrNoMember     = fault.New(fault.NotFound, "NOT_FOUND", "This user is not a member of the business.")
	ErrPermission   = fault.New(fault.Forbidden, "PERMISSION_DENIED", "This needs the permission {0}, which you do not hold in this business. Ask an owner or admin to grant it.")
	ErrLastOwner    = fault.New(fault.Conflict, "LAST_OWNER", "A business needs an owner. Make another member owner first.")
	ErrAlreadyThere = fault.New(fault.Conflict, "ALREADY_MEMBER", "This user is already a member of the business.")
	ErrNoSandbox    = fault.New(fault.NotFound, "NOT_FOUND", "There is no such sandbox business in your organization.")
	ErrSandboxLimit = fault.New(fault.Invalid, "SANDBOX_LIMIT_REACHED", "An organization has at most {0} sandbox businesses. Delete one that is no longer needed first.")
	ErrOwnerHasAll  = fault.New(fault.Conflict, "OWNER_HAS_ALL", "An owner holds every permission. Change the role first.")
)
