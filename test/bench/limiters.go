package main

import (
	"context"
	"os"
	"strconv"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// limiters measures one hit under two windows, as an API call has.
func limiters(ctx context.Context, _ string) ([]figure, error) {
	hits := make([][]limit.Hit, workers)
	for w := range hits {
		key := "app" + strconv.Itoa(w)
		hits[w] = []limit.Hit{
			{Rule: limit.Rule{Name: "bench-business", Max: 1 << 30, Per: time.Minute}, Key: key + " business"},
			{Rule: limit.Rule{Name: "bench-app", Max: 1 << 30, Per: time.Minute}, Key: key},
		}
	}
	local := limit.NewLocal(clock.System{})
	inProcess, err := rate(func(w, _ int) error {
		local.Take(ctx, hits[w]...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	figures := []figure{{name: "limiter in process", rate: inProcess, extra: "two windows a call"}}
	address := os.Getenv("DAYBOOK_TEST_REDIS")
	if address == "" {
		return append(figures, figure{name: "limiter on Redis: not measured", rate: 1, extra: "DAYBOOK_TEST_REDIS is not set"}), nil
	}
	redis, err := limit.OpenRedis(address, clock.System{})
	if err != nil {
		return nil, err
	}
	defer redis.Close()
	shared, err := rate(func(w, _ int) error {
		_, err := redis.Take(ctx, hits[w]...)
		return err
	})
	return append(figures, figure{name: "limiter on Redis", rate: shared, extra: "two windows, one round trip"}), err
}
