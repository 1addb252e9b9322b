package webhook

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

// Settle sends everything that is due by now and returns when it is written down. Whoever turns the clock of development mode
// calls it.
func (s *Sender) Settle(ctx context.Context) error {
	until := s.Clock.Now()
	s.mu.Lock()
	s.hurry++
	s.traffic.wakeAll()
	s.launch()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.hurry--
		s.mu.Unlock()
	}()
	for {
		next := s.progress.next()
		s.sweep(ctx)
		left, err := s.left(ctx, until)
		if err != nil || !left {
			return err
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.quit:
			return nil
		}
	}
}

func (s *Sender) left(ctx context.Context, until time.Time) (left bool, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		left, err = anyDue(ctx, tx, until)
		return err
	})
	return left, err
}

// NextDue is when the next attempt falls due, or fell due if it is under way; ok is false when nothing waits.
func (s *Sender) NextDue(ctx context.Context) (due time.Time, ok bool, err error) {
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
