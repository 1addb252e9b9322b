package limit

import (
	"context"
	"errors"
	"fmt"

	"daybook/internal/base/clock"
)

var (
	errLate = fmt.Errorf("no answer within %v", patience)
	errBusy = errors.New("too many questions on their way")
)

// answer puts q to Redis. Without ok the caller counts locally.
func (r *Resilient) answer(q question) (spans []span, ok bool) {
	if len(q.items) == 0 {
		return nil, true
	}
	spans, err := r.attempt(q)
	if err == nil {
		return spans, true
	}
	if !errors.Is(err, errBusy) { // being busy is no failure of Redis
		r.failed(err)
	}
	return nil, false
}

func (r *Resilient) failed(err error) {
	r.change.Lock()
	defer r.change.Unlock()
	if r.closed() || !r.breaker.failure(r.now()) {
		return
	}
	r.log.Warn("limits are counted by this node alone: Redis does not answer", "redis", r.redis.where, "error", err)
	r.onChange(true)
	r.opened <- struct{}{}
}

func (r *Resilient) recovered() {
	r.change.Lock()
	defer r.change.Unlock()
	r.breaker.reset()
	r.log.Info("limits are counted in Redis again", "redis", r.redis.where)
	r.onChange(false)
}

func (r *Resilient) closed() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// attempt asks and waits no longer than patience, whatever the client library does: it may be dialling, or
// waiting behind a full buffer. A question that nobody waits for any more keeps its slot until it ends, which
// the connection's own time limits see to.
func (r *Resilient) attempt(q question) ([]span, error) {
	select {
	case r.slots <- struct{}{}:
	default:
		return nil, errBusy
	}
	type outcome struct {
		spans []span
		err   error
	}
	done := make(chan outcome, 1)
	alarm := r.clock.Alarm(clock.FromMillis(q.now).Add(patience))
	defer alarm.Stop()
	go func() {
		defer func() { <-r.slots }()
		// Not the caller's context: one who hangs up is counted all the same, and is no failure of Redis.
		spans, err := r.redis.answer(context.Background(), q)
		done <- outcome{spans, err}
	}()
	select {
	case o := <-done:
		return o.spans, o.err
	case <-alarm.C:
		return nil, errLate
	case <-r.stop:
		return nil, errClosed
	}
}

// Check asks Redis now, so that a node that starts without it knows before anybody had to wait. It returns when Redis has
// answered or the breaker is open, a few times patience at most.
func (r *Resilient) Check() {
	for !r.Degraded() && !r.closed() {
		_, err := r.attempt(r.redis.ping())
		if err == nil {
			return
		}
		r.failed(err)
	}
}

// probe sleeps until the breaker opens, then asks once a second until Redis answers.
func (r *Resilient) probe() {
	defer close(r.ended)
	for {
		select {
		case <-r.opened:
		case <-r.stop:
			return
		}
		for !r.closed() {
			r.sleep()
			if _, err := r.attempt(r.redis.ping()); err == nil {
				r.recovered()
				break
			}
		}
	}
}

// sleep lasts one pause, or until the limiter is closed.
func (r *Resilient) sleep() {
	alarm := r.clock.Alarm(r.clock.Now().Add(pause))
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-r.stop:
	}
}
