package limit_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// reference is the contract once more, as plainly as it can be said: stretches of time with a beginning and an
// end, nothing shared with the code under test.
type reference struct {
	now       time.Time
	stretches map[string]*stretch
}

type stretch struct {
	from, to time.Time
	count    int
	lock     bool
}

// at is the stretch of a key that holds now, nil if there is none. What once was seen to be over is over.
func (r *reference) at(key string) *stretch {
	s := r.stretches[key]
	if s == nil {
		return nil
	}
	length, ahead := s.to.Sub(s.from), s.from.Sub(r.now)
	switch {
	case !r.now.Before(s.to), ahead > length:
		delete(r.stretches, key)
		return nil
	case ahead > 0: // the clock stepped back
		s.from, s.to = r.now, r.now.Add(length)
	}
	return s
}

func (r *reference) begin(key string, length time.Duration) *stretch {
	s := &stretch{from: r.now, to: r.now.Add(length)}
	r.stretches[key] = s
	return s
}

func (r *reference) take(rule limit.Rule, key string) limit.Window {
	s := r.at("hit" + rule.Name + key)
	if s == nil {
		s = r.begin("hit"+rule.Name+key, rule.Per)
	}
	s.count++
	return limit.Window{
		Allowed: s.count <= rule.Max, Limit: rule.Max,
		Remaining: max(rule.Max-s.count, 0), Reset: s.to.Sub(r.now),
	}
}

func (r *reference) fail(o limit.Lockout, key string) {
	key = "fail" + o.Name + key
	s := r.at(key)
	if s == nil {
		s = r.begin(key, o.Per)
	}
	if s.lock {
		return
	}
	if s.count++; s.count > o.Max {
		r.begin(key, o.For).lock = true
	}
}

func (r *reference) locked(o limit.Lockout, key string) time.Duration {
	if s := r.at("fail" + o.Name + key); s != nil && s.lock {
		return s.to.Sub(r.now)
	}
	return 0
}

// steps are the ways the clock moves in the scripts, back and forth over every edge.
var steps = rapid.OneOf(
	rapid.Just(time.Duration(0)),
	rapid.SampledFrom([]time.Duration{
		time.Millisecond, 10*time.Second - time.Millisecond, 10 * time.Second, 25 * time.Second,
		-time.Millisecond, -5 * time.Second, -10 * time.Second, -10*time.Second - time.Millisecond,
		time.Hour, -time.Hour, 31 * 24 * time.Hour,
	}),
	rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.IntRange(-30_000, 30_000).Draw(t, "ms")) * time.Millisecond
	}),
)

// follows runs random scripts against a limiter and the reference, step by step.
func follows(t *testing.T, make maker) {
	hand := clock.NewHand(start)
	l := make(t, hand)
	rapid.Check(t, func(t *rapid.T) {
		ref := reference{now: hand.Set(start), stretches: map[string]*stretch{}}
		rules := []limit.Rule{rule(2, 10*time.Second), rule(3, 25*time.Second)}
		lockouts := []limit.Lockout{lockout(1, 10*time.Second, 25*time.Second), lockout(2, 25*time.Second, 10*time.Second)}
		// Memory forgets spans that ended a while ago, which shows when the clock then steps back into them. The
		// reference forgets nothing, so here memory must not either: something in it lasts for ten years.
		decade := 10 * 365 * 24 * time.Hour
		for _, key := range []string{"a", "b"} {
			take(l, rule(1, decade), key)
			fail(l, lockout(1, decade, decade), key, 1)
		}
		keys := rapid.SampledFrom([]string{"a", "b"})
		t.Repeat(map[string]func(*rapid.T){
			"take": func(t *rapid.T) {
				r, key := rapid.SampledFrom(rules).Draw(t, "rule"), keys.Draw(t, "key")
				got, want := take(l, r, key), ref.take(r, key)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatal(diff)
				}
			},
			"fail": func(t *rapid.T) {
				o, key := rapid.SampledFrom(lockouts).Draw(t, "lockout"), keys.Draw(t, "key")
				fail(l, o, key, 1)
				ref.fail(o, key)
			},
			"locked": func(t *rapid.T) {
				o, key := rapid.SampledFrom(lockouts).Draw(t, "lockout"), keys.Draw(t, "key")
				if got, want := locked(l, o, key), ref.locked(o, key); got != want {
					t.Fatalf("locked for %v, wants %v", got, want)
				}
			},
			"step": func(t *rapid.T) { ref.now = hand.Advance(steps.Draw(t, "step")) },
		})
	})
}

func TestLocalFollowsTheReference(t *testing.T)     { follows(t, newLocal) }
func TestRedisFollowsTheReference(t *testing.T)     { follows(t, newRedis) }
func TestResilientFollowsTheReference(t *testing.T) { follows(t, newResilient) }
