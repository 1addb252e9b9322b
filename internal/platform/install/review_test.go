package install_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

func TestWhereAnAppMayConnect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rival := w.newOrganization(t, w.person(t))
		acmeSandbox, rivalSandbox := w.newBusiness(t, &w.acme), w.newBusiness(t, &rival)
		// Both are staff in all three businesses. The insider also belongs to both organizations.
		insider, outsider := w.person(t), w.person(t)
		for _, b := range []string{w.shop, acmeSandbox, rivalSandbox} {
			must(t, w.businesses.AddMember(ctx, b, w.owner, insider, business.Staff))
			must(t, w.businesses.AddMember(ctx, b, w.owner, outsider, business.Staff))
		}
		for _, o := range []string{w.acme, rival} {
			w.exec(t, `INSERT INTO organization_members (organization_id, user_id, role, created_at) VALUES ($1, $2, 'VIEWER', $3)`, o, insider, w.Clock.Now())
		}
		for _, c := range []struct {
			name                          string
			stray                         bool // the app belongs to nobody, else to acme
			business, user                string
			approved, unreviewed, revoked bool
			adopted                       *string // whose a stray app is after a yes
		}{
			{"AUTHZ-13 acme's app in a real business", false, w.shop, insider, true, false, false, nil},
			{"acme's app in acme's sandbox, by a member", false, acmeSandbox, insider, true, true, true, nil},
			{"acme's app in acme's sandbox, by a guest", false, acmeSandbox, outsider, true, true, true, nil},
			{"AUTHZ-13 acme's app in another's sandbox, by a member of both", false, rivalSandbox, insider, true, false, false, nil},
			{"AUTHZ-13 acme's app in another's sandbox, by a guest", false, rivalSandbox, outsider, true, false, false, nil},
			{"REGI-05 nobody's app in a real business", true, w.shop, insider, true, false, false, nil},
			{"REGI-05 nobody's app in a sandbox, by a member", true, rivalSandbox, insider, true, true, true, &rival},
			{"REGI-05 nobody's app in a sandbox, by a guest", true, rivalSandbox, outsider, true, false, false, nil},
		} {
			for status, ok := range map[app.ReviewStatus]bool{app.Approved: c.approved, app.Unreviewed: c.unreviewed, app.Revoked: c.revoked} {
				t.Run(c.name+", "+string(status), func(t *testing.T) {
					make := w.newApp
					if c.stray {
						make = w.stray
					}
					a := make(t, status)
					done, err := w.installs.Approve(ctx, install.Approval{AppID: a.ID, BusinessID: c.business, UserID: c.user, Scopes: scope.Of(scope.ProfileRead)})
					if !ok {
						want(t, err, install.ErrNotReviewed)
						if rows := w.count(t, `SELECT count(*) FROM installations WHERE app_id = $1`, a.ID); rows != 0 {
							t.Error("refused, and installed all the same")
						}
					} else if err != nil || done.Outcome != install.Installed {
						t.Errorf("got %s, %v", done.Outcome, err)
					}
					expected := c.adopted
					if !c.stray {
						expected = &w.acme
					}
					if got := w.organizationOf(t, a.ID); (got == nil) != (expected == nil) || got != nil && *got != *expected {
						t.Errorf("belongs to %v afterwards", got)
					}
				})
			}
		}
	})
}

func (w *world) organizationOf(t *testing.T, appID string) (organizationID *string) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) error {
		a, err := app.Find(ctx, tx, appID)
		organizationID = a.OrganizationID
		return err
	}))
	return organizationID
}

func TestAnAdoptedAppBelongsToItsOrganization(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sandbox := w.newBusiness(t, &w.acme)
		must(t, w.businesses.AddMember(ctx, sandbox, w.owner, w.developer, business.Staff))
		rival := w.newOrganization(t, w.developer)
		other := w.newBusiness(t, &rival)
		must(t, w.businesses.AddMember(ctx, other, w.owner, w.developer, business.Staff))
		stray := w.stray(t, app.Unreviewed)
		yes := install.Approval{AppID: stray.ID, BusinessID: sandbox, UserID: w.developer, Scopes: scope.Of(scope.ProfileRead)}
		w.approve(t, yes)
		if _, err := w.apps.Get(ctx, stray.ID, w.developer); err != nil {
			t.Errorf("its organization does not see it: %v", err)
		}
		yes.BusinessID = other // by the same user, who belongs to that organization, too
		_, err := w.installs.Approve(ctx, yes)
		want(t, err, install.ErrNotReviewed)
	})
}

func TestManyApprovalsOfAnAppOfNobodyInOneSandboxAllCount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sandbox := w.newBusiness(t, &w.acme)
		const racers = 12
		users := make([]string, racers)
		for i := range users {
			users[i] = w.person(t)
			must(t, w.businesses.AddMember(ctx, sandbox, w.owner, users[i], business.Staff))
			must(t, w.organizations.AddMember(ctx, w.acme, w.developer, users[i], organization.Developer))
		}
		for range 4 {
			stray := w.stray(t, app.Unreviewed)
			var wait sync.WaitGroup
			for _, user := range users {
				wait.Go(func() {
					if _, err := w.installs.Approve(ctx, install.Approval{AppID: stray.ID, BusinessID: sandbox, UserID: user, Scopes: scope.Of(scope.ProfileRead)}); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			rows := w.count(t, `SELECT count(*) FROM installations WHERE app_id = $1`, stray.ID)
			consents := w.count(t, `SELECT count(*) FROM consents c JOIN installations i ON i.id = c.installation_id WHERE i.app_id = $1`, stray.ID)
			if rows != 1 || consents != racers {
				t.Errorf("%d installations, %d consents", rows, consents)
			}
		}
	})
}

func TestOfManyOrganizationsThatApproveAnAppOfNobodyOneGetsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers = 6
		sandboxes, organizations := make([]string, racers), make([]string, racers)
		for i := range sandboxes {
			organizations[i] = w.newOrganization(t, w.owner)
			sandboxes[i] = w.newBusiness(t, &organizations[i])
		}
		for range 3 {
			stray := w.stray(t, app.Unreviewed)
			var winner atomic.Pointer[string]
			var wins atomic.Int32
			var wait sync.WaitGroup
			for i, sandbox := range sandboxes {
				wait.Go(func() {
					_, err := w.installs.Approve(ctx, install.Approval{AppID: stray.ID, BusinessID: sandbox, UserID: w.owner, Scopes: scope.Of(scope.ProfileRead)})
					switch {
					case err == nil:
						wins.Add(1)
						winner.Store(&organizations[i])
					case !errors.Is(err, install.ErrNotReviewed):
						t.Errorf("who comes too late: %v", err)
					}
				})
			}
			wait.Wait()
			got := w.organizationOf(t, stray.ID)
			if n := w.count(t, `SELECT count(*) FROM installations WHERE app_id = $1`, stray.ID); wins.Load() != 1 || n != 1 || got == nil || *got != *winner.Load() {
				t.Fatalf("%d won, %d installations, it belongs to %v", wins.Load(), n, got)
			}
		}
	})
}
