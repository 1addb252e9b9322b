package reqlog_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/cursor"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/reqlog"
)

func TestACallIsShownAsItWas(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		full, bare := w.call(), reqlog.Entry{AppID: w.app, RequestID: w.IDs.New(id.Request), Method: "TRACE", Status: 401, Code: "INVALID_TOKEN", Ended: true}
		w.note(t, full, bare)
		bare.Ended = false // that is not kept
		if diff := cmp.Diff([]reqlog.Entry{bare, full}, w.all(t, reqlog.Filter{}, 100)); diff != "" {
			t.Error(diff)
		}
		if !full.At().Equal(w.Clock.Now()) {
			t.Errorf("it came at %v", full.At())
		}
	})
}

func TestOnlyMembersSeeTheLog(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.note(t, w.call())
		stranger := w.Person(t)
		for name, ask := range map[string][2]string{"a stranger": {w.app, stranger}, "no such app": {"app_none", w.developer}} {
			if _, err := w.log.List(ctx, ask[0], ask[1], reqlog.Filter{}, "not a cursor", 10); !errors.Is(err, app.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestAnAppSeesItsOwnCallsOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine, theirs := w.call(), w.call()
		theirs.AppID = w.newApp(t)
		w.note(t, mine, theirs)
		for _, f := range []reqlog.Filter{{}, {Status: 200}, {Route: mine.Route}, {BusinessID: "biz_1"}, {BusinessID: "biz_1", Status: 200}} {
			if got := w.all(t, f, 100); len(got) != 1 || got[0].RequestID != mine.RequestID {
				t.Errorf("%+v: %v", f, got)
			}
		}
		if got := w.all(t, reqlog.Filter{RequestID: theirs.RequestID}, 100); len(got) != 0 {
			t.Errorf("by the id of another app's call: %v", got)
		}
	})
}

func TestACursorIsBoundToItsFilters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 3 {
			w.note(t, w.call())
		}
		page, err := w.log.List(ctx, w.app, w.developer, reqlog.Filter{Status: 200}, "", 2)
		must(t, err)
		if len(page.Entries) != 2 || page.Next == nil {
			t.Fatalf("%+v", page)
		}
		for name, f := range map[string]reqlog.Filter{"none": {}, "another": {Status: 201}} {
			if _, err := w.log.List(ctx, w.app, w.developer, f, *page.Next, 2); !errors.Is(err, cursor.ErrInvalid) || fault.KindOf(err) != fault.Invalid {
				t.Errorf("with filter %s: %v", name, err)
			}
		}
	})
}

// The list is what a plain search through all entries finds, whatever the filters and the pages.
func TestFiltersFindWhatAPlainSearchFinds(t *testing.T) {
	defer reqlog.SetPatience(5000)()
	each(t, func(t *testing.T, w *world) {
		var kept []reqlog.Entry
		for i := range 600 {
			e := w.call()
			e.Status = []int{200, 200, 200, 201, 404, 429}[i%6]
			e.BusinessID, e.Route = fmt.Sprint("biz_", i%5), []string{"/invoices", "/customers", ""}[i%3]
			if e.Status >= 400 {
				e.Code = fmt.Sprint("CODE_", i%4)
			}
			kept = append(kept, e)
			if i%10 == 0 {
				w.Clock.Advance(time.Second)
			}
		}
		for part := range slices.Chunk(kept, 13) {
			w.note(t, part...)
		}
		slices.Reverse(kept)
		first, last := kept[len(kept)-1].At(), kept[0].At()
		rapid.Check(t, func(r *rapid.T) {
			f := reqlog.Filter{
				Status: rapid.SampledFrom([]int{0, 0, 200, 201, 404, 429, 500}).Draw(r, "status"), Code: rapid.SampledFrom([]string{"", "", "CODE_1", "CODE_9"}).Draw(r, "code"),
				Route:      rapid.SampledFrom([]string{"", "", "/invoices", "/none"}).Draw(r, "route"),
				BusinessID: rapid.SampledFrom([]string{"", "", "biz_2", "biz_9"}).Draw(r, "business"),
			}
			if rapid.Bool().Draw(r, "by id") {
				f.RequestID = rapid.SampledFrom(kept).Draw(r, "id").RequestID
			}
			if rapid.Bool().Draw(r, "from") {
				f.From = first.Add(time.Duration(rapid.Int64Range(-1, last.Sub(first).Milliseconds()+1).Draw(r, "from ms")) * time.Millisecond)
			}
			if rapid.Bool().Draw(r, "to") {
				f.To = first.Add(time.Duration(rapid.Int64Range(-1, last.Sub(first).Milliseconds()+1).Draw(r, "to ms")) * time.Millisecond)
			}
			var want []string
			for _, e := range kept {
				if fits(f, e) {
					want = append(want, e.RequestID)
				}
			}
			var got []string
			for _, e := range w.all(t, f, rapid.IntRange(1, 100).Draw(r, "limit")) {
				got = append(got, e.RequestID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				r.Errorf("%+v: %s", f, diff)
			}
		})
	})
}

func fits(f reqlog.Filter, e reqlog.Entry) bool {
	return (f.RequestID == "" || f.RequestID == e.RequestID) && (f.Status == 0 || f.Status == e.Status) && (f.Code == "" || f.Code == e.Code) &&
		(f.Route == "" || f.Route == e.Route) && (f.BusinessID == "" || f.BusinessID == e.BusinessID) &&
		(f.From.IsZero() || !e.At().Before(f.From)) && (f.To.IsZero() || e.At().Before(f.To))
}

func TestASearchThatFindsNothingAnswersInTimeAndGoesOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var rare string
		for i := range 100 { // two conditions that many meet, and hardly anything both
			for j := range 10 {
				e := w.call()
				switch {
				case i == 3 && j == 5:
					e.Status, rare = 201, e.RequestID
				case j%2 == 0:
					e.Status, e.BusinessID = 201, "biz_2"
				}
				w.log.Note(e)
			}
			must(t, w.log.Flush(ctx))
		}
		for name, f := range map[string]reqlog.Filter{"blocks that are read": {BusinessID: "biz_1", Status: 201}, "blocks that are passed": {Code: "NONE"}} {
			reset := reqlog.SetPatience(20_000)
			page, err := w.log.List(ctx, w.app, w.developer, f, "", 10)
			must(t, err)
			if len(page.Entries) != 0 || page.Next == nil {
				t.Errorf("%s: the first page looked at everything: %+v", name, page)
			}
			got := w.all(t, f, 10)
			if reset(); f.Code == "" && (len(got) != 1 || got[0].RequestID != rare) || f.Code != "" && len(got) != 0 {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}
