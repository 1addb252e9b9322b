package business

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
)

// What is done to members of a business that is kept.
const (
	actMemberAdded       trail.Action = "business.member_added"
	actRoleChanged       trail.Action = "business.role_changed"
	actMemberRemoved     trail.Action = "business.member_removed"
	actPermissionChanged trail.Action = "business.permission_changed"
)

// leave keeps what somebody did to a member.
func (s *Service) leave(ctx context.Context, tx *db.Tx, businessID, by, userID string, what trail.Action, details map[string]any) error {
	return trail.Leave(ctx, tx, s.Trail, trail.Act{
		UserID: by, Action: what, Object: trail.Object{Type: "user", ID: userID}, BusinessID: businessID, Details: details,
	})
}

// leaveOverride keeps an exception that was made for those in a role, or for a member.
func (s *Service) leaveOverride(ctx context.Context, tx *db.Tx, businessID, by string, object trail.Object, p Permission, e *Effect) error {
	return trail.Leave(ctx, tx, s.Trail, trail.Act{
		UserID: by, Action: actPermissionChanged, Object: object, BusinessID: businessID, Details: map[string]any{"permission": p, "effect": e},
	})
}
