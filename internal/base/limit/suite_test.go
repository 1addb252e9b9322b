package limit_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// suite is what every limiter must do.
func suite(t *testing.T, make maker) {
	for _, c := range []struct {
		name string
		test func(*testing.T, limit.Limiter, *clock.Hand)
	}{
		{"RATE-01 the last hit that fits is allowed, the next is refused", lastHit},
		{"a window begins at the first hit and ends one length later", windowEnds},
		{"RATE-02 every hit counts, refused ones and those beside them too", everyHitCounts},
		{"OLIM-01 rules and keys are counted apart", countedApart},
		{"the same key twice in one call counts twice", twiceInOneCall},
		{"a call without keys does nothing", noKeys},
		{"a limit of zero refuses everything", zeroLimit},
		{"long keys are told apart", longKeys},
		{"LOCK-01 the failure after the last tolerated one locks", locks},
		{"LOCK-01 a lock ends after exactly its time and counting starts anew", lockEnds},
		{"LOCK-01 failures that are a window apart do not add up", failuresApart},
		{"failures while locked do not prolong the lock", notProlonged},
		{"LOCK-02 the longest lock of several keys is told", longestOfSeveral},
		{"LOCK-04 lockouts are counted apart, also from a rule of the same name", lockoutsApart},
		{"exactly the limit is allowed when many race for one key", race},
		{"exactly one failure locks when many race for one key", raceToLock},
	} {
		t.Run(c.name, func(t *testing.T) {
			hand := clock.NewHand(start)
			c.test(t, make(t, hand), hand)
		})
	}
}

func lastHit(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	r := rule(3, time.Minute)
	for i, want := range []limit.Window{
		{Allowed: true, Limit: 3, Remaining: 2, Reset: time.Minute},
		{Allowed: true, Limit: 3, Remaining: 1, Reset: time.Minute},
		{Allowed: true, Limit: 3, Remaining: 0, Reset: time.Minute},
		{Allowed: false, Limit: 3, Remaining: 0, Reset: time.Minute},
		{Allowed: false, Limit: 3, Remaining: 0, Reset: time.Minute},
	} {
		if diff := cmp.Diff(want, take(l, r, "k")); diff != "" {
			t.Errorf("hit %d: %s", i+1, diff)
		}
	}
}

func windowEnds(t *testing.T, l limit.Limiter, c *clock.Hand) {
	r := rule(1, time.Minute)
	c.Advance(17 * time.Second) // not at a full minute
	take(l, r, "k")
	c.Advance(time.Minute - time.Millisecond)
	if w := take(l, r, "k"); w.Allowed || w.Reset != time.Millisecond {
		t.Errorf("one millisecond before the end: %+v", w)
	}
	c.Advance(time.Millisecond)
	if w := take(l, r, "k"); !w.Allowed || w.Reset != time.Minute {
		t.Errorf("at the end: %+v", w)
	}
}

func everyHitCounts(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	small, large := rule(1, time.Minute), rule(3, time.Minute)
	for range 3 {
		l.Take(ctx, limit.Hit{Rule: small, Key: "k"}, limit.Hit{Rule: large, Key: "k"})
	}
	w := l.Take(ctx, limit.Hit{Rule: small, Key: "k"}, limit.Hit{Rule: large, Key: "k"})
	if w[0].Allowed || w[1].Allowed || w[1].Limit != 3 {
		t.Errorf("got %+v", w)
	}
}

func countedApart(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	a, b := rule(1, time.Minute), rule(1, time.Minute)
	take(l, a, "k")
	if !take(l, b, "k").Allowed || !take(l, a, "other").Allowed || !take(l, a, "").Allowed {
		t.Error("another rule or key was counted with it")
	}
}

func twiceInOneCall(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	r := rule(1, time.Minute)
	if w := l.Take(ctx, limit.Hit{Rule: r, Key: "k"}, limit.Hit{Rule: r, Key: "k"}); !w[0].Allowed || w[1].Allowed {
		t.Errorf("got %+v", w)
	}
}

func noKeys(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	l.Fail(ctx)
	if len(l.Take(ctx)) != 0 || l.Locked(ctx) != 0 {
		t.Error("something came of nothing")
	}
}

func zeroLimit(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	if w := take(l, rule(0, time.Minute), "k"); w.Allowed || w.Remaining != 0 {
		t.Errorf("got %+v", w)
	}
	o := lockout(0, time.Minute, time.Minute)
	if fail(l, o, "k", 1); locked(l, o, "k") != time.Minute {
		t.Error("the first failure does not lock")
	}
}

func longKeys(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	r := rule(1, time.Minute)
	long := strings.Repeat("x", 5*limit.LongestKey)
	if !take(l, r, long+"a").Allowed || !take(l, r, long+"b").Allowed {
		t.Error("two long keys share a counter")
	}
	if take(l, r, long+"a").Allowed {
		t.Error("a long key is not counted")
	}
}

func race(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	r := rule(100, time.Minute)
	var allowed atomic.Int64
	crowd(16, func() {
		for range 20 {
			if take(l, r, "k").Allowed {
				allowed.Add(1)
			}
		}
	})
	if allowed.Load() != 100 {
		t.Errorf("%d were allowed, wants 100", allowed.Load())
	}
}

// crowd runs work n times at once and waits for all.
func crowd(n int, work func()) {
	var group sync.WaitGroup
	for range n {
		group.Go(work)
	}
	group.Wait()
}
