package limit_test

import (
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// callers is how many goroutines share the limiter in the parallel benchmarks with Redis, per core.
const callers = 16

// benchmarkTake measures calls of two hits, as the partner API makes them: one key of many and one that all
// share.
func benchmarkTake(b *testing.B, l limit.Limiter, parallelism int) {
	pair, app := rule(300, time.Minute), rule(10_000, time.Minute)
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprintf("app_01JCQ4Z7 biz_%08d", i)
	}
	var worker atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(parallelism)
	b.RunParallel(func(pb *testing.PB) {
		i := int(worker.Add(1)) * 97
		for ; pb.Next(); i++ {
			l.Take(ctx, limit.Hit{Rule: pair, Key: keys[i%len(keys)]}, limit.Hit{Rule: app, Key: "app_01JCQ4Z7"})
		}
	})
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/hit")
}

func BenchmarkLocalTake(b *testing.B) {
	b.Run("one goroutine, one hit", func(b *testing.B) {
		l := limit.NewLocal(clock.System{})
		r := rule(300, time.Minute)
		b.ReportAllocs()
		for b.Loop() {
			l.Take(ctx, limit.Hit{Rule: r, Key: "app_01JCQ4Z7 biz_00000001"})
		}
	})
	b.Run("parallel, two hits", func(b *testing.B) { benchmarkTake(b, limit.NewLocal(clock.System{}), 1) })
}

func BenchmarkRedisTake(b *testing.B) {
	b.Run("parallel, two hits", func(b *testing.B) { benchmarkTake(b, newRedis(b, clock.System{}), callers) })
}

func BenchmarkResilientTake(b *testing.B) {
	b.Run("parallel, two hits", func(b *testing.B) {
		l := resilientTo(b, realRedis(b))
		benchmarkTake(b, l, callers)
		if l.Degraded() {
			b.Log("Redis was too slow on this machine: part of this was counted locally")
		}
	})
	b.Run("degraded, parallel, two hits", func(b *testing.B) {
		l := resilientTo(b, newProxy(b, "127.0.0.1:1").url())
		for !l.Degraded() {
			take(l, rule(1, time.Minute), "k")
		}
		benchmarkTake(b, l, callers)
	})
}

func resilientTo(b *testing.B, address string) *limit.Resilient {
	c := clock.System{}
	l := limit.NewResilient(limit.Parts{
		Redis: openRedis(b, address, c), Local: limit.NewLocal(c), Clock: c, Log: slog.New(slog.DiscardHandler),
	})
	b.Cleanup(l.Close)
	return l
}
