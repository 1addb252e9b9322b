package reqlog_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/reqlog"
	"daybook/internal/schema/dbtest"
)

func TestNotingCostsNeitherAStatementNorMemory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.call()
		w.log.Note(e) // makes the buffer
		before := w.Stats().Statements
		if n := testing.AllocsPerRun(1000, func() { w.log.Note(e) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		if after := w.Stats().Statements; after != before {
			t.Errorf("%d statements", after-before)
		}
	})
}

func TestWithoutRoomACallIsLeftOutAndCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range reqlog.Room + 10 {
			w.log.Note(w.call())
		}
		if w.log.Lost() != 10 {
			t.Errorf("%d lost", w.log.Lost())
		}
		must(t, w.log.Flush(ctx))
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n != reqlog.Room {
			t.Errorf("%d kept", n)
		}
		w.note(t, w.call())
		if w.log.Lost() != 10 {
			t.Errorf("%d lost after there was room again", w.log.Lost())
		}
	})
}

func TestADeadTokenCannotFillTheLog(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range reqlog.EndedRoom * 3 {
			e := w.call()
			e.Status, e.Ended = 401, true
			w.log.Note(e)
		}
		w.note(t, w.call())
		if got := len(w.all(t, reqlog.Filter{Status: 401}, 100)); got != reqlog.EndedRoom {
			t.Errorf("%d kept", got)
		}
		if got := len(w.all(t, reqlog.Filter{Status: 200}, 100)); got != 1 {
			t.Errorf("%d calls of a token that counts", got)
		}
	})
}

func TestWhatCouldNotBeWrittenWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.log.Note(w.call())
		broken, cancel := context.WithCancel(ctx)
		cancel()
		if w.log.Flush(broken) == nil {
			t.Fatal("a flush that could not write says that it did")
		}
		w.log.Note(w.call())
		must(t, w.log.Flush(ctx))
		must(t, w.log.Flush(ctx))
		if got := len(w.all(t, reqlog.Filter{}, 100)); got != 2 || w.log.Lost() != 0 {
			t.Errorf("%d kept, %d lost", got, w.log.Lost())
		}
	})
}

func TestACallThatIsWrittenTwiceStandsOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.call()
		w.note(t, e)
		w.note(t, e)
		if got := len(w.all(t, reqlog.Filter{}, 100)); got != 1 {
			t.Errorf("%d", got)
		}
	})
}

func TestCallsAreNotedWhileOthersAreWritten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const writers, calls = 8, 200
		var noting, flushing sync.WaitGroup
		done := make(chan struct{})
		flushing.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := w.log.Flush(ctx); err != nil {
						t.Error(err)
					}
				}
			}
		})
		for range writers {
			noting.Go(func() {
				for range calls {
					w.log.Note(w.call())
				}
			})
		}
		noting.Wait()
		close(done)
		flushing.Wait()
		must(t, w.log.Flush(ctx))
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n != writers*calls || w.log.Lost() != 0 {
			t.Errorf("%d kept, %d lost", n, w.log.Lost())
		}
	})
}

func TestAMethodIsCut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.call()
		e.Method = "VERYLONGMETHODé\x00éééééééééééééé"
		w.note(t, e)
		if got := w.all(t, reqlog.Filter{}, 1)[0].Method; len(got) > 24 || got[:10] != e.Method[:10] {
			t.Errorf("%q", got)
		}
	})
}

func TestEntriesGoAfterSevenDays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		// Two calls a day on ten days; clean-up runs every hour, as a node has it.
		for day := range 10 {
			for half := range 2 {
				e := w.call()
				e.Code = fmt.Sprintf("DAY_%d_%d", day, half)
				w.note(t, e)
				for range 12 {
					w.Clock.Advance(time.Hour)
					must(t, w.log.CleanUp(ctx))
				}
			}
		}
		got := w.all(t, reqlog.Filter{}, 100)
		if len(got) != 14 || got[13].At().Before(w.Clock.Now().Add(-reqlog.Retention)) {
			t.Errorf("%d shown, the oldest of %v", len(got), got[len(got)-1].At())
		}
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n < 14 || n > 16 { // PostgreSQL drops whole days
			t.Errorf("%d kept", n)
		}
		// All of it goes, also when nobody cleaned up for long, and what is new finds its place.
		w.Clock.Advance(60 * 24 * time.Hour)
		must(t, w.log.CleanUp(ctx))
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n != 0 {
			t.Errorf("%d kept", n)
		}
		w.note(t, w.call())
		if len(w.all(t, reqlog.Filter{}, 100)) != 1 {
			t.Error("the log is closed")
		}
	})
}

func TestCleaningUpGoesThroughManyAppsAndRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 1700 {
			e := w.call()
			e.AppID = fmt.Sprint("app_", i%3)
			if w.log.Note(e); i%10 == 9 {
				must(t, w.log.Flush(ctx)) // a block for each app
			}
		}
		w.Clock.Advance(reqlog.Retention + 24*time.Hour)
		young := w.call()
		w.note(t, young)
		must(t, w.log.CleanUp(ctx))
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n != 1 {
			t.Errorf("%d kept", n)
		}
	})
}

func TestDaysHaveTheirPlaceBeforeTheyCome(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if w.Dialect() != db.Postgres {
			t.Skip("SQLite has one table")
		}
		var wait sync.WaitGroup
		for range 4 { // nodes that turn the days at once
			wait.Go(func() { must(t, w.log.CleanUp(ctx)) })
		}
		wait.Wait()
		w.Clock.Advance(48 * time.Hour)
		w.note(t, w.call())
		if n := w.count(t, `SELECT count(*) FROM request_blocks_rest`); n != 0 {
			t.Errorf("%d in the rest", n)
		}
		// A day whose calls came before its place stays in the rest, and goes from there.
		w.Clock.Advance(72 * time.Hour)
		w.note(t, w.call())
		must(t, w.log.CleanUp(ctx))
		w.note(t, w.call())
		if n := w.count(t, `SELECT count(*) FROM request_blocks_rest`); n != 2 || len(w.all(t, reqlog.Filter{}, 10)) != 3 {
			t.Errorf("%d in the rest", n)
		}
		w.Clock.Advance(reqlog.Retention + time.Hour)
		must(t, w.log.CleanUp(ctx))
		if n := w.count(t, `SELECT COALESCE(CAST(sum(calls) AS BIGINT), 0) FROM request_blocks`); n != 0 {
			t.Errorf("%d kept", n)
		}
		if n := w.count(t, `SELECT count(*) FROM pg_inherits WHERE inhparent = CAST('request_blocks' AS regclass)`); n > 6 {
			t.Errorf("%d parts", n)
		}
	})
}

func TestACallWithoutATimeIsLeftOutAndCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, none := range []string{"", "req_1", "evt_01jd6v3q9x4m8r2t7w5y0z1a2b"} {
			e := w.call()
			e.RequestID = none
			w.log.Note(e)
		}
		w.note(t, w.call())
		if got := len(w.all(t, reqlog.Filter{}, 100)); got != 1 || w.log.Lost() != 3 {
			t.Errorf("%d kept, %d lost", got, w.log.Lost())
		}
	})
}

// A block stays as long as one of its calls may be shown; those that may not are hidden at once.
func TestABlockOutlivesItsOldCalls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		old, young := w.at(dbtest.Start), w.at(dbtest.Start.Add(time.Hour))
		w.note(t, old, young)
		for _, c := range []struct {
			after time.Duration
			want  []string
		}{
			{reqlog.Retention, []string{young.RequestID, old.RequestID}},
			{reqlog.Retention + time.Millisecond, []string{young.RequestID}},
			{reqlog.Retention + time.Hour, []string{young.RequestID}},
			{reqlog.Retention + time.Hour + time.Millisecond, nil},
		} {
			w.Clock.Set(dbtest.Start.Add(c.after))
			must(t, w.log.CleanUp(ctx))
			if got := idsOf(w.all(t, reqlog.Filter{}, 100)); !slices.Equal(got, c.want) {
				t.Errorf("after %v: %v, want %v", c.after, got, c.want)
			}
			if got := w.all(t, reqlog.Filter{RequestID: old.RequestID}, 100); len(got) != len(c.want)/2 {
				t.Errorf("after %v, by its id: %v", c.after, got)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM request_blocks`); n != 0 && w.Dialect() == db.SQLite { // PostgreSQL drops whole days
			t.Errorf("%d kept", n)
		}
		w.Clock.Advance(24 * time.Hour)
		must(t, w.log.CleanUp(ctx))
		if n := w.count(t, `SELECT count(*) FROM request_blocks`); n != 0 {
			t.Errorf("%d kept a day later", n)
		}
	})
}
