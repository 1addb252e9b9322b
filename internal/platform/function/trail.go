package function

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
)

// What is done to functions that is kept.
const (
	actCreated     trail.Action = "function.created"
	actChanged     trail.Action = "function.changed"
	actUploaded    trail.Action = "function.version_added"
	actActivated   trail.Action = "function.activated"
	actDisabled    trail.Action = "function.disabled"
	actFailed      trail.Action = "function.switched_off" // by the service, after failures
	actDeleted     trail.Action = "function.deleted"
	actConfigured  trail.Action = "function.config_changed"
	actRedelivered trail.Action = "function.redelivered"
)

// leave keeps what was done to a function of an app; by is empty for the service itself.
func (s *Service) leave(ctx context.Context, tx *db.Tx, of app.App, by string, what trail.Action, object trail.Object, details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	details["appId"] = of.ID
	act := trail.Act{UserID: by, Action: what, Object: object, Details: details}
	if of.OrganizationID != nil {
		act.OrganizationID = *of.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}

func objectOf(functionID string) trail.Object { return trail.Object{Type: "function", ID: functionID} }
