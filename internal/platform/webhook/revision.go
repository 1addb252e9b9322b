package webhook

import (
	"context"
	"sync"

	"daybook/internal/base/db"
)

// revisions reads the present revision for all who ask at about the same time by one statement. What they get was read
// after they asked, so nothing that changed before is missed.
type revisions struct {
	mu      sync.Mutex
	waiting []chan revisionRead
	reading bool
}

type revisionRead struct {
	revision int64
	err      error
}

func (r *revisions) read(ctx context.Context, d *db.DB) (int64, error) {
	answer := make(chan revisionRead, 1)
	r.mu.Lock()
	r.waiting = append(r.waiting, answer)
	first := !r.reading
	r.reading = true
	r.mu.Unlock()
	if first {
		r.answer(context.WithoutCancel(ctx), d)
	}
	select {
	case got := <-answer:
		return got.revision, got.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// answer reads until nobody waits. One round for whoever happens to do it, the rest in the background.
func (r *revisions) answer(ctx context.Context, d *db.DB) {
	r.round(ctx, d)
	r.mu.Lock()
	more := len(r.waiting) > 0
	r.reading = more
	r.mu.Unlock()
	if more {
		go r.answer(ctx, d)
	}
}

func (r *revisions) round(ctx context.Context, d *db.DB) {
	r.mu.Lock()
	asked := r.waiting
	r.waiting = nil
	r.mu.Unlock()
	var got revisionRead
	got.err = d.Read(ctx, func(tx *db.Tx) (err error) {
		got.revision, err = revisionNow(ctx, tx)
		return err
	})
	for _, answer := range asked {
		answer <- got
	}
}

// wanted are the businesses of which events were written without a picture in memory.
type wanted struct {
	mu   sync.Mutex
	list map[string][]string // apps by business
	wake chan struct{}
}

// maxWanted businesses are looked up ahead; more are when they are needed.
const maxWanted = 1024

// remember has the picture of a business looked up in the background, so that the next event need not look in its own
// transaction.
func (s *Sender) remember(businessID string, apps ...string) {
	s.wanted.mu.Lock()
	if s.wanted.list == nil {
		s.wanted.list = map[string][]string{}
	}
	if len(s.wanted.list) < maxWanted {
		s.wanted.list[businessID] = apps
	}
	s.wanted.mu.Unlock()
	signal(s.wanted.wake)
}

func (s *Sender) rememberLoop() {
	for {
		select {
		case <-s.quit:
			return
		case <-s.wanted.wake:
		}
		s.wanted.mu.Lock()
		list := s.wanted.list
		s.wanted.list = nil
		s.wanted.mu.Unlock()
		for businessID, apps := range list {
			if _, err := s.learn(s.ctx, businessID, apps...); err != nil {
				s.trouble(s.ctx, "who hears of a business was not looked up", err)
			}
		}
	}
}
