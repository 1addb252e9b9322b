package limit_test

import (
	"context"
	"crypto/rand"
	"os"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

var (
	start = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	ctx   = context.Background()
)

// maker makes one of the limiters for a test.
type maker func(t testing.TB, c clock.Clock) limit.Limiter

// realRedis is the address of the server to test with. Without one the test is skipped, or fails where it is
// required.
func realRedis(t testing.TB) string {
	t.Helper()
	address := os.Getenv("DAYBOOK_TEST_REDIS")
	if address != "" {
		return address
	}
	if os.Getenv("DAYBOOK_TEST_REQUIRE") != "" {
		t.Fatal("DAYBOOK_TEST_REDIS is empty, and DAYBOOK_TEST_REQUIRE demands a server")
	}
	t.Skip("DAYBOOK_TEST_REDIS is empty: set it to redis://host:port/db to test with a real server")
	return ""
}

func openRedis(t testing.TB, address string, c clock.Clock) *limit.Redis {
	t.Helper()
	r, err := limit.OpenRedis(address, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func newLocal(_ testing.TB, c clock.Clock) limit.Limiter { return limit.NewLocal(c) }

func newRedis(t testing.TB, c clock.Clock) limit.Limiter {
	return strict{t, openRedis(t, realRedis(t), c)}
}

// strict makes a limiter of Redis for tests: any failure fails the test.
type strict struct {
	t testing.TB
	*limit.Redis
}

func (s strict) Take(ctx context.Context, hits ...limit.Hit) []limit.Window {
	windows, err := s.Redis.Take(ctx, hits...)
	if err != nil {
		s.t.Error(err)
		return make([]limit.Window, len(hits))
	}
	return windows
}

func (s strict) Locked(ctx context.Context, marks ...limit.Mark) time.Duration {
	rest, err := s.Redis.Locked(ctx, marks...)
	if err != nil {
		s.t.Error(err)
	}
	return rest
}

func (s strict) Fail(ctx context.Context, marks ...limit.Mark) {
	if err := s.Redis.Fail(ctx, marks...); err != nil {
		s.t.Error(err)
	}
}

// unique is a name no other test uses, in this run or another, so that tests can share a server.
func unique() string { return "test-" + rand.Text() }

func rule(most int, per time.Duration) limit.Rule {
	return limit.Rule{Name: unique(), Max: most, Per: per}
}

func lockout(most int, per, lock time.Duration) limit.Lockout {
	return limit.Lockout{Name: unique(), Max: most, Per: per, For: lock}
}

// take is one hit.
func take(l limit.Limiter, r limit.Rule, key string) limit.Window {
	return l.Take(ctx, limit.Hit{Rule: r, Key: key})[0]
}

func fail(l limit.Limiter, o limit.Lockout, key string, times int) {
	for range times {
		l.Fail(ctx, limit.Mark{Lockout: o, Key: key})
	}
}

func locked(l limit.Limiter, o limit.Lockout, key string) time.Duration {
	return l.Locked(ctx, limit.Mark{Lockout: o, Key: key})
}
