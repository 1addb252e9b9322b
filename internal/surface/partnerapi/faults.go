package partnerapi

import "daybook/internal/base/fault"

// What this surface refuses by itself.
var (
	errNoCredentials = fault.New(fault.Unauthenticated, "UNAUTHENTICATED", "This call needs an access token: send it as Authorization: Bearer.")
	errLimited       = fault.New(fault.Limited, "APP_RATE_LIMITED", "Too many requests: the limit of {0} is used up. Wait as long as Retry-After says.")
	errVersion       = fault.New(fault.Invalid, "UNSUPPORTED_API_VERSION", "API version {0} is not supported. Use one of {1}; GET /versions tells more.")
	errPinned        = fault.New(fault.Invalid, "UNSUPPORTED_API_VERSION", "The app is pinned to API version {0}, which is no longer supported. Pin it to one of {1}, or send the version header.")
	errNotExposed    = fault.New(fault.Forbidden, "ENDPOINT_NOT_EXPOSED", "{0} is not open to apps. The documentation lists what is.")
	errScope         = fault.New(fault.Forbidden, "INSUFFICIENT_SCOPE", "Insufficient scope: this call needs {0}, which the token does not carry. Ask for it in a new authorization.")
)
