package webhook

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
)

// What is done to webhooks that is kept.
const (
	actCreated     trail.Action = "webhook.created"
	actChanged     trail.Action = "webhook.changed"
	actDeleted     trail.Action = "webhook.deleted"
	actRotated     trail.Action = "webhook.secret_rotated"
	actRedelivered trail.Action = "webhook.redelivered"
)

// leave keeps what somebody did to a webhook of an app.
func (s *Service) leave(ctx context.Context, tx *db.Tx, appID, by string, what trail.Action, webhookID string, details map[string]any) error {
	if s.Trail == nil {
		return nil
	}
	one, err := app.Find(ctx, tx, appID)
	if err != nil {
		return err
	}
	if details == nil {
		details = map[string]any{}
	}
	details["appId"] = appID
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: "webhook", ID: webhookID}, Details: details}
	if one.OrganizationID != nil {
		act.OrganizationID = *one.OrganizationID
	}
	return s.Trail.Keep(ctx, tx, act)
}

// changes names the members that differ. Addresses may hold a receiver's own secrets, so they are not kept.
func (w Webhook) changes(was Webhook) map[string]any {
	names := []string{}
	for _, m := range []struct {
		name string
		same bool
	}{
		{"description", equalWords(w.Description, was.Description)}, {"enabled", w.Enabled == was.Enabled},
		{"events", slices.Equal(w.Events, was.Events)}, {"url", w.URL == was.URL},
	} {
		if !m.same {
			names = append(names, m.name)
		}
	}
	return map[string]any{"changes": names}
}

func equalWords(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
