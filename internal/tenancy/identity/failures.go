package identity

import (
	"context"
	"maps"
	"slices"
	"sync"

	"daybook/internal/base/db"
	"daybook/internal/base/trail"
)

// failures counts sign-ins that failed, by whose they would have been. They are kept as counts, every now and then: a row for each
// would let anyone fill the log.
type failures struct {
	mu     sync.Mutex
	counts map[string]failed
}

type failed struct {
	times  int
	latest trail.Origin
}

// mostFailing is how many people are told apart. Failures of others, and those of nobody we know, are counted together.
const mostFailing = 10_000

func (f *failures) note(userID string, from trail.Origin, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[string]failed{}
	}
	if _, known := f.counts[userID]; !known && len(f.counts) >= mostFailing {
		userID = ""
	}
	f.counts[userID] = failed{f.counts[userID].times + times, from}
}

func (f *failures) take() map[string]failed {
	f.mu.Lock()
	defer f.mu.Unlock()
	taken := f.counts
	f.counts = nil
	return taken
}

// KeepFailures writes down how many sign-ins failed since the last time, and where the latest came from. What could not be written
// waits for the next time.
func (s *Service) KeepFailures(ctx context.Context) error {
	taken := s.failures.take()
	if s.Trail == nil || len(taken) == 0 {
		return nil
	}
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, userID := range slices.Sorted(maps.Keys(taken)) {
			f := taken[userID]
			f.latest.UserID = "" // nobody was signed in
			if err := s.leave(trail.With(ctx, f.latest), tx, "", userID, actSignInFailed, map[string]any{"times": f.times}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for userID, f := range taken {
			s.failures.note(userID, f.latest, f.times)
		}
	}
	return err
}
