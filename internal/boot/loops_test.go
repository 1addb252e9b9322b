package boot

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/schema/dbtest"
)

// rig is a set of loops on a clock that is turned by hand.
type rig struct {
	*loops
	clock *clock.Hand
	mu    sync.Mutex
	text  bytes.Buffer
}

func (r *rig) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *rig) log() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// run starts loops over the jobs and stops them at the end of the test.
func run(t *testing.T, jobs ...*job) *rig {
	t.Helper()
	r := &rig{clock: clock.NewHand(dbtest.Start)}
	r.loops = &loops{clock: r.clock, log: slog.New(slog.NewTextHandler(r, nil)), jobs: jobs}
	ctx, cancel := context.WithCancel(context.Background())
	r.start(ctx)
	t.Cleanup(func() {
		cancel()
		r.wait.Wait()
	})
	r.asleep(t)
	return r
}

// asleep waits until every loop waits for its next instant.
func (r *rig) asleep(t *testing.T) {
	t.Helper()
	for begun := time.Now(); r.clock.Waiting() < len(r.jobs); runtime.Gosched() {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the loops do not go to sleep")
		}
	}
}

func counting(n *atomic.Int64) func(context.Context) error {
	return func(context.Context) error {
		n.Add(1)
		return nil
	}
}

func TestAJobRunsInItsRhythm(t *testing.T) {
	var n atomic.Int64
	r := run(t, &job{name: "a", every: time.Minute, run: counting(&n)})
	for _, c := range []struct {
		name string
		by   time.Duration
		want int64
	}{
		{"at once", 0, 1},
		{"a millisecond before it is due", time.Minute - time.Millisecond, 1},
		{"when it is due", time.Millisecond, 2},
		{"before it is due again", 59 * time.Second, 2},
		{"when it is due again", time.Second, 3},
		{"once, however long it has been", 24 * time.Hour, 4},
		{"a minute after that", time.Minute, 5},
		{"not when the clock steps back", -time.Hour, 5},
	} {
		r.clock.Advance(c.by)
		r.asleep(t)
		if got := n.Load(); got != c.want {
			t.Fatalf("%s: it ran %d times, want %d", c.name, got, c.want)
		}
	}
}

func TestRunDueRunsWhatIsDueAndWaitsForIt(t *testing.T) {
	var often, seldom atomic.Int64
	r := &rig{clock: clock.NewHand(dbtest.Start)}
	r.loops = &loops{clock: r.clock, log: slog.New(slog.DiscardHandler), jobs: []*job{
		{name: "often", every: time.Minute, run: counting(&often)}, {name: "seldom", every: time.Hour, run: counting(&seldom)},
	}}
	for _, c := range []struct {
		by            time.Duration
		often, seldom int64
	}{{0, 1, 1}, {0, 1, 1}, {time.Minute, 2, 1}, {59 * time.Second, 2, 1}, {time.Hour, 3, 2}} {
		r.clock.Advance(c.by)
		r.runDue(context.Background())
		if often.Load() != c.often || seldom.Load() != c.seldom {
			t.Fatalf("after %v: %d and %d, want %d and %d", c.by, often.Load(), seldom.Load(), c.often, c.seldom)
		}
	}
}

// A moved clock wakes the loop and runs what is due itself: together they must run a job once.
func TestNoJobRunsTwiceForOneInstant(t *testing.T) {
	var n atomic.Int64
	r := run(t, &job{name: "a", every: time.Minute, run: counting(&n)}, &job{name: "b", every: time.Minute, run: counting(&n)})
	const rounds = 300
	for i := range rounds {
		r.clock.Advance(time.Minute)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() { r.runDue(context.Background()) })
		}
		wait.Wait()
		if got, want := n.Load(), int64(2*(i+2)); got != want {
			t.Fatalf("after round %d: %d runs, want %d", i, got, want)
		}
		r.asleep(t)
	}
}

func TestAJobThatFailsKeepsItsRhythm(t *testing.T) {
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("canary") },
		"a panic":  func() error { panic("canary") },
	} {
		t.Run(name, func(t *testing.T) {
			var bad, good atomic.Int64
			r := run(t, &job{name: "bad", every: time.Minute, run: func(context.Context) error {
				bad.Add(1)
				return fail()
			}}, &job{name: "good", every: time.Minute, run: counting(&good)})
			for range 3 {
				r.clock.Advance(time.Minute)
				r.asleep(t)
			}
			r.clock.Advance(time.Minute)
			r.runDue(context.Background()) // nor does it keep runDue from the jobs behind it
			if bad.Load() != 5 || good.Load() != 5 {
				t.Errorf("it ran %d times, its neighbour %d", bad.Load(), good.Load())
			}
			if got := strings.Count(r.log(), "job=bad"); got != 5 || !strings.Contains(r.log(), "canary") {
				t.Errorf("%d failures in the log:\n%s", got, r.log())
			}
		})
	}
}

// One run at a time: a slow run is not joined by a second one.
func TestAJobIsAlone(t *testing.T) {
	var inside, most atomic.Int64
	r := run(t, &job{name: "slow", every: time.Minute, run: func(context.Context) error {
		most.Store(max(most.Load(), inside.Add(1)))
		for range 100 {
			runtime.Gosched()
		}
		inside.Add(-1)
		return nil
	}})
	for range 50 {
		r.clock.Advance(time.Minute)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() { r.runDue(context.Background()) })
		}
		wait.Wait()
		r.asleep(t)
	}
	if most.Load() != 1 {
		t.Errorf("%d runs at once", most.Load())
	}
}

func TestTheLoopsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan struct{})
	l := &loops{clock: clock.NewHand(dbtest.Start), log: slog.New(slog.DiscardHandler), jobs: []*job{
		{name: "asleep", every: time.Minute, run: func(context.Context) error { return nil }},
		{name: "busy", every: time.Minute, run: func(ctx context.Context) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		}},
	}}
	l.start(ctx)
	<-begun
	cancel()
	l.wait.Wait()
}
