package wire

import (
	"context"
	"fmt"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
)

// perAddress is how often one address may call with a session (RATE-05).
var perAddress = limit.Rule{Name: "session-ip", Max: 600, Per: time.Minute}

var errSessionLimit = fault.New(fault.Limited, "RATE_LIMITED", "Too many requests from this address: the limit of {0} is used up. Wait as long as Retry-After says.")

// CountAddress counts a call of a browser, on whichever surface.
func CountAddress(ctx context.Context, limits limit.Limiter) error {
	window := limits.Take(ctx, limit.Hit{Rule: perAddress, Key: ClientKey(ctx)})[0]
	if window.Allowed {
		return nil
	}
	return errSessionLimit.With(fmt.Sprintf("%d a minute", window.Limit)).After(max(window.Reset, time.Millisecond))
}
