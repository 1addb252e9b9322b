package function

import "daybook/internal/base/fault"

// What functions refuse.
var (
	ErrNotFound  = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such function.")
	ErrNoVersion = fault.New(fault.NotFound, "NOT_FOUND", "The function has no such version.")
	ErrNoRun     = fault.New(fault.NotFound, "NOT_FOUND", "The function has no such run. Runs are kept for 30 days.")
	ErrNoKey     = fault.New(fault.NotFound, "NOT_FOUND", "The app's functions have no configuration of that name.")
	ErrChanged   = fault.New(fault.Stale, "VERSION_CONFLICT", "The function was changed by someone else. Read it again and repeat your change.")
	ErrLimit     = fault.New(fault.Invalid, "FUNCTION_LIMIT_REACHED", "An app has at most {0} functions. Delete one that is no longer needed first.")
	ErrKeys      = fault.New(fault.Invalid, "FUNCTION_CONFIG_LIMIT_REACHED", "The functions of an app have at most {0} values of configuration. Delete one that is no longer needed first.")
	ErrNoHandler = fault.New(fault.Invalid, "FUNCTION_SOURCE_NO_HANDLER", "The source must be one ES module that exports handler, or a default: {0}.")
	ErrImports   = fault.New(fault.Invalid, "FUNCTION_SOURCE_IMPORTS", "The source asks for {0}. A function imports nothing: bundle what it needs into one file first.")
	ErrUnsent    = fault.New(fault.Invalid, "FUNCTION_HAS_NO_VERSION", "The function has no version yet. Upload its source first.")
	ErrState     = fault.New(fault.Conflict, "INVALID_STATE", "The function is {0}. It can be switched off once it is ACTIVE.")
	// ErrNotVisible is for events that the app cannot hear of.
	ErrNotVisible = fault.New(fault.Invalid, "SCOPE_NOT_HELD", "The app cannot hear of {0}: it does not register {1}. Add the scope to the app first.")
	ErrByHand     = fault.New(fault.Invalid, "RUN_NOT_REPEATABLE", "The run was started by hand, so there is no delivery to repeat. Try the function again instead.")
)
