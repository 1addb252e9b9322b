package install_test

import (
	"reflect"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func TestWhatEachApprovalDoes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var first install.Approved
		for i, step := range []struct {
			name    string
			user    string
			scopes  scope.Set
			outcome install.Outcome
			added   string
			granted string
			consent string // the user's own
			version int
		}{
			{"AUTHZ-16 the first yes installs", w.owner, scope.Of(scope.InvoicesRead, scope.ProfileRead), install.Installed, "profile:read invoices:read", "profile:read invoices:read", "profile:read invoices:read", 1},
			{"the same again changes nothing", w.owner, scope.Of(scope.ProfileRead, scope.InvoicesRead), install.Unchanged, "", "profile:read invoices:read", "profile:read invoices:read", 1},
			{"fewer change nothing", w.owner, scope.Of(scope.ProfileRead), install.Unchanged, "", "profile:read invoices:read", "profile:read invoices:read", 1},
			{"AUTHZ-16 AUTHZ-15 more are added to what was granted before", w.owner, scope.Of(scope.TaxesRead, scope.ProfileRead), install.ScopesUpdated, "taxes:read", "profile:read invoices:read taxes:read", "profile:read invoices:read taxes:read", 2},
			{"somebody else who agrees to less has a consent of their own", w.staff, scope.Of(scope.InvoicesRead), install.Unchanged, "", "profile:read invoices:read taxes:read", "invoices:read", 2},
			{"AUTHZ-15 somebody else who agrees to more", w.staff, scope.Of(scope.PaymentsRead), install.ScopesUpdated, "payments:read", "profile:read invoices:read payments:read taxes:read", "invoices:read payments:read", 3},
		} {
			t.Run(step.name, func(t *testing.T) {
				w.Clock.Advance(time.Minute)
				done := w.approve(t, install.Approval{AppID: w.app.ID, BusinessID: w.shop, UserID: step.user, Scopes: step.scopes})
				if i == 0 {
					first = done
				}
				if done.Outcome != step.outcome || done.Added.String() != step.added || done.Installation.GrantedScopes.String() != step.granted {
					t.Errorf("got %s, added %q, granted %q", done.Outcome, done.Added, done.Installation.GrantedScopes)
				}
				if done.Installation.ID != first.Installation.ID || done.Installation.Version != step.version {
					t.Errorf("installation %s, version %d", done.Installation.ID, done.Installation.Version)
				}
				if done.Consent.Scopes.String() != step.consent || done.Consent.InstallationID != first.Installation.ID || done.Consent.UserID != step.user {
					t.Errorf("consent %+v", done.Consent)
				}
				read, err := w.installs.Get(ctx, w.shop, w.staff, done.Installation.ID)
				must(t, err)
				if !reflect.DeepEqual(read, done.Installation) || !reflect.DeepEqual(w.consent(t, read.ID, step.user), done.Consent) {
					t.Errorf("stored %+v, told %+v", read, done.Installation)
				}
				if w.active(t) != 1 {
					t.Errorf("%d active installations", w.active(t))
				}
			})
		}
		i := first.Installation
		if i.Status != install.Active || i.AppID != w.app.ID || i.BusinessID != w.shop || !i.InstalledAt.Equal(dbtest.Start.Add(time.Minute)) ||
			i.UninstalledAt != nil || i.RedactAt != nil || !id.Valid(id.Installation, i.ID) || !id.Valid(id.Consent, first.Consent.ID) {
			t.Errorf("began as %+v", i)
		}
	})
}

func TestWhoMayApproveWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stranger, viewer, denied, granted := w.person(t), w.member(t, business.Viewer), w.member(t, business.Staff), w.member(t, business.Viewer)
		grant, deny := business.Grant, business.Deny
		must(t, w.businesses.SetMemberOverride(ctx, w.shop, w.owner, denied, business.AppsConnect, &deny))
		must(t, w.businesses.SetMemberOverride(ctx, w.shop, w.owner, granted, business.AppsConnect, &grant))
		suspended, deactivated, both := w.newApp(t, app.Approved), w.newApp(t, app.Approved), w.newApp(t, app.Approved)
		for _, a := range []app.App{suspended, both} {
			_, err := w.apps.Suspend(ctx, a.ID, "Sends spam.")
			must(t, err)
		}
		for _, a := range []app.App{deactivated, both} {
			_, err := w.apps.Deactivate(ctx, a.ID, w.developer, 0)
			must(t, err)
		}
		for _, c := range []struct {
			name    string
			refusal *fault.Fault
			change  func(*install.Approval)
		}{
			{"an app that is suspended", install.ErrAppNotActive, func(a *install.Approval) { a.AppID = suspended.ID }},
			{"an app that is deactivated", install.ErrAppNotActive, func(a *install.Approval) { a.AppID = deactivated.ID }},
			{"an app that is both", install.ErrAppNotActive, func(a *install.Approval) { a.AppID = both.ID }},
			{"an app that does not exist", app.ErrNotFound, func(a *install.Approval) { a.AppID = "app_1" }},
			{"a business that does not exist", business.ErrNotFound, func(a *install.Approval) { a.BusinessID = "biz_1" }},
			{"a scope the app has not registered", install.ErrScopes, func(a *install.Approval) { a.Scopes = scope.Of(scope.ProfileRead, scope.JournalWrite) }},
			{"a scope that does not exist", install.ErrScopes, func(a *install.Approval) { a.Scopes = scope.Of("everything") }},
			{"a scope of our own", install.ErrScopes, func(a *install.Approval) { a.Scopes = scope.Of(scope.ConsoleManage) }},
			{"an empty scope", install.ErrScopes, func(a *install.Approval) { a.Scopes = scope.Set{""} }},
			{"no scope", install.ErrNoScopes, func(a *install.Approval) { a.Scopes = nil }},
			{"a stranger", business.ErrNotFound, func(a *install.Approval) { a.UserID = stranger }},
			{"the app's developer, who is a stranger too", business.ErrNotFound, func(a *install.Approval) { a.UserID = w.developer }},
			{"nobody", business.ErrNotFound, func(a *install.Approval) { a.UserID = "" }},
			{"a viewer", business.ErrPermission, func(a *install.Approval) { a.UserID = viewer }},
			{"a member who was denied it", business.ErrPermission, func(a *install.Approval) { a.UserID = denied }},
			{"a viewer who was granted it", nil, func(a *install.Approval) { a.UserID = granted }},
			{"staff", nil, func(a *install.Approval) { a.UserID = w.staff }},
			{"an accountant", nil, func(a *install.Approval) { a.UserID = w.member(t, business.Accountant) }},
			{"an admin", nil, func(a *install.Approval) { a.UserID = w.member(t, business.Admin) }},
			{"everything the app registered", nil, func(a *install.Approval) { a.Scopes = registered }},
		} {
			t.Run(c.name, func(t *testing.T) {
				a := w.yes(w.owner, scope.ProfileRead)
				c.change(&a)
				done, err := w.installs.Approve(ctx, a)
				want(t, err, c.refusal)
				rows, consents := w.active(t), w.count(t, `SELECT count(*) FROM consents WHERE revoked_at IS NULL`)
				if c.refusal != nil && (rows != 0 || consents != 0) || c.refusal == nil && (rows != 1 || consents != 1) {
					t.Errorf("%d installations, %d consents", rows, consents)
				}
				if err == nil {
					_, err = w.installs.Uninstall(ctx, w.shop, w.owner, done.Installation.ID)
					must(t, err)
				}
			})
		}
	})
}

func TestAScopeTheAppGaveUpIsNotGrantedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.approve(t, w.yes(w.owner, scope.ProfileRead, scope.TaxesRead))
		_, err := w.apps.SetScopes(ctx, w.app.ID, w.developer, 0, scope.Of(scope.ProfileRead, scope.InvoicesRead))
		must(t, err)
		_, err = w.installs.Approve(ctx, w.yes(w.owner, scope.TaxesRead))
		want(t, err, install.ErrScopes)
		done := w.approve(t, w.yes(w.owner, scope.InvoicesRead))
		if done.Outcome != install.ScopesUpdated || done.Added.String() != "invoices:read" {
			t.Errorf("got %+v", done)
		}
	})
}

func TestABusinessListsItsOwnInstallations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, second, stranger := w.newBusiness(t, nil), w.newApp(t, app.Approved), w.person(t)
		first := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation
		w.Clock.Advance(time.Second)
		a := w.yes(w.owner, scope.ProfileRead)
		a.AppID = second.ID
		next := w.approve(t, a).Installation
		a.BusinessID = other
		foreign := w.approve(t, a).Installation

		list, err := w.installs.List(ctx, w.shop, w.staff)
		must(t, err)
		if len(list) != 2 || list[0].ID != first.ID || list[1].ID != next.ID {
			t.Errorf("lists %+v", list)
		}
		_, err = w.installs.List(ctx, w.shop, stranger)
		want(t, err, business.ErrNotFound)
		_, err = w.installs.Get(ctx, w.shop, stranger, first.ID)
		want(t, err, business.ErrNotFound)
		for _, nowhere := range []string{foreign.ID, "", "ins_1"} {
			_, err = w.installs.Get(ctx, w.shop, w.owner, nowhere)
			want(t, err, install.ErrNotFound)
			_, err = w.installs.Uninstall(ctx, w.shop, w.owner, nowhere)
			want(t, err, install.ErrNotFound)
			want(t, w.installs.RevokeAccess(ctx, w.shop, w.owner, nowhere), install.ErrNotFound)
			want(t, w.installs.RevokeOwn(ctx, w.shop, w.owner, nowhere), install.ErrNotFound)
		}
		if w.active(t) != 3 || w.consent(t, foreign.ID, w.owner).ID == "" {
			t.Error("the other business's installation was touched")
		}
	})
}
