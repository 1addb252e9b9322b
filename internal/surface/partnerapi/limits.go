package partnerapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"daybook/internal/base/limit"
	"daybook/internal/surface/wire"
)

// The limits (RATE-01, RATE-05).
var (
	perBusiness = limit.Rule{Name: "api-business", Max: 300, Per: time.Minute}
	perApp      = limit.Rule{Name: "api-app", Max: 10_000, Per: time.Minute}
)

// countApp counts a call of an app in both windows, whatever becomes of it, and tells how the app stands in this business
// (RATE-02, RATE-03).
func (a *API) countApp(ctx context.Context, c *call, w http.ResponseWriter) error {
	windows := a.Limits.Take(ctx, limit.Hit{Rule: perBusiness, Key: c.app.AppID + " " + c.app.BusinessID}, limit.Hit{Rule: perApp, Key: c.app.AppID})
	business, app := windows[0], windows[1]
	h := w.Header()
	// Spelt as net/http keeps them, which saves it the work.
	h["Ratelimit-Limit"] = []string{strconv.Itoa(business.Limit)}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(business.Remaining)}
	h["Ratelimit-Reset"] = []string{strconv.Itoa(seconds(business.Reset))}
	switch {
	case !business.Allowed && (app.Allowed || business.Reset >= app.Reset):
		c.limited = true
		return errLimited.With(fmt.Sprintf("%d a minute for an app in one business", business.Limit)).After(max(business.Reset, time.Millisecond))
	case !app.Allowed:
		c.limited = true
		return errLimited.With(fmt.Sprintf("%d a minute for an app", app.Limit)).After(max(app.Reset, time.Millisecond))
	}
	return nil
}

// countAddress counts a call of a browser.
func (a *API) countAddress(ctx context.Context, c *call) error {
	err := wire.CountAddress(ctx, a.Limits)
	c.limited = err != nil
	return err
}

// seconds rounds up: whoever waits so long is not refused again.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
