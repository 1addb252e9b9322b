package limit_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

func TestResilient(t *testing.T) { suite(t, newResilient) }

func TestResilientCountsForAllNodes(t *testing.T) {
	c := clock.NewHand(start)
	a, b := newResilient(t, c), newResilient(t, c)
	r, o := rule(2, time.Minute), lockout(1, time.Minute, time.Minute)
	take(a, r, "k")
	take(b, r, "k")
	if take(a, r, "k").Allowed || take(b, r, "k").Allowed {
		t.Error("two nodes count apart")
	}
	fail(a, o, "k", 1)
	fail(b, o, "k", 1)
	if locked(a, o, "k") != time.Minute || locked(b, o, "k") != time.Minute {
		t.Error("two nodes lock apart")
	}
}

func TestACallIsOneRoundTrip(t *testing.T) {
	n := fakeNode(t)
	take(n, rule(1, time.Minute), "the first call loads the script")
	before := n.fake.saw("EVALSHA")
	n.Take(ctx, limit.Hit{Rule: rule(1, time.Minute), Key: "a"}, limit.Hit{Rule: rule(1, time.Minute), Key: "b"})
	if got := n.fake.saw("EVALSHA") - before; got != 1 || n.fake.saw("EVAL") != 1 {
		t.Errorf("%d round trips, and the script was sent %d times", got, n.fake.saw("EVAL"))
	}
}

func TestAMarkThisNodeHoldsLockedIsNotCountedInRedis(t *testing.T) {
	n := fakeNode(t)
	o := lockout(1, time.Minute, time.Minute)
	fail(n, o, "k", 2)
	n.fake.flush()
	n.clock.Advance(20 * time.Second)
	fail(n, o, "k", 2)
	if rest := locked(n, o, "k"); rest != 40*time.Second {
		t.Errorf("locked for %v: the lock was lost with Redis's memory, or begun anew", rest)
	}
	n.clock.Advance(40 * time.Second)
	if rest := locked(n, o, "k"); rest != 0 {
		t.Errorf("locked for %v after its time", rest)
	}
}

func TestALockOfThisNodeOutlastsWhatOthersCountInAnEmptiedRedis(t *testing.T) {
	n := fakeNode(t)
	o := lockout(1, time.Minute, time.Minute)
	fail(n, o, "k", 2)
	n.fake.flush()
	n.clock.Advance(20 * time.Second)
	other := strict{t, openRedis(t, n.proxy.url(), n.clock)}
	fail(other, o, "k", 1)
	for range 2 { // the first look must not take over the other's count
		if rest := locked(n, o, "k"); rest != 40*time.Second {
			t.Errorf("locked for %v, wants 40s", rest)
		}
	}
}

func TestCloseEndsEverythingInTheBackground(t *testing.T) {
	running := func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "limit.(*Resilient)")
	}
	for name, prepare := range map[string]func(*node){
		"never used": func(*node) {},
		"at work":    func(n *node) { take(n, rule(1, time.Minute), "k") },
		"hanging": func(n *node) {
			n.proxy.hold()
			late(n, func() limit.Window { return take(n, rule(1, time.Minute), "k") })
		},
		"degraded": func(n *node) { n.proxy.cut(); degrade(n) },
	} {
		t.Run(name, func(t *testing.T) {
			n := fakeNode(t)
			prepare(n)
			n.Close()
			n.Close()
			for running() {
				runtime.Gosched()
			}
			if !take(n, rule(1, time.Minute), "k").Allowed {
				t.Error("a closed limiter does not count")
			}
		})
	}
}

// degrade makes calls until the breaker opens. Redis must fail at once.
func degrade(n *node) {
	for !n.Degraded() {
		take(n, rule(1, time.Minute), "k")
	}
	<-n.changes
}
