package install_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

func TestManyWhoApproveAtOnceShareOneInstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers = 32
		users := make([]string, racers)
		for i := range users {
			users[i] = w.member(t, business.Staff)
		}
		for range 3 {
			w.app = w.newApp(t, app.Approved)
			results := make([]install.Approved, racers)
			var wait sync.WaitGroup
			for i, user := range users {
				wait.Go(func() {
					var err error
					if results[i], err = w.installs.Approve(ctx, w.yes(user, registered[i%len(registered)])); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			outcomes := map[install.Outcome]int{}
			var added scope.Set
			for i, r := range results {
				outcomes[r.Outcome]++
				if r.Installation.ID != results[0].Installation.ID {
					t.Error("two installations")
				}
				if len(r.Added.Minus(added)) != len(r.Added) {
					t.Errorf("%q was added twice", r.Added)
				}
				added = added.Union(r.Added)
				if c := w.consent(t, results[0].Installation.ID, users[i]); c.ID != r.Consent.ID || c.Scopes.String() != string(registered[i%len(registered)]) {
					t.Errorf("consent of racer %d: %+v", i, c)
				}
			}
			if outcomes[install.Installed] != 1 || outcomes[install.ScopesUpdated] != len(registered)-1 || !added.Equal(registered) {
				t.Errorf("outcomes %v, added %q", outcomes, added)
			}
			if n := w.count(t, `SELECT count(*) FROM installations WHERE app_id = $1`, w.app.ID); n != 1 {
				t.Errorf("%d installations", n)
			}
			if i, err := w.installs.Get(ctx, w.shop, w.owner, results[0].Installation.ID); err != nil || !i.GrantedScopes.Equal(registered) || i.Version != len(registered) {
				t.Errorf("ends as %+v, %v", i, err)
			}
		}
	})
}

func TestOneUserWhoApprovesManyTimesAtOnceHasOneConsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wait sync.WaitGroup
		for i := range 16 {
			wait.Go(func() {
				if _, err := w.installs.Approve(ctx, w.yes(w.owner, registered[i%len(registered)])); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		list, err := w.installs.List(ctx, w.shop, w.owner)
		must(t, err)
		if len(list) != 1 || !list[0].GrantedScopes.Equal(registered) || !w.consent(t, list[0].ID, w.owner).Scopes.Equal(registered) {
			t.Errorf("ends as %+v with %+v", list, w.consent(t, list[0].ID, w.owner))
		}
		if n := w.count(t, `SELECT count(*) FROM consents`); n != 1 {
			t.Errorf("%d consents", n)
		}
	})
}

func TestOfManyWhoUninstallAtOnceOneDoes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 4 {
			i := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation
			var wins atomic.Int32
			var wait sync.WaitGroup
			for range 16 {
				wait.Go(func() {
					switch _, err := w.installs.Uninstall(ctx, w.shop, w.owner, i.ID); {
					case err == nil:
						wins.Add(1)
					case !errors.Is(err, install.ErrNotFound):
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if wins.Load() != 1 || w.active(t) != 0 {
				t.Fatalf("%d uninstalled it, %d are active", wins.Load(), w.active(t))
			}
		}
	})
}

// Approvals that meet an uninstallation come before it or after it; none of them fails, and no consent outlives the
// installation it was given for.
func TestApprovalsThatMeetAnUninstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 25 {
			before := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation
			var fresh atomic.Int32
			var wait sync.WaitGroup
			for _, user := range []string{w.owner, w.staff, w.owner, w.staff} {
				wait.Go(func() {
					done, err := w.installs.Approve(ctx, w.yes(user, scope.TaxesRead))
					if err != nil {
						t.Errorf("approval: %v", err)
					} else if done.Outcome == install.Installed {
						fresh.Add(1)
					}
				})
			}
			wait.Go(func() {
				if _, err := w.installs.Uninstall(ctx, w.shop, w.owner, before.ID); err != nil {
					t.Errorf("uninstallation: %v", err)
				}
			})
			wait.Go(func() {
				if err := w.installs.RevokeAccess(ctx, w.shop, w.owner, before.ID); err != nil && fault.From(err) == nil {
					t.Errorf("revocation: %v", err)
				}
			})
			wait.Wait()
			if n := w.active(t); n != int(fresh.Load()) || n > 1 {
				t.Fatalf("%d active installations, %d new ones told", n, fresh.Load())
			}
			if n := w.count(t, `SELECT count(*) FROM consents c JOIN installations i ON i.id = c.installation_id
				WHERE c.revoked_at IS NULL AND i.status <> 'ACTIVE'`); n != 0 {
				t.Fatalf("%d consents outlive their installation", n)
			}
			if t.Failed() {
				return
			}
		}
	})
}
