package sandbox

import "daybook/internal/base/fault"

// What sandbox refuses, besides what the verbs of the books do.
var (
	ErrBusy        = fault.New(fault.Conflict, "SANDBOX_BUSY", "The sandbox is being reset. Try again in a moment.")
	ErrMemberLimit = fault.New(fault.Invalid, "SANDBOX_MEMBER_LIMIT_REACHED", "A sandbox has at most {0} members. Let one go first, or use another sandbox.")
	ErrType        = fault.New(fault.Invalid, "UNKNOWN_EVENT_TYPE", `"{0}" is not the name of an event. GET /openapi.json lists the 45 there are, under webhooks.`)
	ErrWhichApp    = fault.New(fault.Invalid, "APP_REQUIRED", "{0} concerns one app. Name it by clientId: {1}.")
	ErrNoApp       = fault.New(fault.NotFound, "NOT_FOUND", "Your organization has no such app.")
	ErrNotThere    = fault.New(fault.Conflict, "APP_NOT_INSTALLED", "The app is not installed in this sandbox. Trigger app.installed first, or connect it on its consent page.")
	ErrThere       = fault.New(fault.Conflict, "APP_ALREADY_INSTALLED", "The app is installed in this sandbox already. Trigger app.uninstalled first, or name another app.")
	ErrAllGranted  = fault.New(fault.Conflict, "NO_SCOPE_LEFT", "The installation has every scope that the app registered. Register another one first, or reinstall the app with fewer scopes: trigger app.uninstalled, then app.installed with overrides.scopes.")
	ErrNoField     = fault.New(fault.Conflict, "NO_APP_DATA_FIELD", "The app has declared no field on a sort of record that its installation may read. Declare one first.")
)
