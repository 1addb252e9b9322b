package install

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
)

// What is done to installations that is kept.
const (
	actConnected   trail.Action = "app.connected"
	actWidened     trail.Action = "app.scopes_granted"
	actUninstalled trail.Action = "app.uninstalled"
	actRevoked     trail.Action = "app.access_revoked"
	actOwnRevoked  trail.Action = "app.own_access_revoked"
)

// leave keeps what somebody did to an installation.
func (s *Service) leave(ctx context.Context, tx *db.Tx, by string, what trail.Action, i Installation, details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	details["appId"] = i.AppID
	return trail.Leave(ctx, tx, s.Trail, trail.Act{
		UserID: by, Action: what, Object: trail.Object{Type: "installation", ID: i.ID}, BusinessID: i.BusinessID, Details: details,
	})
}
