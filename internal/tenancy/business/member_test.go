package business_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func owners(t *testing.T, service *business.Service, businessID string, askers ...string) (n int) {
	t.Helper()
	for _, by := range askers {
		list, err := service.Members(ctx, businessID, by)
		if errors.Is(err, business.ErrNotFound) {
			continue // has left: let another one look
		}
		must(t, err)
		for _, m := range list {
			if m.Role == business.Owner {
				n++
			}
		}
		return n
	}
	return 0
}

func TestMembersComeChangeAndGo(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		list, err := service.Members(ctx, c.ID, c.viewer)
		must(t, err)
		if len(list) != 5 {
			t.Errorf("lists %d members, want 5", len(list))
		}
		_, err = service.Members(ctx, c.ID, c.stranger)
		want(t, err, business.ErrNotFound)
		for _, low := range []string{c.accountant, c.staff, c.viewer} {
			want(t, service.AddMember(ctx, c.ID, low, c.stranger, business.Viewer), business.ErrPermission)
			want(t, service.ChangeRole(ctx, c.ID, low, low, business.Admin), business.ErrPermission)
			want(t, service.RemoveMember(ctx, c.ID, low, c.viewer), business.ErrPermission)
		}
		for _, err := range []error{
			service.AddMember(ctx, c.ID, c.stranger, c.stranger, business.Owner),
			service.ChangeRole(ctx, c.ID, c.stranger, c.viewer, business.Admin),
			service.RemoveMember(ctx, c.ID, c.stranger, c.viewer),
			service.RemoveMember(ctx, "biz_of_nobody", c.owner, c.viewer),
		} {
			want(t, err, business.ErrNotFound)
		}
		want(t, service.AddMember(ctx, c.ID, c.owner, c.viewer, business.Admin), business.ErrAlreadyThere)
		if a, err := service.Access(ctx, c.ID, c.viewer); err != nil || a.Role != business.Viewer {
			t.Errorf("the second welcome made the viewer %s, %v", a.Role, err)
		}
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.stranger, business.Staff), business.ErrNoMember)
		want(t, service.RemoveMember(ctx, c.ID, c.owner, c.stranger), business.ErrNoMember)
		for _, role := range []business.Role{"", "owner", "DEVELOPER"} {
			if got := offences(service.AddMember(ctx, c.ID, c.owner, c.stranger, role)); got != "role" {
				t.Errorf("role %q: complains about %q", role, got)
			}
			if got := offences(service.ChangeRole(ctx, c.ID, c.owner, c.viewer, role)); got != "role" {
				t.Errorf("role %q: complains about %q", role, got)
			}
		}
		must(t, service.RemoveMember(ctx, c.ID, c.owner, c.viewer))
		_, err = service.Members(ctx, c.ID, c.viewer)
		want(t, err, business.ErrNotFound)
	})
}

func TestTheLastOwnerStays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		want(t, service.RemoveMember(ctx, c.ID, c.owner, c.owner), business.ErrLastOwner)
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.owner, business.Admin), business.ErrLastOwner)
		want(t, service.ChangeRole(ctx, c.ID, c.owner, c.owner, business.Owner), nil) // which changes nothing
		if n := owners(t, service, c.ID, c.viewer); n != 1 {
			t.Errorf("%d owners", n)
		}
		must(t, service.ChangeRole(ctx, c.ID, c.owner, c.admin, business.Owner))
		must(t, service.RemoveMember(ctx, c.ID, c.owner, c.owner)) // now there is another
		want(t, service.RemoveMember(ctx, c.ID, c.admin, c.admin), business.ErrLastOwner)
	})
}

func TestOfTwoOwnersWhoLeaveAtOnceOneStays(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		ada, bob := person(t, s), person(t, s)
		for _, c := range []struct {
			name    string
			do      func(b, me, other string) error
			refusal *fault.Fault // of the one who comes second
		}{
			{"both leave", func(b, me, _ string) error { return service.RemoveMember(ctx, b, me, me) }, business.ErrLastOwner},
			{"both step down", func(b, me, _ string) error { return service.ChangeRole(ctx, b, me, me, business.Admin) }, business.ErrLastOwner},
			{"each removes the other", func(b, me, other string) error { return service.RemoveMember(ctx, b, me, other) }, business.ErrNotFound},
			{"each reduces the other", func(b, me, other string) error { return service.ChangeRole(ctx, b, me, other, business.Staff) }, business.ErrPermission},
		} {
			t.Run(c.name, func(t *testing.T) {
				for range 8 {
					b, err := service.Create(ctx, shop, ada)
					must(t, err)
					must(t, service.AddMember(ctx, b.ID, ada, bob, business.Owner))
					var wins atomic.Int32
					var wait sync.WaitGroup
					for _, pair := range [][2]string{{ada, bob}, {bob, ada}} {
						wait.Go(func() {
							switch err := c.do(b.ID, pair[0], pair[1]); {
							case err == nil:
								wins.Add(1)
							case !errors.Is(err, c.refusal):
								t.Errorf("the second one: %v", err)
							}
						})
					}
					wait.Wait()
					if n := owners(t, service, b.ID, ada, bob); wins.Load() != 1 || n != 1 {
						t.Fatalf("%d succeeded, %d owners left", wins.Load(), n)
					}
				}
			})
		}
	})
}

func TestOfManyWelcomesOneCounts(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		var wins atomic.Int32
		var wait sync.WaitGroup
		for range 16 {
			wait.Go(func() {
				switch err := service.AddMember(ctx, c.ID, c.owner, c.stranger, business.Viewer); {
				case err == nil:
					wins.Add(1)
				case !errors.Is(err, business.ErrAlreadyThere):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if wins.Load() != 1 || !may(t, s, c.ID, c.stranger, invoiceView) {
			t.Errorf("%d were the first", wins.Load())
		}
	})
}
