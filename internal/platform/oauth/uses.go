package oauth

import (
	"context"
	"sync"
	"time"
)

// uses collects when installations were last used, so that an API call costs no write. It is written down every so often
// and at the end; what a crash loses is a few minutes of "last used", nothing that decides anything.
type uses struct {
	mu   sync.Mutex
	last map[string]time.Time
}

func (u *uses) note(installationID string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[string]time.Time{}
	}
	u.last[installationID] = now
}

func (u *uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.last
	u.last = nil
	return taken
}

// NoteUses writes down what was collected.
func (s *Service) NoteUses(ctx context.Context) error {
	used := s.uses.take()
	if len(used) == 0 {
		return nil
	}
	return s.Installs.NoteUse(ctx, used)
}
