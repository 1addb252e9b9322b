package asset

import "daybook/internal/base/fault"

// What asset refuses.
var (
	ErrNotFound = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such asset.")
	ErrInvalid  = fault.New(fault.Invalid, "ASSET_INVALID", "This cannot be an app's picture: {0}.")
	ErrInUse    = fault.New(fault.Invalid, "ASSET_IN_USE", "The live listing or an open revision shows this picture. Take it out there first, and have that revision approved if it is live.")
	ErrLimit    = fault.New(fault.Invalid, "ASSET_LIMIT_REACHED", "An app has at most {0} pictures. Delete one that is no longer used first.")
	ErrBusy     = fault.New(fault.Unavailable, "ASSETS_BUSY", "Too many pictures are being looked at in this moment. Send it again in a few seconds.")
)
