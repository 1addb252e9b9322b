package limit

import (
	"context"
	"time"
)

// Rule is a fixed window: at most Max hits of a key within Per.
//
// The window begins at the key's first hit and not at a full minute, so that Max quick hits never straddle a
// boundary. Per counts in whole milliseconds.
type Rule struct {
	// Name keeps the counters of different rules apart. It has no colon, because it is part of a Redis key.
	Name string
	Max  int
	Per  time.Duration
}

// Lockout locks a key for For once it failed more than Max times within a window of Per.
//
// The lock begins at the failure that was one too many. Failures while locked do not prolong it; when it ends
// counting starts anew. Per and For count in whole milliseconds. A Lockout and a Rule of the same name do not
// share counters.
type Lockout struct {
	Name string
	Max  int
	Per,
	For time.Duration
}

// Hit is one request to be counted for a key under a rule.
type Hit struct {
	Rule Rule
	Key  string
}

// Mark is one key that may fail, and the lockout it fails under.
type Mark struct {
	Lockout Lockout
	Key     string
}

// Window is how a key stands under its rule after a hit.
type Window struct {
	Allowed bool
	// Limit is the rule's Max; Remaining is how many more hits this window allows, never negative.
	Limit, Remaining int
	// Reset is the time to the end of the window, never negative and never more than the rule's Per.
	Reset time.Duration
}

// Limiter counts hits and failures. It never fails: a store that is away is the limiter's own affair.
//
// All methods may be called from many goroutines. Cancelling ctx does not undo or prevent a count.
type Limiter interface {
	// Take counts every hit, also when another hit of the call is refused, and says how each key stands. Refused
	// hits count too.
	Take(ctx context.Context, hits ...Hit) []Window
	// Locked is the longest time any of the keys is still locked, 0 when all are free. It counts nothing.
	Locked(ctx context.Context, marks ...Mark) time.Duration
	// Fail counts one failure for every key.
	Fail(ctx context.Context, marks ...Mark)
}
