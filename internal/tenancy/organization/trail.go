package organization

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
)

// What is done to organizations that is kept.
const (
	actRenamed       trail.Action = "organization.renamed"
	actMemberAdded   trail.Action = "organization.member_added"
	actRoleChanged   trail.Action = "organization.role_changed"
	actMemberRemoved trail.Action = "organization.member_removed"
)

// leave keeps what somebody did to an organization, or to one of its members.
func (s *Service) leave(ctx context.Context, tx *db.Tx, organizationID, by string, what trail.Action, object trail.Object, details map[string]any) error {
	return trail.Leave(ctx, tx, s.Trail, trail.Act{UserID: by, Action: what, Object: object, OrganizationID: organizationID, Details: details})
}

func person(userID string) trail.Object { return trail.Object{Type: "user", ID: userID} }
