package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// RunTogether is Run for steps of which many come at once for the same thing, such as the books of one business. Who comes first
// gets a transaction at once. Those who come while some are under way are carried out in the next one, together, so that they can
// share what they read and write their rows in few statements: see Joint. A step that is refused takes nothing from the others.
// When a joint transaction fails as a whole, each of its steps gets one of its own.
//
// A caller whose context ends before the step has begun leaves; later the outcome is waited for, as with Write.
func RunTogether[T any](ctx context.Context, d *DB, key any, step Step[T]) (T, error) {
	var done T
	err := d.crowds.enter(ctx, d, key, func(ctx context.Context, tx *Tx) (err error) {
		done, err = step(ctx, tx)
		return err
	})
	return done, err
}

// Joint is a transaction that several steps share. Nil, in a transaction of one step alone.
type Joint struct {
	kept map[any]any
	undo []func()                      // of the step at hand
	last []func(context.Context) error // before the commit
}

// Joint tells whether steps share this transaction.
func (tx *Tx) Joint() *Joint { return tx.joint }

// Kept is what an earlier step kept under a key.
func (j *Joint) Kept(key any) any { return j.kept[key] }

// Keep keeps something for the steps that follow.
func (j *Joint) Keep(key, value any) { j.kept[key] = value }

// Undo is called when the step at hand is refused after all. Statements that it ran are not undone: a step that writes rows at once
// does so as the very last thing.
func (j *Joint) Undo(f func()) { j.undo = append(j.undo, f) }

// Last is called when all steps are through, before the commit.
func (j *Joint) Last(f func(context.Context) error) { j.last = append(j.last, f) }

const (
	// mostTogether is how many steps share a transaction: on SQLite everybody else waits for it.
	mostTogether = 32
	// mostUnderWay is how many transactions of a key there are at a time: the store need not wait for the next one.
	mostUnderWay = 2
)

// crowds are the steps that wait for one another, by key.
type crowds struct {
	mu    sync.Mutex
	byKey map[any]*crowd // while a transaction is under way
}

type crowd struct {
	underWay int // transactions
	waiting  []*member
}

// member is a step on its way. It belongs to its caller until it is taken; then to whoever leads its transaction until told is closed.
type member struct {
	ctx   context.Context
	run   func(context.Context, *Tx) error
	state atomic.Int32 // as of a job
	lead  chan []*member
	told  chan struct{}
	err   error
	alone bool // it is to have a transaction of its own
}

func (c *crowds) enter(ctx context.Context, d *DB, key any, run func(context.Context, *Tx) error) error {
	m := &member{ctx: ctx, run: run, lead: make(chan []*member, 1), told: make(chan struct{})}
	if c.first(key, m) {
		defer c.handOver(key)
		return m.byItself(d)
	}
	select {
	case <-m.told:
	case group := <-m.lead:
		defer c.handOver(key)
		d.together(group)
	case <-ctx.Done():
		if m.state.CompareAndSwap(jobWaiting, jobGivenUp) {
			return ctx.Err()
		}
		select { // it has begun: its outcome is worth waiting for
		case <-m.told:
		case group := <-m.lead:
			defer c.handOver(key)
			d.together(group)
		}
	}
	if m.alone {
		return m.byItself(d)
	}
	return m.err
}

// first reports whether the member may go on by itself; otherwise it waits with the others.
func (c *crowds) first(key any, m *member) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	crowd := c.find(key)
	if crowd.underWay == mostUnderWay {
		crowd.waiting = append(crowd.waiting, m)
		return false
	}
	m.state.Store(jobTaken)
	crowd.underWay++
	return true
}

func (c *crowds) find(key any) *crowd {
	if c.byKey == nil {
		c.byKey = map[any]*crowd{}
	}
	known := c.byKey[key]
	if known == nil {
		known = &crowd{}
		c.byKey[key] = known
	}
	return known
}

// handOver has one of those who wait carry out the next transaction.
func (c *crowds) handOver(key any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	crowd := c.byKey[key]
	var group []*member
	n := 0
	for n < len(crowd.waiting) && len(group) < mostTogether {
		if m := crowd.waiting[n]; m.state.CompareAndSwap(jobWaiting, jobTaken) {
			group = append(group, m)
		}
		n++
	}
	crowd.waiting = append([]*member(nil), crowd.waiting[n:]...)
	if len(group) > 0 {
		group[0].lead <- group
		return
	}
	if crowd.underWay--; crowd.underWay == 0 {
		delete(c.byKey, key)
	}
}

// count is how many wait.
func (c *crowds) count() (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, crowd := range c.byKey {
		n += int64(len(crowd.waiting))
	}
	return n
}

func (m *member) byItself(d *DB) error {
	return d.Write(m.ctx, func(tx *Tx) error { return m.run(m.ctx, tx) })
}

// together carries out a group, and tells its members.
func (d *DB) together(group []*member) {
	ctx := context.WithoutCancel(group[0].ctx) // nobody's leaving is to end what is everybody's
	err := errAlone
	if len(group) > 1 {
		if err = d.Write(ctx, func(tx *Tx) error { return tx.together(ctx, group) }); err == nil {
			d.stats.joint.Add(int64(len(group)))
		}
	}
	for _, m := range group {
		m.alone = err != nil
		if m != group[0] {
			close(m.told)
		}
	}
}

var errAlone = errors.New("a step that has no company")

// together runs the steps of a group one after another. One that panics will do so again, and then for its own caller, when each is
// run by itself.
func (tx *Tx) together(ctx context.Context, group []*member) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	tx.joint = &Joint{kept: map[any]any{}}
	for _, m := range group {
		m.err = m.run(context.WithoutCancel(m.ctx), tx)
		if tx.failed != nil {
			return tx.failed
		}
		if errors.Is(m.err, ErrAgain) {
			return m.err
		}
		if m.err != nil {
			for i := len(tx.joint.undo) - 1; i >= 0; i-- {
				tx.joint.undo[i]()
			}
		}
		tx.joint.undo = nil
	}
	for _, f := range tx.joint.last {
		if err := f(ctx); err != nil {
			return err
		}
	}
	return nil
}
