package usage_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
)

// asked is a series of which every point is known.
type asked struct {
	business    *string
	granularity usage.Granularity
	length      time.Duration
	from        time.Time
}

// Whatever nodes count, flush and roll up in whatever order, and however often they fail at it, a day shows what a plain list of
// all flushed calls shows, and so does an hour for as long as hours are kept.
func TestAnyHistoryAddsUpToItsCalls(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, _ *usage.Meter) {
		run := 0
		rapid.Check(t, func(r *rapid.T) {
			run++
			app := fmt.Sprintf("app_%d", run)
			nodes := []*usage.Meter{{DB: s.DB}, {DB: s.DB}}
			waiting := make([][]usage.Call, len(nodes))
			var written []usage.Call
			r.Repeat(map[string]func(*rapid.T){
				"count": func(r *rapid.T) {
					n := rapid.IntRange(0, len(nodes)-1).Draw(r, "node")
					c := call(s)
					c.AppID = app
					c.BusinessID = rapid.SampledFrom([]string{"biz_1", "biz_2"}).Draw(r, "business")
					c.Status = rapid.SampledFrom([]int{200, 404, 429}).Draw(r, "status")
					c.RateLimited = c.Status == 429
					c.Duration = time.Duration(rapid.IntRange(0, 20_000).Draw(r, "took")) * time.Millisecond
					nodes[n].Count(c)
					waiting[n] = append(waiting[n], c)
				},
				"flush": func(r *rapid.T) {
					n := rapid.IntRange(0, len(nodes)-1).Draw(r, "node")
					if err := nodes[n].Flush(fadeAfter(rapid.IntRange(0, 40).Draw(r, "crash"))); err == nil {
						written, waiting[n] = append(written, waiting[n]...), nil
					}
				},
				"roll up": func(r *rapid.T) {
					_ = nodes[0].RollUp(fadeAfter(rapid.IntRange(0, 100).Draw(r, "crash")))
				},
				"time": func(r *rapid.T) {
					s.Clock.Advance(time.Duration(rapid.IntRange(1, 60*24*3).Draw(r, "minutes")) * time.Minute)
				},
				"": func(r *rapid.T) {
					now := s.Clock.Now()
					which := rapid.SampledFrom([]asked{
						{nil, usage.Day, 24 * time.Hour, now.AddDate(-2, 0, 0)}, {new("biz_1"), usage.Day, 24 * time.Hour, now.AddDate(-2, 0, 0)},
						{nil, usage.Hour, time.Hour, now.AddDate(0, 0, -30)}, {new("biz_1"), usage.Hour, time.Hour, now.AddDate(0, 0, -30)},
					}).Draw(r, "which")
					want := map[time.Time]usage.Sums{}
					for _, c := range written {
						at := c.At.Truncate(which.length)
						if (which.business == nil || c.BusinessID == *which.business) && !at.Before(which.from.Truncate(which.length)) {
							sum := want[at]
							sum.Calls++
							if c.Status >= 400 {
								sum.Errors++
							}
							if c.RateLimited {
								sum.RateLimited++
							}
							want[at] = sum
						}
					}
					got := series(r, s, nodes[0], app, usage.Query{BusinessID: which.business, Granularity: which.granularity, From: which.from, To: now.Add(time.Hour)})
					if len(got.Points) != len(want) {
						r.Fatalf("%s: %d points, want %d", which.granularity, len(got.Points), len(want))
					}
					for _, p := range got.Points {
						p.P50Ms, p.P95Ms = 0, 0
						if p.Sums != want[p.At] {
							r.Fatalf("%v: %+v, want %+v", p.At, p.Sums, want[p.At])
						}
					}
				},
			})
		})
	})
}
