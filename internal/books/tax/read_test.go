package tax_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

// several makes rates a, b, c… a minute apart, every second one archived and for purchases, and returns their ids.
func (w *world) several(t *testing.T, n int) []string {
	t.Helper()
	var ids []string
	for i := range n {
		rate := standard
		rate.Name = string(rune('a' + i))
		if i%2 == 1 {
			rate.Kind, rate.Category = tax.Purchase, tax.Reduced
		}
		r := w.rate(t, rate)
		if i%2 == 1 {
			_, err := run(w, w.Archive(w.by, r.ID, nil))
			must(t, err)
		}
		ids = append(ids, r.ID)
		w.Clock.Advance(time.Minute)
	}
	return ids
}

func TestRatesAreListed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.several(t, 5)
		_, err := run(w, w.Update(w.by, made[0], tax.Patch{Name: record.Setting("z")}, nil))
		must(t, err)
		for _, c := range []struct {
			params map[string][]string
			want   string
		}{
			{nil, "edcbz"},
			{map[string][]string{"sort": {"createdAt"}}, "zbcde"},
			{map[string][]string{"sort": {"-updatedAt"}}, "zedcb"},
			{map[string][]string{"updatedSince": {"2026-11-14T12:03:00.000Z"}}, "dez"},
			{map[string][]string{"kind": {"PURCHASE"}}, "db"},
			{map[string][]string{"kind": {"SALES,PURCHASE"}, "status": {"ACTIVE"}}, "ecz"},
			{map[string][]string{"category": {"REDUCED"}}, "db"},
			{map[string][]string{"status": {"ARCHIVED"}}, "db"},
			{map[string][]string{"kind": {"BOTH"}}, ""},
			{map[string][]string{"ids": {made[1] + "," + made[2]}}, "cb"},
		} {
			page, err := w.List(ctx, w.by, c.params)
			must(t, err)
			var names string
			for _, r := range page.Data {
				names += r.Name
			}
			if names != c.want || page.Next != nil {
				t.Errorf("%v lists %q, want %q", c.params, names, c.want)
			}
		}
		if page, err := w.List(ctx, w.other, nil); err != nil || len(page.Data) != 0 {
			t.Errorf("another business sees %v, %v", page.Data, err)
		}
		for _, name := range []string{"externalId", "q", "kind", "status", "category", "sort"} {
			if _, err := w.List(ctx, w.by, map[string][]string{name: {"nonsense"}}); offences(err) != name {
				t.Errorf("%s=nonsense: %v", name, err)
			}
		}
	})
}

func TestRatesArePagedThrough(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.several(t, 5)
		var seen []string
		params := map[string][]string{"limit": {"2"}, "sort": {"createdAt"}}
		for pages := 1; ; pages++ {
			page, err := w.List(ctx, w.by, params)
			must(t, err)
			for _, r := range page.Data {
				seen = append(seen, r.ID)
			}
			if page.Next == nil {
				if pages != 3 {
					t.Errorf("%d pages", pages)
				}
				break
			}
			_, err = w.List(ctx, w.other, map[string][]string{"limit": {"2"}, "sort": {"createdAt"}, "cursor": {*page.Next}})
			want(t, err, record.ErrCursor)
			params["cursor"] = []string{*page.Next}
		}
		if !slices.Equal(seen, made) {
			t.Errorf("saw %v, want %v", seen, made)
		}
	})
}

func TestARateOfAnotherBusinessIsUnknown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.rate(t, standard)
		_, foreign := w.Get(ctx, w.other, r.ID)
		_, unknown := w.Get(ctx, w.by, "tax_nothing")
		if foreign == nil || unknown == nil || foreign.Error() != unknown.Error() || fault.KindOf(foreign) != fault.NotFound {
			t.Errorf("foreign: %v; unknown: %v", foreign, unknown)
		}
	})
}

func TestDocumentsReadTheirRatesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, second := w.rate(t, standard), w.rate(t, standard)
		_, err := run(w, w.Archive(w.by, second.ID, nil))
		must(t, err)
		second.Status, second.Version = tax.Archived, 2
		for _, c := range []struct {
			by         record.Call
			ids        []string
			want       []tax.Rate
			statements int64
		}{
			{w.by, nil, nil, 0},
			{w.by, []string{first.ID, second.ID, first.ID, "tax_nothing"}, []tax.Rate{first, second}, 1},
			{w.other, []string{first.ID}, nil, 1},
		} {
			_, err := run(w, ledger.Do(w.ledger, c.by, func(_ context.Context, b *ledger.Book) (struct{}, error) {
				counted, statements := db.Counting(ctx)
				rates, err := w.RatesIn(counted, b, c.ids)
				if statements.Load() != c.statements || len(rates) != len(c.want) {
					t.Errorf("%v: %d statements, %v", c.ids, statements.Load(), rates)
				}
				for _, r := range c.want {
					if rates[r.ID] != r {
						t.Errorf("got %+v, want %+v", rates[r.ID], r)
					}
				}
				return struct{}{}, err
			}))
			must(t, err)
		}
	})
}

func TestStatementsOfRates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.rate(t, standard)
		for _, c := range []struct {
			name string
			want int64
			do   func(ctx context.Context) error
		}{
			{"get", 1, func(ctx context.Context) error { _, err := w.Get(ctx, w.by, r.ID); return err }},
			{"list", 1, func(ctx context.Context) error { _, err := w.List(ctx, w.by, nil); return err }},
			// books, account, insert, event counter, events
			{"create", 5, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Create(w.by, standard))
				return err
			}},
			// books, rate, update, event counter, events
			{"archive", 5, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Archive(w.by, r.ID, nil))
				return err
			}},
		} {
			counted, statements := db.Counting(ctx)
			must(t, c.do(counted))
			if statements.Load() != c.want {
				t.Errorf("%s takes %d statements, want %d", c.name, statements.Load(), c.want)
			}
		}
	})
}
