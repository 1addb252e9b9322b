package app

import "daybook/internal/base/fault"

// What app refuses.
var (
	ErrNotFound       = fault.New(fault.NotFound, "NOT_FOUND", "There is no such app.")
	ErrClientIDTaken  = fault.New(fault.Conflict, "CLIENT_ID_TAKEN", "Another app already has the client id {0}.")
	ErrSecretNotFound = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such secret.")
	ErrSecretLimit    = fault.New(fault.Conflict, "SECRET_LIMIT_REACHED", "An app has at most 2 client secrets. Delete the one that is no longer used first.")
	ErrNoSecrets      = fault.New(fault.Conflict, "PUBLIC_CLIENT", "A PUBLIC app has no client secret: it runs where it could not keep one.")
	ErrLastSecret     = fault.New(fault.Conflict, "LAST_SECRET", "This is the app's only secret. Create another one first, so that the app can go on.")
	ErrSuspended      = fault.New(fault.Conflict, "APP_SUSPENDED", "The operator has suspended this app. Only the operator can lift that.")
	ErrUnknownScope   = fault.New(fault.Invalid, "UNKNOWN_SCOPE", "An app cannot register these scopes: {0}. The documentation of the API lists those there are.")
	ErrRedirectURI    = fault.New(fault.Invalid, "REDIRECT_URI_INVALID", "These redirect URIs cannot be registered: {0}.")
	ErrDescribed      = fault.New(fault.Conflict, "DESCRIBED_BY_DOCUMENT", "The app is described by the document at {0}: change it there.")
	ErrVersion        = fault.New(fault.Invalid, "UNSUPPORTED_API_VERSION", "API version {0} does not exist or is past its sunset. GET /versions lists those in use.")
	ErrVersionChanged = fault.New(fault.Stale, "VERSION_CONFLICT", "The app was changed by someone else. Read it again and repeat your change.")
)
