package install_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// What is restricted or gives personal data, and was registered after the review, waits for the next one; sandboxes need none.
func TestScopesThatNoReviewHasSeen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sandbox := w.newBusiness(t, &w.acme)
		a := w.newApp(t, app.Approved)
		late := scope.Of(scope.JournalWrite, scope.SuppliersWrite, scope.ReportsRead)
		_, err := w.apps.SetScopes(ctx, a.ID, w.developer, 0, a.Scopes.Union(late))
		must(t, err)
		approve := func(businessID string, scopes ...scope.Scope) error {
			_, err := w.installs.Approve(ctx, install.Approval{AppID: a.ID, BusinessID: businessID, UserID: w.owner, Scopes: scope.Of(scopes...)})
			return err
		}
		want(t, approve(w.shop, scope.ProfileRead, scope.ReportsRead), nil)
		for _, s := range scope.Of(scope.JournalWrite, scope.SuppliersWrite) {
			if a.Scopes.Has(s) {
				t.Fatalf("%s was there before", s)
			}
			want(t, approve(w.shop, scope.ProfileRead, s), install.ErrUnapproved)
			want(t, approve(sandbox, scope.ProfileRead, s), nil)
		}
		var b business.Business
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			b, err = business.Find(ctx, tx, w.shop)
			return err
		}))
		for _, c := range []struct {
			scopes scope.Set
			ok     bool
		}{{scope.Of(scope.ReportsRead), true}, {scope.Of(scope.JournalWrite), false}} {
			now, err := w.apps.Show(ctx, a.ID)
			must(t, err)
			if may, err := w.installs.MayConnect(ctx, now, c.scopes, b, w.owner); err != nil || may != c.ok {
				t.Errorf("%v: %v, %v", c.scopes, may, err)
			}
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			now, err := app.FindLocked(ctx, tx, a.ID)
			if err != nil {
				return err
			}
			return app.Approve(ctx, tx, now, now.Scopes)
		}))
		want(t, approve(w.shop, scope.JournalWrite, scope.SuppliersWrite), nil)
	})
}
