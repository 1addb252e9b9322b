package reqlog_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
)

// TestALargeLogAnswersQuickly holds every filter to a time, in the log of one app. DAYBOOK_LOG_ROWS=10000000 makes it as large as it
// may become; the usual size only proves that the searches run.
func TestALargeLogAnswersQuickly(t *testing.T) {
	rows := 30_000
	if text := os.Getenv("DAYBOOK_LOG_ROWS"); text != "" {
		var err error
		rows, err = strconv.Atoi(text)
		must(t, err)
	}
	each(t, func(t *testing.T, w *world) {
		middle := fill(t, w, rows)
		if w.Dialect() == db.Postgres {
			must(t, w.Write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `ANALYZE request_blocks`)
				return err
			}))
		}
		for name, f := range map[string]reqlog.Filter{
			"everything":                  {},
			"one call":                    {RequestID: middle},
			"a status that most have":     {Status: 200},
			"a status that few have":      {Status: 503},
			"a status that none has":      {Status: 418},
			"a code":                      {Code: "RARE"},
			"a code that none has":        {Code: "NONE"},
			"a route that few have":       {Route: "/rare"},
			"a business with most calls":  {BusinessID: "biz_big"},
			"a business that few have":    {BusinessID: "biz_small"},
			"an old span":                 {From: w.Clock.Now().Add(-reqlog.Retention), To: w.Clock.Now().Add(-6 * 24 * time.Hour)},
			"two that never meet":         {BusinessID: "biz_big", Route: "/rare", Status: 200},
			"a status and a business":     {Status: 503, BusinessID: "biz_small"},
			"a business, a route, a time": {BusinessID: "biz_big", Route: "/invoices", From: w.Clock.Now().Add(-time.Hour)},
		} {
			took := time.Hour
			for try := range 9 {
				begun := time.Now()
				_, err := w.log.List(ctx, w.app, w.developer, f, "", reqlog.MaxPage)
				must(t, err)
				if try > 5 { // PostgreSQL settles on a plan after five
					took = min(took, time.Since(begun))
				}
			}
			t.Logf("%-28s %v", name, took.Round(10*time.Microsecond))
			if took > 500*time.Millisecond {
				t.Errorf("%s took %v", name, took)
			}
		}
	})
}

// fill writes calls that are spread over the days that are kept, and gives one of the middle.
func fill(t *testing.T, w *world, rows int) (middle string) {
	t.Helper()
	now := w.Clock.Now()
	begin := now.Add(-reqlog.Retention + time.Minute)
	if w.Dialect() == db.Postgres { // a part for each day, as a node has it
		for day := range 9 {
			w.Clock.Set(begin.AddDate(0, 0, day-1))
			must(t, w.log.CleanUp(ctx))
		}
	}
	for i := range rows {
		w.Clock.Set(begin.Add(time.Duration(float64(now.Sub(begin)) * float64(i) / float64(rows))))
		e := reqlog.Entry{
			AppID: w.app, RequestID: w.IDs.New(id.Request), Method: "GET", Route: "/invoices", Status: 200, Version: "2026-06-01", BusinessID: "biz_big", UserID: "usr_1",
		}
		switch {
		case i%10_000 == 7:
			e.Status, e.Code, e.Route, e.BusinessID = 503, "RARE", "/rare", "biz_small"
		case i%20 == 0:
			e.Status, e.Code, e.Route = 404, "NOT_FOUND", "/customers/{id}"
		case i%7 == 0:
			e.BusinessID = fmt.Sprint("biz_", i%500)
		}
		w.log.Note(e)
		if i == rows/2 {
			middle = e.RequestID
		}
		if i%5000 == 4999 {
			must(t, w.log.Flush(ctx))
		}
	}
	w.Clock.Set(now)
	must(t, w.log.Flush(ctx))
	return middle
}
