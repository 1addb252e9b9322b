package listing

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/text"
	"daybook/internal/platform/app"
)

// Remarks reads the conversation about a revision, the oldest first, for a member of the app's organization.
func (s *Service) Remarks(ctx context.Context, appID, by, revisionID string) ([]Remark, error) {
	var all []Remark
	err := s.look(ctx, appID, by, func(tx *db.Tx) (err error) {
		if _, err = ofApp(ctx, tx, appID, revisionID); err != nil {
			return err
		}
		all, err = listRemarks(ctx, tx, revisionID)
		return err
	})
	return all, err
}

// Remark adds a developer's line to the conversation about an open revision.
func (s *Service) Remark(ctx context.Context, appID, by, revisionID, words string) (Remark, error) {
	m, err := s.newRemark(Developer, by, revisionID, words)
	if err != nil {
		return m, err
	}
	_, err = s.develop(ctx, appID, by, revisionID, 0, func(tx *db.Tx, of app.App, r *Revision) error {
		return s.say(ctx, tx, of, *r, &m)
	})
	return m, err
}

// RemarkAsReviewer adds a reviewer's line. The caller has proved to be one.
func (s *Service) RemarkAsReviewer(ctx context.Context, by, revisionID, words string) (Remark, error) {
	m, err := s.newRemark(Reviewer, by, revisionID, words)
	if err != nil {
		return m, err
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := anyRevision(ctx, tx, revisionID)
		if err != nil {
			return err
		}
		of, err := app.FindLocked(ctx, tx, r.AppID)
		if err != nil {
			return err
		}
		if r, err = anyRevision(ctx, tx, revisionID); err != nil {
			return err
		}
		return s.say(ctx, tx, of, r, &m)
	})
	return m, err
}

// CheckRemark says what is wrong with a line.
func CheckRemark(words string) error {
	var c fault.Check
	said := text.Lines(&c, "text", &words, maxRemark)
	c.Require(said != nil, "text", "must not be empty")
	return c.Err()
}

func (s *Service) newRemark(side Side, by, revisionID, words string) (Remark, error) {
	if err := CheckRemark(words); err != nil {
		return Remark{}, err
	}
	var c fault.Check
	return Remark{ID: s.IDs.New(id.Comment), RevisionID: revisionID, Side: side, AuthorID: by, Text: *text.Lines(&c, "text", &words, maxRemark)}, nil
}

// say keeps a line, if the revision is still talked about and has room for it. The app's row is locked.
func (s *Service) say(ctx context.Context, tx *db.Tx, of app.App, r Revision, m *Remark) error {
	if _, err := next(r.State, Comment, m.Side); err != nil {
		return err
	}
	switch have, err := countRemarks(ctx, tx, r.ID); {
	case err != nil:
		return err
	case have >= MaxRemarks:
		return ErrCommentLimit.With(MaxRemarks)
	}
	m.CreatedAt = tx.Now()
	if err := insertRemark(ctx, tx, *m); err != nil {
		return err
	}
	return s.leave(ctx, tx, of, m.AuthorID, actCommented, r.ID, nil)
}
