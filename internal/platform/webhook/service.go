package webhook

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of webhooks and deliveries.
type Service struct {
	DB   *db.DB
	IDs  *id.Source
	Keys *secret.Keys
	// Clock says what is old enough to be deleted.
	Clock clock.Clock
	// Outbound says whether an address may be used.
	Outbound *outbound.Client
	// Sender, if not nil, sends in this process. Without one, deliveries wait for a process that does.
	Sender *Sender
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Create adds a webhook to an app.
func (s *Service) Create(ctx context.Context, appID, by string, n New) (Created, error) {
	// Whoever may not add one must not learn anything about addresses either.
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		_, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		return err
	})
	if err != nil {
		return Created{}, err
	}
	step, err := s.Prepare(ctx, appID, n)
	if err != nil {
		return Created{}, err
	}
	var c Created
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		// The app's row is locked, so that of those who create at once no one passes the limit.
		if _, err := app.FindLocked(ctx, tx, appID); err != nil {
			return err
		}
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
			return err
		}
		if c, err = step(ctx, tx); err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actCreated, c.ID, map[string]any{"events": len(c.Events), "enabled": c.Enabled})
	})
	return c, err
}

// Prepare checks a webhook; the step it returns adds it to the app, whose row the caller has locked.
func (s *Service) Prepare(ctx context.Context, appID string, n New) (db.Step[Created], error) {
	var c fault.Check
	n.Description = checkDescription(&c, n.Description)
	c.Require(n.Secret.Empty() || strings.HasPrefix(n.Secret.Reveal(), string(secret.WebhookSecret)), "secret", "must begin with %s", secret.WebhookSecret)
	if err := c.Err(); err != nil {
		return nil, err
	}
	events, err := checkEvents("events", n.Events)
	if err != nil {
		return nil, err
	}
	url, err := s.checkURL(ctx, n.URL, n.Unproven)
	if err != nil {
		return nil, err
	}
	made := Created{Secret: n.Secret}
	if made.Secret.Empty() {
		made.Secret = secret.Mint(secret.WebhookSecret)
	}
	made.Webhook = Webhook{
		ID: s.IDs.New(id.Webhook), AppID: appID, URL: url, Description: n.Description, Events: events, Enabled: n.Enabled, Version: 1,
	}
	sealed := s.seal(made.ID, made.Secret)
	return func(ctx context.Context, tx *db.Tx) (Created, error) {
		made.CreatedAt, made.UpdatedAt = tx.Now(), tx.Now()
		switch have, err := countOf(ctx, tx, appID); {
		case err != nil:
			return Created{}, err
		case have >= MaxPerApp:
			return Created{}, ErrLimit
		}
		return made, insert(ctx, tx, made.Webhook, sealed)
	}, nil
}

// checkURL gives the form of a URL that is stored, or says what is wrong with it (CONS-07, DLIV-07).
func (s *Service) checkURL(ctx context.Context, url string, unproven bool) (string, error) {
	check := s.Outbound.CheckURL
	if unproven {
		check = s.Outbound.CheckForm
	}
	checked, err := check(ctx, url)
	if err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", ErrURL.With(err.Error()).Because(err)
	}
	return checked, nil
}

func (s *Service) seal(webhookID string, value secret.Secret) []byte {
	return s.Keys.Seal(secretUse, webhookID, []byte(value.Reveal()))
}

// List reads the webhooks of an app.
func (s *Service) List(ctx context.Context, appID, by string) ([]Webhook, error) {
	var list []Webhook
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		list, err = listOf(ctx, tx, appID)
		for i := range list {
			list[i].forgetPrevious(tx.Now())
		}
		return err
	})
	return list, err
}

// Get reads one webhook.
func (s *Service) Get(ctx context.Context, appID, by, webhookID string) (Webhook, error) {
	var w Webhook
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		w, err = authorized(ctx, tx, appID, by, webhookID, organization.Look)
		return err
	})
	return w, err
}

// authorized reads a webhook for a member of its app's organization who may do that.
func authorized(ctx context.Context, tx *db.Tx, appID, by, webhookID string, a organization.Ability) (Webhook, error) {
	if _, err := app.Authorize(ctx, tx, appID, by, a); err != nil {
		return Webhook{}, err
	}
	w, err := find(ctx, tx, appID, webhookID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	w.forgetPrevious(tx.Now())
	return w, err
}

// changing reads a webhook for someone who is about to change it. The app's row is locked, so that changes follow one another.
// version, if not 0, must be the present one.
func changing(ctx context.Context, tx *db.Tx, appID, by, webhookID string, version int) (Webhook, error) {
	if _, err := app.FindLocked(ctx, tx, appID); err != nil {
		return Webhook{}, err
	}
	w, err := authorized(ctx, tx, appID, by, webhookID, organization.Build)
	if err == nil && version != 0 && version != w.Version {
		err = ErrChanged
	}
	return w, err
}

// Change changes a webhook. version, if not 0, must be the present one.
func (s *Service) Change(ctx context.Context, appID, by, webhookID string, version int, p Patch) (Webhook, error) {
	var c fault.Check
	if p.Description != nil {
		checked := checkDescription(&c, *p.Description)
		p.Description = &checked
	}
	if err := c.Err(); err != nil {
		return Webhook{}, err
	}
	if p.Events != nil {
		events, err := checkEvents("events", *p.Events)
		if err != nil {
			return Webhook{}, err
		}
		p.Events = &events
	}
	if p.URL != nil {
		// Whoever may not change it must not learn anything about addresses either.
		if err := s.mayBuild(ctx, appID, by, webhookID); err != nil {
			return Webhook{}, err
		}
		url, err := s.checkURL(ctx, *p.URL, false)
		if err != nil {
			return Webhook{}, err
		}
		p.URL = &url
	}
	var w Webhook
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if w, err = changing(ctx, tx, appID, by, webhookID, version); err != nil {
			return err
		}
		was := w
		if !p.apply(&w) {
			return nil
		}
		changed, err := update(ctx, tx, w)
		if err == nil && !changed {
			err = ErrChanged
		}
		w.Version, w.UpdatedAt = w.Version+1, tx.Now()
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actChanged, webhookID, w.changes(was))
	})
	return w, err
}

func (s *Service) mayBuild(ctx context.Context, appID, by, webhookID string) error {
	return s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		_, err := authorized(ctx, tx, appID, by, webhookID, organization.Build)
		return err
	})
}

// apply reports whether something changes.
func (p Patch) apply(w *Webhook) bool {
	was := *w
	if p.URL != nil {
		w.URL = *p.URL
	}
	if p.Description != nil {
		w.Description = *p.Description
	}
	if p.Events != nil {
		w.Events = *p.Events
	}
	if p.Enabled != nil {
		w.Enabled = *p.Enabled
	}
	return !reflect.DeepEqual(was, *w)
}

// Delete takes a webhook away. Deliveries that wait for it are dropped when they fall due. version, if not 0, must be the
// present one.
func (s *Service) Delete(ctx context.Context, appID, by, webhookID string, version int) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := changing(ctx, tx, appID, by, webhookID, version); err != nil {
			return err
		}
		was, err := markDeleted(ctx, tx, appID, webhookID)
		if err == nil && !was {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actDeleted, webhookID, nil)
	})
}

// Rotate gives a webhook a new secret. The one before goes on signing for Overlap; one before that stops at once: a header
// carries at most two values. version, if not 0, must be the present one.
func (s *Service) Rotate(ctx context.Context, appID, by, webhookID string, version int) (Rotated, error) {
	r := Rotated{Secret: secret.Mint(secret.WebhookSecret)}
	sealed := s.seal(webhookID, r.Secret)
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := changing(ctx, tx, appID, by, webhookID, version); err != nil {
			return err
		}
		r.PreviousUntil = tx.Now().Add(Overlap)
		was, err := replaceSecret(ctx, tx, appID, webhookID, sealed, r.PreviousUntil)
		if err == nil && !was {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actRotated, webhookID, nil)
	})
	return r, err
}
