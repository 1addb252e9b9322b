package usage_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
)

func TestPointsAreWholeHoursAndDays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		midnight := time.Date(2026, 11, 13, 0, 0, 0, 0, time.UTC)
		for _, at := range []time.Time{
			midnight.Add(-time.Millisecond), midnight, midnight.Add(59*time.Minute + 59*time.Second), midnight.Add(time.Hour),
			midnight.Add(23*time.Hour + 59*time.Minute), midnight.Add(24 * time.Hour),
		} {
			c := call(s)
			c.At = at
			m.Count(c)
		}
		must(t, m.Flush(ctx))
		for _, rolled := range []bool{false, true} {
			if rolled {
				must(t, m.RollUp(ctx))
			}
			for _, c := range []struct {
				granularity usage.Granularity
				from, to    time.Time
				want        string
			}{
				{usage.Hour, midnight, midnight.Add(24 * time.Hour), "13T00:2 13T01:1 13T23:1"},
				{usage.Hour, midnight.Add(30 * time.Minute), midnight.Add(time.Hour), "13T00:2"}, // an hour is shown whole
				{usage.Hour, midnight.Add(30 * time.Minute), midnight.Add(time.Hour + time.Millisecond), "13T00:2 13T01:1"},
				{usage.Hour, midnight.Add(-time.Millisecond), midnight, "12T23:1"},
				{usage.Hour, midnight.Add(2 * time.Hour), midnight.Add(3 * time.Hour), ""},
				{usage.Day, midnight, midnight.Add(24 * time.Hour), "13T00:4"},
				{usage.Day, midnight.Add(13 * time.Hour), midnight.Add(24*time.Hour + time.Millisecond), "13T00:4 14T00:1"},
				{usage.Day, midnight.Add(-24 * time.Hour), midnight.Add(48 * time.Hour), "12T00:1 13T00:4 14T00:1"},
			} {
				got := series(t, s, m, "app_1", usage.Query{From: c.from, To: c.to, Granularity: c.granularity})
				var words []string
				total := int64(0)
				for _, p := range got.Points {
					words = append(words, fmt.Sprintf("%s:%d", p.At.Format("02T15"), p.Calls))
					total += p.Calls
				}
				if strings.Join(words, " ") != c.want || got.Totals.Calls != total {
					t.Errorf("%s from %v to %v (rolled up: %v): %v, %d in all; want %s", c.granularity, c.from, c.to, rolled, words, got.Totals.Calls, c.want)
				}
			}
		}
	})
}

func TestASeriesIsOfOneAppAndOneBusinessAndInGroups(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		add := func(n int, app, business, method, route string, status int, version string) {
			for range n {
				c := call(s)
				c.AppID, c.BusinessID, c.Method, c.Route, c.Status, c.Version = app, business, method, route, status, version
				c.RateLimited = status == 429
				m.Count(c)
			}
		}
		add(1, "app_1", "biz_1", "GET", "/invoices", 200, "2026-06-01")
		add(2, "app_1", "biz_1", "POST", "/invoices", 201, "2025-10-01")
		add(4, "app_1", "biz_2", "GET", "/invoices", 429, "2026-06-01")
		add(8, "app_2", "biz_1", "GET", "/invoices", 200, "2026-06-01")
		must(t, m.Flush(ctx))
		one, nobody := "biz_1", "biz_9"
		for _, c := range []struct {
			business *string
			group    usage.Group
			want     string
		}{
			{nil, "", "=7/4/4"},
			{&one, "", "=3/0/0"},
			{&nobody, "", ""},
			{nil, usage.ByRoute, "GET /invoices=5/4/4 POST /invoices=2/0/0"},
			{nil, usage.ByStatus, "200=1/0/0 201=2/0/0 429=4/4/4"},
			{nil, usage.ByVersion, "2025-10-01=2/0/0 2026-06-01=5/4/4"},
			{&one, usage.ByVersion, "2025-10-01=2/0/0 2026-06-01=1/0/0"},
		} {
			got := series(t, s, m, "app_1", usage.Query{BusinessID: c.business, GroupBy: c.group})
			var words []string
			for _, p := range got.Points {
				words = append(words, fmt.Sprintf("%s=%d/%d/%d", p.Group, p.Calls, p.Errors, p.RateLimited))
			}
			if strings.Join(words, " ") != c.want {
				t.Errorf("by %q of %v: %v, want %s", c.group, c.business, words, c.want)
			}
		}
	})
}

func TestPercentilesAreRightToTheBucket(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		for name, took := range map[string]func(i int) time.Duration{
			"all alike":       func(int) time.Duration { return 7 * time.Millisecond },
			"evenly spread":   func(i int) time.Duration { return time.Duration(i) * time.Millisecond },
			"fast":            func(i int) time.Duration { return time.Duration(i) * time.Microsecond },
			"one in ten slow": func(i int) time.Duration { return time.Millisecond + time.Duration(i%10/9)*3*time.Second },
			"very slow":       func(i int) time.Duration { return time.Minute },
			"at an edge":      func(i int) time.Duration { return time.Millisecond },
			"none":            func(i int) time.Duration { return 0 },
		} {
			var all []time.Duration
			for i := range 999 {
				c := call(s)
				c.AppID = name
				c.Duration = took(i)
				all = append(all, c.Duration)
				m.Count(c)
			}
			must(t, m.Flush(ctx))
			slices.Sort(all)
			got := series(t, s, m, name, usage.Query{}).Totals
			for _, p := range []struct {
				got  float64
				true time.Duration
			}{{got.P50Ms, all[499]}, {got.P95Ms, all[949]}} {
				low, high := 0.0, 0.5 // the bucket that the true one lies in
				for ; high < min(p.true.Seconds()*1000, 8192); high *= 2 {
					low = high
				}
				if p.got < low-0.05 || p.got > high+0.05 {
					t.Errorf("%s: got %v ms, true is %v, between %v and %v ms", name, p.got, p.true, low, high)
				}
			}
			if got.P50Ms > got.P95Ms {
				t.Errorf("%s: %+v", name, got)
			}
		}
	})
}

func TestAnOpenQueryIsUnderstoodAndAWrongOneNamed(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		now := s.Clock.Now()
		for granularity, from := range map[usage.Granularity]time.Time{"": now.AddDate(0, 0, -30), usage.Day: now.AddDate(0, 0, -30), usage.Hour: now.AddDate(0, 0, -1)} {
			got, err := m.Series(ctx, "app_1", usage.Query{Granularity: granularity})
			must(t, err)
			if !got.From.Equal(from) || !got.To.Equal(now) || got.Granularity == "" || got.Points == nil {
				t.Errorf("%q: %+v", granularity, got)
			}
		}
		_, err := m.Series(ctx, "app_1", usage.Query{From: now, To: now, Granularity: "WEEK", GroupBy: "business"})
		var f *fault.Fault
		if !errors.As(err, &f) || len(f.Fields) != 3 {
			t.Fatalf("got %v", err)
		}
		for i, path := range []string{"granularity ", "from ", "groupBy "} {
			if !strings.HasPrefix(f.Fields[i], path) {
				t.Errorf("%q does not name %s", f.Fields[i], path)
			}
		}
	})
}
