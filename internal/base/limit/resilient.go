package limit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"daybook/internal/base/clock"
)

// Resilient counts in Redis, and in the process while Redis is away.
//
// A call waits at most 50 ms for Redis and is then answered from the local counters. After 5 failures within one
// second nobody waits any more: the breaker is open, everything is counted locally with the same numbers, and a
// probe each second finds out when Redis is back.
//
// The local counters follow what Redis answers. So losing Redis gives no key a fresh window, and a lock this
// node knows of holds its time whether Redis goes, comes back, or comes back empty. What the node counted
// alone is not told to Redis afterwards: around a return a key may get up to one more Max.
type Resilient struct {
	redis    *Redis
	local    *Local
	clock    clock.Clock
	log      *slog.Logger
	onChange func(degraded bool)

	change  sync.Mutex // held while the breaker is written and the change told
	breaker breaker
	slots   chan struct{} // one is taken while a question is with the client library
	opened  chan struct{} // wakes the probe
	stop    chan struct{}
	ended   chan struct{} // the probe has
	closing sync.Once
}

// Parts is what a Resilient is made of.
type Parts struct {
	Redis *Redis // closed by the Resilient
	Local *Local
	Clock clock.Clock
	Log   *slog.Logger
	// OnChange hears of every change, in order and after the log. It must be quick; it may be nil.
	OnChange func(degraded bool)
}

const (
	// inFlight is how many questions may be on their way, those included that nobody waits for any more. More
	// are answered locally. It is at most the client's ring (2^ringScale), which blocks when full.
	inFlight  = 1 << 10
	ringScale = 11
)

// NewResilient starts the background probe; Close ends it.
func NewResilient(p Parts) *Resilient {
	r := &Resilient{
		redis: p.Redis, local: p.Local, clock: p.Clock, log: p.Log, onChange: p.OnChange,
		slots:  make(chan struct{}, inFlight),
		opened: make(chan struct{}, 1),
		stop:   make(chan struct{}),
		ended:  make(chan struct{}),
	}
	if r.onChange == nil {
		r.onChange = func(bool) {}
	}
	go r.probe()
	return r
}

// Degraded reports whether calls are counted by this node alone.
func (r *Resilient) Degraded() bool { return r.breaker.open.Load() }

// Close ends the probe and every question on its way, then the connection. Later calls are counted locally.
func (r *Resilient) Close() {
	r.closing.Do(func() {
		close(r.stop)
		r.redis.Close()
		<-r.ended
		for range cap(r.slots) {
			r.slots <- struct{}{}
		}
	})
}

// Take implements Limiter.
func (r *Resilient) Take(ctx context.Context, hits ...Hit) []Window {
	if r.Degraded() {
		return r.local.Take(ctx, hits...)
	}
	q := ask(hitItems(hits), r.now())
	spans, ok := r.answer(q)
	if !ok {
		return r.local.Take(ctx, hits...)
	}
	follow(r.local.windows, q, spans)
	return windows(hits, spans, q.now)
}

// Locked implements Limiter. A lock counts whether Redis holds it or only this node.
func (r *Resilient) Locked(ctx context.Context, marks ...Mark) time.Duration {
	if r.Degraded() {
		return r.local.Locked(ctx, marks...)
	}
	q := ask(markItems(verbLook, marks), r.now())
	spans, ok := r.answer(q)
	if ok {
		follow(r.local.locks, q, spans)
	}
	return max(longestLock(q.items, spans, q.now), r.local.Locked(ctx, marks...))
}

// Fail implements Limiter. A key that this node holds locked is not counted in Redis either, because a second
// lock there would end later than the first.
func (r *Resilient) Fail(ctx context.Context, marks ...Mark) {
	if r.Degraded() {
		r.local.Fail(ctx, marks...)
		return
	}
	now := r.now()
	items := markItems(verbCount, marks)
	for i := range marks {
		if r.local.locked(&marks[i], now) > 0 {
			items[i].verb = verbLook
		}
	}
	q := ask(items, now)
	spans, ok := r.answer(q)
	if !ok {
		r.local.Fail(ctx, marks...)
		return
	}
	follow(r.local.locks, q, spans)
}

func follow(t *table, q question, spans []span) {
	for i, s := range spans {
		t.follow(q.items[i].name, q.items[i].key, q.items[i].law, s, q.now)
	}
}

func (r *Resilient) now() int64 { return clock.Millis(r.clock.Now()) }
