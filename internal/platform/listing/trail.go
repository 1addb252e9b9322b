package listing

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
)

// What is done to listings that is kept. Of what is written in them, and said about them, nothing is.
const (
	actCreated          trail.Action = "listing.created"
	actChanged          trail.Action = "listing.changed"
	actUnlisted         trail.Action = "listing.unlisted"
	actRelisted         trail.Action = "listing.relisted"
	actRevisionChanged  trail.Action = "revision.changed"
	actDiscarded        trail.Action = "revision.discarded"
	actSubmitted        trail.Action = "revision.submitted"
	actWithdrawn        trail.Action = "revision.withdrawn"
	actCommented        trail.Action = "revision.commented"
	actClaimed          trail.Action = "revision.claimed"
	actReleased         trail.Action = "revision.released"
	actChangesRequested trail.Action = "revision.changes_requested"
	actRejected         trail.Action = "revision.rejected"
	actApproved         trail.Action = "revision.approved"
)

type details = map[string]any

// leave keeps what somebody did to a listing, or to a revision of it.
func (s *Service) leave(ctx context.Context, tx *db.Tx, of app.App, by string, what trail.Action, objectID string, d details) error {
	if d == nil {
		d = details{}
	}
	d["appId"] = of.ID
	kind := "revision"
	switch what {
	case actCreated, actChanged, actUnlisted, actRelisted:
		kind = "listing"
	}
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: kind, ID: objectID}, Details: d}
	if of.OrganizationID != nil {
		act.OrganizationID = *of.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}
