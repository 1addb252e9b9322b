package oauth

import (
	"context"
	"errors"
	"sync"
	"time"

	"daybook/internal/platform/app"
)

// uses collects when installations and client secrets were last used, so that an API call costs no write. It is written down
// every so often and at the end; what a crash loses is half a minute of "last used", nothing that decides anything.
type uses struct {
	mu      sync.Mutex
	last    map[string]time.Time
	secrets map[app.SecretUse]time.Time
}

func (u *uses) note(installationID string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[string]time.Time{}
	}
	u.last[installationID] = now
}

// noteSecret is note for a client secret, by its hash.
func (u *uses) noteSecret(appID string, hash []byte, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.secrets == nil {
		u.secrets = map[app.SecretUse]time.Time{}
	}
	u.secrets[app.SecretUse{AppID: appID, Hash: [32]byte(hash)}] = now
}

// noteProof notes which secret a client proved itself with.
func (s *Service) noteProof(c Client, now time.Time) {
	if c.hash != nil {
		s.uses.noteSecret(c.ID, c.hash, now)
	}
}

func (u *uses) take() (installations map[string]time.Time, secrets map[app.SecretUse]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	installations, secrets = u.last, u.secrets
	u.last, u.secrets = nil, nil
	return installations, secrets
}

// NoteUses writes down what was collected.
func (s *Service) NoteUses(ctx context.Context) error {
	installations, secrets := s.uses.take()
	var failed []error
	if len(installations) > 0 {
		failed = append(failed, s.Installs.NoteUse(ctx, installations))
	}
	if len(secrets) > 0 {
		failed = append(failed, s.Apps.NoteSecretUse(ctx, secrets))
	}
	return errors.Join(failed...)
}
