package business_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

// roleTable is what each role holds by default, written out once more.
const roleTable = `
permission        OWNER ADMIN ACCOUNTANT STAFF VIEWER
invoices.view     x     x     x          x     x
invoices.manage   x     x     x          x     -
invoices.void     x     x     x          -     -
customers.view    x     x     x          x     x
customers.manage  x     x     x          x     -
suppliers.view    x     x     x          x     x
suppliers.manage  x     x     x          -     -
payments.view     x     x     x          x     x
payments.record   x     x     x          x     -
payments.refund   x     x     x          -     -
payments.delete   x     x     -          -     -
accounts.view     x     x     x          x     x
accounts.manage   x     x     -          -     -
journal.view      x     x     x          -     x
journal.post      x     x     -          -     -
taxes.view        x     x     x          x     x
taxes.manage      x     x     -          -     -
reports.view      x     x     x          -     x
books.lock        x     x     -          -     -
privacy.redact    x     x     -          -     -
apps.connect      x     x     x          x     -
apps.manage       x     x     -          -     -
members.manage    x     x     -          -     -
settings.manage   x     x     -          -     -
plan.manage       x     -     -          -     -
`

func TestEveryRoleHoldsItsPermissions(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		members := map[string]string{"OWNER": c.owner, "ADMIN": c.admin, "ACCOUNTANT": c.accountant, "STAFF": c.staff, "VIEWER": c.viewer}
		lines := strings.Split(strings.TrimSpace(roleTable), "\n")
		head := strings.Fields(lines[0])[1:]
		var rows []business.Permission
		for _, line := range lines[1:] {
			words := strings.Fields(line)
			p := business.Permission(words[0])
			rows = append(rows, p)
			for i, role := range head {
				if held := may(t, s, c.ID, members[role], p); held != (words[1+i] == "x") {
					t.Errorf("%s holds %s: %v", role, p, held)
				}
			}
		}
		slices.Sort(rows)
		if len(rows) != 25 || !slices.Equal(rows, business.Permissions) {
			t.Errorf("%d permissions in the table, %d in the code: %v", len(rows), len(business.Permissions), business.Permissions)
		}
		var roles []string
		for _, r := range business.Roles {
			roles = append(roles, string(r))
		}
		if !slices.Equal(roles, head) {
			t.Errorf("roles are %v", roles)
		}
	})
}

func TestAccessToldIsAccessHeld(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		a, err := service.Access(ctx, c.ID, c.viewer)
		must(t, err)
		if a.Role != business.Viewer || !slices.IsSorted(a.Permissions) || len(a.Permissions) != 8 {
			t.Errorf("got %+v", a)
		}
		for _, p := range business.Permissions {
			if a.May(p) != may(t, s, c.ID, c.viewer, p) {
				t.Errorf("%s is told otherwise than held", p)
			}
		}
		if a.May("") || a.May("everything") {
			t.Error("holds what does not exist")
		}
		for _, nowhere := range []string{"", "biz_", c.ID + "x"} {
			_, err := service.Access(ctx, nowhere, c.owner)
			want(t, err, business.ErrNotFound)
		}
		_, err = service.Access(ctx, c.ID, c.stranger)
		want(t, err, business.ErrNotFound)
	})
}
