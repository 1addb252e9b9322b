package business_test

import (
	"testing"

	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func TestAnAdminCannotMakeOrUnseatAnOwner(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		second := c.join(t, s, service, business.Owner)
		for name, err := range map[string]error{
			"make oneself owner":     service.ChangeRole(ctx, c.ID, c.admin, c.admin, business.Owner),
			"make somebody owner":    service.ChangeRole(ctx, c.ID, c.admin, c.staff, business.Owner),
			"take an owner in":       service.AddMember(ctx, c.ID, c.admin, c.stranger, business.Owner),
			"reduce an owner":        service.ChangeRole(ctx, c.ID, c.admin, second, business.Viewer),
			"reduce an owner a bit":  service.ChangeRole(ctx, c.ID, c.admin, second, business.Admin),
			"confirm an owner":       service.ChangeRole(ctx, c.ID, c.admin, second, business.Owner),
			"remove an owner":        service.RemoveMember(ctx, c.ID, c.admin, second),
			"remove the first owner": service.RemoveMember(ctx, c.ID, c.admin, c.owner),
		} {
			t.Run(name, func(t *testing.T) { want(t, err, business.ErrPermission) })
		}
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, second, invoiceView, toDeny), business.ErrOwnerHasAll)
		want(t, service.SetRoleOverride(ctx, c.ID, c.admin, business.Owner, invoiceView, toDeny), business.ErrOwnerHasAll)
		for _, owner := range []string{c.owner, second} {
			if a, err := service.Access(ctx, c.ID, owner); err != nil || a.Role != business.Owner {
				t.Errorf("an owner is %s now, %v", a.Role, err)
			}
		}
		// Everything below owner is an admin's business.
		must(t, service.AddMember(ctx, c.ID, c.admin, c.stranger, business.Admin))
		must(t, service.ChangeRole(ctx, c.ID, c.admin, c.stranger, business.Staff))
		must(t, service.RemoveMember(ctx, c.ID, c.admin, c.stranger))
		must(t, service.RemoveMember(ctx, c.ID, c.admin, c.admin))
	})
}

func TestNobodyHandsOutWhatTheyDoNotHold(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.admin, planManage, toGrant), business.ErrPermission)
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.staff, planManage, toGrant), business.ErrPermission)
		want(t, service.SetRoleOverride(ctx, c.ID, c.admin, business.Admin, planManage, toGrant), business.ErrPermission)
		want(t, service.SetRoleOverride(ctx, c.ID, c.admin, business.Viewer, planManage, toGrant), business.ErrPermission)
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.staff, planManage, toDeny), nil) // denying takes nothing
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.staff, journalPost, toGrant), nil)
		if may(t, s, c.ID, c.admin, planManage) || may(t, s, c.ID, c.staff, planManage) || !may(t, s, c.ID, c.staff, journalPost) {
			t.Error("who holds what is wrong")
		}

		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.admin, planManage, toGrant))
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.accountant, planManage, toGrant), nil) // holds it now
	})
}

// A denial by an owner would be worth nothing if the denied admin could take it back: lifting one hands out, too.
func TestNobodyLiftsADenialOfWhatTheyDoNotHold(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		t.Run("one's own", func(t *testing.T) {
			must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.admin, journalPost, toDeny))
			want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.admin, journalPost, toGrant), business.ErrPermission)
			want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.admin, journalPost, back), business.ErrPermission)
			if may(t, s, c.ID, c.admin, journalPost) {
				t.Error("the admin has lifted a denial of their own")
			}
			must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.admin, journalPost, back))
		})
		t.Run("one's role's", func(t *testing.T) {
			must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Admin, invoiceView, toDeny))
			want(t, service.SetRoleOverride(ctx, c.ID, c.admin, business.Admin, invoiceView, back), business.ErrPermission)
			if may(t, s, c.ID, c.admin, invoiceView) {
				t.Error("the admin has lifted a denial of the admins")
			}
			must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Admin, invoiceView, back))
		})
		t.Run("somebody else's", func(t *testing.T) {
			must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Accountant, planManage, toGrant))
			must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, planManage, toDeny))
			want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.accountant, planManage, back), business.ErrPermission)
			if may(t, s, c.ID, c.accountant, planManage) {
				t.Error("the accountant got the plan from an admin without it")
			}
		})
		must(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.staff, invoiceView, toDeny))
		want(t, service.SetMemberOverride(ctx, c.ID, c.admin, c.staff, invoiceView, back), nil) // what one holds, one may
	})
}
