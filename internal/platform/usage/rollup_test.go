package usage_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
)

// spread counts calls over the last 40 days, some per hour, and flushes them.
func spread(t *testing.T, s *dbtest.Store, m *usage.Meter) (n int64) {
	t.Helper()
	for ago := time.Duration(0); ago < 40*24*time.Hour; ago += 7*time.Hour + 13*time.Minute {
		for i := range 4 {
			c := call(s)
			c.At = s.Clock.Now().Add(-ago)
			c.AppID = fmt.Sprintf("app_%d", i%2)
			c.Route = fmt.Sprintf("/%d", i)
			c.Status = 200 + i*100
			c.RateLimited = i == 2
			c.Duration = time.Duration(i+1) * 3 * time.Millisecond
			m.Count(c)
			n++
		}
	}
	must(t, m.Flush(ctx))
	return n
}

func bySpan(t *testing.T, s *dbtest.Store, span time.Duration) int {
	t.Helper()
	return number(t, s, `SELECT count(*) FROM usage_counts WHERE span = $1`, span.Milliseconds())
}

func TestRollingUpChangesNoDay(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		spread(t, s, m)
		for _, group := range []usage.Group{"", usage.ByRoute, usage.ByStatus, usage.ByVersion} {
			before := series(t, s, m, "app_0", usage.Query{GroupBy: group})
			must(t, m.RollUp(ctx))
			must(t, m.RollUp(ctx))
			after := series(t, s, m, "app_0", usage.Query{GroupBy: group})
			if fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("by %q:\n%v\n%v", group, before, after)
			}
			if len(after.Points) < 40 {
				t.Errorf("by %q: %d points", group, len(after.Points))
			}
		}
		if bySpan(t, s, time.Minute) != 4 || bySpan(t, s, 24*time.Hour) == 0 {
			t.Errorf("%d rows by the minute, %d by the day: only the present hour is known by the minute", bySpan(t, s, time.Minute), bySpan(t, s, 24*time.Hour))
		}
	})
}

// A crash after any statement of a roll-up loses and doubles nothing, and the next one goes on from there.
func TestACrashDuringARollUpLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		n := spread(t, s, m)
		failures := 0
		for asked := 0; ; asked += 1 + asked/8 {
			err := m.RollUp(fadeAfter(asked))
			if got := calls(t, s, m, "app_0") + calls(t, s, m, "app_1"); got != n {
				t.Fatalf("%d calls of %d after a crash at %d", got, n, asked)
			}
			if err == nil {
				break
			}
			failures++
		}
		if failures < 10 {
			t.Errorf("it failed only %d times: the test shows nothing", failures)
		}
		if bySpan(t, s, time.Minute) != 4 {
			t.Error("the roll-up is not complete")
		}
	})
}

func TestNodesMayRollUpAtOnceWhileOthersFlush(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		n := spread(t, s, m)
		var wait sync.WaitGroup
		for range 3 {
			d, err := db.Open(ctx, db.Options{Database: s.Database, Clock: s.Clock})
			must(t, err)
			t.Cleanup(d.Close)
			node := &usage.Meter{DB: d}
			wait.Go(func() {
				if err := node.RollUp(ctx); err != nil {
					t.Error(err)
				}
			})
			wait.Go(func() { // late words of hours that are being moved
				for i := range 20 {
					c := call(s)
					c.AppID, c.Route, c.Status, c.At = "app_0", "/0", 200, s.Clock.Now().Add(-time.Duration(i)*(7*time.Hour+13*time.Minute))
					node.Count(c)
					if err := node.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		n += 3 * 20
		if got := calls(t, s, m, "app_0") + calls(t, s, m, "app_1"); got != n {
			t.Errorf("%d calls of %d", got, n)
		}
		must(t, m.RollUp(ctx))
		if got := calls(t, s, m, "app_0") + calls(t, s, m, "app_1"); got != n || bySpan(t, s, time.Minute) != 4 {
			t.Errorf("%d calls of %d, %d rows by the minute", got, n, bySpan(t, s, time.Minute))
		}
	})
}

func TestARollUpOfMoreThanABatchEnds(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		const minutes, kinds = 50, 100
		for i := range minutes {
			for j := range kinds {
				c := call(s)
				c.At = s.Clock.Now().Add(-24*time.Hour + time.Duration(i)*time.Minute)
				c.Route, c.Duration = fmt.Sprint(j), time.Duration(j)
				m.Count(c)
			}
		}
		must(t, m.Flush(ctx))
		before := s.Stats().Commits
		must(t, m.RollUp(ctx))
		if bySpan(t, s, time.Minute) != 0 || bySpan(t, s, time.Hour) != kinds || calls(t, s, m, "app_1") != minutes*kinds {
			t.Errorf("%d minutes, %d hours, %d calls", bySpan(t, s, time.Minute), bySpan(t, s, time.Hour), calls(t, s, m, "app_1"))
		}
		if n := s.Stats().Commits - before; n < 3 {
			t.Errorf("%d rows were moved in %d transactions", minutes*kinds, n)
		}
	})
}

// Where the edges lie: the clock stands at 2026-11-14 12:00 UTC.
func TestMinutesHoursAndDaysAreKeptAsLongAsPromised(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		for _, c := range []struct {
			at   time.Time
			span time.Duration // zero: gone
		}{
			{time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC), time.Minute},
			{time.Date(2026, 11, 14, 11, 59, 59, 999e6, time.UTC), time.Hour},
			{time.Date(2026, 10, 15, 12, 0, 0, 0, time.UTC), time.Hour}, // 30 days ago
			{time.Date(2026, 10, 15, 0, 0, 0, 0, time.UTC), time.Hour},
			{time.Date(2026, 10, 14, 23, 59, 59, 999e6, time.UTC), 24 * time.Hour},
			{time.Date(2025, 10, 14, 12, 0, 0, 0, time.UTC), 24 * time.Hour}, // 13 months ago
			{time.Date(2025, 10, 1, 0, 0, 0, 0, time.UTC), 24 * time.Hour},
			{time.Date(2025, 9, 30, 23, 59, 59, 999e6, time.UTC), 0},
		} {
			one := call(s)
			one.AppID = "app_" + c.at.Format(time.RFC3339Nano)
			one.At = c.at
			m.Count(one)
			must(t, m.Flush(ctx))
			must(t, m.RollUp(ctx))
			var span, at int64 // the finest
			if calls(t, s, m, one.AppID) > 0 {
				span = int64(number(t, s, `SELECT min(span) FROM usage_counts WHERE app_id = $1`, one.AppID))
				at = int64(number(t, s, `SELECT begins_at FROM usage_counts WHERE app_id = $1 AND span = $2`, one.AppID, span))
			}
			days := number(t, s, `SELECT count(*) FROM usage_counts WHERE app_id = $1 AND span = $2 AND begins_at = $3`, one.AppID, (24 * time.Hour).Milliseconds(), c.at.Truncate(24*time.Hour).UnixMilli())
			if kept := c.span >= time.Hour; kept != (days == 1) {
				t.Errorf("%v is in %d days", c.at, days)
			}
			hours := len(series(t, s, m, one.AppID, usage.Query{Granularity: usage.Hour}).Points)
			if kept := c.span == time.Minute || c.span == time.Hour; kept != (hours == 1) {
				t.Errorf("%v is in %d hours: a day is not shown as an hour", c.at, hours)
			}
			if span != c.span.Milliseconds() || c.span > 0 && at != c.at.Truncate(c.span).UnixMilli() {
				t.Errorf("%v is kept as %v from %v, want %v", c.at, time.Duration(span)*time.Millisecond, time.UnixMilli(at).UTC(), c.span)
			}
		}
	})
}

// 13 months before the 31st of March there is no 31st: nothing younger may go for it.
func TestMonthsOfDifferentLengthCutNothingOff(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		s.Clock.Set(time.Date(2027, 3, 31, 9, 0, 0, 0, time.UTC))
		c := call(s)
		c.At = time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)
		m.Count(c)
		must(t, m.Flush(ctx))
		must(t, m.RollUp(ctx))
		if calls(t, s, m, "app_1") != 1 {
			t.Error("a day of the last 13 months is gone")
		}
		s.Clock.Set(time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC))
		must(t, m.RollUp(ctx))
		if calls(t, s, m, "app_1") != 0 {
			t.Error("it stays for longer than it should")
		}
	})
}

// What stands in the totals is what the businesses add up to, whenever it is looked at.
func TestTotalsAreTheSumOfBusinesses(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		for _, ago := range []time.Duration{0, time.Minute, 90 * time.Minute, 26 * time.Hour, 40 * 24 * time.Hour, 80 * 24 * time.Hour} {
			for i := range 3 {
				c := call(s)
				c.BusinessID, c.At = fmt.Sprintf("biz_%d", i), s.Clock.Now().Add(-ago)
				for range i + 1 {
					m.Count(c)
				}
			}
		}
		must(t, m.Flush(ctx))
		for _, step := range []time.Duration{0, time.Hour, 31 * 24 * time.Hour} {
			s.Clock.Advance(step)
			must(t, m.RollUp(ctx))
			sum := int64(0)
			for i := range 3 {
				business := fmt.Sprintf("biz_%d", i)
				sum += series(t, s, m, "app_1", usage.Query{BusinessID: &business}).Totals.Calls
			}
			if all := calls(t, s, m, "app_1"); all != sum || all != 36 {
				t.Errorf("after %v: %d in all, %d of the businesses", step, all, sum)
			}
			if doubled := number(t, s, `SELECT count(*) FROM usage_totals WHERE span = 60000 OR business_id <> ''`); doubled != 0 {
				t.Errorf("after %v: %d rows of the totals are by the minute or of a business", step, doubled)
			}
		}
		s.Clock.Set(s.Clock.Now().AddDate(0, 15, 0))
		must(t, m.RollUp(ctx))
		if left := number(t, s, `SELECT count(*) FROM usage_totals`); left != 0 {
			t.Errorf("%d totals of long ago are left", left)
		}
	})
}
