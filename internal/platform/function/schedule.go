package function

import (
	"context"
	"encoding/json"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
)

// dueTogether is how many schedules are looked up at once.
const dueTogether = 50

// RunDue queues a delivery in every business that has the app, for each schedule whose instant has come. An instant that nobody saw,
// because no node was running, is made up for once.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		var due []Function
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			due, err = listDue(ctx, tx, tx.Now(), dueTogether)
			return err
		})
		if err != nil {
			return err
		}
		for _, f := range due {
			if err := s.fire(ctx, f); err != nil {
				return err
			}
		}
		if len(due) < dueTogether {
			return nil
		}
	}
}

// fire queues what one instant of a schedule calls for. Of any number of nodes that try, the one that moves the instant on does.
func (s *Service) fire(ctx context.Context, f Function) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		won, err := moveOn(ctx, tx, f.ID, *f.NextAt, f.Trigger.Every.after(tx.Now()))
		if err != nil || !won {
			return err
		}
		pin, businesses, err := listInstalled(ctx, tx, f.AppID)
		if err != nil || len(businesses) == 0 {
			return err
		}
		data, err := json.Marshal(map[string]string{"scheduledFor": event.Instant(*f.NextAt)})
		if err != nil {
			return err
		}
		return s.Webhooks.QueueOccasion(ctx, tx, f.target(), webhook.Occasion{Kind: f.Trigger.Every.occasion(), APIVersion: pin, Data: data, Businesses: businesses})
	})
}

// NextDue is when the next schedule falls due; ok is false when there is none.
func (s *Service) NextDue(ctx context.Context) (due time.Time, ok bool, err error) {
	var first *time.Time
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		first, err = firstDue(ctx, tx)
		return err
	})
	if err != nil || first == nil {
		return time.Time{}, false, err
	}
	return *first, true, nil
}
