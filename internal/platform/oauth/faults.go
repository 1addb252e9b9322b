package oauth

import "daybook/internal/base/fault"

// What the pages of the device flow refuse.
var (
	ErrNoDevice = fault.New(fault.NotFound, "DEVICE_NOT_FOUND", "No device is waiting with this code. Compare it with the one your device shows; after 10 minutes it shows a new one.")
	ErrGuesses  = fault.New(fault.Limited, "DEVICE_CODE_GUESSES", "There were too many wrong codes. Wait ten minutes, then type the code your device shows.")
)

// What session tokens and bearer tokens are refused with.
var (
	ErrToken        = fault.New(fault.Unauthenticated, "INVALID_TOKEN", "The access token is missing, malformed, expired or revoked. Refresh it once; if that fails, ask for authorization again.")
	ErrNotInstalled = fault.New(fault.NotFound, "NOT_FOUND", "The app is not installed in this business.")
)

// ErrRedirectURI refuses a decision whose answer would go to an address that the app no longer registers. It is shown on a
// page, in the words that the request itself would get now.
var ErrRedirectURI = fault.New(fault.Invalid, "REDIRECT_URI_NOT_REGISTERED", MessageRedirectURI)
