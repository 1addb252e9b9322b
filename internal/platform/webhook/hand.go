package webhook

import (
	"context"

	"daybook/internal/base/db"
)

// holding is a delivery in this process's hand, under the name that it had then.
type holding struct{ owner, delivery string }

// take notes what is in hand. The caller holds mu.
func (s *Sender) take(list []Delivery) {
	if s.hand == nil {
		s.hand = map[holding]bool{}
	}
	for _, d := range list {
		s.hand[holding{*d.Owner, d.ID}] = true
	}
}

// lookAgain puts back what is in this process's hand by the store, and not by its own account: a commit whose answer was lost
// with the connection may have happened, and nobody would ever send what it took. What was just committed is not yet noted, so
// only what is missing at two looks in a row is put back.
func (s *Sender) lookAgain(ctx context.Context) error {
	owner := s.node.id()
	if owner == nil {
		return nil
	}
	var stored []string
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		stored, err = ownedBy(ctx, tx, *owner)
		return err
	})
	if err != nil {
		return err
	}
	missing := map[holding]bool{}
	var lost []string
	s.mu.Lock()
	for _, deliveryID := range stored {
		if h := (holding{*owner, deliveryID}); !s.hand[h] {
			missing[h] = true
			if s.missing[h] {
				lost = append(lost, deliveryID)
			}
		}
	}
	s.missing = missing
	s.mu.Unlock()
	if len(lost) == 0 {
		return nil
	}
	s.Log.Warn("webhooks: deliveries were in hand without this process knowing; they are put back", "deliveries", len(lost))
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, deliveryID := range lost {
			if err := putBack(ctx, tx, *owner, deliveryID); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.sweep(ctx)
	}
	return err
}
