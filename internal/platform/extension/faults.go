package extension

import "daybook/internal/base/fault"

// What extension refuses a developer.
var (
	ErrNotFound       = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such extension.")
	ErrLimit          = fault.New(fault.Invalid, "EXTENSION_LIMIT_REACHED", "An app has at most {0} extensions. Delete one that is no longer used first.")
	ErrScopeRequired  = fault.New(fault.Invalid, "EXTENSION_SCOPE_REQUIRED", "An extension on {0} records needs the scope {1}, which the app does not register. Add it to the app's scopes first.")
	ErrPathInvalid    = fault.New(fault.Invalid, "EXTENSION_PATH_INVALID", "The path cannot be used: {0}.")
	ErrVersionChanged = fault.New(fault.Stale, "VERSION_CONFLICT", "The extension is at version {0}, not {1}. Read it again and decide anew.")
)

// What it refuses a page that wants a session token for a frame.
var (
	ErrNotShown = fault.New(fault.NotFound, "NOT_FOUND", "The app shows no such extension here. Load the page again to see what it shows.")
	ErrNoAccess = fault.New(fault.Forbidden, "APP_CANNOT_ACCESS_TYPE_RECORD", "The app cannot access {0} records in this business: that needs {1}.")
)
