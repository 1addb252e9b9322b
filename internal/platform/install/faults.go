package install

import "daybook/internal/base/fault"

// What install refuses.
var (
	ErrNotFound     = fault.New(fault.NotFound, "NOT_FOUND", "There is no such installation.")
	ErrAppNotActive = fault.New(fault.Forbidden, "APP_NOT_ACTIVE", "This app is suspended or deactivated and cannot be connected.")
	ErrNotReviewed  = fault.New(fault.Forbidden, "APP_NOT_REVIEWED", "This app has not completed review and can only connect to its own sandbox businesses")
	ErrUnapproved   = fault.New(fault.Forbidden, "SCOPES_NOT_REVIEWED", "This app asks for {0}, which it registered after its review. Until that is reviewed, too, it can have it only in sandbox businesses")
	ErrScopes       = fault.New(fault.Invalid, "SCOPES_NOT_REGISTERED", "The app has not registered these scopes: {0}. Its developer can add them in the console.")
	ErrNoScopes     = fault.New(fault.Invalid, "SCOPES_REQUIRED", "At least one scope is needed.")
)
