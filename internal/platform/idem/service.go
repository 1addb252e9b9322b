package idem

import (
	"context"
	"errors"
	"sync"
	"time"

	"daybook/internal/base/db"
)

// life is how long an answer is kept.
const life = 24 * time.Hour

// Service keeps answers.
type Service struct {
	DB *db.DB
	// Refusal writes a refusal as its caller will see it, to be kept.
	Refusal func(error) Answer

	mu      sync.Mutex
	running map[name][]byte // fingerprints of what is being carried out on this node
}

// Begin asks before anything else whether a claim was settled: then it gives the answer. Otherwise the caller carries the
// request out, and calls End in any case.
func (s *Service) Begin(ctx context.Context, c *Claim) (*Answer, error) {
	if err := s.enter(c); err != nil {
		return nil, err
	}
	kept, err := s.find(ctx, c)
	if kept != nil || err != nil {
		s.End(c)
	}
	return kept, err
}

func (s *Service) enter(c *Claim) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, taken := s.running[c.name()]; taken {
		if !c.same(other) {
			return ErrReused
		}
		return ErrInProgress.After(time.Second)
	}
	if s.running == nil {
		s.running = map[name][]byte{}
	}
	s.running[c.name()] = c.Fingerprint
	c.begun = true
	return nil
}

// End says that a claim that was begun is no longer being carried out.
func (s *Service) End(c *Claim) {
	if !c.begun {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, c.name())
	c.begun = false
}

// find gives the answer to an earlier request of the same name, nil when there was none.
func (s *Service) find(ctx context.Context, c *Claim) (*Answer, error) {
	var kept *Answer
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		row, err := find(ctx, tx, c, tx.Now().Add(-life))
		switch {
		case errors.Is(err, db.ErrNoRows):
			return nil
		case err != nil:
			return err
		case !c.same(row.fingerprint):
			return ErrReused
		}
		kept = &row.Answer
		kept.Replayed = true
		return nil
	})
	return kept, err
}

// attempts at a claim whose answer vanished between two looks: it expired in that moment.
const attempts = 3

// Run carries out a step once for its claim, and keeps what render makes of it in the step's own transaction. Without a
// claim it is an ordinary transaction. An error is the refusal or malfunction of this very run.
func Run[T any](ctx context.Context, s *Service, c *Claim, step Step[T], render func(T) (Answer, error)) (Answer, error) {
	return RunTogether(ctx, s, c, nil, step, render)
}

// RunTogether is Run for steps that may share a transaction with others of the same key: see db.RunTogether. Without a key (nil)
// they do not.
func RunTogether[T any](ctx context.Context, s *Service, c *Claim, key any, step Step[T], render func(T) (Answer, error)) (Answer, error) {
	if c == nil {
		return transact(ctx, s, nil, key, step, render)
	}
	if !c.begun {
		kept, err := s.Begin(ctx, c)
		if err != nil {
			return Answer{}, err
		}
		if kept != nil {
			return *kept, nil
		}
		defer s.End(c)
	}
	var answer Answer
	var err error
	for range attempts {
		answer, err = transact(ctx, s, c, key, step, render)
		if err == nil {
			return answer, nil
		}
		kept, failed := s.settle(ctx, c, err)
		if failed != nil {
			return Answer{}, failed
		}
		if kept != nil {
			return *kept, nil
		}
		if !errors.Is(err, errTaken) {
			break
		}
	}
	return Answer{}, err
}

// Try carries out a step and takes everything back. It gives only what the step itself refuses, for a request that is refused
// anyway and should be told everything that is wrong with it.
func Try[T any](ctx context.Context, s *Service, step Step[T]) error {
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := step(ctx, tx); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

var errTried = errors.New("only tried: to be rolled back")

func transact[T any](ctx context.Context, s *Service, c *Claim, key any, step Step[T], render func(T) (Answer, error)) (Answer, error) {
	if c == nil { // nothing is kept, so the others need not wait until the answer is written
		done, err := carryOut(ctx, s, key, step)
		if err != nil {
			return Answer{}, err
		}
		return render(done)
	}
	return carryOut(ctx, s, key, func(ctx context.Context, tx *db.Tx) (Answer, error) {
		done, err := step(ctx, tx)
		if err != nil {
			return Answer{}, err
		}
		answer, err := render(done)
		if err != nil {
			return Answer{}, err
		}
		return answer, keep(ctx, tx, c, answer)
	})
}

func carryOut[T any](ctx context.Context, s *Service, key any, step Step[T]) (T, error) {
	if key == nil {
		return db.Run(ctx, s.DB, step)
	}
	return db.RunTogether(ctx, s.DB, key, step)
}

// settle is what follows a step that came to nothing: somebody else may have settled the claim, and then that is the
// answer; else a lasting refusal is kept.
func (s *Service) settle(ctx context.Context, c *Claim, refused error) (*Answer, error) {
	if !lasting(refused) {
		if ctx.Err() != nil {
			return nil, nil
		}
		return s.find(ctx, c)
	}
	return s.Keep(ctx, c, refused)
}

// Keep keeps a refusal that was given before there was a step, if it is a lasting one. When somebody else settled the claim
// meanwhile, it gives that answer instead.
func (s *Service) Keep(ctx context.Context, c *Claim, refused error) (*Answer, error) {
	if !lasting(refused) {
		return nil, nil
	}
	answer := s.Refusal(refused)
	err := s.DB.Write(ctx, func(tx *db.Tx) error { return keep(ctx, tx, c, answer) })
	if errors.Is(err, errTaken) {
		return s.find(ctx, c)
	}
	return nil, err
}

// cleanBatch bounds how long one clean-up transaction holds the writer.
const cleanBatch = 500

// CleanUp removes answers whose time is over.
func (s *Service) CleanUp(ctx context.Context) error {
	for {
		var n int64
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteOld(ctx, tx, tx.Now().Add(-life), cleanBatch)
			return err
		})
		if err != nil || n < cleanBatch {
			return err
		}
	}
}
