package appdata

import (
	"context"
	"reflect"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
)

// What is done to fields that is kept.
const (
	actDeclared trail.Action = "field.created"
	actChanged  trail.Action = "field.changed"
	actDeleted  trail.Action = "field.deleted"
)

// leave keeps what somebody did to a field of an app.
func (s *Service) leave(ctx context.Context, tx *db.Tx, one app.App, by string, what trail.Action, f Field, details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	details["appId"], details["resourceType"], details["key"] = one.ID, f.ResourceType, f.Key
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: "field", ID: f.ID}, Details: details}
	if one.OrganizationID != nil {
		act.OrganizationID = *one.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}

// changes names the members that differ.
func (f Field) changes(was Field) map[string]any {
	names := []string{}
	for _, m := range []struct {
		name     string
		was, now any
	}{
		{"label", was.Label, f.Label}, {"description", was.Description, f.Description}, {"rules", was.Rules, f.Rules}, {"visibility", was.Visibility, f.Visibility},
	} {
		if !reflect.DeepEqual(m.was, m.now) {
			names = append(names, m.name)
		}
	}
	return map[string]any{"changes": names}
}
