package webhook

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"daybook/internal/base/db"
)

// recorder collects what came of attempts, so that many are written down by one transaction.
type recorder struct {
	mu   sync.Mutex
	list []outcome
	wake chan struct{}
}

// writeTogether is how many outcomes one transaction writes down.
const writeTogether = 256

func (r *recorder) add(o outcome) {
	r.mu.Lock()
	r.list = append(r.list, o)
	r.mu.Unlock()
	signal(r.wake)
}

func (r *recorder) take() []outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.list), writeTogether)
	part := r.list[:n:n]
	if r.list = r.list[n:]; len(r.list) == 0 {
		r.list = make([]outcome, 0, n) // about as many come while these are written
	}
	return part
}

// recordLoop writes down outcomes as they come. While one transaction is under way the next ones gather.
func (s *Sender) recordLoop() {
	for {
		select {
		case <-s.records.wake:
			s.recordAll()
		case <-s.quit:
			s.recordAll()
			return
		}
	}
}

// recordAgain is the pause before a failed record is tried again.
const recordAgain = 100 * time.Millisecond

func (s *Sender) recordAll() {
	for {
		part := s.records.take()
		if len(part) == 0 {
			return
		}
		for {
			err := s.write(context.WithoutCancel(s.ctx), part)
			if err == nil {
				break
			}
			s.trouble(context.Background(), "attempts were not written down; it is tried again", err)
			if !s.pause(recordAgain) {
				break // the process ends: what is not written down is made again
			}
		}
		s.mu.Lock()
		s.traffic.held -= len(part)
		for _, o := range part {
			delete(s.hand, holding{o.owner, o.delivery.ID})
		}
		wants := len(s.traffic.wants) > 0
		s.mu.Unlock()
		if wants {
			s.notice()
		}
		s.progress.tell()
	}
}

// write writes down outcomes, each as far as its owner still has the delivery in hand: what a process finds out after it was
// taken for dead does not count.
func (s *Sender) write(ctx context.Context, list []outcome) error {
	done, back := list, []outcome(nil)
	if slices.ContainsFunc(list, func(o outcome) bool { return o.released }) {
		done = nil
		for _, o := range list {
			if o.released {
				back = append(back, o)
			} else {
				done = append(done, o)
			}
		}
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		written, err := writeOutcomes(ctx, tx, done)
		if err != nil {
			return err
		}
		tried := make([]outcome, 0, len(done))
		for _, o := range done {
			if o.attempt != nil && written[o.delivery.ID] {
				tried = append(tried, o)
			}
		}
		if err := insertAttempts(ctx, tx, tried); err != nil {
			return err
		}
		for _, o := range tried {
			if o.keep == nil {
				continue
			}
			if err := o.keep(ctx, tx); err != nil {
				return err
			}
		}
		for _, o := range back {
			if err := putBack(ctx, tx, o.owner, o.delivery.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// pause waits on the machine's clock; false: the sender stops.
func (s *Sender) pause(d time.Duration) bool {
	alarm := s.Machine.Alarm(s.Machine.Now().Add(d))
	defer alarm.Stop()
	select {
	case <-alarm.C:
		return true
	case <-s.quit:
		return false
	}
}

func sortDeliveries(list []Delivery) {
	slices.SortFunc(list, func(a, b Delivery) int {
		return cmp.Or(a.DueAt.Compare(*b.DueAt), cmp.Compare(a.ID, b.ID))
	})
}

// broadcast wakes everyone who waits for the next thing to happen.
type broadcast struct {
	mu sync.Mutex
	ch chan struct{}
}

// next is closed when something happens from now on.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
