package app_test

import (
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/cursor"
	"daybook/internal/platform/app"
)

func TestOperatorsFindApps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var ids []string
		for _, name := range []string{"Ledger Sync", "Invoice 100%", "Über_Sync"} {
			n := least()
			n.Name = name
			ids = append(ids, w.create(t, n).ID)
		}
		_, err := w.apps.Deactivate(ctx, ids[0], w.owner, 0)
		must(t, err)
		for _, id := range ids[:2] {
			_, err := w.apps.Suspend(ctx, id, "because")
			must(t, err)
		}
		_, err = w.apps.Unsuspend(ctx, ids[0])
		must(t, err)
		for _, c := range []struct {
			name   string
			search app.Search
			want   string
		}{
			{"all, newest first", app.Search{}, "Über_Sync, Invoice 100%, Ledger Sync"},
			{"a part of the name, in any case", app.Search{Text: "SYNC"}, "Über_Sync, Ledger Sync"},
			{"signs stand for themselves", app.Search{Text: "%"}, "Invoice 100%"},
			{"also this one", app.Search{Text: "_"}, "Über_Sync"},
			{"an id", app.Search{Text: ids[1]}, "Invoice 100%"},
			{"an organization", app.Search{Text: w.organization}, "Über_Sync, Invoice 100%, Ledger Sync"},
			{"suspended", app.Search{Status: app.Suspended}, "Invoice 100%"},
			{"deactivated", app.Search{Status: app.Deactivated}, "Ledger Sync"},
			{"active", app.Search{Status: app.Active}, "Über_Sync"},
			{"both", app.Search{Text: "sync", Status: app.Active}, "Über_Sync"},
			{"nothing", app.Search{Text: "nobody"}, ""},
		} {
			var names []string
			for at := ""; ; {
				page, err := w.apps.Search(ctx, c.search, at, 1)
				must(t, err)
				for _, one := range page.Apps {
					names = append(names, one.Name)
				}
				if page.Next == nil {
					break
				}
				at = *page.Next
			}
			if got := strings.Join(names, ", "); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
		page, err := w.apps.Search(ctx, app.Search{}, "", 1)
		must(t, err)
		if _, err := w.apps.Search(ctx, app.Search{Text: "x"}, *page.Next, 1); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("a cursor of another search: %v", err)
		}
	})
}
