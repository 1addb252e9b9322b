package webhook

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/organization"
)

// MaxListed is how many deliveries a list shows: the most recent ones (DLIV-05).
const MaxListed = 100

// MaxRedelivered is how many deliveries one call queues again.
const MaxRedelivered = 1000

// Filter narrows a list of deliveries; an empty member does not.
type Filter struct {
	Status     Status
	Type       event.Type
	BusinessID string
}

// Deliveries lists the most recent deliveries of a webhook, newest first, without their bodies.
func (s *Service) Deliveries(ctx context.Context, appID, by, webhookID string, f Filter) ([]Delivery, error) {
	var list []Delivery
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = authorized(ctx, tx, appID, by, webhookID, organization.Look); err != nil {
			return err
		}
		list, err = listDeliveries(ctx, tx, webhookID, f, MaxListed)
		return err
	})
	return list, err
}

// Found is what a search among deliveries came to.
type Found struct {
	Deliveries []Delivery // up to MaxListed, newest first, without their bodies
	// Next is where the search goes on: it has not found as many as it may, and not yet seen everything. Nil when it is done.
	Next *string
}

// stride is how many deliveries one search looks at where no index leads to those that are asked for.
const stride = 20_000

// Search lists the most recent deliveries of a webhook that fit. A rare one among millions is looked for a stretch at a time: at is
// empty, or where the search before ended.
func (s *Service) Search(ctx context.Context, appID, by, webhookID string, f Filter, at string) (Found, error) {
	var found Found
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := authorized(ctx, tx, appID, by, webhookID, organization.Look); err != nil {
			return err
		}
		before, err := cursor.Read(at, "deliveries", webhookID, f)
		if err != nil {
			return err
		}
		found, err = f.search(ctx, tx, webhookID, before, stride)
		return err
	})
	return found, err
}

// search looks at so many deliveries from before an id on.
func (f Filter) search(ctx context.Context, tx *db.Tx, webhookID, before string, steps int) (found Found, err error) {
	w := within{before: before}
	if f.scans() {
		if w.from, err = reaches(ctx, tx, webhookID, before, steps); err != nil {
			return found, err
		}
	}
	found.Deliveries, err = listWithin(ctx, tx, webhookID, f, w, MaxListed)
	if w.from != "" && len(found.Deliveries) < MaxListed {
		found.Next = new(cursor.Write(w.from, "deliveries", webhookID, f))
	}
	return found, err
}

// scans says that no index leads to what is asked for: most deliveries were delivered, and those of one sort may be few.
func (f Filter) scans() bool {
	return f.Status != Failed && f.Status != Retrying && f.BusinessID != TestBusiness && f != Filter{}
}

// Delivery reads one delivery with its attempts, oldest first.
func (s *Service) Delivery(ctx context.Context, appID, by, webhookID, deliveryID string) (Delivery, []Attempt, error) {
	var d Delivery
	var attempts []Attempt
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = authorized(ctx, tx, appID, by, webhookID, organization.Look); err != nil {
			return err
		}
		if d, err = foundDelivery(ctx, tx, webhookID, deliveryID); err != nil {
			return err
		}
		attempts, err = listAttempts(ctx, tx, deliveryID)
		return err
	})
	return d, attempts, err
}

func foundDelivery(ctx context.Context, tx *db.Tx, webhookID, deliveryID string) (Delivery, error) {
	d, err := findDelivery(ctx, tx, webhookID, deliveryID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNoDelivery
	}
	return d, err
}

// Test queues a delivery of the sample of an event: of kind, which the webhook must hear of, or of the first one that it
// hears of (TDEL-01).
func (s *Service) Test(ctx context.Context, appID, by, webhookID string, kind event.Type) (Delivery, error) {
	deliveryID := s.IDs.New(id.Delivery)
	var d Delivery
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		one, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
		}
		w, err := authorized(ctx, tx, appID, by, webhookID, organization.Build)
		if err != nil {
			return err
		}
		chosen, err := w.sampled(kind)
		if err != nil {
			return err
		}
		now := tx.Now()
		d = Delivery{
			ID: deliveryID, WebhookID: w.ID, AppID: appID, BusinessID: TestBusiness, Type: chosen, Status: Queued, CreatedAt: now, DueAt: &now,
		}
		data, err := sampleData(event.Sample(chosen))
		if err != nil {
			return err
		}
		d.Body, err = content{kind: chosen, version: versionOf(one.PinnedAPIVersion), businessID: TestBusiness, created: now, data: data}.body(d.ID)
		if err != nil {
			return err
		}
		return s.queue(ctx, tx, []Delivery{d})
	})
	return d, err
}

// sampled is the event whose sample a test delivery carries.
func (w Webhook) sampled(kind event.Type) (event.Type, error) {
	if kind == "" {
		if len(w.Events) == 0 {
			return event.InvoiceCreated, nil
		}
		return w.Events[0], nil
	}
	for _, t := range w.Events {
		if t == kind {
			return t, nil
		}
	}
	if _, ok := event.Find(kind); !ok {
		return "", ErrUnknownEvent.With(clip(string(kind)))
	}
	return "", ErrNotHeard.With(kind)
}

// Redeliver queues a failed delivery again: the same row, id and body, with its attempts counted anew (REDL-01…03).
func (s *Service) Redeliver(ctx context.Context, appID, by, webhookID, deliveryID string) (Delivery, error) {
	var d Delivery
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := authorized(ctx, tx, appID, by, webhookID, organization.Build); err != nil {
			return err
		}
		var err error
		if d, err = s.repeat(ctx, tx, appID, webhookID, deliveryID); err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actRedelivered, webhookID, map[string]any{"deliveryId": d.ID})
	})
	return d, err
}

// MayRedeliver says why a delivery cannot be queued again at this moment, as Redeliver would, so that people need not try; nil if it
// can. The refusal is the answer, and not the error.
func (s *Service) MayRedeliver(ctx context.Context, appID, by, webhookID, deliveryID string) (refusal *fault.Fault, err error) {
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := authorized(ctx, tx, appID, by, webhookID, organization.Look); err != nil {
			return err
		}
		d, err := foundDelivery(ctx, tx, webhookID, deliveryID)
		if err != nil {
			return err
		}
		p, err := look(ctx, tx, d.BusinessID, appID)
		if err != nil {
			return err
		}
		refusal = fault.From(d.mayRepeat(p, tx.Now()))
		return nil
	})
	return refusal, err
}

// repeat queues a failed delivery again.
func (s *Service) repeat(ctx context.Context, tx *db.Tx, appID, webhookID, deliveryID string) (Delivery, error) {
	d, err := foundDelivery(ctx, tx, webhookID, deliveryID)
	if err != nil {
		return d, err
	}
	p, err := look(ctx, tx, d.BusinessID, appID)
	if err != nil {
		return d, err
	}
	if err := d.mayRepeat(p, tx.Now()); err != nil {
		return d, err
	}
	n, err := requeue(ctx, tx, webhookID, []string{d.ID})
	if err != nil {
		return d, err
	}
	if n == 0 { // somebody else did at the same moment
		return d, ErrNotFailed.With(Queued)
	}
	d.requeued(tx.Now())
	s.afterwards(tx, webhookID, appID)
	return d, nil
}

// mayRepeat says why a delivery cannot be queued again.
func (d Delivery) mayRepeat(p picture, now time.Time) error {
	switch {
	case d.tooOld(now):
		return ErrTooOld
	case d.Status == Retrying:
		return ErrPendingRetry.With(event.Instant(*d.DueAt))
	case d.Status != Failed:
		return ErrNotFailed.With(d.Status)
	}
	entry, _ := event.Find(d.Type)
	if refusal := p.drop(d.AppID, d.WebhookID, entry, d.test()).refusal(entry); refusal != nil {
		return refusal
	}
	return nil
}

func (d *Delivery) requeued(now time.Time) {
	d.Status, d.Attempts, d.DueAt, d.ResponseCode, d.LastError = Queued, 0, &now, nil, nil
}

// afterwards has queued deliveries looked for in the store once they are committed.
func (s *Service) afterwards(tx *db.Tx, webhookID, appID string) {
	if s.Sender != nil {
		tx.AfterCommit(func() { s.Sender.expect(webhookID, appID) })
	}
}

// Span says which failed deliveries are meant: created from Since on and before Until, of some types or of all.
type Span struct {
	Since, Until time.Time
	Types        []event.Type
}

// Redelivered tells how many deliveries were queued again, and how many could not be: the app is not installed any more, or
// lacks a scope.
type Redelivered struct{ Queued, Refused int }

// RedeliverFailed queues up to 1000 failed deliveries of a webhook again, oldest first.
func (s *Service) RedeliverFailed(ctx context.Context, appID, by, webhookID string, span Span) (Redelivered, error) {
	if _, err := checkEvents("types", span.Types); err != nil {
		return Redelivered{}, err
	}
	var r Redelivered
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := authorized(ctx, tx, appID, by, webhookID, organization.Build); err != nil {
			return err
		}
		var err error
		if r, err = s.repeatFailed(ctx, tx, appID, webhookID, span); err != nil {
			return err
		}
		return s.leave(ctx, tx, appID, by, actRedelivered, webhookID, map[string]any{"queued": r.Queued, "refused": r.Refused})
	})
	return r, err
}

func (s *Service) repeatFailed(ctx context.Context, tx *db.Tx, appID, webhookID string, span Span) (Redelivered, error) {
	list, err := listFailed(ctx, tx, webhookID, span, MaxRedelivered)
	if err != nil {
		return Redelivered{}, err
	}
	pictures := map[string]picture{}
	var ids []string
	for _, d := range list {
		p, known := pictures[d.BusinessID]
		if !known {
			if p, err = look(ctx, tx, d.BusinessID, appID); err != nil {
				return Redelivered{}, err
			}
			pictures[d.BusinessID] = p
		}
		if d.mayRepeat(p, tx.Now()) == nil {
			ids = append(ids, d.ID)
		}
	}
	n, err := requeue(ctx, tx, webhookID, ids)
	if err != nil {
		return Redelivered{}, err
	}
	s.afterwards(tx, webhookID, appID)
	return Redelivered{Queued: int(n), Refused: len(list) - int(n)}, nil
}
