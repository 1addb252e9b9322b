package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// RunTogether is Run for steps of which many come at once for the same thing, such as the books of one business. Who comes first
// gets a transaction at once. Those who come while it is under way, or waits for its turn, are carried out in one, together, so that
// they can share what they read and write their rows in few statements: see Joint. A step that is refused takes nothing from the others.
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
	mu       sync.Mutex
	waiting  map[any][]*member // while a transaction is under way
	boarding map[any]*boat     // on SQLite
	aboard   int64             // how many wait there
	usual    int               // how many were on a boat of late
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
	if d.Dialect() == SQLite {
		return c.board(d, key, m)
	}
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
	return n + c.aboard
}

// boat is a group on SQLite. There the writer is the one who carries out transactions, one after another: a group queues up for it
// with whoever comes first, the others join until its turn comes, and no time passes between one group and the next.
type boat struct {
	members []*member
	steers  *member   // who queues up for all
	group   []*member // those who are on it, once its turn has come
	left    bool
}

func (c *crowds) board(d *DB, key any, m *member) error {
	c.mu.Lock()
	b := c.boarding[key]
	if b == nil || len(b.members) >= mostTogether {
		b = &boat{steers: m}
		if c.boarding == nil {
			c.boarding = map[any]*boat{}
		}
		c.boarding[key] = b
		m.lead <- nil
	}
	b.members = append(b.members, m)
	c.aboard++
	c.mu.Unlock()
	for {
		select {
		case <-m.lead:
			c.sail(d, key, b, m)
			continue
		case <-m.told:
		case <-m.ctx.Done():
			if c.leave(key, b, m) {
				return m.ctx.Err()
			}
			<-m.told // it has begun: its outcome is worth waiting for
		}
		break
	}
	if m.alone {
		return m.byItself(d)
	}
	return m.err
}

// leave takes a member off board whose turn has not come. If it steers, somebody else does so from now on.
func (c *crowds) leave(key any, b *boat, m *member) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !m.state.CompareAndSwap(jobWaiting, jobGivenUp) {
		return m.state.Load() == jobGivenUp
	}
	if b.left || b.steers != m {
		return true
	}
	for _, other := range b.members {
		if other.state.Load() == jobWaiting {
			b.steers = other
			other.lead <- nil
			return true
		}
	}
	c.castOff(key, b)
	return true
}

// sail carries out a group and tells its members.
func (c *crowds) sail(d *DB, key any, b *boat, m *member) {
	ctx := context.WithoutCancel(m.ctx) // nobody's leaving is to end what is everybody's
	err := d.Write(m.ctx, func(tx *Tx) error {
		c.await(b)
		switch group := c.depart(key, b); {
		case len(group) == 0:
			return nil
		case len(group) > 1:
			return tx.together(ctx, group)
		case group[0] != m:
			return errAlone // a panic is for its own caller
		}
		return m.run(m.ctx, tx)
	})
	if m.ctx.Err() != nil && c.leave(key, b, m) {
		return // before its turn came
	}
	group := c.depart(key, b)
	if len(group) > 1 && err == nil {
		d.stats.joint.Add(int64(len(group)))
	}
	for _, other := range group {
		if len(group) == 1 && other == m {
			m.err = err
		} else {
			other.alone = err != nil
		}
		close(other.told)
	}
}

// await steps aside while fewer than half of the usual number are on board: those of the boat before are about to come back, and each
// boat costs a commit.
func (c *crowds) await(b *boat) {
	for range maxAsideForMany {
		c.mu.Lock()
		few := !b.left && 2*len(b.members) < c.usual
		c.mu.Unlock()
		if !few {
			return
		}
		runtime.Gosched()
	}
}

// maxAsideForMany is how often the writer steps aside for a boat; each time, everybody who can run on its core does so once.
const maxAsideForMany = 8

// depart takes everybody on board who has not left. A transaction may be run again, with the same ones.
func (c *crowds) depart(key any, b *boat) []*member {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b.left {
		return b.group
	}
	c.castOff(key, b)
	for _, m := range b.members {
		if m.state.CompareAndSwap(jobWaiting, jobTaken) {
			b.group = append(b.group, m)
		}
	}
	c.usual = max(len(b.group), c.usual*7/8)
	return b.group
}

// castOff lets nobody on board any more. The caller holds mu.
func (c *crowds) castOff(key any, b *boat) {
	b.left = true
	c.aboard -= int64(len(b.members))
	if c.boarding[key] == b {
		delete(c.boarding, key)
	}
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
