package db

import (
	"context"
	"sync/atomic"
)

type counterKey struct{}

// Counting returns a context under which statements are counted, and the counter. Tests use it to hold each
// operation to its number of statements (BEGIN, COMMIT and savepoints are not counted).
func Counting(ctx context.Context) (context.Context, *atomic.Int64) {
	n := new(atomic.Int64)
	return context.WithValue(ctx, counterKey{}, n), n
}

func count(ctx context.Context) {
	if n, ok := ctx.Value(counterKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}
