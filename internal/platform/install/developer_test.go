package install_test

import (
	"testing"
	"time"

	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
)

// elsewhere approves the app in another business of the owner.
func (w *world) elsewhere(t *testing.T, a app.App, sandboxOf *string) install.Installation {
	t.Helper()
	w.Clock.Advance(time.Second)
	return w.approve(t, install.Approval{AppID: a.ID, BusinessID: w.newBusiness(t, sandboxOf), UserID: w.owner, Scopes: scope.Of(scope.ProfileRead)}).Installation
}

func TestADeveloperSeesWhereTheAppIsInstalled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation
		second, third := w.elsewhere(t, w.app, nil), w.elsewhere(t, w.app, &w.acme)
		twin := w.newApp(t, app.Approved)
		foreign := w.elsewhere(t, twin, nil)
		_, err := w.installs.Uninstall(ctx, second.BusinessID, w.owner, second.ID)
		must(t, err)
		list := func(l install.Listing) (ids []string, more bool) {
			found, more, err := w.installs.OfApp(ctx, w.app.ID, w.developer, l)
			must(t, err)
			for _, c := range found {
				ids = append(ids, c.ID)
			}
			return ids, more
		}
		for _, c := range []struct {
			name string
			l    install.Listing
			want []string
			more bool
		}{
			{"all", install.Listing{Limit: 3}, []string{third.ID, second.ID, first.ID}, false},
			{"a page", install.Listing{Limit: 2}, []string{third.ID, second.ID}, true},
			{"the next page", install.Listing{Limit: 2, Behind: second.ID}, []string{first.ID}, false},
			{"the active ones", install.Listing{Limit: 9, Status: install.Active}, []string{third.ID, first.ID}, false},
			{"of a business", install.Listing{Limit: 9, BusinessID: second.BusinessID}, []string{second.ID}, false},
			{"of a business that has it no more", install.Listing{Limit: 9, BusinessID: second.BusinessID, Status: install.Active}, nil, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				ids, more := list(c.l)
				if len(ids) != len(c.want) || more != c.more {
					t.Fatalf("%v, %v", ids, more)
				}
				for i := range ids {
					if ids[i] != c.want[i] {
						t.Errorf("%v, want %v", ids, c.want)
					}
				}
			})
		}
		one, err := w.installs.OneOfApp(ctx, w.app.ID, w.developer, third.ID)
		must(t, err)
		if one.BusinessName != "Shop" || !one.Sandbox || one.Status != install.Active || one.GrantedScopes.String() != "profile:read" {
			t.Errorf("%+v", one)
		}
		for _, nowhere := range []string{foreign.ID, w.IDs.New(id.Installation), ""} {
			_, err := w.installs.OneOfApp(ctx, w.app.ID, w.developer, nowhere)
			want(t, err, install.ErrNotFound)
		}
		stranger := w.person(t)
		_, _, err = w.installs.OfApp(ctx, w.app.ID, stranger, install.Listing{Limit: 1})
		want(t, err, app.ErrNotFound)
		_, err = w.installs.OneOfApp(ctx, w.app.ID, stranger, first.ID)
		want(t, err, app.ErrNotFound)
		_, err = w.installs.CountOfApp(ctx, w.app.ID, stranger, "", w.Clock.Now(), w.Clock.Now())
		want(t, err, app.ErrNotFound)
	})
}

func TestInstallationsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		begun := w.Clock.Now()
		first := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation // at 0 s
		second := w.elsewhere(t, w.app, nil)                                  // at 1 s
		w.Clock.Advance(time.Second)
		_, err := w.installs.Uninstall(ctx, first.BusinessID, w.owner, first.ID) // at 2 s
		must(t, err)
		w.elsewhere(t, w.newApp(t, app.Approved), nil)
		after := func(n int) time.Time { return begun.Add(time.Duration(n) * time.Second) }
		for _, c := range []struct {
			name     string
			business string
			from, to time.Time
			want     install.Counts
		}{
			{"from the beginning to the end", "", begun, after(3), install.Counts{Active: 1, Installed: 2, Uninstalled: 1}},
			{"the end is not part of it", "", begun, after(2), install.Counts{Active: 2, Installed: 2}},
			{"before anything", "", begun.Add(-time.Hour), begun, install.Counts{}},
			{"the beginning is", "", after(2), after(3), install.Counts{Active: 1, Uninstalled: 1}},
			{"one business", second.BusinessID, begun, after(3), install.Counts{Active: 1, Installed: 1}},
		} {
			t.Run(c.name, func(t *testing.T) {
				got, err := w.installs.CountOfApp(ctx, w.app.ID, w.developer, c.business, c.from, c.to)
				must(t, err)
				if got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		}
	})
}
