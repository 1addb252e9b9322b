package limit_test

import (
	"testing"
	"time"

	"github.com/redis/rueidis"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

func TestRedis(t *testing.T) { suite(t, newRedis) }

func TestRedisCountsForAllNodes(t *testing.T) {
	c := clock.NewHand(start)
	a, b := newRedis(t, c), newRedis(t, c)
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

// F-08: nodes whose clocks are apart must not show nonsense to each other's callers.
func TestRedisWithNodesWhoseClocksAreApart(t *testing.T) {
	for _, apart := range []time.Duration{time.Second, 30 * time.Second, 90 * time.Second, time.Hour} {
		ahead, behind := clock.NewHand(start.Add(apart)), clock.NewHand(start)
		a, b := newRedis(t, ahead), newRedis(t, behind)
		r, o := rule(5, time.Minute), lockout(0, time.Minute, time.Minute)
		for range 20 {
			for _, l := range []limit.Limiter{a, b} {
				if w := take(l, r, "k"); w.Reset <= 0 || w.Reset > time.Minute || w.Remaining < 0 {
					t.Fatalf("%v apart: %+v", apart, w)
				}
				fail(l, o, "k", 1)
				if rest := locked(l, o, "k"); rest <= 0 || rest > time.Minute {
					t.Fatalf("%v apart: locked for %v", apart, rest)
				}
			}
			ahead.Advance(7 * time.Second)
			behind.Advance(7 * time.Second)
		}
		ahead.Advance(time.Minute)
		behind.Advance(time.Minute)
		if locked(a, o, "k") != 0 || locked(b, o, "k") != 0 {
			t.Fatalf("%v apart: locked for more than a minute", apart)
		}
	}
}

func TestRedisKeysDieByThemselves(t *testing.T) {
	address := realRedis(t)
	raw := rawClient(t, address)
	l := newRedis(t, clock.NewHand(start))
	r, o := rule(5, time.Hour), lockout(0, time.Minute, 2*time.Hour)
	take(l, r, "k")
	fail(l, o, "k", 1)
	for key, span := range map[string]time.Duration{"w:" + r.Name + ":k": r.Per, "l:" + o.Name + ":k": o.For} {
		life, err := raw.Do(ctx, raw.B().Pttl().Key(limit.KeyPrefix+key).Build()).AsInt64()
		left := time.Duration(life) * time.Millisecond
		if err != nil || left <= span || left > span+limit.KeySpare {
			t.Errorf("%s lives for %v (%v), wants more than %v", key, left, err, span)
		}
	}
}

func TestRedisSurvivesTheLossOfItsScript(t *testing.T) {
	raw := rawClient(t, realRedis(t))
	l := newRedis(t, clock.NewHand(start))
	r := rule(2, time.Minute)
	for _, want := range []bool{true, true, false} {
		if err := raw.Do(ctx, raw.B().ScriptFlush().Build()).Error(); err != nil {
			t.Fatal(err)
		}
		if take(l, r, "k").Allowed != want {
			t.Errorf("allowed is not %v", want)
		}
	}
}

func TestRedisTakesForeignValuesForNothing(t *testing.T) {
	raw := rawClient(t, realRedis(t))
	l := newRedis(t, clock.NewHand(start))
	for _, value := range []string{"", "x", "1 x", "-5 3", "99999999999999999999 1", "1 2 3", "0 0"} {
		r := rule(1, time.Minute)
		key := limit.KeyPrefix + "w:" + r.Name + ":k"
		if err := raw.Do(ctx, raw.B().Set().Key(key).Value(value).Ex(time.Minute).Build()).Error(); err != nil {
			t.Fatal(err)
		}
		if w := take(l, r, "k"); !w.Allowed || w.Reset != time.Minute {
			t.Errorf("over %q: %+v", value, w)
		}
	}
}

func rawClient(t testing.TB, address string) rueidis.Client {
	t.Helper()
	opt, err := rueidis.ParseURL(address)
	if err != nil {
		t.Fatal("DAYBOOK_TEST_REDIS cannot be read")
	}
	opt.DisableCache = true
	client, err := rueidis.NewClient(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
