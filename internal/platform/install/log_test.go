package install_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
)

// diary is an event log that can be told to fail.
type diary struct {
	kinds []install.Kind
	added []scope.Set
	fail  error
}

func (d *diary) Record(_ context.Context, _ *db.Tx, h install.Happening) error {
	if d.fail != nil {
		return d.fail
	}
	d.kinds, d.added = append(d.kinds, h.Kind), append(d.added, h.Added)
	return nil
}

func TestWhatHappensToAnInstallationIsRecordedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := &diary{}
		w.installs.Log = d
		approve := func(scopes ...scope.Scope) install.Approved {
			done, err := w.installs.Approve(ctx, install.Approval{AppID: w.app.ID, BusinessID: w.shop, UserID: w.owner, Scopes: scope.Of(scopes...)})
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		approve(scope.InvoicesRead)
		approve(scope.InvoicesRead)                            // nothing new: nothing to tell
		done := approve(scope.InvoicesRead, scope.ProfileRead) // AUTHZ-16
		if _, err := w.installs.Uninstall(ctx, w.shop, w.owner, done.Installation.ID); err != nil {
			t.Fatal(err)
		}
		want := []install.Kind{install.KindInstalled, install.KindScopesUpdated, install.KindUninstalled}
		if !slices.Equal(d.kinds, want) {
			t.Fatalf("recorded %v, want %v", d.kinds, want)
		}
		if !d.added[1].Equal(scope.Of(scope.ProfileRead)) {
			t.Errorf("told of %v", d.added[1])
		}
	})
}

func TestAChangeThatCannotBeRecordedDoesNotHappen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		full := errors.New("the diary is full")
		w.installs.Log = &diary{fail: full}
		_, err := w.installs.Approve(ctx, install.Approval{AppID: w.app.ID, BusinessID: w.shop, UserID: w.owner, Scopes: scope.Of(scope.InvoicesRead)})
		if !errors.Is(err, full) {
			t.Fatalf("got %v", err)
		}
		if list, err := w.installs.List(ctx, w.shop, w.owner); err != nil || len(list) != 0 {
			t.Errorf("installed all the same: %v, %v", list, err)
		}
	})
}
