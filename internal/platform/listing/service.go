package listing

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of listings.
type Service struct {
	DB    *db.DB
	IDs   *id.Source
	Clock clock.Clock
	// Webhooks sends the probes of the preflight.
	Webhooks Prober
	// Extensions, if not nil, knows what snapshots show of them.
	Extensions Extensions
	// Activity knows what apps did lately.
	Activity Activities
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Prober sends something wrongly signed to a webhook. webhook.Service is one.
type Prober interface {
	Probe(ctx context.Context, w webhook.Webhook) (status int, err error)
}

// Activities tells what an app did since an instant. Boot fills it: which scopes a call takes the table of the API knows.
type Activities interface {
	Since(ctx context.Context, appID string, since time.Time) (Activity, error)
}

// Saving is a listing as a developer saves it.
type Saving struct {
	Slug  string
	Patch Patch
	// Seen, if not 0, must be the listing's present version.
	Seen int
	// First says that there must be none yet.
	First bool
	// Arrived is when the request came, if that is known: one that came before the listing was made is a first save as well.
	Arrived time.Time
}

// Check says what is wrong with the members, as far as that does not depend on the app.
func (v Saving) Check() error {
	var c fault.Check
	checkSlug(&c, v.Slug)
	slug, patch := fault.From(c.Err()), fault.From(v.Patch.Check())
	switch {
	case slug != nil && patch != nil:
		return fault.InvalidFields(append(slug.Fields, patch.Fields...)...)
	case slug != nil:
		return slug
	case patch != nil:
		return patch
	}
	return nil
}

// Save makes the listing of an app with its first revision, or changes its slug and its open revision: a new one, a copy of the live
// one, when there is none. Of those who save for the first time at once, one does; the others have not seen what they would write
// over, and are told so (CONS-01).
func (s *Service) Save(ctx context.Context, appID, by string, v Saving) (Listing, error) {
	if err := v.Check(); err != nil {
		return Listing{}, err
	}
	had, err := s.exists(ctx, appID, by)
	if err != nil {
		return Listing{}, err
	}
	listingID, revisionID := s.IDs.New(id.Listing), s.IDs.New(id.Revision)
	var l Listing
	err = s.change(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		l, err = findWhole(ctx, tx, appID)
		switch {
		case errors.Is(err, db.ErrNoRows):
			l = Listing{ID: listingID, AppID: appID, Slug: v.Slug, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
			return s.create(ctx, tx, of, by, &l, revisionID, v.Patch)
		case err != nil:
			return err
		case v.First || !had || l.CreatedAt.After(v.Arrived) && !v.Arrived.IsZero():
			return ErrExists
		case v.Seen != 0 && v.Seen != l.Version:
			return ErrVersionChanged.With(l.Version, v.Seen)
		}
		return s.rewrite(ctx, tx, of, by, &l, revisionID, v)
	})
	if db.IsDuplicate(err) { // the one unique key that others can hold
		err = ErrSlugTaken.With(v.Slug)
	}
	return l, err
}

// exists reports whether the app has a listing, for someone who may change it.
func (s *Service) exists(ctx context.Context, appID, by string) (has bool, err error) {
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
			return err
		}
		_, err := find(ctx, tx, appID)
		has = err == nil
		if errors.Is(err, db.ErrNoRows) {
			err = nil
		}
		return err
	})
	return has, err
}

func (s *Service) create(ctx context.Context, tx *db.Tx, of app.App, by string, l *Listing, revisionID string, p Patch) error {
	switch first, err := insert(ctx, tx, *l); {
	case err != nil:
		return err
	case !first:
		return ErrExists
	}
	if err := s.begin(ctx, tx, l, revisionID, p); err != nil {
		return err
	}
	return s.leave(ctx, tx, of, by, actCreated, l.ID, details{"slug": l.Slug})
}

// begin opens a revision: a copy of the live one with a patch on it.
func (s *Service) begin(ctx context.Context, tx *db.Tx, l *Listing, revisionID string, p Patch) error {
	state, err := next(none, Begin, Developer)
	if err != nil {
		return err
	}
	number, err := lastNumber(ctx, tx, l.ID)
	if err != nil {
		return err
	}
	r := Revision{ID: revisionID, ListingID: l.ID, AppID: l.AppID, Number: number + 1, State: state, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if l.Live != nil {
		r.Content = l.Live.Content
	}
	if r.Content, err = write(ctx, tx, l.AppID, r.Content, p); err != nil {
		return err
	}
	l.Open = &r
	return insertRevision(ctx, tx, r)
}

// write puts a patch on a content. Pictures that it names must be there: the app's row is locked, so they stay.
func write(ctx context.Context, tx *db.Tx, appID string, c Content, p Patch) (Content, error) {
	c, err := p.onto(c).check()
	if err != nil {
		return c, err
	}
	found, err := asset.Of(ctx, tx, appID, c.assets())
	if err != nil {
		return c, err
	}
	return c, c.checkAssets(found)
}

// rewrite changes a listing that is there.
func (s *Service) rewrite(ctx context.Context, tx *db.Tx, of app.App, by string, l *Listing, revisionID string, v Saving) error {
	changes := details{}
	if !v.Patch.Empty() {
		changes["content"] = true
		if err := s.editOpen(ctx, tx, l, revisionID, v.Patch); err != nil {
			return err
		}
	}
	if l.Slug != v.Slug {
		changes["slug"], changes["previousSlug"] = v.Slug, l.Slug
	}
	l.Slug, l.Version, l.UpdatedAt = v.Slug, l.Version+1, tx.Now()
	if err := update(ctx, tx, *l); err != nil {
		return err
	}
	return s.leave(ctx, tx, of, by, actChanged, l.ID, changes)
}

// editOpen changes the open revision, or opens one.
func (s *Service) editOpen(ctx context.Context, tx *db.Tx, l *Listing, revisionID string, p Patch) error {
	if l.Open == nil {
		return s.begin(ctx, tx, l, revisionID, p)
	}
	return s.edit(ctx, tx, l.Open, p)
}

// edit changes what an open revision says.
func (s *Service) edit(ctx context.Context, tx *db.Tx, r *Revision, p Patch) error {
	return moved(ctx, tx, r, Edit, Developer, func() (err error) {
		r.Content, err = write(ctx, tx, r.AppID, r.Content, p)
		return err
	})
}

// moved does something to a revision: the table says what it becomes, do changes what else there is to change, and one conditional
// update writes it. Somebody who was faster makes the whole transaction run again, on what they left.
func moved(ctx context.Context, tx *db.Tx, r *Revision, does Action, who Side, do func() error) error {
	from := r.State
	to, err := next(from, does, who)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	seen := r.Version
	r.State, r.Version, r.UpdatedAt = to, seen+1, tx.Now()
	written, err := updateRevision(ctx, tx, *r, from, seen)
	if err == nil && !written {
		err = db.ErrAgain
	}
	return err
}

// Get reads the listing of an app with its live and its open revision, for a member of its organization.
func (s *Service) Get(ctx context.Context, appID, by string) (Listing, error) {
	var l Listing
	err := s.look(ctx, appID, by, func(tx *db.Tx) (err error) {
		l, err = findWhole(ctx, tx, appID)
		if errors.Is(err, db.ErrNoRows) {
			err = ErrNotFound
		}
		return err
	})
	return l, err
}

// Revisions lists the revisions of an app's listing, the newest first.
func (s *Service) Revisions(ctx context.Context, appID, by string) ([]Revision, error) {
	var all []Revision
	err := s.look(ctx, appID, by, func(tx *db.Tx) (err error) {
		all, err = listRevisions(ctx, tx, appID)
		return err
	})
	return all, err
}

// Revision reads one.
func (s *Service) Revision(ctx context.Context, appID, by, revisionID string) (Revision, error) {
	var r Revision
	err := s.look(ctx, appID, by, func(tx *db.Tx) (err error) {
		r, err = ofApp(ctx, tx, appID, revisionID)
		return err
	})
	return r, err
}

func ofApp(ctx context.Context, tx *db.Tx, appID, revisionID string) (Revision, error) {
	r, err := findRevision(ctx, tx, revisionID)
	if errors.Is(err, db.ErrNoRows) || err == nil && r.AppID != appID {
		return Revision{}, ErrRevisionNotFound
	}
	return r, err
}

// Change changes what a revision says. The live one never changes itself: as long as none is open, changing it opens a copy. seen, if
// not 0, must be the revision's present version.
func (s *Service) Change(ctx context.Context, appID, by, revisionID string, seen int, p Patch) (Revision, error) {
	if err := p.Check(); err != nil {
		return Revision{}, err
	}
	newID := s.IDs.New(id.Revision)
	return s.develop(ctx, appID, by, revisionID, seen, func(tx *db.Tx, of app.App, r *Revision) error {
		if r.State == Published {
			l, err := findWhole(ctx, tx, appID)
			if err != nil {
				return err
			}
			if l.Open != nil {
				return ErrStateConflict.With(r.State)
			}
			if err := s.begin(ctx, tx, &l, newID, p); err != nil {
				return err
			}
			*r = *l.Open
		} else if err := s.edit(ctx, tx, r, p); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actRevisionChanged, r.ID, nil)
	})
}

// Discard gives an open revision up. seen: see Change.
func (s *Service) Discard(ctx context.Context, appID, by, revisionID string, seen int) error {
	_, err := s.step(ctx, appID, by, revisionID, seen, Discard, actDiscarded, func(*db.Tx, *Revision) {})
	return err
}

// Withdraw takes a revision back that no reviewer has claimed. seen: see Change.
func (s *Service) Withdraw(ctx context.Context, appID, by, revisionID string, seen int) (Revision, error) {
	return s.step(ctx, appID, by, revisionID, seen, Withdraw, actWithdrawn, func(_ *db.Tx, r *Revision) {
		r.Snapshot, r.SubmittedAt, r.SubmittedBy = nil, nil, nil
	})
}

// step is something that a developer does to a revision, and that needs no more than the table's leave.
func (s *Service) step(ctx context.Context, appID, by, revisionID string, seen int, does Action, kept trail.Action, do func(*db.Tx, *Revision)) (Revision, error) {
	return s.develop(ctx, appID, by, revisionID, seen, func(tx *db.Tx, of app.App, r *Revision) error {
		err := moved(ctx, tx, r, does, Developer, func() error { do(tx, r); return nil })
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, kept, r.ID, nil)
	})
}

// Unlist hides the live listing; Relist shows it again. seen, if not 0, must be the listing's present version.
func (s *Service) Unlist(ctx context.Context, appID, by string, seen int) (Listing, error) {
	return s.show(ctx, appID, by, seen, Unlist, actUnlisted, func(tx *db.Tx, l *Listing) {
		if l.UnlistedAt == nil {
			now := tx.Now()
			l.UnlistedAt = &now
		}
	})
}

// Relist shows a listing again that was hidden. seen: see Unlist.
func (s *Service) Relist(ctx context.Context, appID, by string, seen int) (Listing, error) {
	return s.show(ctx, appID, by, seen, Relist, actRelisted, func(_ *db.Tx, l *Listing) { l.UnlistedAt = nil })
}

func (s *Service) show(ctx context.Context, appID, by string, seen int, does Action, kept trail.Action, do func(*db.Tx, *Listing)) (Listing, error) {
	var l Listing
	err := s.change(ctx, appID, by, func(tx *db.Tx, of app.App) (err error) {
		l, err = findWhole(ctx, tx, appID)
		if errors.Is(err, db.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		if seen != 0 && seen != l.Version {
			return ErrVersionChanged.With(l.Version, seen)
		}
		state, err := standing(ctx, tx, l)
		if err != nil {
			return err
		}
		if _, err := next(state, does, Developer); err != nil {
			return err
		}
		do(tx, &l)
		l.Version, l.UpdatedAt = l.Version+1, tx.Now()
		if err := update(ctx, tx, l); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, kept, l.ID, nil)
	})
	return l, err
}

// standing is the state of the revision that speaks for a listing: the live one, or else the newest.
func standing(ctx context.Context, tx *db.Tx, l Listing) (State, error) {
	if l.Live != nil {
		return l.Live.State, nil
	}
	all, err := listRevisions(ctx, tx, l.AppID)
	if err != nil || len(all) == 0 { // what was discarded goes after a while
		return Discarded, err
	}
	return all[0].State, nil
}

// develop runs a change of a revision for someone who may make it.
func (s *Service) develop(ctx context.Context, appID, by, revisionID string, seen int, do func(*db.Tx, app.App, *Revision) error) (Revision, error) {
	var r Revision
	err := s.change(ctx, appID, by, func(tx *db.Tx, of app.App) (err error) {
		if r, err = ofApp(ctx, tx, appID, revisionID); err != nil {
			return err
		}
		if seen != 0 && seen != r.Version {
			return ErrVersionChanged.With(r.Version, seen)
		}
		return do(tx, of, &r)
	})
	return r, err
}

// change runs a change of an app's listing for someone who may make it. It takes the app's row, so that changes follow one another, and
// what they refer to stays.
func (s *Service) change(ctx context.Context, appID, by string, do func(*db.Tx, app.App) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
			return err
		}
		of, err := app.FindLocked(ctx, tx, appID)
		if err != nil {
			return err
		}
		return do(tx, of)
	})
}

// look reads for a member of the app's organization.
func (s *Service) look(ctx context.Context, appID, by string, do func(*db.Tx) error) error {
	return s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		return do(tx)
	})
}

// Shows implements asset.Users: the live and the open revision keep their pictures (CONS-02).
func (s *Service) Shows(ctx context.Context, tx *db.Tx, appID, assetID string) (bool, error) {
	l, err := findWhole(ctx, tx, appID)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	for _, r := range []*Revision{l.Live, l.Open} {
		if r != nil && slices.Contains(r.Content.assets(), assetID) {
			return true, err
		}
	}
	return false, err
}
