package wire

import "daybook/internal/base/fault"

// What every surface refuses alike.
var (
	ErrNotFound      = fault.New(fault.NotFound, "NOT_FOUND", "There is nothing at {0}. Check the path; the documentation lists all of them.")
	ErrMethod        = fault.New(fault.Invalid, "METHOD_NOT_ALLOWED", "{0} is not allowed here. Use {1}.")
	ErrMediaType     = fault.New(fault.Invalid, "UNSUPPORTED_MEDIA_TYPE", "Send the body as {0}, with that Content-Type header.")
	ErrTooLarge      = fault.New(fault.TooLarge, "BODY_TOO_LARGE", "The body is larger than {0} bytes. Send less, or split the request.")
	ErrUnreadable    = fault.New(fault.Invalid, "BODY_UNREADABLE", "The body is not readable JSON: {0}")
	ErrBrokenBody    = fault.New(fault.Invalid, "BODY_UNREADABLE", "The body ended before it was complete. Send it again.")
	ErrCrossOrigin   = fault.New(fault.Forbidden, "CROSS_ORIGIN", "This request came from another site, so it was not carried out. Open the page here and try again.")
	ErrNotReady      = fault.New(fault.Unavailable, "NOT_READY", "This node cannot serve right now: {0}.")
	ErrNothingToRead = fault.New(fault.Invalid, "BODY_REQUIRED", "A JSON body is required.")
)
