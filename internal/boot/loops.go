package boot

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"daybook/internal/base/clock"
)

// job is something that must happen every so often. Run catches up with all that is due at the present instant, however
// long it has been, and may run on several nodes at once.
type job struct {
	name  string
	every time.Duration
	run   func(context.Context) error

	mu   sync.Mutex // one run at a time on this node
	next time.Time

	told sync.Mutex // not held during a run, so that looking never waits for one
	last ran
}

// ran is how a job went.
type ran struct {
	at   time.Time // when it began; zero: never
	took time.Duration
	err  error
}

// loops runs the jobs of a node.
type loops struct {
	clock clock.Clock
	log   *slog.Logger
	jobs  []*job
	wait  sync.WaitGroup
}

// start runs every job at once and then in its rhythm, until ctx ends.
func (l *loops) start(ctx context.Context) {
	for _, j := range l.jobs {
		l.wait.Go(func() {
			for ctx.Err() == nil {
				l.runIfDue(ctx, j)
				j.mu.Lock()
				alarm := l.clock.Alarm(j.next)
				j.mu.Unlock()
				select {
				case <-alarm.C:
				case <-ctx.Done():
				}
				alarm.Stop()
			}
		})
	}
}

// runDue runs every job that is due by now and returns when they are done: how a moved development clock makes things
// happen before it answers.
func (l *loops) runDue(ctx context.Context) {
	for _, j := range l.jobs {
		l.runIfDue(ctx, j)
	}
}

func (l *loops) runIfDue(ctx context.Context, j *job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := l.clock.Now()
	if now.Before(j.next) {
		return
	}
	j.next = now.Add(j.every)
	took := clock.Stopwatch()
	err := protect(ctx, j.run)
	j.told.Lock()
	j.last = ran{now, took(), err}
	j.told.Unlock()
	if err != nil && ctx.Err() == nil {
		l.log.Error("background job failed; it is tried again in its rhythm", "job", j.name, "error", err)
	}
}

// protect keeps one job's panic from ending the process.
func protect(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(ctx)
}
