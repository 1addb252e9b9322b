package limit_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

func TestLocal(t *testing.T) { suite(t, newLocal) }

func TestAFloodOfKeysCostsNoMoreMemory(t *testing.T) {
	const windows, locks = 4096, 1024
	l := limit.SmallLocal(clock.NewHand(start), windows, locks)
	r, o := rule(3, time.Minute), lockout(3, time.Minute, time.Minute)
	for i := range 100_000 {
		key := fmt.Sprint(i)
		take(l, r, key)
		fail(l, o, key, 1)
	}
	w, k := l.Entries()
	if w > windows || k > locks {
		t.Errorf("holds %d windows of %d and %d locks of %d", w, windows, k, locks)
	}
	if w < windows/4 || k < locks/4 {
		t.Errorf("holds only %d windows and %d locks", w, k)
	}
}

func TestAFloodOfKeysDoesNotWashAwayOneInUse(t *testing.T) {
	l := limit.SmallLocal(clock.NewHand(start), 4096, 1024)
	r, o := rule(10, time.Minute), lockout(0, time.Minute, time.Minute)
	fail(l, o, "mine", 1)
	for i := range 100_000 {
		key := fmt.Sprint(i)
		take(l, r, key)
		fail(l, o, key, 1)
		if i%8 == 0 {
			take(l, r, "mine")
			if locked(l, o, "mine") == 0 {
				t.Fatalf("the lock was lost after %d others", i)
			}
		}
	}
	if take(l, r, "mine").Allowed {
		t.Error("the count was lost")
	}
}

func TestAFloodOfRequestsDoesNotWashAwayLocks(t *testing.T) {
	l := limit.SmallLocal(clock.NewHand(start), 1024, 1024)
	r, o := rule(10, time.Minute), lockout(0, time.Minute, time.Minute)
	fail(l, o, "mine", 1)
	for i := range 100_000 {
		take(l, r, fmt.Sprint(i))
	}
	if locked(l, o, "mine") == 0 {
		t.Error("the lock was lost")
	}
}

func TestStaleKeysLeaveByThemselves(t *testing.T) {
	c := clock.NewHand(start)
	l := limit.NewLocal(c)
	r := rule(3, time.Minute)
	many := func(prefix string) {
		for i := range 10_000 {
			take(l, r, prefix+fmt.Sprint(i))
		}
	}
	many("first")
	for _, prefix := range []string{"second", "third"} {
		c.Advance(time.Minute)
		many(prefix)
	}
	if w, _ := l.Entries(); w != 20_000 {
		t.Errorf("holds %d windows, wants those of the last two minutes", w)
	}
}

func TestALiveSpanIsNotTakenForStale(t *testing.T) {
	c := clock.NewHand(start)
	l := limit.NewLocal(c)
	short, long := rule(1, time.Second), rule(1, time.Hour)
	take(l, long, "k")
	for range 3599 {
		c.Advance(time.Second)
		take(l, short, "k")
	}
	if take(l, long, "k").Allowed {
		t.Error("the window of an hour was lost within the hour")
	}
}

func TestLocalAllocatesOnlyItsAnswer(t *testing.T) {
	var l limit.Limiter = limit.NewLocal(clock.System{})
	hits := []limit.Hit{{Rule: rule(3, time.Minute), Key: "k"}, {Rule: rule(3, time.Minute), Key: "m"}}
	marks := []limit.Mark{{Lockout: lockout(3, time.Minute, time.Minute), Key: "k"}}
	background := context.Background()
	l.Take(background, hits...)
	l.Fail(background, marks...)
	if n := testing.AllocsPerRun(100, func() { l.Take(background, hits...) }); n > 1 {
		t.Errorf("Take allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { l.Locked(background, marks...); l.Fail(background, marks...) }); n > 0 {
		t.Errorf("Locked and Fail allocate %v times", n)
	}
}
