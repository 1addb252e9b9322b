package limit_test

import (
	"math"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

func TestScaleMultipliesEveryLimit(t *testing.T) {
	l := limit.Scale(limit.NewLocal(clock.NewHand(start)), 10)
	r, o := rule(2, time.Minute), lockout(2, time.Minute, time.Minute)
	for range 19 {
		take(l, r, "k")
	}
	if w := take(l, r, "k"); w != (limit.Window{Allowed: true, Limit: 20, Remaining: 0, Reset: time.Minute}) {
		t.Errorf("the last that fits: %+v", w)
	}
	if take(l, r, "k").Allowed {
		t.Error("one too many is allowed")
	}
	if fail(l, o, "k", 20); locked(l, o, "k") != 0 {
		t.Error("locked by as many failures as are tolerated")
	}
	if fail(l, o, "k", 1); locked(l, o, "k") != time.Minute {
		t.Error("not locked")
	}
	if w := take(l, rule(math.MaxInt, time.Minute), "k"); w.Limit != math.MaxInt {
		t.Errorf("a huge limit became %d", w.Limit)
	}
}

func TestScaleByOneChangesNothing(t *testing.T) {
	l := limit.NewLocal(clock.NewHand(start))
	for _, n := range []int{-1, 0, 1} {
		if limit.Scale(l, n) != limit.Limiter(l) {
			t.Errorf("wrapped for %d", n)
		}
	}
}

func TestScaleLeavesTheCallersHitsAlone(t *testing.T) {
	l := limit.Scale(limit.NewLocal(clock.NewHand(start)), 10)
	hits := []limit.Hit{{Rule: rule(2, time.Minute), Key: "k"}}
	marks := []limit.Mark{{Lockout: lockout(2, time.Minute, time.Minute), Key: "k"}}
	l.Take(ctx, hits...)
	l.Fail(ctx, marks...)
	l.Locked(ctx, marks...)
	if hits[0].Rule.Max != 2 || marks[0].Lockout.Max != 2 {
		t.Error("the caller's limits changed")
	}
}
