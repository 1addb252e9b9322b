package listing

import (
	"context"
	"sync"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// Preflight runs the checks on a revision, keeps what they found beside it, and tells it. It needs the right to change the app: probes
// go out in its name.
func (s *Service) Preflight(ctx context.Context, appID, by, revisionID string) (Revision, error) {
	e, err := s.examine(ctx, revisionID, func(tx *db.Tx, of string) error {
		return s.mayBuild(ctx, tx, appID, of, by)
	})
	if err != nil {
		return Revision{}, err
	}
	return s.keep(ctx, e)
}

// mayBuild admits someone who may change an app, to a revision of that app.
func (s *Service) mayBuild(ctx context.Context, tx *db.Tx, appID, of, by string) error {
	if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
		return err
	}
	if of != appID {
		return ErrRevisionNotFound
	}
	return nil
}

// examined is a revision, the app at that moment, and what the checks found.
type examined struct {
	revision Revision
	app      app.App
	results  []Result
}

// examine gathers the facts about a revision and judges them. Nothing is held while the probes are out: they may take their time. may
// says whether the caller is to know of the revision of that app.
func (s *Service) examine(ctx context.Context, revisionID string, may func(tx *db.Tx, appID string) error) (examined, error) {
	var e examined
	f := facts{now: s.Clock.Now()}
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if e.revision, err = anyRevision(ctx, tx, revisionID); err != nil {
			return err
		}
		if err = may(tx, e.revision.AppID); err != nil {
			return err
		}
		if e.app, err = app.Find(ctx, tx, e.revision.AppID); err != nil {
			return err
		}
		f.app, f.content = e.app, e.revision.Content
		if f.webhooks, err = webhook.OfApp(ctx, tx, e.app.ID); err != nil {
			return err
		}
		if f.answered, err = webhook.Answered(ctx, tx, e.app.ID, f.now.Add(-Lately)); err != nil {
			return err
		}
		f.assets, err = asset.Of(ctx, tx, e.app.ID, f.content.assets())
		return err
	})
	if err != nil {
		return e, err
	}
	if f.activity, err = s.Activity.Since(ctx, e.app.ID, f.now.Add(-Lately)); err != nil {
		return e, err
	}
	f.probes = s.probe(ctx, f.webhooks)
	if ctx.Err() != nil {
		return e, ctx.Err() // whoever asked has gone: that a receiver did not answer in time says nothing
	}
	e.results = judge(f)
	return e, nil
}

// probe asks every enabled webhook at once; there are at most ten, and none may take longer than a delivery.
func (s *Service) probe(ctx context.Context, all []webhook.Webhook) []probe {
	var list []probe
	var hooks []webhook.Webhook
	for _, w := range all {
		if w.Enabled {
			hooks = append(hooks, w)
			list = append(list, probe{url: w.URL})
		}
	}
	var wait sync.WaitGroup
	for i, w := range hooks {
		wait.Go(func() {
			if status, err := s.Webhooks.Probe(ctx, w); err == nil {
				list[i].status = status
			}
		})
	}
	wait.Wait()
	return list
}

// keep writes down what the checks found. It is no change of the revision.
func (s *Service) keep(ctx context.Context, e examined) (Revision, error) {
	r := e.revision
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		now := tx.Now()
		r.Preflight, r.PreflightedAt = e.results, &now
		return updatePreflight(ctx, tx, r.ID, e.results)
	})
	return r, err
}

// Submit hands a revision to the reviewers, if no check fails: what it says, and the app as it is, is what they decide about. seen, if
// not 0, must be its present version.
func (s *Service) Submit(ctx context.Context, appID, by, revisionID string, seen int) (Revision, error) {
	e, err := s.examine(ctx, revisionID, func(tx *db.Tx, of string) error { return s.maySubmit(ctx, tx, appID, of, by, revisionID, seen) })
	if err != nil {
		return Revision{}, err
	}
	if err := refusal(e.results); err != nil {
		if _, failed := s.keep(ctx, e); failed != nil {
			return Revision{}, failed
		}
		return Revision{}, err
	}
	return s.develop(ctx, appID, by, revisionID, seen, func(tx *db.Tx, of app.App, r *Revision) error {
		if _, err := next(r.State, Submit, Developer); err != nil {
			return err
		}
		if r.Version != e.revision.Version || of.Version != e.app.Version {
			return ErrChangedMeanwhile
		}
		now := tx.Now()
		r.Preflight, r.PreflightedAt = e.results, &now
		return s.handIn(ctx, tx, of, by, r)
	})
}

// handIn submits a revision with a snapshot of the app.
func (s *Service) handIn(ctx context.Context, tx *db.Tx, of app.App, by string, r *Revision) error {
	shot, err := s.picture(ctx, tx, of)
	if err != nil {
		return err
	}
	err = moved(ctx, tx, r, Submit, Developer, func() error {
		now := tx.Now()
		r.Snapshot, r.SubmittedAt, r.SubmittedBy = &shot, &now, &by
		r.ReviewerID, r.DecidedAt, r.Notes = nil, nil, nil
		return nil
	})
	if err != nil {
		return err
	}
	return s.leave(ctx, tx, of, by, actSubmitted, r.ID, nil)
}

// maySubmit asks what can be known before the checks are run: they cost something.
func (s *Service) maySubmit(ctx context.Context, tx *db.Tx, appID, of, by, revisionID string, seen int) error {
	if err := s.mayBuild(ctx, tx, appID, of, by); err != nil {
		return err
	}
	r, err := ofApp(ctx, tx, appID, revisionID)
	if err != nil {
		return err
	}
	if seen != 0 && seen != r.Version {
		return ErrVersionChanged.With(r.Version, seen)
	}
	_, err = next(r.State, Submit, Developer)
	return err
}
