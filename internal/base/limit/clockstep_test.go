package limit_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/clock"
)

// F-08: whatever the clock does, nobody sees a Reset that is negative or longer than the window, nobody is
// locked for longer than the lockout says, and once the clock runs on everybody is free after that time.
func bounded(t *testing.T, make maker) {
	hand := clock.NewHand(start)
	l := make(t, hand)
	rapid.Check(t, func(t *rapid.T) {
		r, o := rule(2, 10*time.Second), lockout(1, 10*time.Second, 25*time.Second)
		hand.Set(start)
		for range rapid.IntRange(1, 30).Draw(t, "length") {
			hand.Advance(steps.Draw(t, "step"))
			w := take(l, r, "k")
			if w.Reset <= 0 || w.Reset > r.Per || w.Remaining < 0 || w.Remaining >= r.Max {
				t.Fatalf("window %+v", w)
			}
			if rapid.Bool().Draw(t, "fails") {
				fail(l, o, "k", 1)
			}
			if rest := locked(l, o, "k"); rest < 0 || rest > o.For {
				t.Fatalf("locked for %v", rest)
			}
		}

		hand.Advance(steps.Draw(t, "last step"))
		reset, rest := take(l, r, "k").Reset, locked(l, o, "k")
		if rest > 0 {
			hand.Advance(rest - time.Millisecond)
			if locked(l, o, "k") != time.Millisecond {
				t.Fatalf("the lock of %v ended early", rest)
			}
			hand.Advance(time.Millisecond)
			if left := locked(l, o, "k"); left != 0 {
				t.Fatalf("after %v still locked for %v", rest, left)
			}
		}
		hand.Advance(max(reset-rest, 0))
		if !take(l, r, "k").Allowed {
			t.Fatalf("refused after the announced %v", reset)
		}
	})
}

func TestLocalIsBoundedWhateverTheClockDoes(t *testing.T)     { bounded(t, newLocal) }
func TestRedisIsBoundedWhateverTheClockDoes(t *testing.T)     { bounded(t, newRedis) }
func TestResilientIsBoundedWhateverTheClockDoes(t *testing.T) { bounded(t, newResilient) }
