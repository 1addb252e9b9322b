// Package devapi serves what only development mode has, on the API host: /dev/clock and /dev/tokens. It is never wired in
// production.
package devapi

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

// API is the development endpoints.
type API struct {
	Clock *clock.Movable
	// Pass moves the clock by less than a duration, making happen what falls due on the way, and tells how far it went.
	Pass func(context.Context, time.Duration) (time.Duration, error)
	// RunDue makes everything happen that is due by now, and returns when it has.
	RunDue func(context.Context)

	OAuth      *oauth.Service
	People     *identity.Service
	Businesses *business.Service
}

// Register adds the routes.
func (a API) Register(mux *http.ServeMux) {
	mux.Handle("GET /dev/clock", wire.JSON(a.showClock))
	mux.Handle("POST /dev/clock", wire.JSON(a.moveClock))
	mux.Handle("POST /dev/tokens", wire.JSON(a.issueTokens))
}

// What the clock refuses.
var (
	errBeyond    = fault.New(fault.Invalid, "CLOCK_BEYOND_END", "The clock ends in the year 2200.")
	errBackwards = fault.New(fault.Invalid, "CLOCK_BACKWARDS", "The clock stands at {0} and moves forward only. To start earlier, run daybook dev --fresh --clock.")
)

type clockBody struct {
	Now time.Time `json:"now"`
}

func (a API) showClock(w http.ResponseWriter, r *http.Request) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, clockBody{a.Clock.Now()})
	return nil
}

func (a API) moveClock(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Advance *string `json:"advance"`
		Set     *string `json:"set"`
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	now, err := a.move(r.Context(), body.Advance, body.Set)
	if err != nil {
		return err
	}
	a.RunDue(r.Context())
	wire.WriteJSON(w, http.StatusOK, clockBody{now})
	return nil
}

func (a API) move(ctx context.Context, advance, set *string) (time.Time, error) {
	var c fault.Check
	var by time.Duration
	var to time.Time
	switch {
	case (advance == nil) == (set == nil):
		c.Add("advance", "or set is required, and only one of them")
	case advance != nil:
		var ok bool
		by, ok = parseAdvance(*advance)
		c.Require(ok, "advance", "must be a duration such as 61m, 36h or 30d")
	default:
		var err error
		to, err = time.Parse(time.RFC3339, *set)
		c.Require(err == nil, "set", "must be an instant such as 2026-12-31T23:59:00Z")
	}
	if err := c.Err(); err != nil {
		return time.Time{}, err
	}
	if set != nil {
		by = to.Sub(a.Clock.Now())
	}
	if err := a.reaches(by); err != nil {
		return time.Time{}, err
	}
	passed, err := a.Pass(ctx, by)
	if err != nil {
		return time.Time{}, err
	}
	var now time.Time
	if set == nil {
		now, err = a.Clock.Advance(max(by-passed, 0)) // adds up, whoever else moves it meanwhile
	} else {
		now, err = a.Clock.Set(to)
	}
	if errors.Is(err, clock.ErrBeyondEnd) {
		return now, errBeyond
	}
	return now, nil // there already, if somebody else has moved it, too
}

// reaches says why the clock cannot be moved by that much.
func (a API) reaches(by time.Duration) error {
	switch now := a.Clock.Now(); {
	case by < 0:
		return errBackwards.With(now.Format(time.RFC3339))
	case by > clock.End.Sub(now):
		return errBeyond
	}
	return nil
}

var withDays = regexp.MustCompile(`^(\d{1,5})d(.*)$`)

// parseAdvance reads a Go duration that may begin with days.
func parseAdvance(text string) (time.Duration, bool) {
	var days time.Duration
	if m := withDays.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		days, text = time.Duration(n)*24*time.Hour, m[2]
		if text == "" {
			return days, true
		}
	}
	rest, err := time.ParseDuration(text)
	sum := days + rest
	return sum, err == nil && rest >= 0 && sum >= days // no overflow
}
