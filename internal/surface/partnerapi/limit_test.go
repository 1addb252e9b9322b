package partnerapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/limit"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// generous refuses nothing.
type generous struct{}

func (generous) Take(_ context.Context, hits ...limit.Hit) []limit.Window {
	out := make([]limit.Window, len(hits))
	for i, h := range hits {
		out[i] = limit.Window{Allowed: true, Limit: h.Rule.Max, Remaining: h.Rule.Max, Reset: time.Minute}
	}
	return out
}
func (generous) Locked(context.Context, ...limit.Mark) time.Duration { return 0 }
func (generous) Fail(context.Context, ...limit.Mark)                 {}

// scripted says what it is told to, and remembers what it was asked.
type scripted struct {
	generous
	windows []limit.Window
	hits    []limit.Hit
}

func (s *scripted) Take(_ context.Context, hits ...limit.Hit) []limit.Window {
	s.hits = append(s.hits, hits...)
	return s.windows
}

func TestLimitsOfApps(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		standing := func(a answer) string {
			h := a.Header()
			return h.Get("RateLimit-Limit") + " " + h.Get("RateLimit-Remaining") + " " + h.Get("RateLimit-Reset")
		}
		if got := standing(w.call(bearer(token), "GET", "/me", nil).is(200, "")); got != "300 299 60" {
			t.Errorf("at first: %s", got)
		}
		w.Clock.Advance(1500 * time.Millisecond)
		for i, refused := range []func() answer{
			func() answer { return w.call(bearer(token), "GET", "/nowhere", nil).is(403, "ENDPOINT_NOT_EXPOSED") },
			func() answer { return w.call(bearer(token), "GET", "/invoices/inv_x", nil).is(404, "NOT_FOUND") },
			func() answer { return w.call(bearer(token), "GET", "/invoices?limit=0", nil).is(400, "") },
			func() answer {
				return w.call(bearer(token).with("Daybook-Version", "x"), "GET", "/me", nil).is(400, "UNSUPPORTED_API_VERSION")
			},
		} {
			if got, want := standing(refused()), fmt.Sprintf("300 %d 59", 298-i); got != want {
				t.Errorf("refusal %d: %s, want %s", i, got, want)
			}
		}
		for range 295 {
			w.call(bearer(token), "GET", "/nowhere", nil)
		}
		got := w.call(bearer(token), "GET", "/me", nil).is(429, "APP_RATE_LIMITED")
		if standing(got) != "300 0 59" || got.Header().Get("Retry-After") != "59" || got.object()["params"].(object)["p0"] != "300 a minute for an app in one business" {
			t.Errorf("%v %s", got.Header(), got.Body)
		}
		if m := w.meter.last(t); !m.RateLimited || m.Status != 429 || m.Route != "/me" {
			t.Errorf("counted as %+v", m)
		}
		// Another business of the same app is not concerned, nor are its other tokens an escape.
		other := w.newShop(business.New{Name: "Other", Country: "NL", Currency: "EUR"}, w.owner)
		w.call(bearer(w.token(other, w.owner, scope.ProfileRead)), "GET", "/me", nil).is(200, "")
		w.call(bearer(w.all()), "GET", "/me", nil).is(429, "APP_RATE_LIMITED")
		w.Clock.Advance(58500 * time.Millisecond)
		w.call(bearer(token), "GET", "/me", nil).is(200, "")
	})
}

func TestTheLimitOfAnAppOverAllBusinesses(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		for _, c := range []struct {
			name          string
			business, app limit.Window
			wait, p0      string
		}{
			{"the app's", limit.Window{Allowed: true, Limit: 300, Remaining: 7, Reset: 20 * time.Second}, limit.Window{Limit: 10_000, Reset: 40 * time.Second}, "40", "10000 a minute for an app"},
			{"both, the app's longer", limit.Window{Limit: 300, Reset: 20 * time.Second}, limit.Window{Limit: 10_000, Reset: 40 * time.Second}, "40", "10000 a minute for an app"},
			{"both, the business's longer", limit.Window{Limit: 300, Reset: 50 * time.Second}, limit.Window{Limit: 10_000, Reset: 40 * time.Second}, "50", "300 a minute for an app in one business"},
			{"at the very end of a window", limit.Window{Limit: 300}, limit.Window{Allowed: true, Limit: 10_000}, "1", "300 a minute for an app in one business"},
		} {
			s := &scripted{windows: []limit.Window{c.business, c.app}}
			w.api.Limits = s
			got := w.call(bearer(token), "GET", "/me", nil).is(429, "APP_RATE_LIMITED")
			if got.Header().Get("Retry-After") != c.wait || got.object()["params"].(object)["p0"] != c.p0 || got.Header().Get("RateLimit-Limit") != "300" {
				t.Errorf("%s: %v %s", c.name, got.Header(), got.Body)
			}
			if len(s.hits) != 2 || s.hits[0].Key != w.app.ID+" "+w.shop || s.hits[1].Key != w.app.ID || s.hits[0].Rule.Max != 300 || s.hits[1].Rule.Max != 10_000 || s.hits[0].Rule.Per != time.Minute || s.hits[1].Rule.Per != time.Minute {
				t.Errorf("%s: counted %+v", c.name, s.hits)
			}
		}
	})
}

func TestLimitsOfSessions(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		cookie := header{"Cookie", w.cookie(w.owner)}
		for i := range 600 {
			// Requests of one address count together, whoever sends them.
			if got := w.call(header{"Cookie", "daybook_session=nonsense"}, "GET", "/me", nil); got.Code != 401 {
				t.Fatalf("request %d: %d", i, got.Code)
			}
		}
		got := w.call(cookie, "GET", "/me", nil).is(429, "RATE_LIMITED")
		if got.Header().Get("Retry-After") != "60" || got.Header().Get("RateLimit-Limit") != "" || !strings.Contains(got.text("message"), "600 a minute") {
			t.Errorf("%v %s", got.Header(), got.Body)
		}
		w.call(header{}, "GET", "/versions", nil).is(http.StatusTooManyRequests, "RATE_LIMITED")
		w.call(bearer(w.all()), "GET", "/me", nil).is(200, "") // apps have their own
		w.Clock.Advance(time.Minute)
		w.call(cookie, "GET", "/me", nil).is(200, "")
	})
}
