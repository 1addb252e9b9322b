package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// RunTogether is Run for steps of which many come at once for the same thing, such as the books of one business. Who comes first
// gets a transaction at once. Those who come while it is under way are carried out in the next one, together, so that they can
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

// mostTogether is how many steps share a transaction: on SQLite everybody else waits for it.
const mostTogether = 64

// crowds are the steps that wait for one another, by key.
type crowds struct {
	mu      sync.Mutex
	waiting map[any][]*member // while a transaction is under way
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
		c.carryOut(d, key, group)
	case <-ctx.Done():
		if m.state.CompareAndSwap(jobWaiting, jobGivenUp) {
			return ctx.Err()
		}
		select { // it has begun: its outcome is worth waiting for
		case <-m.told:
		case group := <-m.lead:
			c.carryOut(d, key, group)
		}
	}
	if m.alone {
		return m.byItself(d)
	}
	return m.err
}

// first reports whether nobody is under way; otherwise the member waits with the others.
func (c *crowds) first(key any, m *member) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, underWay := c.waiting[key]
	if underWay {
		c.waiting[key] = append(waiting, m)
		return false
	}
	if c.waiting == nil {
		c.waiting = map[any][]*member{}
	}
	m.state.Store(jobTaken)
	c.waiting[key] = nil
	return true
}

// handOver has one of those who wait carry out the next transaction.
func (c *crowds) handOver(key any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.waiting[key]
	var group []*member
	for len(waiting) > 0 && len(group) < mostTogether {
		if m := waiting[0]; m.state.CompareAndSwap(jobWaiting, jobTaken) {
			group = append(group, m)
		}
		waiting = waiting[1:]
	}
	if len(group) == 0 {
		delete(c.waiting, key)
		return
	}
	c.waiting[key] = slices.Clone(waiting)
	group[0].lead <- group
}

// carryOut carries out a group and tells its members. The next group begins before they are told: they have much to do then, and the
// store has nothing.
func (c *crowds) carryOut(d *DB, key any, group []*member) {
	alone := d.together(group) != nil
	c.handOver(key)
	for _, m := range group {
		m.alone = alone
		if m != group[0] {
			close(m.told)
		}
	}
}

// count is how many wait.
func (c *crowds) count() (n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, waiting := range c.waiting {
		n += int64(len(waiting))
	}
	return n
}

func (m *member) byItself(d *DB) error {
	return d.Write(m.ctx, func(tx *Tx) error { return m.run(m.ctx, tx) })
}

// together gives a group a transaction. After an error each member is to have its own.
func (d *DB) together(group []*member) error {
	if len(group) == 1 {
		return errAlone
	}
	ctx := context.WithoutCancel(group[0].ctx) // nobody's leaving is to end what is everybody's
	err := d.Write(ctx, func(tx *Tx) error { return tx.together(ctx, group) })
	if err == nil {
		d.stats.joint.Add(int64(len(group)))
	}
	return err
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
