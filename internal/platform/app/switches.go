package app

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/tenancy/organization"
)

// Deactivate is the developer's switch: tokens, grants and deliveries of the app are refused until Reactivate. seen: see SetDetails.
func (s *Service) Deactivate(ctx context.Context, appID, by string, seen int) (App, error) {
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Govern), func(tx *db.Tx, a *App) error {
		if a.DeactivatedAt == nil {
			now := tx.Now()
			a.DeactivatedAt = &now
		}
		return s.leave(ctx, tx, by, *a, actDeactivated, nil)
	})
}

// Reactivate undoes Deactivate. A suspension stays.
func (s *Service) Reactivate(ctx context.Context, appID, by string, seen int) (App, error) {
	return s.change(ctx, appID, s.asMember(ctx, appID, by, seen, organization.Govern), func(tx *db.Tx, a *App) error {
		if a.Status() == Suspended {
			return ErrSuspended
		}
		a.DeactivatedAt = nil
		return s.leave(ctx, tx, by, *a, actReactivated, nil)
	})
}

// Suspend is the operator's switch. The caller has proved to be one.
func (s *Service) Suspend(ctx context.Context, appID, reason string) (App, error) {
	var c fault.Check
	reason = text.Line(&c, "reason", reason, 1, 500)
	if err := c.Err(); err != nil {
		return App{}, err
	}
	return s.change(ctx, appID, s.anyApp(ctx, appID), func(tx *db.Tx, a *App) error {
		if a.SuspendedAt == nil {
			now := tx.Now()
			a.SuspendedAt = &now
		}
		a.SuspensionReason = &reason
		return s.leave(ctx, tx, "", *a, actSuspended, details{"reason": reason})
	})
}

// Unsuspend lifts a suspension. A developer's deactivation stays.
func (s *Service) Unsuspend(ctx context.Context, appID string) (App, error) {
	return s.change(ctx, appID, s.anyApp(ctx, appID), func(tx *db.Tx, a *App) error {
		a.SuspendedAt, a.SuspensionReason = nil, nil
		return s.leave(ctx, tx, "", *a, actUnsuspended, nil)
	})
}

// SetReview notes what the operator decided about the app.
func (s *Service) SetReview(ctx context.Context, appID string, r ReviewStatus) (App, error) {
	if err := checkReview(r); err != nil {
		return App{}, err
	}
	return s.change(ctx, appID, s.anyApp(ctx, appID), func(tx *db.Tx, a *App) error {
		a.review(r, a.Scopes)
		return s.leave(ctx, tx, "", *a, actReviewed, details{"reviewStatus": r})
	})
}

func (s *Service) anyApp(ctx context.Context, appID string) func(*db.Tx) (App, error) {
	return func(tx *db.Tx) (App, error) { return Find(ctx, tx, appID) }
}

// Adopt gives an app that registered itself to the organization in whose sandbox it was first approved. Another
// organization that comes later finds it taken.
func Adopt(ctx context.Context, tx *db.Tx, a App, organizationID string) error {
	if a.OrganizationID != nil {
		return nil
	}
	a.OrganizationID = &organizationID
	written, err := update(ctx, tx, a)
	if err == nil && !written {
		err = ErrVersionChanged
	}
	return err
}

func checkReview(r ReviewStatus) error {
	var c fault.Check
	c.Require(r == Unreviewed || r == Approved || r == Revoked, "reviewStatus", "must be UNREVIEWED, APPROVED or REVOKED")
	return c.Err()
}
