package extension

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
)

// What is done to extensions that is kept.
const (
	actCreated trail.Action = "extension.created"
	actChanged trail.Action = "extension.changed"
	actDeleted trail.Action = "extension.deleted"
)

// leave keeps what somebody did to an extension of an app.
func (s *Service) leave(ctx context.Context, tx *db.Tx, of app.App, by string, what trail.Action, extensionID string, details map[string]any) error {
	details["appId"] = of.ID
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: "extension", ID: extensionID}, Details: details}
	if of.OrganizationID != nil {
		act.OrganizationID = *of.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}

// changes names the members that differ. A path may hold an app's own secrets, so it is not kept.
func (e Extension) changes(was Extension) map[string]any {
	names := []string{}
	for _, m := range []struct {
		name string
		same bool
	}{
		{"enabled", e.Enabled == was.Enabled}, {"kind", e.Kind == was.Kind}, {"label", e.Label == was.Label}, {"path", e.Path == was.Path},
		{"resourceType", equal(e.ResourceType, was.ResourceType)},
	} {
		if !m.same {
			names = append(names, m.name)
		}
	}
	return map[string]any{"changes": names}
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
