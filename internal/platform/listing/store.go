package listing

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
)

const columns = `l.id, l.app_id, l.slug, l.unlisted_at, l.version, l.created_at, l.updated_at`

func scan(s db.Scan) (l Listing, err error) {
	err = s(&l.ID, &l.AppID, &l.Slug, &l.UnlistedAt, &l.Version, &l.CreatedAt, &l.UpdatedAt)
	return l, err
}

const revisionColumns = `r.id, r.listing_id, r.app_id, r.number, r.state, r.content, r.snapshot, r.preflight, r.preflighted_at, r.submitted_at, r.submitted_by,
	r.reviewer_id, r.decided_at, r.notes, r.version, r.created_at, r.updated_at`

func scanRevision(s db.Scan) (Revision, error) {
	var r Revision
	err := s(&r.ID, &r.ListingID, &r.AppID, &r.Number, &r.State, db.JSON(&r.Content), orNull(&r.Snapshot), orNull(&r.Preflight), &r.PreflightedAt, &r.SubmittedAt, &r.SubmittedBy,
		&r.ReviewerID, &r.DecidedAt, &r.Notes, &r.Version, &r.CreatedAt, &r.UpdatedAt)
	return r, err
}

// optional is JSON that may be NULL, which leaves its destination as it is.
type optional struct{ into any }

func orNull(into any) optional { return optional{into} }

// Scan implements sql.Scanner.
func (o optional) Scan(src any) error {
	if src == nil {
		return nil
	}
	return db.JSON(o.into).Scan(src)
}

// snapshotText and preflightText are JSON, NULL for none.
func (r Revision) snapshotText() any {
	if r.Snapshot == nil {
		return nil
	}
	return db.JSON(r.Snapshot)
}

func (r Revision) preflightText() any {
	if r.Preflight == nil {
		return nil
	}
	return db.JSON(r.Preflight)
}

// insert reports whether the app had no listing yet. A slug that another one has is an error, see db.IsDuplicate.
func insert(ctx context.Context, tx *db.Tx, l Listing) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO listings (id, app_id, slug, unlisted_at, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (app_id) DO NOTHING`, l.ID, l.AppID, l.Slug, l.UnlistedAt, l.Version, l.CreatedAt, l.UpdatedAt)
	return n == 1, err
}

// update writes what changes of a listing itself.
func update(ctx context.Context, tx *db.Tx, l Listing) error {
	_, err := tx.Exec(ctx, `UPDATE listings SET slug = $2, unlisted_at = $3, version = $4, updated_at = $5 WHERE id = $1`, l.ID, l.Slug, l.UnlistedAt, l.Version, l.UpdatedAt)
	return err
}

// publish writes which revision is live, with what those who browse look for.
func publish(ctx context.Context, tx *db.Tx, listingID string, r Revision) error {
	_, err := tx.Exec(ctx, `UPDATE listings SET live_id = $2, category = $3, sort_key = $4, words = $5, version = version + 1, updated_at = $6 WHERE id = $1`,
		listingID, r.ID, r.Content.Category, fold(deref(r.Content.Name)), r.Content.words(), tx.Now())
	return err
}

func find(ctx context.Context, tx *db.Tx, appID string) (Listing, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM listings l WHERE l.app_id = $1`, appID)
}

// findWhole reads the listing of an app with its live and its open revision.
func findWhole(ctx context.Context, tx *db.Tx, appID string) (Listing, error) {
	l, err := find(ctx, tx, appID)
	if err != nil {
		return l, err
	}
	if l.Live, err = maybe(db.One(ctx, tx, scanRevision, `SELECT `+revisionColumns+` FROM listing_revisions r WHERE r.listing_id = $1 AND r.state = 'PUBLISHED'`, l.ID)); err != nil {
		return l, err
	}
	l.Open, err = maybe(db.One(ctx, tx, scanRevision, `SELECT `+revisionColumns+` FROM listing_revisions r
		WHERE r.listing_id = $1 AND r.state IN ('DRAFT', 'SUBMITTED', 'IN_REVIEW', 'CHANGES_REQUESTED', 'REJECTED')`, l.ID))
	return l, err
}

// maybe is nil for what is not there.
func maybe(r Revision, err error) (*Revision, error) {
	if errors.Is(err, db.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}

func lastNumber(ctx context.Context, tx *db.Tx, listingID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT coalesce(max(number), 0) FROM listing_revisions WHERE listing_id = $1`, listingID)
}

func insertRevision(ctx context.Context, tx *db.Tx, r Revision) error {
	_, err := tx.Exec(ctx, `INSERT INTO listing_revisions (id, listing_id, app_id, number, state, content, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, r.ID, r.ListingID, r.AppID, r.Number, r.State, db.JSON(r.Content), r.Version, r.CreatedAt, r.UpdatedAt)
	return err
}

// updateRevision writes every changeable member if the revision still has the state and the version that were read.
func updateRevision(ctx context.Context, tx *db.Tx, r Revision, from State, seen int) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE listing_revisions SET state = $4, content = $5, snapshot = $6, preflight = $7, preflighted_at = $8, submitted_at = $9, submitted_by = $10,
			reviewer_id = $11, decided_at = $12, notes = $13, version = $14, updated_at = $15
		WHERE id = $1 AND state = $2 AND version = $3`,
		r.ID, from, seen, r.State, db.JSON(r.Content), r.snapshotText(), r.preflightText(), r.PreflightedAt, r.SubmittedAt, r.SubmittedBy,
		r.ReviewerID, r.DecidedAt, r.Notes, r.Version, r.UpdatedAt)
	return n == 1, err
}

func updatePreflight(ctx context.Context, tx *db.Tx, revisionID string, results []Result) error {
	_, err := tx.Exec(ctx, `UPDATE listing_revisions SET preflight = $2, preflighted_at = $3 WHERE id = $1`, revisionID, db.JSON(results), tx.Now())
	return err
}

func findRevision(ctx context.Context, tx *db.Tx, revisionID string) (Revision, error) {
	return db.One(ctx, tx, scanRevision, `SELECT `+revisionColumns+` FROM listing_revisions r WHERE r.id = $1`, revisionID)
}

// maxRevisions is how many are listed: nobody has looked further back.
const maxRevisions = 100

func listRevisions(ctx context.Context, tx *db.Tx, appID string) ([]Revision, error) {
	return db.All(ctx, tx, scanRevision, `SELECT `+revisionColumns+` FROM listing_revisions r JOIN listings l ON l.id = r.listing_id
		WHERE l.app_id = $1 ORDER BY r.number DESC LIMIT $2`, appID, maxRevisions)
}

func insertRemark(ctx context.Context, tx *db.Tx, m Remark) error {
	_, err := tx.Exec(ctx, `INSERT INTO listing_comments (id, revision_id, side, author_id, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		m.ID, m.RevisionID, m.Side, m.AuthorID, m.Text, m.CreatedAt)
	return err
}

func countRemarks(ctx context.Context, tx *db.Tx, revisionID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM listing_comments WHERE revision_id = $1`, revisionID)
}

func listRemarks(ctx context.Context, tx *db.Tx, revisionID string) ([]Remark, error) {
	return db.All(ctx, tx, func(s db.Scan) (m Remark, err error) {
		err = s(&m.ID, &m.RevisionID, &m.Side, &m.AuthorID, &m.Text, &m.CreatedAt)
		return m, err
	}, `SELECT id, revision_id, side, author_id, text, created_at FROM listing_comments WHERE revision_id = $1 ORDER BY id`, revisionID)
}

// deleteDiscarded removes revisions that were given up before then, with what was said about them.
func deleteDiscarded(ctx context.Context, tx *db.Tx, before time.Time) error {
	const old = `state = 'DISCARDED' AND updated_at < $1`
	if _, err := tx.Exec(ctx, `DELETE FROM listing_comments WHERE revision_id IN (SELECT id FROM listing_revisions WHERE `+old+`)`, before); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM listing_revisions WHERE `+old, before)
	return err
}
