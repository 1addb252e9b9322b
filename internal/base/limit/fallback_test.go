package limit_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/base/limit"
)

// F-07, stopped process: calls in time, from the counters that followed; then nobody waits; then Redis is back.
func TestRedisHangs(t *testing.T) {
	eachServer(t, func(t *testing.T, n *node) {
		r := rule(8, time.Hour)
		take(n, r, "k")
		take(n, r, "k")
		n.proxy.hold()
		for i := range limit.Tolerated {
			if n.Degraded() {
				t.Fatalf("the breaker opened after %d failures", i)
			}
			w := late(n, func() limit.Window { return take(n, r, "k") })
			if want := 5 - i; w.Remaining != want || !w.Allowed || w.Limit != 8 {
				t.Fatalf("late answer %d: %+v, wants %d remaining", i+1, w, want)
			}
		}
		if degraded := <-n.changes; !degraded || !n.Degraded() {
			t.Fatal("the breaker is not open")
		}

		n.clock.await(limit.Pause) // the probe sleeps; nobody else sets an alarm
		if w := take(n, r, "k"); w.Remaining != 0 || !w.Allowed {
			t.Errorf("the last hit that fits: %+v", w)
		}
		if w := take(n, r, "k"); w.Allowed {
			t.Errorf("one too many: %+v", w)
		}
		if len(n.clock.set) != 0 {
			t.Error("a call waits although the breaker is open")
		}

		n.clock.Advance(limit.Pause) // a probe that hangs too
		n.clock.await(limit.Patience)
		n.clock.Advance(limit.Patience)
		n.clock.await(limit.Pause)
		if !n.Degraded() {
			t.Fatal("closed by a probe without answer")
		}

		n.proxy.pass()
		n.clock.Advance(limit.Pause)
		n.recover()
		if n.Degraded() || len(n.changes) != 0 {
			t.Error("not back, or more than one change")
		}
		if lines := strings.Count(n.log.String(), "\n"); lines != 2 {
			t.Errorf("wants one line a change, got:\n%s", n.log)
		}
		if !strings.Contains(n.log.String(), "no answer within 50ms") {
			t.Errorf("something else ended the wait:\n%s", n.log)
		}
	})
}

// F-07, killed process.
func TestRedisIsKilled(t *testing.T) {
	eachServer(t, func(t *testing.T, n *node) {
		r, o := rule(100, time.Minute), lockout(2, time.Minute, time.Minute)
		take(n, r, "k")
		fail(n, o, "locked before", 3)
		fail(n, o, "locked after", 2)
		n.proxy.cut()
		for i := range 20 {
			if w := take(n, r, "k"); w.Remaining != 98-i {
				t.Fatalf("hit %d after the loss: %+v", i+1, w)
			}
		}
		if !<-n.changes {
			t.Fatal("not degraded")
		}
		if locked(n, o, "locked before") != time.Minute {
			t.Error("the loss of Redis freed a locked key")
		}
		if fail(n, o, "locked after", 1); locked(n, o, "locked after") != time.Minute {
			t.Error("failures from before the loss do not count")
		}
		n.proxy.pass()
		n.recover()
		if locked(n, o, "locked after") == 0 {
			t.Error("the return of Redis freed a key that was locked meanwhile")
		}
		if w := take(n, r, "k"); w.Remaining != 98 {
			t.Errorf("%+v does not come from Redis", w)
		}
		if locked(n, o, "locked before") == 0 || n.Degraded() {
			t.Error("not back")
		}
	})
}

func TestAStartWithoutRedis(t *testing.T) {
	p := newProxy(t, "127.0.0.1:1")
	n := newNode(t, p)
	r := rule(3, time.Minute)
	for _, want := range []bool{true, true, true, false} {
		if take(n, r, "k").Allowed != want {
			t.Errorf("allowed is not %v", want)
		}
	}
	degrade(n)
	p.serveFrom(newFakeRedis(t))
	n.recover()
	if !take(n, rule(1, time.Minute), "k").Allowed || n.Degraded() {
		t.Error("not back")
	}
}

// A slow server: its answer comes when nobody waits for it any more, and confuses nobody.
func TestAnswersThatComeLate(t *testing.T) {
	eachServer(t, func(t *testing.T, n *node) {
		r := rule(10, time.Hour)
		take(n, r, "k")
		n.proxy.hold()
		if w := late(n, func() limit.Window { return take(n, r, "k") }); w.Remaining != 8 {
			t.Errorf("while it is late: %+v", w)
		}
		n.proxy.pass()
		other := rule(3, time.Hour)
		for want := 2; want >= 0; want-- {
			if w := take(n, other, "k"); w.Remaining != want || w.Limit != 3 {
				t.Errorf("after it came: %+v", w)
			}
		}
		if n.Degraded() {
			t.Error("one late answer opened the breaker")
		}
	})
}

func TestFourFailuresASecondAreTolerated(t *testing.T) {
	n := fakeNode(t)
	r := rule(100, time.Hour)
	n.proxy.cut()
	for range 20 {
		take(n, r, "k")
		n.clock.Advance(250 * time.Millisecond)
	}
	if n.Degraded() {
		t.Error("the fifth failure came a full second after the first")
	}
	n.proxy.pass()
	if take(n, r, "other"); n.fake.saw("EVAL") != 1 {
		t.Error("Redis is not asked again")
	}
}

func TestAFullQueueIsNoFailure(t *testing.T) {
	n := fakeNode(t)
	r := rule(5000, time.Hour)
	take(n, r, "k")
	n.proxy.hold()
	answers := make(chan limit.Window)
	const crowd = 2000 // more than may be on their way
	for range crowd {
		go func() { answers <- take(n, r, "k") }()
	}
	for range crowd - 1024 { // those who found no room are answered although the clock stands still
		<-answers
	}
	if n.Degraded() {
		t.Error("degraded before anybody waited too long")
	}
	n.clock.Advance(limit.Patience)
	for range 1024 {
		<-answers
	}
	if w := take(n, r, "k"); !n.Degraded() || w.Remaining != 5000-crowd-2 {
		t.Errorf("%+v, degraded: %v", w, n.Degraded())
	}
}
