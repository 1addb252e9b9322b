package usage_test

import (
	"slices"
	"testing"
	"time"

	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
)

func TestUsesTellVersionsAndRoutesApart(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		count := func(n int, change func(*usage.Call)) {
			for range n {
				c := call(s)
				change(&c)
				m.Count(c)
			}
		}
		count(1, func(c *usage.Call) { c.At = c.At.AddDate(0, 0, -40) }) // before anyone asks
		count(2, func(c *usage.Call) { c.BusinessID = "biz_2" })
		count(3, func(c *usage.Call) { c.Method = "POST"; c.Status = 400 })
		count(4, func(c *usage.Call) { c.Version = "2025-10-01" })
		count(5, func(c *usage.Call) { c.Version = "" }) // refused before it was known
		count(6, func(c *usage.Call) { c.AppID = "app_2" })
		must(t, m.Flush(ctx))
		want := []usage.Use{{"2025-10-01", "GET /invoices", 4}, {"2026-06-01", "POST /invoices", 3}, {"2026-06-01", "GET /invoices", 2}}
		for _, rolled := range []bool{false, true} {
			if rolled {
				s.Clock.Advance(2 * time.Hour)
				must(t, m.RollUp(ctx))
			}
			if got, err := m.Uses(ctx, "app_1", s.Clock.Now().AddDate(0, 0, -30)); err != nil || !slices.Equal(got, want) {
				t.Errorf("rolled up %v: %v, %v", rolled, got, err)
			}
		}
	})
}

func TestAQueryIsCheckedWithoutAsking(t *testing.T) {
	now := dbtest.Start
	if err := (usage.Query{}).Check(now); err != nil {
		t.Error(err)
	}
	if err := (usage.Query{From: now, To: now}).Check(now); err == nil {
		t.Error("nothing lies between an instant and itself")
	}
}
