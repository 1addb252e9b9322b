package organization_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

func TestWhatEachRoleMayDo(t *testing.T) {
	for _, c := range []struct {
		role                organization.Role
		look, build, govern bool
	}{
		{organization.Owner, true, true, true},
		{organization.Developer, true, true, false},
		{organization.Viewer, true, false, false},
		{"", false, false, false},
		{"owner", false, false, false},
		{"ADMIN", false, false, false},
	} {
		t.Run(fmt.Sprintf("%q", c.role), func(t *testing.T) {
			got := []bool{c.role.May(organization.Look), c.role.May(organization.Build), c.role.May(organization.Govern)}
			if !slices.Equal(got, []bool{c.look, c.build, c.govern}) {
				t.Errorf("look, build, govern: %v", got)
			}
			if c.role.May(organization.Govern + 1) {
				t.Error("may do something that nobody declared")
			}
		})
	}
	if !slices.Equal(organization.Roles, []organization.Role{"OWNER", "DEVELOPER", "VIEWER"}) {
		t.Errorf("roles are %v", organization.Roles)
	}
}

func TestEveryVerbAsksForItsRole(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		newcomer := person(t, s)
		authorize := func(a organization.Ability) func(by string) error {
			return func(by string) error {
				return s.Read(ctx, func(tx *db.Tx) error { _, err := organization.Authorize(ctx, tx, c.ID, by, a); return err })
			}
		}
		const look, build, govern = organization.Look, organization.Build, organization.Govern
		for _, verb := range []struct {
			name  string
			needs organization.Ability
			do    func(by string) error
		}{
			{"look", look, authorize(look)},
			{"build", build, authorize(build)},
			{"govern", govern, authorize(govern)},
			{"Get", look, func(by string) error { _, _, err := service.Get(ctx, c.ID, by); return err }},
			{"Members", look, func(by string) error { _, err := service.Members(ctx, c.ID, by); return err }},
			{"Rename", govern, func(by string) error { _, err := service.Rename(ctx, c.ID, by, 0, "Acme"); return err }},
			{"AddMember", govern, func(by string) error { return service.AddMember(ctx, c.ID, by, newcomer, organization.Viewer) }},
			{"ChangeRole", govern, func(by string) error { return service.ChangeRole(ctx, c.ID, by, newcomer, organization.Developer) }},
			{"RemoveMember", govern, func(by string) error { return service.RemoveMember(ctx, c.ID, by, newcomer) }},
		} {
			for _, actor := range []struct {
				name, id string
				reach    organization.Ability
			}{{"viewer", c.viewer, look}, {"developer", c.developer, build}, {"stranger", c.stranger, look - 1}, {"owner", c.owner, govern}} {
				t.Run("CONS-06 "+verb.name+" by the "+actor.name, func(t *testing.T) {
					refusal := organization.ErrRoleTooLow
					switch {
					case actor.reach >= verb.needs:
						refusal = nil
					case actor.id == c.stranger:
						refusal = organization.ErrNotFound
					}
					want(t, verb.do(actor.id), refusal)
				})
			}
		}
		if o, m, err := service.Get(ctx, c.ID, c.viewer); err != nil || o.Name != "Acme" || m.Role != organization.Viewer || m.UserID != c.viewer {
			t.Errorf("the viewer sees %+v as %+v, %v", o, m, err)
		}
		for _, nowhere := range []string{"", "org_", s.IDs.New(id.Organization)} {
			_, _, err := service.Get(ctx, nowhere, c.owner)
			want(t, err, organization.ErrNotFound)
			want(t, service.RemoveMember(ctx, nowhere, c.owner, c.viewer), organization.ErrNotFound)
		}
	})
}

func TestNamesOfOrganizations(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		owner := person(t, s)
		for _, c := range []struct {
			name, given, kept string
			ok                bool
		}{
			{"one character", "A", "A", true},
			{"100 characters", strings.Repeat("é", 100), strings.Repeat("é", 100), true},
			{"101 characters", strings.Repeat("é", 101), "", false},
			{"spaces around it", "  Acme  ", "Acme", true},
			{"none", "", "", false},
			{"only spaces", "   ", "", false},
			{"a line break inside", "Ac\nme", "", false},
			{"no text", "Ac\xffme", "", false},
		} {
			t.Run(c.name, func(t *testing.T) {
				o, err := service.Create(ctx, c.given, owner)
				if !c.ok {
					if f := fault.From(err); f == nil || f.Kind != fault.Invalid || !strings.HasPrefix(f.Text(), "name ") {
						t.Errorf("got %v", err)
					}
					return
				}
				must(t, err)
				o, err = service.Rename(ctx, o.ID, owner, 0, c.given)
				must(t, err)
				if read, _, err := service.Get(ctx, o.ID, owner); err != nil || read.Name != c.kept || read != o || read.Version != 2 {
					t.Errorf("got %+v, %v", read, err)
				}
			})
		}
		if list, err := service.Of(ctx, owner); err != nil || len(list) != 3 {
			t.Errorf("%d organizations, %v: refused ones must not be there", len(list), err)
		}
	})
}

func TestSomebodysOrganizationsAreInTheOrderOfJoining(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		ada, bob := person(t, s), person(t, s)
		var ids []string
		for _, name := range []string{"First", "Second", "Third"} {
			o, err := service.Create(ctx, name, ada)
			must(t, err)
			ids = append(ids, o.ID)
			s.Clock.Advance(time.Second)
		}
		for _, i := range []int{2, 0} { // the third one first
			must(t, service.AddMember(ctx, ids[i], ada, bob, organization.Viewer))
			s.Clock.Advance(time.Second)
		}
		list, err := service.Of(ctx, bob)
		must(t, err)
		if len(list) != 2 || list[0].Name != "Third" || list[1].Name != "First" {
			t.Errorf("bob belongs to %v", list)
		}
		if list, err := service.Of(ctx, person(t, s)); err != nil || len(list) != 0 {
			t.Errorf("a stranger belongs to %v, %v", list, err)
		}
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			for id, belongs := range map[string]bool{ids[0]: true, ids[1]: false, ids[2]: true} {
				if is, err := organization.IsMember(ctx, tx, id, bob); err != nil || is != belongs {
					t.Errorf("member of %s: %v, %v", id, is, err)
				}
			}
			return nil
		}))
	})
}
