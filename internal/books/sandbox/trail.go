package sandbox

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/tenancy/business"
)

// What is done to sandboxes that is kept.
const (
	actCreated     trail.Action = "sandbox.created"
	actChanged     trail.Action = "sandbox.changed"
	actReset       trail.Action = "sandbox.reset"
	actDeleted     trail.Action = "sandbox.deleted"
	actMemberAdded trail.Action = "sandbox.member_added"
	actMemberGone  trail.Action = "sandbox.member_removed"
)

// leave keeps what somebody did to a sandbox.
func (s *Service) leave(ctx context.Context, tx *db.Tx, by string, what trail.Action, b business.Business, details map[string]any) error {
	return trail.Leave(ctx, tx, s.Trail, trail.Act{
		UserID: by, Action: what, Object: trail.Object{Type: "business", ID: b.ID}, OrganizationID: *b.SandboxOf, BusinessID: b.ID, Details: details,
	})
}
