package business_test

import (
	"context"
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

const (
	journalPost = business.JournalPost // by default with OWNER and ADMIN
	invoiceView = business.InvoicesView
	planManage  = business.PlanManage // by default with OWNER alone
)

func name(e *business.Effect) string {
	if e == nil {
		return "nothing"
	}
	return string(*e)
}

// The member's override, else the role's, else the default: all 3 × 3 × 2 combinations, for an ACCOUNTANT.
func TestTheNearestOverrideDecides(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		colleague := c.join(t, s, service, business.Accountant)
		for _, def := range []struct {
			p    business.Permission
			held bool
		}{{journalPost, false}, {invoiceView, true}} {
			for _, role := range []*business.Effect{back, toGrant, toDeny} {
				for _, member := range []*business.Effect{back, toGrant, toDeny} {
					t.Run(fmt.Sprintf("%s, role %s, member %s", def.p, name(role), name(member)), func(t *testing.T) {
						must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Accountant, def.p, role))
						must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, def.p, member))
						byRole := def.held
						if role != nil {
							byRole = *role == business.Grant
						}
						byMember := byRole
						if member != nil {
							byMember = *member == business.Grant
						}
						if got := may(t, s, c.ID, c.accountant, def.p); got != byMember {
							t.Errorf("the member may: %v", got)
						}
						if got := may(t, s, c.ID, colleague, def.p); got != byRole {
							t.Errorf("a colleague in the same role may: %v", got)
						}
						if may(t, s, c.ID, c.viewer, journalPost) || !may(t, s, c.ID, c.viewer, invoiceView) {
							t.Error("another role was touched")
						}
					})
				}
			}
		}
	})
}

func TestOverridesStayInTheirBusiness(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		other, err := service.Create(ctx, shop, c.owner)
		must(t, err)
		must(t, service.AddMember(ctx, other.ID, c.owner, c.accountant, business.Accountant))
		must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Accountant, journalPost, toGrant))
		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, invoiceView, toDeny))
		if may(t, s, other.ID, c.accountant, journalPost) || !may(t, s, other.ID, c.accountant, invoiceView) {
			t.Error("the other business changed too")
		}
	})
}

func TestAnOwnerHoldsEverythingWhateverTheOverrides(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		want(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Owner, journalPost, toDeny), business.ErrOwnerHasAll)
		want(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.owner, journalPost, toDeny), business.ErrOwnerHasAll)
		// Overrides from before the promotion, and ones that no verb would write.
		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.staff, invoiceView, toDeny))
		must(t, service.ChangeRole(ctx, c.ID, c.owner, c.staff, business.Owner))
		exec(t, s, `INSERT INTO role_overrides (business_id, role, permission, effect) VALUES ($1, 'OWNER', 'journal.post', 'DENY')`, c.ID)
		exec(t, s, `INSERT INTO member_overrides (business_id, user_id, permission, effect) VALUES ($1, $2, 'plan.manage', 'DENY')`, c.ID, c.owner)
		for _, owner := range []string{c.owner, c.staff} {
			a, err := service.Access(ctx, c.ID, owner)
			must(t, err)
			if len(a.Permissions) != 25 {
				t.Errorf("an owner holds %d permissions: %v", len(a.Permissions), a.Permissions)
			}
		}
	})
}

func TestAMembersOverridesLeaveWithTheMember(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, journalPost, toGrant))
		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, invoiceView, toDeny))
		must(t, service.RemoveMember(ctx, c.ID, c.owner, c.accountant))
		_, err := service.Access(ctx, c.ID, c.accountant)
		want(t, err, business.ErrNotFound)
		must(t, service.AddMember(ctx, c.ID, c.owner, c.accountant, business.Accountant))
		if may(t, s, c.ID, c.accountant, journalPost) || !may(t, s, c.ID, c.accountant, invoiceView) {
			t.Error("came back with the old overrides")
		}
	})
}

// Every question is asked anew: what changed a moment ago counts, and asking is one statement.
func TestAChangeActsOnTheNextCall(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		if may(t, s, c.ID, c.accountant, journalPost) {
			t.Error("may by default")
		}
		must(t, service.SetRoleOverride(ctx, c.ID, c.owner, business.Accountant, journalPost, toGrant))
		if !may(t, s, c.ID, c.accountant, journalPost) {
			t.Error("may not, though granted to the role")
		}
		must(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.accountant, journalPost, toDeny))
		if may(t, s, c.ID, c.accountant, journalPost) {
			t.Error("may still, though denied")
		}
		must(t, service.ChangeRole(ctx, c.ID, c.owner, c.accountant, business.Owner))
		if !may(t, s, c.ID, c.accountant, planManage) {
			t.Error("an owner now, but without the plan")
		}
		counting, n := db.Counting(context.Background())
		_, err := service.Access(counting, c.ID, c.accountant)
		must(t, err)
		if n.Load() != 1 {
			t.Errorf("%d statements for one question", n.Load())
		}
	})
}

func TestWhatAnOverrideMustBe(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		maybe := business.Effect("MAYBE")
		if got := offences(service.SetRoleOverride(ctx, c.ID, c.owner, "BOSS", "journal.burn", &maybe)); got != "role permission effect" {
			t.Errorf("complains about %q", got)
		}
		if got := offences(service.SetMemberOverride(ctx, c.ID, c.owner, c.staff, "", &maybe)); got != "permission effect" {
			t.Errorf("complains about %q", got)
		}
		want(t, service.SetMemberOverride(ctx, c.ID, c.owner, c.stranger, journalPost, toGrant), business.ErrNoMember)
		want(t, service.SetMemberOverride(ctx, c.ID, c.stranger, c.staff, journalPost, toGrant), business.ErrNotFound)
		want(t, service.SetRoleOverride(ctx, c.ID, c.stranger, business.Staff, journalPost, toGrant), business.ErrNotFound)
		for _, low := range []string{c.accountant, c.staff, c.viewer} {
			want(t, service.SetMemberOverride(ctx, c.ID, low, low, journalPost, toGrant), business.ErrPermission)
			want(t, service.SetRoleOverride(ctx, c.ID, low, business.Viewer, journalPost, toGrant), business.ErrPermission)
		}
	})
}
