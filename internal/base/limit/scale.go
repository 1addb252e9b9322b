package limit

import (
	"context"
	"math"
	"slices"
	"time"
)

// Scale multiplies every Max by n, in the answers too, for load tests in development. An n below 2 changes
// nothing.
func Scale(l Limiter, n int) Limiter {
	if n < 2 {
		return l
	}
	return scaled{l, n}
}

type scaled struct {
	Limiter
	n int
}

// Take implements Limiter.
func (s scaled) Take(ctx context.Context, hits ...Hit) []Window {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].Rule.Max = s.times(hits[i].Rule.Max)
	}
	return s.Limiter.Take(ctx, hits...)
}

// Locked implements Limiter.
func (s scaled) Locked(ctx context.Context, marks ...Mark) time.Duration {
	return s.Limiter.Locked(ctx, s.marks(marks)...)
}

// Fail implements Limiter.
func (s scaled) Fail(ctx context.Context, marks ...Mark) {
	s.Limiter.Fail(ctx, s.marks(marks)...)
}

func (s scaled) marks(marks []Mark) []Mark {
	marks = slices.Clone(marks)
	for i := range marks {
		marks[i].Lockout.Max = s.times(marks[i].Lockout.Max)
	}
	return marks
}

func (s scaled) times(most int) int {
	if most > math.MaxInt32/s.n {
		return max(most, math.MaxInt32)
	}
	return most * s.n
}
