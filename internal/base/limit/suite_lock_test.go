package limit_test

import (
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

func locks(t *testing.T, l limit.Limiter, c *clock.Hand) {
	o := lockout(30, time.Minute, time.Minute)
	fail(l, o, "k", 29)
	c.Advance(time.Minute - time.Millisecond)
	fail(l, o, "k", 1)
	if rest := locked(l, o, "k"); rest != 0 {
		t.Fatalf("locked for %v after as many failures as are tolerated", rest)
	}
	if fail(l, o, "k", 1); locked(l, o, "k") != time.Minute {
		t.Errorf("locked for %v, wants a minute from the failure that locked", locked(l, o, "k"))
	}
	if locked(l, o, "other") != 0 {
		t.Error("another key is locked with it")
	}
}

func lockEnds(t *testing.T, l limit.Limiter, c *clock.Hand) {
	o := lockout(2, time.Minute, 5*time.Minute)
	fail(l, o, "k", 3)
	c.Advance(5*time.Minute - time.Millisecond)
	if rest := locked(l, o, "k"); rest != time.Millisecond {
		t.Errorf("one millisecond before the end locked for %v", rest)
	}
	c.Advance(time.Millisecond)
	if rest := locked(l, o, "k"); rest != 0 {
		t.Errorf("at the end locked for %v", rest)
	}
	if fail(l, o, "k", 2); locked(l, o, "k") != 0 {
		t.Error("failures from before the lock were counted again")
	}
	if fail(l, o, "k", 1); locked(l, o, "k") != 5*time.Minute {
		t.Error("the second lock did not come")
	}
}

func failuresApart(t *testing.T, l limit.Limiter, c *clock.Hand) {
	o := lockout(2, time.Minute, time.Minute)
	fail(l, o, "k", 2)
	c.Advance(time.Minute)
	if fail(l, o, "k", 2); locked(l, o, "k") != 0 {
		t.Error("locked by failures of two windows")
	}
	c.Advance(time.Minute - time.Millisecond)
	if fail(l, o, "k", 1); locked(l, o, "k") == 0 {
		t.Error("not locked by failures of one window")
	}
}

func notProlonged(t *testing.T, l limit.Limiter, c *clock.Hand) {
	o := lockout(1, time.Minute, time.Minute)
	fail(l, o, "k", 2)
	c.Advance(40 * time.Second)
	fail(l, o, "k", 5)
	if rest := locked(l, o, "k"); rest != 20*time.Second {
		t.Errorf("locked for %v, wants 20s", rest)
	}
	c.Advance(20 * time.Second)
	if locked(l, o, "k") != 0 {
		t.Error("failures while locked count afterwards")
	}
}

func longestOfSeveral(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	pair, address := lockout(1, time.Minute, time.Minute), lockout(2, time.Minute, 2*time.Minute)
	marks := []limit.Mark{{Lockout: pair, Key: "ip client"}, {Lockout: address, Key: "ip"}}
	for i, want := range []time.Duration{0, time.Minute, 2 * time.Minute} {
		l.Fail(ctx, marks...)
		if rest := l.Locked(ctx, marks...); rest != want {
			t.Errorf("after %d failures locked for %v, wants %v", i+1, rest, want)
		}
	}
	if rest := l.Locked(ctx, marks[1], marks[0]); rest != 2*time.Minute {
		t.Errorf("in the other order locked for %v", rest)
	}
}

func lockoutsApart(t *testing.T, l limit.Limiter, _ *clock.Hand) {
	token, revoke := lockout(1, time.Minute, time.Minute), lockout(1, time.Minute, time.Minute)
	namesake := limit.Rule{Name: token.Name, Max: 1, Per: time.Minute}
	fail(l, token, "k", 2)
	if locked(l, revoke, "k") != 0 {
		t.Error("another lockout is locked with it")
	}
	if !take(l, namesake, "k").Allowed {
		t.Error("failures count as hits")
	}
}

func raceToLock(t *testing.T, l limit.Limiter, c *clock.Hand) {
	o := lockout(99, time.Minute, time.Minute)
	crowd(11, func() { fail(l, o, "k", 9) })
	if locked(l, o, "k") != 0 {
		t.Fatal("locked by 99 failures")
	}
	c.Advance(30 * time.Second)
	crowd(8, func() { fail(l, o, "k", 2) })
	if rest := locked(l, o, "k"); rest != time.Minute {
		t.Errorf("locked for %v", rest)
	}
}
