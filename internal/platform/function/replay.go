package function

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/webhook"
)

// Deliveries lists the most recent deliveries to a function, newest first: what ran, what waits for another attempt, and what was
// dropped without a run.
func (s *Service) Deliveries(ctx context.Context, appID, by, functionID string, f webhook.Filter) ([]webhook.Delivery, error) {
	var all []webhook.Delivery
	err := s.look(ctx, appID, by, functionID, func(tx *db.Tx, _ Function) (err error) {
		all, err = webhook.DeliveriesTo(ctx, tx, functionID, f)
		return err
	})
	return all, err
}

// Redeliver queues a failed delivery again, by the rules of webhooks.
func (s *Service) Redeliver(ctx context.Context, appID, by, functionID, deliveryID string) (webhook.Delivery, error) {
	var d webhook.Delivery
	err := s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		f, err := current(ctx, tx, appID, functionID, 0)
		if err != nil {
			return err
		}
		if d, err = s.Webhooks.RepeatTo(ctx, tx, f.target(), deliveryID); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actRedelivered, objectOf(functionID), map[string]any{"deliveryId": deliveryID})
	})
	return d, err
}

// RedeliverRun queues the delivery that a run was an attempt of again.
func (s *Service) RedeliverRun(ctx context.Context, appID, by, functionID, runID string) (webhook.Delivery, error) {
	r, err := s.RunOf(ctx, appID, by, functionID, runID)
	if err != nil {
		return webhook.Delivery{}, err
	}
	if r.DeliveryID == nil {
		return webhook.Delivery{}, ErrByHand
	}
	return s.Redeliver(ctx, appID, by, functionID, *r.DeliveryID)
}

// RedeliverFailed queues up to 1000 failed deliveries to a function again, oldest first.
func (s *Service) RedeliverFailed(ctx context.Context, appID, by, functionID string, span webhook.Span) (webhook.Redelivered, error) {
	if _, err := webhook.CheckEvents("types", span.Types); err != nil {
		return webhook.Redelivered{}, err
	}
	var done webhook.Redelivered
	err := s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		f, err := current(ctx, tx, appID, functionID, 0)
		if err != nil {
			return err
		}
		if done, err = s.Webhooks.RepeatFailedTo(ctx, tx, f.target(), span); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actRedelivered, objectOf(functionID), map[string]any{"queued": done.Queued, "refused": done.Refused})
	})
	return done, err
}
