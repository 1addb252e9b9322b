package appdata

import "daybook/internal/base/fault"

// What appdata refuses an app.
var (
	ErrConnectedAppsOnly = fault.New(fault.Forbidden, "APP_DATA_API_AVAILABLE_CONNECTED_APPS_ONLY", "App data belongs to apps: call this with an access token, not with a session.")
	ErrWhichRecords      = fault.New(fault.Invalid, "PROVIDE_RESOURCEID_RESOURCEIDS", "Say whose values you want: resourceId for one record, or resourceIds for up to 50, separated by commas.")
	ErrTooManyRecords    = fault.New(fault.Invalid, "RESOURCEIDS_ACCEPTS_MOST_50_IDS", "resourceIds takes at most 50 ids. Ask for the others in another call.")
	ErrUnknownField      = fault.New(fault.Invalid, "UNKNOWN_APP_DATA_FIELD", "The app has not declared the field {0} for {1} records. Declare it in the console first.")
	ErrValue             = fault.New(fault.Invalid, "INVALID_APP_DATA_VALUE", "Some values break the rules of their fields, so nothing was written: see details.")
	ErrTypeAccess        = fault.New(fault.Forbidden, "APP_CANNOT_ACCESS_TYPE_RECORD", "The app cannot access {0} records in this business: that needs {1}. Ask for it in a new authorization.")
	ErrRecordNotFound    = fault.New(fault.NotFound, "RECORD_NOT_FOUND", "There is no {0} record {1} in this business.")
	ErrValueNotFound     = fault.New(fault.NotFound, "APP_DATA_VALUE_NOT_FOUND", "The app has no such value in this business.")
)

// What it refuses a person of the business.
var ErrNotEditable = fault.New(fault.Forbidden, "APP_DATA_FIELD_NOT_EDITABLE", "The field {0} is not open to people here. Its app decides that: reload the page to see what is.")

// What it refuses a developer.
var (
	ErrFieldNotFound  = fault.New(fault.NotFound, "NOT_FOUND", "The app has no such field.")
	ErrFieldLimit     = fault.New(fault.Invalid, "FIELD_LIMIT_REACHED", "An app has at most {0} fields for {1} records. Delete one that is no longer used first.")
	ErrKeyTaken       = fault.New(fault.Conflict, "DUPLICATE_KEY", "The app already has the field {0} for {1} records.")
	ErrRules          = fault.New(fault.Invalid, "INVALID_FIELD_RULES", "These rules cannot hold: {0}.")
	ErrChoices        = fault.New(fault.Invalid, "INVALID_CHOICES", "A CHOICE field needs choices: 1 to 50 different texts of 1 to 60 characters.")
	ErrVersionChanged = fault.New(fault.Stale, "VERSION_CONFLICT", "The field is at version {0}, not {1}. Read it again and decide anew.")
)
