package identity

import "daybook/internal/base/fault"

// What identity refuses.
var (
	ErrWrongCredentials = fault.New(fault.Unauthenticated, "WRONG_CREDENTIALS", "Email or password is not right. Check both and try again.")
	ErrSuspended        = fault.New(fault.Forbidden, "USER_SUSPENDED", "This account is suspended. Ask the operator of this service to lift it.")
	ErrNoSession        = fault.New(fault.Unauthenticated, "SIGN_IN_REQUIRED", "You are not signed in, or your session has ended. Sign in and try again.")
	ErrEmailTaken       = fault.New(fault.Conflict, "EMAIL_TAKEN", "There is already an account for {0}. Sign in with it, or use another address.")
	ErrOwnAccount       = fault.New(fault.Conflict, "OWN_ACCOUNT", "You cannot suspend yourself. Ask another operator.")
	ErrUserNotFound     = fault.New(fault.NotFound, "NOT_FOUND", "There is no such user.")
)
