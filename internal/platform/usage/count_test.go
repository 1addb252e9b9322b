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

func TestEveryCallIsCountedOnceWhileOthersCountAndFlush(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		const workers, each = 8, 3000
		var counting, flushing sync.WaitGroup
		for range workers {
			counting.Go(func() {
				for i := range each {
					c := call(s)
					c.Duration = time.Duration(i)
					c.BusinessID = fmt.Sprintf("biz_%d", i%7)
					switch i % 3 {
					case 1:
						c.Status = 404
					case 2:
						c.Status, c.RateLimited = 429, true
					}
					m.Count(c)
				}
			})
		}
		done := make(chan struct{})
		flushing.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := m.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
			}
		})
		counting.Wait()
		close(done)
		flushing.Wait()
		must(t, m.Flush(ctx))
		got := series(t, s, m, "app_1", usage.Query{}).Totals
		if got.Calls != workers*each || got.Errors != workers*each*2/3 || got.RateLimited != workers*each/3 {
			t.Errorf("got %+v of %d calls", got, workers*each)
		}
		if n := number(t, s, `SELECT count(*) FROM usage_counts`); n != 7*3 {
			t.Errorf("%d rows for 7 businesses with 3 statuses", n)
		}
	})
}

func TestSeveralNodesAddToTheSameRows(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		const nodes, rounds, kinds = 3, 20, 50 // kinds: more than one statement holds
		var wait sync.WaitGroup
		for range nodes {
			d, err := db.Open(ctx, db.Options{Database: s.Database, Clock: s.Clock})
			must(t, err)
			t.Cleanup(d.Close)
			node := &usage.Meter{DB: d}
			wait.Go(func() {
				for range rounds {
					for i := range kinds {
						c := call(s)
						c.Route = fmt.Sprintf("/%d", i)
						node.Count(c)
					}
					if err := node.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		if got := calls(t, s, m, "app_1"); got != nodes*rounds*kinds {
			t.Errorf("got %d calls of %d", got, nodes*rounds*kinds)
		}
		if n := number(t, s, `SELECT count(*) FROM usage_counts`); n != kinds {
			t.Errorf("%d rows, want %d", n, kinds)
		}
	})
}

func TestAFlushTakesFewStatements(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		for i := range 300 {
			c := call(s)
			c.Route = fmt.Sprintf("/%d", i)
			m.Count(c)
		}
		counted, n := db.Counting(ctx)
		must(t, m.Flush(counted))
		if n.Load() != 20 { // 18 × 16 + 8 + 4
			t.Errorf("%d statements for 300 rows", n.Load())
		}
		must(t, m.Flush(counted))
		if n.Load() != 20 {
			t.Error("a flush of nothing talks to the store")
		}
	})
}

// A store that fails at any statement gets all of it with the next flush, together with what was counted since.
func TestWhatCouldNotBeFlushedWaitsForTheNextFlush(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		counted, failures := int64(0), 0
		for asked := 0; ; asked++ {
			for i := range 200 {
				c := call(s)
				c.Route, c.Status = fmt.Sprintf("/%d", i), 200+i%5*100
				c.Status = min(c.Status, 599)
				c.RateLimited = c.Status == 400
				m.Count(c)
				counted++
			}
			err := m.Flush(fadeAfter(asked))
			got := series(t, s, m, "app_1", usage.Query{}).Totals
			if err == nil {
				if got.Calls != counted || got.RateLimited != counted/5 || got.Errors != counted*3/5 {
					t.Fatalf("%+v after %d calls", got, counted)
				}
				break
			}
			failures++
			if got.Calls != 0 {
				t.Fatalf("a failed flush wrote %d calls", got.Calls)
			}
		}
		if failures < 2 {
			t.Errorf("the flush failed only %d times: the test shows nothing", failures)
		}
		if m.Lost() != 0 {
			t.Errorf("%d calls lost", m.Lost())
		}
	})
}

func TestMemoryIsBoundedAndTheCountStaysExact(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		const flood = 120_000
		for i := range flood {
			c := call(s)
			c.AppID = fmt.Sprintf("app_%d", i%3)
			c.BusinessID = fmt.Sprintf("biz_%d", i)
			c.Route = fmt.Sprintf("/%d", i)
			c.Duration = time.Duration(i)
			c.Status = 200
			if i%10 == 0 {
				c.Status = 503
			}
			m.Count(c)
		}
		must(t, m.Flush(ctx))
		var all usage.Sums
		for i := range 3 {
			got := series(t, s, m, fmt.Sprintf("app_%d", i), usage.Query{}).Totals
			if got.Calls != flood/3 {
				t.Errorf("app %d has %d calls, want %d", i, got.Calls, flood/3)
			}
			all.Calls, all.Errors = all.Calls+got.Calls, all.Errors+got.Errors
		}
		if all.Calls != flood || all.Errors != flood/10 || m.Lost() != 0 {
			t.Errorf("got %d calls and %d errors, %d lost", all.Calls, all.Errors, m.Lost())
		}
		if n := number(t, s, `SELECT count(*) FROM usage_counts`); n > 30_000 {
			t.Errorf("%d rows", n)
		}
		if n := number(t, s, `SELECT count(*) FROM usage_counts WHERE route <> 'other' AND business_id <> 'other'`); n < 16_000 {
			t.Errorf("only %d calls are told apart in full", n)
		}
		if n := number(t, s, `SELECT count(*) FROM usage_counts WHERE route = 'other' AND version = 'other' AND business_id <> 'other'`); n == 0 {
			t.Error("routes are not folded before businesses")
		}
	})
}

func TestCallsOfMoreAppsThanThereIsRoomForAreLostAndSaidSo(t *testing.T) {
	m := &usage.Meter{}
	const apps = 100_000
	for i := range apps {
		m.Count(usage.Call{AppID: fmt.Sprint(i), Status: 200, At: dbtest.Start, Duration: time.Duration(i)})
	}
	if lost := m.Lost(); lost <= 0 || lost > apps-25_000 {
		t.Errorf("%d of %d lost", lost, apps)
	}
}

func TestEvenAllStatusesOfAnAppHaveRoom(t *testing.T) {
	m := &usage.Meter{}
	for i := range 200_000 {
		m.Count(usage.Call{AppID: "app_1", BusinessID: fmt.Sprint(i), Status: 100 + i%500, At: dbtest.Start, Duration: time.Duration(i / 500)})
	}
	if m.Lost() != 0 {
		t.Errorf("%d lost", m.Lost())
	}
}

// Whoever returns from Flush may rely on all that was counted before being written, also when somebody else took it along.
func TestAFlushWaitsForTheOneUnderWay(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		m.Count(call(s))
		must(t, m.Flush(ctx))
		held, release := make(chan struct{}), make(chan struct{})
		var wait sync.WaitGroup
		wait.Go(func() {
			err := s.Write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE usage_counts SET calls = calls`)
				close(held)
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-held
		m.Count(call(s))
		returned := make(chan struct{}, 2)
		for range 2 {
			wait.Go(func() {
				if err := m.Flush(ctx); err != nil {
					t.Error(err)
				}
				returned <- struct{}{}
			})
		}
		select {
		case <-returned:
			t.Error("a flush returned before the call was written")
		case <-time.After(50 * time.Millisecond):
		}
		close(release)
		wait.Wait()
	})
}

func TestOddWordsNeverSpoilAFlush(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		long := string(make([]byte, 5000))
		odd := []string{"", "\x00", "a\xff", "a\xfe", "a", long + "x", "ä€𝄞", "'; DROP TABLE usage_counts; --", fmt.Sprintf("%05000d", 1), fmt.Sprintf("%05000d", 2)}
		n := int64(0)
		for _, word := range odd {
			for _, status := range []int{-1, 0, 200, 1 << 40} {
				c := call(s)
				c.BusinessID, c.Method, c.Route, c.Version, c.Status = word, word, word, word, status
				c.Duration = -time.Second
				m.Count(c)
				n++
			}
		}
		must(t, m.Flush(ctx))
		if got := series(t, s, m, "app_1", usage.Query{GroupBy: usage.ByRoute}).Totals; got.Calls != n || got.Errors != n*3/4 {
			t.Errorf("%+v of %d", got, n)
		}
		if long := number(t, s, `SELECT count(*) FROM usage_counts WHERE length(route) > 200 OR length(business_id) > 200`); long > 0 {
			t.Errorf("%d rows with words that no index takes", long)
		}
	})
}

func TestARefusalByALimitIsAnErrorWhateverItsStatus(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, m *usage.Meter) {
		for _, status := range []int{0, 200, 429, 503} {
			c := call(s)
			c.Status, c.RateLimited = status, true
			m.Count(c)
		}
		must(t, m.Flush(ctx))
		got := series(t, s, m, "app_1", usage.Query{}).Totals
		if got.Calls != 4 || got.Errors != 4 || got.RateLimited != 4 {
			t.Errorf("%+v", got)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	words := make([]string, 100)
	for i := range words {
		words[i] = fmt.Sprintf("biz_01jcq4z7%018d", i)
	}
	c := usage.Call{AppID: "app_01jcq4z7000000000000000001", Method: "GET", Route: "/invoices/{id}", Version: "2026-06-01", Status: 200, At: dbtest.Start}
	b.Run("one goroutine", func(b *testing.B) {
		m := &usage.Meter{}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.BusinessID, c.Duration = words[i%len(words)], time.Duration(i*37)
			m.Count(c)
		}
	})
	b.Run("parallel, one key", func(b *testing.B) {
		m := &usage.Meter{}
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			c := c
			for i := 0; pb.Next(); i++ {
				c.BusinessID, c.Duration = words[0], time.Duration(i*37)
				m.Count(c)
			}
		})
	})
}
