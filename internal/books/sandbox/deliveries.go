package sandbox

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/platform/tally"
	"daybook/internal/tenancy/business"
)

// stretch is how many deliveries are looked at together.
const stretch = 1000

// farewell are the events that tell an app of a business's end. Their deliveries are still to be sent when all else is gone: they
// stay in the app's own log for as long as any.
func farewell(d delivered, one business.Sandbox) bool {
	kind := event.Type(d.kind)
	return (kind == event.AppUninstalled || kind == event.BusinessRedact) && !d.createdAt.Before(one.Since)
}

// removeDeliveries removes what webhooks were told, or are still to be told, of a business. It looks through the log of every
// webhook of an app that was installed there, from the business's beginning on.
func (s *Service) removeDeliveries(ctx context.Context, one business.Sandbox) error {
	var hooks []string
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		hooks, err = listHooks(ctx, tx, one.ID)
		return err
	})
	if err != nil {
		return err
	}
	for _, hook := range hooks {
		if err := s.removeDeliveriesTo(ctx, one, hook); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) removeDeliveriesTo(ctx context.Context, one business.Sandbox, webhookID string) error {
	after := id.At(id.Delivery, one.CreatedAt)
	for {
		var some []delivered
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			some, err = listDelivered(ctx, tx, webhookID, after, stretch)
			return err
		})
		if err != nil || len(some) == 0 {
			return err
		}
		after = some[len(some)-1].id
		var going []any
		for _, d := range some {
			if d.businessID == one.ID && !farewell(d, one) {
				going = append(going, d.id)
			}
		}
		for ids := range slices.Chunk(going, batch) {
			if err := s.DB.Write(ctx, func(tx *db.Tx) error { return removeDelivered(ctx, tx, webhookID, one.ID, ids) }); err != nil {
				return err
			}
		}
	}
}

// removeDelivered removes deliveries, also from what is counted of them.
func removeDelivered(ctx context.Context, tx *db.Tx, webhookID, businessID string, ids []any) error {
	if err := tally.Removing(ctx, tx); err != nil {
		return err
	}
	gone, err := deleteDelivered(ctx, tx, ids)
	if err != nil {
		return err
	}
	return tally.Removed(ctx, tx, webhookID, businessID, gone)
}
