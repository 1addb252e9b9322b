package organization_test

import (
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

func TestWhichOrganizationAMemberMeans(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		first := newCast(t, s, service)
		s.Clock.Advance(time.Second)
		second, err := service.Create(ctx, "Second", first.viewer)
		must(t, err)
		foreign, err := service.Create(ctx, "Foreign", first.stranger)
		must(t, err)
		for _, c := range []struct {
			name, chosen, by string
			needs            organization.Ability
			want             string // the name of the one found
			role             organization.Role
			refusal          error
		}{
			{"the first one joined", "", first.viewer, organization.Look, "Acme", organization.Viewer, nil},
			{"the one chosen", second.ID, first.viewer, organization.Govern, "Second", organization.Owner, nil},
			{"the first one, where the role is too low", "", first.viewer, organization.Build, "", "", organization.ErrRoleTooLow.With(organization.Viewer)},
			{"a role just high enough", "", first.developer, organization.Build, "Acme", organization.Developer, nil},
			{"a role one too low", first.ID, first.developer, organization.Govern, "", "", organization.ErrRoleTooLow.With(organization.Developer)},
			{"one of others", foreign.ID, first.owner, organization.Look, "", "", organization.ErrNotFound},
			{"one that does not exist", "org_0", first.owner, organization.Look, "", "", organization.ErrNotFound},
			{"somebody without any", "", person(t, s), organization.Look, "", "", organization.ErrNotFound},
		} {
			t.Run("CONS-06 "+c.name, func(t *testing.T) {
				m, err := service.Admit(ctx, c.chosen, c.by, c.needs)
				if m.Name != c.want || m.Role != c.role || (err == nil) != (c.refusal == nil) || err != nil && err.Error() != c.refusal.Error() {
					t.Errorf("%+v, %v", m, err)
				}
			})
		}
		all, err := service.Memberships(ctx, first.viewer)
		must(t, err)
		if len(all) != 2 || all[0].ID != first.ID || all[0].Role != organization.Viewer || all[1].ID != second.ID || all[1].Role != organization.Owner {
			t.Errorf("%+v", all)
		}
	})
}

func TestMembersAreShownByName(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		for _, by := range []string{c.viewer, c.owner} {
			list, err := service.Roster(ctx, c.ID, by)
			must(t, err)
			if len(list) != 3 || list[0].Email == "" || list[0].DisplayName == "" || roles(t, s, c.ID)[list[0].UserID] != list[0].Role {
				t.Errorf("%+v", list)
			}
		}
		_, err := service.Roster(ctx, c.ID, c.stranger)
		want(t, err, organization.ErrNotFound)
	})
}

func TestOfTwoWhoRenameOneIsTold(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		renamed, err := service.Rename(ctx, c.ID, c.owner, 1, "New")
		must(t, err)
		if renamed.Version != 2 {
			t.Errorf("%+v", renamed)
		}
		_, err = service.Rename(ctx, c.ID, c.owner, 1, "Newer")
		want(t, err, organization.ErrChanged)
		_, err = service.Rename(ctx, c.ID, c.stranger, 1, "Newer")
		want(t, err, organization.ErrNotFound)
		if o, _, err := service.Get(ctx, c.ID, c.owner); err != nil || o.Name != "New" {
			t.Errorf("%+v, %v", o, err)
		}
	})
}
