package reqlog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
	"daybook/internal/schema/dbtest"
)

// Blocks that overlap in any way, are written twice and merged in between are shown as a plain list of their calls would be, whatever
// the filter, the pages and the patience of a search.
func TestOverlappingBlocksAreShownInOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rapid.Check(t, func(r *rapid.T) {
			w.empty(t)
			var all []reqlog.Entry
			for range rapid.IntRange(1, 25).Draw(r, "flushes") {
				around := rapid.IntRange(-3*24*60, 60).Draw(r, "minute")
				for range rapid.IntRange(1, 12).Draw(r, "calls") {
					e := w.at(dbtest.Start.Add(time.Duration(around*60+rapid.IntRange(-100, 100).Draw(r, "second")) * time.Second))
					e.Status = rapid.SampledFrom([]int{200, 200, 404}).Draw(r, "status")
					e.BusinessID = rapid.SampledFrom([]string{"biz_1", "biz_2", ""}).Draw(r, "business")
					all = append(all, e)
					w.log.Note(e)
				}
				if rapid.IntRange(0, 4).Draw(r, "again") == 0 {
					w.log.Note(rapid.SampledFrom(all).Draw(r, "which"))
				}
				must(r, w.log.Flush(ctx))
				if rapid.IntRange(0, 8).Draw(r, "merge") == 0 {
					must(r, w.log.MergeApp(ctx, w.app))
				}
			}
			slices.SortFunc(all, func(a, b reqlog.Entry) int { return strings.Compare(b.RequestID, a.RequestID) })
			defer reqlog.SetPatience(rapid.IntRange(1, 9000).Draw(r, "patience"))()
			for range 3 {
				f := reqlog.Filter{
					Status: rapid.SampledFrom([]int{0, 200, 404, 500}).Draw(r, "status"), BusinessID: rapid.SampledFrom([]string{"", "biz_1", "biz_2"}).Draw(r, "business"),
				}
				if rapid.Bool().Draw(r, "until") {
					f.To = rapid.SampledFrom(all).Draw(r, "call").At().Add(time.Duration(rapid.IntRange(0, 1).Draw(r, "ms")) * time.Millisecond)
				}
				if rapid.Bool().Draw(r, "since") {
					f.From = rapid.SampledFrom(all).Draw(r, "call").At()
				}
				var want []reqlog.Entry
				for _, e := range all {
					if fits(f, e) {
						want = append(want, e)
					}
				}
				if diff := cmp.Diff(want, w.all(t, f, rapid.IntRange(1, 30).Draw(r, "limit"))); diff != "" {
					r.Fatalf("%+v: %s", f, diff)
				}
			}
			one := rapid.SampledFrom(all).Draw(r, "one")
			if diff := cmp.Diff([]reqlog.Entry{one}, w.all(t, reqlog.Filter{RequestID: one.RequestID}, 1)); diff != "" {
				r.Fatal(diff)
			}
		})
	})
}

func TestBlocksAreOfOneDayAndShareItsCallsEvenly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		midnight := dbtest.Start.Truncate(24 * time.Hour)
		for i := range 2*reqlog.Fullest + 10 {
			w.log.Note(w.at(midnight.Add(-time.Duration(i+1) * time.Millisecond)))
		}
		for i := range 10 {
			w.log.Note(w.at(midnight.Add(time.Duration(i) * time.Millisecond)))
		}
		must(t, w.log.Flush(ctx))
		list, err := w.log.Blocks(ctx, w.app)
		must(t, err)
		var sizes []int
		border := id.At(id.Request, midnight)
		for _, b := range list {
			if sizes = append(sizes, b.Calls()); b.First() < border && b.Last() >= border {
				t.Errorf("%v is of two days", b)
			}
		}
		if !slices.Equal(sizes, []int{1368, 1369, 1369, 10}) {
			t.Errorf("blocks of %v", sizes)
		}
	})
}

// What is planned is carried out on numbers: no call goes, no block is too large or of two days, and what stays small is little.
func TestPlanOfMerging(t *testing.T) {
	today := id.FirstBits(dbtest.Start)
	rapid.Check(t, func(r *rapid.T) {
		type block struct{ day, calls int }
		var list []block
		for day := range 3 {
			for range rapid.IntRange(0, 400).Draw(r, "blocks") {
				list = append(list, block{day, rapid.OneOf(rapid.IntRange(1, 4), rapid.IntRange(1, reqlog.Full-1)).Draw(r, "calls")})
			}
		}
		total := func() (n int) {
			for _, s := range list {
				n += s.calls
			}
			return n
		}
		before, done := total(), 0
		for round := 0; ; round++ {
			blocks := reqlog.NoEnds()
			for i, s := range list {
				at := id.At(id.Request, dbtest.Start.AddDate(0, 0, s.day-2).Add(time.Duration(i)*time.Second))
				blocks = append(blocks, reqlog.Ends(at, at, s.calls))
			}
			runs, err := reqlog.Plan(blocks, today)
			must(r, err)
			if len(runs) == 0 {
				break
			}
			if round > 10 {
				r.Fatal("no end")
			}
			var after []block
			at := 0
			for _, run := range runs {
				if run[0] < at || run[1]-run[0] < 2 || run[1]-run[0] > reqlog.MergeTogether {
					r.Fatalf("%v of %v", run, runs)
				}
				after = append(after, list[at:run[0]]...)
				one := block{day: list[run[0]].day}
				for _, s := range list[run[0]:run[1]] {
					if one.calls += s.calls; s.day != one.day {
						r.Fatalf("%v is of two days", run)
					}
				}
				if at = run[1]; one.calls > reqlog.Fullest {
					r.Fatalf("a block of %d", one.calls)
				}
				if one.calls >= reqlog.Full { // never merged again
					done += one.calls
					continue
				}
				after = append(after, one)
			}
			list = append(after, list[at:]...)
		}
		if total()+done != before {
			r.Fatalf("%d calls of %d", total()+done, before)
		}
		var small [3]int
		for _, s := range list {
			small[s.day]++
		}
		if small[0] > 1 || small[1] > 1 || small[2] > 10 || len(list) >= reqlog.Scatter {
			r.Fatalf("%v small blocks stay: %v", small, list)
		}
	})
}

// A quiet app, of whose calls each is a block at first, has few of them at any time, and every call.
func TestAQuietAppHasFewBlocks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var want []string
		most := 0
		for i := range 500 {
			e := w.call()
			want = append(want, e.RequestID)
			w.note(t, e)
			w.Clock.Advance(5 * time.Minute)
			if i%5 == 0 {
				must(t, w.log.Merge(ctx))
			}
			list, err := w.log.Blocks(ctx, w.app)
			must(t, err)
			most = max(most, len(list))
		}
		if most > reqlog.Scatter+10 {
			t.Errorf("%d blocks", most)
		}
		must(t, w.log.MergeApp(ctx, w.app))
		list, err := w.log.Blocks(ctx, w.app)
		must(t, err)
		if len(list) > 10 {
			t.Errorf("%d blocks after merging", len(list))
		}
		slices.Reverse(want)
		if diff := cmp.Diff(want, idsOf(w.all(t, reqlog.Filter{}, 100))); diff != "" {
			t.Error(diff)
		}
	})
}

func idsOf(list []reqlog.Entry) (ids []string) {
	for _, e := range list {
		ids = append(ids, e.RequestID)
	}
	return ids
}

// Many who merge at once, while others write, neither lose nor double a call.
func TestRacersMergeEachCallOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const writers, mergers, flushes = 3, 4, 60
		var noted sync.Map
		var writing, merging sync.WaitGroup
		done := make(chan struct{})
		for range writers {
			writing.Go(func() {
				node := &reqlog.Log{DB: w.DB, Clock: w.Clock}
				for i := range flushes {
					for range 1 + i%4 {
						e := w.call()
						noted.Store(e.RequestID, true)
						node.Note(e)
					}
					if err := node.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range mergers {
			merging.Go(func() {
				node := &reqlog.Log{DB: w.DB, Clock: w.Clock}
				for {
					select {
					case <-done:
						return
					default:
						if err := node.MergeApp(ctx, w.app); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		writing.Wait()
		close(done)
		merging.Wait()
		var want []string
		noted.Range(func(id, _ any) bool {
			want = append(want, id.(string))
			return true
		})
		slices.Sort(want)
		slices.Reverse(want)
		if diff := cmp.Diff(want, idsOf(w.all(t, reqlog.Filter{}, 100))); diff != "" {
			t.Error(diff)
		}
		if n := w.count(t, `SELECT CAST(sum(calls) AS BIGINT) FROM request_blocks`); n != len(want) { // the list would show a doubled one once
			t.Errorf("%d calls in the blocks, of %d", n, len(want))
		}
	})
}

func TestADamagedBlockSpoilsOnlyItsApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		healthy := w.newApp(t)
		for range reqlog.Scatter {
			other := w.call()
			other.AppID = healthy
			w.note(t, w.call(), other)
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE request_blocks SET entries = $1 WHERE app_id = $2`, []byte{9}, w.app)
			return err
		}))
		if err := w.log.Merge(ctx); !errors.Is(err, reqlog.ErrDamaged) || !strings.Contains(err.Error(), w.app) || strings.Contains(err.Error(), healthy) {
			t.Errorf("merging: %v", err)
		}
		if n := w.count(t, fmt.Sprintf(`SELECT count(*) FROM request_blocks WHERE app_id = '%s'`, w.app)); n != reqlog.Scatter {
			t.Errorf("%d blocks that cannot be read are left", n)
		}
		if list, err := w.log.Blocks(ctx, healthy); err != nil || len(list) > 8 {
			t.Errorf("%d blocks of the other app, %v", len(list), err)
		}
		if _, err := w.log.List(ctx, w.app, w.developer, reqlog.Filter{}, "", 10); !errors.Is(err, reqlog.ErrDamaged) {
			t.Errorf("listing: %v", err)
		}
	})
}

func TestTheIndexOfSmallBlocksMeansWhatIsMerged(t *testing.T) {
	if reqlog.IsSmall != fmt.Sprintf("calls < %d", reqlog.Full) {
		t.Errorf("%s, but a block is full with %d", reqlog.IsSmall, reqlog.Full)
	}
}
