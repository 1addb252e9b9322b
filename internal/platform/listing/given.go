package listing

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
)

// Give makes the listing that an app of a fixture comes with live, in the fixture's transaction: saved and handed in by a developer, claimed
// and approved by a reviewer, all at once. The steps are those of any listing; only the checks are left out, for nothing of such an app runs
// anywhere that could answer a probe.
func (s *Service) Give(ctx context.Context, tx *db.Tx, appID, developer, reviewer string, v Saving) error {
	if err := v.Check(); err != nil {
		return err
	}
	of, err := app.FindLocked(ctx, tx, appID)
	if err != nil {
		return err
	}
	l := Listing{ID: s.IDs.New(id.Listing), AppID: appID, Slug: v.Slug, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if err := s.create(ctx, tx, of, developer, &l, s.IDs.New(id.Revision), v.Patch); err != nil {
		if db.IsDuplicate(err) {
			err = ErrSlugTaken.With(v.Slug)
		}
		return err
	}
	if err := s.handIn(ctx, tx, of, developer, l.Open); err != nil {
		return err
	}
	if err := s.reviewed(ctx, tx, of, reviewer, l.Open, Claim, actClaimed, claim(reviewer)); err != nil {
		return err
	}
	return s.reviewed(ctx, tx, of, reviewer, l.Open, Approve, actApproved, s.goLive(ctx, reviewer))
}
