package install_test

import (
	"reflect"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

func TestUninstallingEndsTheInstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		done := w.approve(t, w.yes(w.owner, scope.ProfileRead))
		w.approve(t, w.yes(w.staff, scope.TaxesRead))
		w.Clock.Advance(time.Hour)
		now := w.Clock.Now()
		ended, err := w.installs.Uninstall(ctx, w.shop, w.owner, done.Installation.ID)
		must(t, err)
		if ended.Status != install.Uninstalled || ended.UninstalledAt == nil || !ended.UninstalledAt.Equal(now) || ended.RedactAt == nil ||
			!ended.RedactAt.Equal(now.Add(48*time.Hour)) || ended.GrantedScopes.String() != "profile:read taxes:read" || !ended.UpdatedAt.Equal(now) {
			t.Errorf("got %+v", ended)
		}
		read, err := w.installs.Get(ctx, w.shop, w.staff, ended.ID) // still there to be looked at
		must(t, err)
		if !reflect.DeepEqual(read, ended) {
			t.Errorf("stored %+v, told %+v", read, ended)
		}
		if list, err := w.installs.List(ctx, w.shop, w.owner); err != nil || len(list) != 0 {
			t.Errorf("lists %v, %v", list, err)
		}
		for _, user := range []string{w.owner, w.staff} {
			if c := w.consent(t, ended.ID, user); c.ID != "" {
				t.Errorf("a consent lives on: %+v", c)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM consents WHERE revoked_at = $1`, now); n != 2 {
			t.Errorf("%d consents ended at that instant, want 2", n)
		}
		w.Clock.Advance(time.Hour)
		_, err = w.installs.Uninstall(ctx, w.shop, w.owner, ended.ID)
		want(t, err, install.ErrNotFound)
		want(t, w.installs.RevokeAccess(ctx, w.shop, w.owner, ended.ID), install.ErrNotFound)
		want(t, w.installs.RevokeOwn(ctx, w.shop, w.owner, ended.ID), install.ErrNotFound)
		if read, err = w.installs.Get(ctx, w.shop, w.staff, ended.ID); err != nil || !reflect.DeepEqual(read, ended) {
			t.Errorf("ended twice: %+v, %v", read, err)
		}
	})
}

func TestInstallingAgainIsANewInstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bystander := w.newApp(t, "APPROVED")
		a := w.yes(w.owner, scope.ProfileRead)
		a.AppID = bystander.ID
		other := w.approve(t, a).Installation
		_, err := w.installs.Uninstall(ctx, w.shop, w.owner, other.ID)
		must(t, err)

		first := w.approve(t, w.yes(w.owner, scope.ProfileRead, scope.TaxesRead))
		_, err = w.installs.Uninstall(ctx, w.shop, w.owner, first.Installation.ID)
		must(t, err)
		w.Clock.Advance(48*time.Hour - time.Millisecond)
		second := w.approve(t, w.yes(w.owner, scope.InvoicesRead))
		if second.Outcome != install.Installed || second.Installation.ID == first.Installation.ID || second.Consent.ID == first.Consent.ID {
			t.Errorf("got %+v, want all new", second)
		}
		if second.Installation.GrantedScopes.String() != "invoices:read" || second.Consent.Scopes.String() != "invoices:read" || second.Added.String() != "invoices:read" {
			t.Errorf("old scopes came back: %+v", second)
		}
		old, err := w.installs.Get(ctx, w.shop, w.owner, first.Installation.ID)
		must(t, err)
		if old.Status != install.Uninstalled || old.RedactAt != nil {
			t.Errorf("the old one is %+v, want it ended and no longer to be erased", old)
		}
		if w.consent(t, old.ID, w.owner).ID != "" || w.consent(t, second.Installation.ID, w.owner).ID != second.Consent.ID {
			t.Error("consents are mixed up")
		}
		if b, err := w.installs.Get(ctx, w.shop, w.owner, other.ID); err != nil || b.RedactAt == nil {
			t.Errorf("another app's data is kept as well: %+v, %v", b, err)
		}
	})
}

func TestRevokingAccessLeavesTheInstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		done := w.approve(t, w.yes(w.owner, scope.ProfileRead, scope.TaxesRead))
		colleague := w.approve(t, w.yes(w.staff, scope.ProfileRead))
		must(t, w.installs.RevokeOwn(ctx, w.shop, w.staff, done.Installation.ID))
		if w.consent(t, done.Installation.ID, w.staff).ID != "" || w.consent(t, done.Installation.ID, w.owner).ID == "" {
			t.Error("revoking one's own consent must end that one and no other")
		}
		must(t, w.installs.RevokeOwn(ctx, w.shop, w.staff, done.Installation.ID)) // nothing is left to end

		again := w.approve(t, w.yes(w.staff, scope.PaymentsRead))
		if again.Consent.ID == colleague.Consent.ID || again.Consent.Scopes.String() != "payments:read" || again.Outcome != install.ScopesUpdated {
			t.Errorf("got %+v, want a new consent to the new scope alone", again)
		}
		if n := w.count(t, `SELECT count(*) FROM consents WHERE user_id = $1`, w.staff); n != 2 {
			t.Errorf("%d consents on record, want the revoked one and the new one", n)
		}

		must(t, w.installs.RevokeAccess(ctx, w.shop, w.owner, done.Installation.ID))
		for _, user := range []string{w.owner, w.staff} {
			if c := w.consent(t, done.Installation.ID, user); c.ID != "" {
				t.Errorf("a consent lives on: %+v", c)
			}
		}
		read, err := w.installs.Get(ctx, w.shop, w.owner, done.Installation.ID)
		must(t, err)
		if read.Status != install.Active || read.RedactAt != nil || read.GrantedScopes.String() != "profile:read payments:read taxes:read" {
			t.Errorf("the installation became %+v", read)
		}
		last := w.approve(t, w.yes(w.owner, scope.TaxesRead))
		if last.Installation.ID != done.Installation.ID || last.Outcome != install.Unchanged || last.Consent.Scopes.String() != "taxes:read" {
			t.Errorf("got %+v", last)
		}
	})
}

func TestWhoMayEndWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stranger := w.person(t)
		roles := map[string]string{"owner": w.owner, "staff": w.staff, "stranger": stranger, "nobody": "", "admin": w.member(t, business.Admin),
			"accountant": w.member(t, business.Accountant), "viewer": w.member(t, business.Viewer)}
		const gone, no, yes = "not found", "no permission", "yes"
		for _, c := range []struct{ who, manage, own string }{
			{"owner", yes, yes}, {"admin", yes, yes}, {"accountant", no, yes}, {"staff", no, yes}, {"viewer", no, yes}, {"stranger", gone, gone}, {"nobody", gone, gone},
		} {
			answers := map[string]*fault.Fault{gone: business.ErrNotFound, no: business.ErrPermission, yes: nil}
			t.Run(c.who, func(t *testing.T) {
				i := w.approve(t, w.yes(w.owner, scope.ProfileRead)).Installation.ID
				mine := w.approve(t, w.yes(w.staff, scope.ProfileRead)).Consent.ID
				want(t, w.installs.RevokeOwn(ctx, w.shop, roles[c.who], i), answers[c.own])
				if left := w.consent(t, i, w.staff).ID; (left == mine) == (c.who == "staff") {
					t.Error("a staff member's consent is not in the right state")
				}
				want(t, w.installs.RevokeAccess(ctx, w.shop, roles[c.who], i), answers[c.manage])
				_, err := w.installs.Uninstall(ctx, w.shop, roles[c.who], i)
				want(t, err, answers[c.manage])
				read, err := w.installs.Get(ctx, w.shop, w.owner, i)
				must(t, err)
				if (read.Status == install.Uninstalled) != (c.manage == yes) {
					t.Errorf("the installation is %s", read.Status)
				}
			})
		}
	})
}
