package webhook

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
)

// Deliver implements event.Subscribers: it writes a delivery for every webhook that may hear of the events, in the
// transaction of the change itself (HOOK-04).
func (s *Service) Deliver(ctx context.Context, tx *db.Tx, revision int64, events []event.Event) error {
	p, err := s.picture(ctx, tx, revision, events)
	if err != nil {
		return err
	}
	var list []Delivery
	for _, e := range events {
		entry, _ := event.Find(e.Type)
		for appID, receivers := range p.receivers {
			if e.AppID != nil && *e.AppID != appID {
				continue
			}
			granted, installed := p.grants[appID]
			for _, r := range receivers {
				if !r.hears[string(e.Type)] || gate(entry, false, factsOf(r, granted, installed)) != "" {
					continue
				}
				d, err := s.newDelivery(r, e)
				if err != nil {
					return err
				}
				list = append(list, d)
			}
		}
	}
	return s.queue(ctx, tx, list)
}

// picture is who hears of these events of one business: remembered, or else as the transaction itself sees it, which may
// be different from what others see and so is not remembered.
func (s *Service) picture(ctx context.Context, tx *db.Tx, revision int64, events []event.Event) (picture, error) {
	var apps []string
	for _, e := range events {
		if e.AppID != nil && !slices.Contains(apps, *e.AppID) {
			apps = append(apps, *e.AppID)
		}
	}
	businessID := events[0].BusinessID
	if s.Sender != nil {
		if p, known := s.Sender.memory.recall(revision, businessID, apps...); known {
			return p, nil
		}
		tx.AfterCommit(func() { s.Sender.remember(businessID, apps...) })
	}
	return look(ctx, tx, businessID, apps...)
}

func (s *Service) newDelivery(r *receiver, e event.Event) (Delivery, error) {
	d := Delivery{
		ID: s.IDs.New(id.Delivery), WebhookID: r.webhookID, AppID: r.appID, BusinessID: e.BusinessID, EventID: &e.ID, Type: e.Type,
		Status: Queued, CreatedAt: e.CreatedAt, DueAt: &e.CreatedAt, judged: r,
	}
	var err error
	d.Body, err = content{
		eventID: &e.ID, kind: e.Type, version: versionOf(r.pin), businessID: e.BusinessID, created: e.CreatedAt, data: e.Data,
	}.body(d.ID)
	return d, err
}

// queue writes new deliveries. Those that this process can send at once are its own from the start, which saves the claim;
// the others wait for whoever has room.
func (s *Service) queue(ctx context.Context, tx *db.Tx, list []Delivery) error {
	if len(list) == 0 {
		return nil
	}
	if s.Sender != nil {
		s.Sender.adopt(tx, list)
	}
	return insertDeliveries(ctx, tx, list)
}
