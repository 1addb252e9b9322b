package app

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/platform/scope"
)

// What is done to apps that is kept.
const (
	actCreated       trail.Action = "app.created"
	actChanged       trail.Action = "app.changed"
	actRedirects     trail.Action = "app.redirect_uris_changed"
	actScopes        trail.Action = "app.scopes_changed"
	actDeactivated   trail.Action = "app.deactivated"
	actReactivated   trail.Action = "app.reactivated"
	actSecretAdded   trail.Action = "app.secret_added"
	actSecretDeleted trail.Action = "app.secret_deleted"
	actSuspended     trail.Action = "app.suspended"
	actUnsuspended   trail.Action = "app.unsuspended"
	actReviewed      trail.Action = "app.reviewed"
)

type details = map[string]any

// leave keeps what somebody did to an app; empty: whoever the context names.
func (s *Service) leave(ctx context.Context, tx *db.Tx, by string, a App, what trail.Action, d details) error {
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: "app", ID: a.ID}, Details: d}
	if a.OrganizationID != nil {
		act.OrganizationID = *a.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}

// changes names the members that differ.
func (d Details) changes(other Details) details {
	names := []string{}
	if d.Name != other.Name {
		names = append(names, "name")
	}
	for _, m := range []struct {
		name     string
		was, now *string
	}{
		{"description", d.Description, other.Description}, {"appUrl", d.AppURL, other.AppURL}, {"supportEmail", d.SupportEmail, other.SupportEmail},
		{"privacyUrl", d.PrivacyURL, other.PrivacyURL}, {"termsUrl", d.TermsURL, other.TermsURL}, {"pinnedApiVersion", d.PinnedAPIVersion, other.PinnedAPIVersion},
	} {
		if (m.was == nil) != (m.now == nil) || m.was != nil && *m.was != *m.now {
			names = append(names, m.name)
		}
	}
	return details{"changes": names}
}

// newScopes tells what changes between two sets.
func newScopes(was, now scope.Set) details {
	return details{"added": slices.Concat([]scope.Scope{}, now.Minus(was)), "removed": slices.Concat([]scope.Scope{}, was.Minus(now))}
}
