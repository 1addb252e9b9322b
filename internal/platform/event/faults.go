package event

import "daybook/internal/base/fault"

// The refusals of those who read the log.
var (
	ErrCursor      = fault.New(fault.Invalid, "UNKNOWN_CURSOR", "after is not an event of this business, or one of more than 30 days ago. Read without after, or after a later event.")
	ErrUnknownType = fault.New(fault.Invalid, "UNKNOWN_EVENT_TYPE_TYPES", `types names "{0}", which is not the name of an event.`)
	ErrNotFound    = fault.New(fault.NotFound, "EVENT_NOT_FOUND", "There is no such event, or the app may not see it.")
)
