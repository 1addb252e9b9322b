package organization_test

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

func TestMembersComeChangeAndGo(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		want(t, service.AddMember(ctx, c.ID, c.owner, c.viewer, organization.Owner), organization.ErrAlreadyThere)
		if r := roles(t, s, c.ID)[c.viewer]; r != organization.Viewer {
			t.Errorf("the second welcome made the viewer %s", r)
		}
		must(t, service.ChangeRole(ctx, c.ID, c.owner, c.viewer, organization.Developer))
		must(t, service.RemoveMember(ctx, c.ID, c.owner, c.developer))
		if got := roles(t, s, c.ID); !maps.Equal(got, map[string]organization.Role{c.owner: organization.Owner, c.viewer: organization.Developer}) {
			t.Errorf("members are %v", got)
		}
		_, _, err := service.Get(ctx, c.ID, c.developer) // who has left
		want(t, err, organization.ErrNotFound)

		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.stranger, organization.Viewer), organization.ErrNoMember)
		want(t, service.RemoveMember(ctx, c.ID, c.owner, c.stranger), organization.ErrNoMember)
		if err := service.AddMember(ctx, c.ID, c.owner, "usr_of_nobody", organization.Viewer); err == nil {
			t.Error("took in somebody who does not exist")
		}
		for _, role := range []organization.Role{"", "owner", "ADMIN"} {
			for _, err := range []error{service.AddMember(ctx, c.ID, c.owner, c.stranger, role), service.ChangeRole(ctx, c.ID, c.owner, c.viewer, role)} {
				if fault.KindOf(err) != fault.Invalid {
					t.Errorf("role %q: %v", role, err)
				}
			}
		}
		list, err := service.Members(ctx, c.ID, c.viewer)
		must(t, err)
		if len(list) != 2 {
			t.Errorf("lists %v", list)
		}
	})
}

func TestTheLastOwnerStays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		before := roles(t, s, c.ID)
		want(t, service.RemoveMember(ctx, c.ID, c.owner, c.owner), organization.ErrLastOwner)
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.owner, organization.Developer), organization.ErrLastOwner)
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.owner, organization.Viewer), organization.ErrLastOwner)
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.owner, organization.Owner), nil) // which changes nothing
		if got := roles(t, s, c.ID); !maps.Equal(got, before) {
			t.Errorf("members are %v, were %v", got, before)
		}
		must(t, service.ChangeRole(ctx, c.ID, c.owner, c.developer, organization.Owner))
		must(t, service.RemoveMember(ctx, c.ID, c.owner, c.owner)) // now there is another
		want(t, service.RemoveMember(ctx, c.ID, c.developer, c.developer), organization.ErrLastOwner)
	})
}

func TestOfTwoOwnersWhoLeaveAtOnceOneStays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		ada, bob := person(t, s), person(t, s)
		leave := func(o, me, _ string) error { return service.RemoveMember(ctx, o, me, me) }
		reduce := func(o, me, _ string) error { return service.ChangeRole(ctx, o, me, me, organization.Viewer) }
		unseat := func(o, me, other string) error { return service.RemoveMember(ctx, o, me, other) }
		for _, c := range []struct {
			name    string
			do      func(o, me, other string) error
			refusal *fault.Fault // of the one who comes second
		}{
			{"both leave", leave, organization.ErrLastOwner},
			{"both step down", reduce, organization.ErrLastOwner},
			{"each removes the other", unseat, organization.ErrNotFound},
		} {
			t.Run(c.name, func(t *testing.T) {
				for range 8 {
					o, err := service.Create(ctx, "Acme", ada)
					must(t, err)
					must(t, service.AddMember(ctx, o.ID, ada, bob, organization.Owner))
					var wins atomic.Int32
					var wait sync.WaitGroup
					for _, pair := range [][2]string{{ada, bob}, {bob, ada}} {
						wait.Go(func() {
							switch err := c.do(o.ID, pair[0], pair[1]); {
							case err == nil:
								wins.Add(1)
							case !errors.Is(err, c.refusal):
								t.Errorf("the second one: %v", err)
							}
						})
					}
					wait.Wait()
					owners := 0
					for _, role := range roles(t, s, o.ID) {
						if role == organization.Owner {
							owners++
						}
					}
					if wins.Load() != 1 || owners != 1 {
						t.Fatalf("%d succeeded, %d owners left", wins.Load(), owners)
					}
				}
			})
		}
	})
}

func TestOfManyWelcomesOneCounts(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		var wins atomic.Int32
		var wait sync.WaitGroup
		for range 16 {
			wait.Go(func() {
				switch err := service.AddMember(ctx, c.ID, c.owner, c.stranger, organization.Viewer); {
				case err == nil:
					wins.Add(1)
				case !errors.Is(err, organization.ErrAlreadyThere):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if wins.Load() != 1 {
			t.Errorf("%d were the first", wins.Load())
		}
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			is, err := organization.IsMember(ctx, tx, c.ID, c.stranger)
			if !is {
				t.Error("and nobody came in")
			}
			return err
		}))
	})
}

func TestNobodyIsNoMember(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *organization.Service) {
		c := newCast(t, s, service)
		want(t, service.AddMember(ctx, c.ID, c.owner, "usr_nobody", organization.Viewer), identity.ErrUserNotFound)
	})
}
