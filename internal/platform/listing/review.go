package listing

import (
	"context"
	"errors"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/text"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
)

// What reviewers do. The caller of each of these has proved to be one.

// maxNotes characters of a decision.
const maxNotes = 2000

func anyRevision(ctx context.Context, tx *db.Tx, revisionID string) (Revision, error) {
	r, err := findRevision(ctx, tx, revisionID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrRevisionNotFound
	}
	return r, err
}

// Dossier is all that a reviewer sees of a revision.
type Dossier struct {
	Revision Revision
	App      app.App
	Listing  Listing
	Remarks  []Remark
	// Assets are the pictures that the revision shows, the icon first.
	Assets []asset.Asset
	// Changed names what of the app is no longer as it was submitted. An approval is refused as long as there is something.
	Changed []string
}

// Dossier reads a revision with everything around it.
func (s *Service) Dossier(ctx context.Context, revisionID string) (Dossier, error) {
	var d Dossier
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if d.Revision, err = anyRevision(ctx, tx, revisionID); err != nil {
			return err
		}
		if d.App, err = app.Find(ctx, tx, d.Revision.AppID); err != nil {
			return err
		}
		if d.Listing, err = findWhole(ctx, tx, d.App.ID); err != nil {
			return err
		}
		if d.Assets, err = picturesIn(ctx, tx, d.Revision); err != nil {
			return err
		}
		if d.Remarks, err = listRemarks(ctx, tx, revisionID); err != nil || d.Revision.Snapshot == nil {
			return err
		}
		now, err := s.picture(ctx, tx, d.App)
		d.Changed = d.Revision.Snapshot.differences(now)
		return err
	})
	return d, err
}

// picturesIn are the pictures of a revision that are still there, in the order in which it names them.
func picturesIn(ctx context.Context, tx *db.Tx, r Revision) ([]asset.Asset, error) {
	found, err := asset.Of(ctx, tx, r.AppID, r.Content.assets())
	list := []asset.Asset{}
	for _, one := range r.Content.assets() {
		if a, ok := found[one]; ok {
			list = append(list, a)
		}
	}
	return list, err
}

// PreflightForReview runs the checks again, as Preflight does for developers.
func (s *Service) PreflightForReview(ctx context.Context, revisionID string) (Revision, error) {
	e, err := s.examine(ctx, revisionID, func(*db.Tx, string) error { return nil })
	if err != nil {
		return Revision{}, err
	}
	return s.keep(ctx, e)
}

// Claim takes a submitted revision to decide about it. Of any number who claim it at once, one has it.
func (s *Service) Claim(ctx context.Context, by, revisionID string) (Revision, error) {
	return s.review(ctx, by, revisionID, Claim, actClaimed, claim(by))
}

func claim(by string) func(*db.Tx, app.App, *Revision) error {
	return func(_ *db.Tx, _ app.App, r *Revision) error {
		r.ReviewerID = &by
		return nil
	}
}

// Release puts a claimed revision back. Every reviewer may: the one who has it may be away.
func (s *Service) Release(ctx context.Context, by, revisionID string) (Revision, error) {
	return s.review(ctx, by, revisionID, Release, actReleased, func(_ *db.Tx, _ app.App, r *Revision) error {
		r.ReviewerID = nil
		return nil
	})
}

// RequestChanges gives a revision back to its developers, with what to change.
func (s *Service) RequestChanges(ctx context.Context, by, revisionID, notes string) (Revision, error) {
	return s.decide(ctx, by, revisionID, "notes", notes, RequestChanges, actChangesRequested)
}

// Reject refuses a revision, and says why.
func (s *Service) Reject(ctx context.Context, by, revisionID, reason string) (Revision, error) {
	return s.decide(ctx, by, revisionID, "reason", reason, Reject, actRejected)
}

// decide says no, in words that are part of the conversation as well.
func (s *Service) decide(ctx context.Context, by, revisionID, at, words string, does Action, kept trail.Action) (Revision, error) {
	var c fault.Check
	said := text.Lines(&c, at, &words, maxNotes)
	c.Require(said != nil, at, "must say what to do about it")
	if err := c.Err(); err != nil {
		return Revision{}, err
	}
	remarkID := s.IDs.New(id.Comment)
	return s.review(ctx, by, revisionID, does, kept, func(tx *db.Tx, _ app.App, r *Revision) error {
		if err := r.claimedBy(by); err != nil {
			return err
		}
		now := tx.Now()
		r.Notes, r.DecidedAt = said, &now
		return insertRemark(ctx, tx, Remark{remarkID, r.ID, Reviewer, by, *said, now})
	})
}

// claimedBy refuses a decision by somebody else than who took it.
func (r Revision) claimedBy(by string) error {
	if r.ReviewerID == nil || *r.ReviewerID != by {
		return ErrNotClaimedByYou
	}
	return nil
}

// Approve publishes a revision, in the place of the one that was live, and approves the app with the scopes that were submitted. The
// app must be as it was submitted.
func (s *Service) Approve(ctx context.Context, by, revisionID string) (Revision, error) {
	return s.review(ctx, by, revisionID, Approve, actApproved, s.goLive(ctx, by))
}

func (s *Service) goLive(ctx context.Context, by string) func(*db.Tx, app.App, *Revision) error {
	return func(tx *db.Tx, of app.App, r *Revision) error {
		if err := r.claimedBy(by); err != nil {
			return err
		}
		shot, err := s.picture(ctx, tx, of)
		if err != nil {
			return err
		}
		if changed := r.Snapshot.differences(shot); len(changed) > 0 {
			return ErrSnapshotChanged.With(strings.Join(changed, ", "))
		}
		l, err := findWhole(ctx, tx, of.ID)
		if err != nil {
			return err
		}
		if l.Live != nil {
			if err := moved(ctx, tx, l.Live, Supersede, Reviewer, func() error { return nil }); err != nil {
				return err
			}
		}
		now := tx.Now()
		r.DecidedAt, r.Notes = &now, nil
		if err := publish(ctx, tx, l.ID, *r); err != nil {
			return err
		}
		return app.Approve(ctx, tx, of, r.Snapshot.Scopes)
	}
}

// review does something to a revision as a reviewer. The app's row is locked, as for developers.
func (s *Service) review(ctx context.Context, by, revisionID string, does Action, kept trail.Action, do func(*db.Tx, app.App, *Revision) error) (Revision, error) {
	var r Revision
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		found, err := anyRevision(ctx, tx, revisionID)
		if err != nil {
			return err
		}
		of, err := app.FindLocked(ctx, tx, found.AppID)
		if err != nil {
			return err
		}
		if r, err = anyRevision(ctx, tx, revisionID); err != nil {
			return err
		}
		return s.reviewed(ctx, tx, of, by, &r, does, kept, do)
	})
	return r, err
}

func (s *Service) reviewed(ctx context.Context, tx *db.Tx, of app.App, by string, r *Revision, does Action, kept trail.Action, do func(*db.Tx, app.App, *Revision) error) error {
	if err := moved(ctx, tx, r, does, Reviewer, func() error { return do(tx, of, r) }); err != nil {
		return err
	}
	return s.leave(ctx, tx, of, by, kept, r.ID, nil)
}
