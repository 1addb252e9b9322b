package identity_test

import (
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

func TestSuspendingEndsTheUsersSessionsForGood(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		ada := person(t, s, "ada@example.com")
		person(t, s, "bob@example.com")
		one, two, other := signIn(t, people, "ada@example.com"), signIn(t, people, "ada@example.com"), signIn(t, people, "bob@example.com")
		must(t, people.Suspend(ctx, ada))
		want(t, authenticate(people, one.Token), identity.ErrNoSession)
		want(t, authenticate(people, two.Token), identity.ErrNoSession)
		want(t, authenticate(people, other.Token), nil)
		_, err := people.SignIn(ctx, "ada@example.com", password, noToken)
		want(t, err, identity.ErrSuspended)

		must(t, people.Unsuspend(ctx, ada))
		want(t, authenticate(people, one.Token), identity.ErrNoSession)
		want(t, authenticate(people, signIn(t, people, "ada@example.com").Token), nil)
	})
}

func TestSessionsFollowTheUsersState(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		ada := person(t, s, "ada@example.com")
		in := signIn(t, people, "ada@example.com")
		must(t, people.Restrict(ctx, ada)) // a restriction is about apps: the user comes and goes as before
		want(t, authenticate(people, in.Token), nil)
		want(t, authenticate(people, signIn(t, people, "ada@example.com").Token), nil)
		// A session of a suspended user that is somehow there still does not count.
		exec(t, s, `UPDATE users SET suspended_at = $2 WHERE id = $1`, ada, s.Clock.Now())
		want(t, authenticate(people, in.Token), identity.ErrNoSession)
	})
}

func TestSuspensionAndRestrictionAreTwoSwitches(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		ada := person(t, s, "ada@example.com")
		later := dbtest.Start.Add(time.Hour)
		for _, step := range []struct {
			name                  string
			do                    func() error
			status                identity.Status
			mayAct                bool
			suspended, restricted *time.Time
		}{
			{"INST-04 restricted: still active, but nobody acts in their name", func() error { return people.Restrict(ctx, ada) }, identity.Active, false, nil, &dbtest.Start},
			{"an hour later restricted again: the first instant stays", func() error { s.Clock.Set(later); return people.Restrict(ctx, ada) }, identity.Active, false, nil, &dbtest.Start},
			{"INST-04 suspended as well", func() error { return people.Suspend(ctx, ada) }, identity.Suspended, false, &later, &dbtest.Start},
			{"the restriction is lifted, the suspension stays", func() error { return people.Unrestrict(ctx, ada) }, identity.Suspended, false, &later, nil},
			{"suspended again: the first instant stays", func() error { s.Clock.Advance(time.Hour); return people.Suspend(ctx, ada) }, identity.Suspended, false, &later, nil},
			{"the suspension is lifted", func() error { return people.Unsuspend(ctx, ada) }, identity.Active, true, nil, nil},
			{"lifted again: nothing to lift", func() error { return people.Unsuspend(ctx, ada) }, identity.Active, true, nil, nil},
		} {
			t.Run(step.name, func(t *testing.T) {
				must(t, step.do())
				u, err := people.Get(ctx, ada)
				must(t, err)
				if u.Status() != step.status || u.MayAct() != step.mayAct {
					t.Errorf("%s, may act: %v", u.Status(), u.MayAct())
				}
				if !same(u.SuspendedAt, step.suspended) || !same(u.RestrictedAt, step.restricted) {
					t.Errorf("suspended at %v, restricted at %v", u.SuspendedAt, u.RestrictedAt)
				}
			})
		}
		nobody := s.IDs.New(id.User)
		for _, err := range []error{people.Suspend(ctx, nobody), people.Unsuspend(ctx, nobody), people.Restrict(ctx, nobody), people.Unrestrict(ctx, nobody)} {
			want(t, err, identity.ErrUserNotFound)
		}
	})
}

func same(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// interruption is a clock that does something else the first time it is asked. A session's id is made after the
// password was proved and before the session is opened: there it strikes.
type interruption struct {
	clock.Clock
	once sync.Once
	do   func()
}

func (i *interruption) Now() time.Time {
	i.once.Do(i.do)
	return i.Clock.Now()
}

func TestWhatHappensDuringASignInCounts(t *testing.T) {
	for _, c := range []struct {
		name    string
		event   func(*identity.Service, identity.SignedIn) error
		after   func(*identity.Service, identity.SignedIn) error
		refusal *fault.Fault
	}{
		{"a suspension, lifted later",
			func(p *identity.Service, in identity.SignedIn) error { return p.Suspend(ctx, in.User.ID) },
			func(p *identity.Service, in identity.SignedIn) error { return p.Unsuspend(ctx, in.User.ID) },
			identity.ErrSuspended},
		{"a change of the password",
			func(p *identity.Service, in identity.SignedIn) error {
				return p.ChangePassword(ctx, in.Session, in.User.Email, password, wrong)
			},
			func(*identity.Service, identity.SignedIn) error { return nil },
			identity.ErrWrongCredentials},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
				person(t, s, "ada@example.com")
				first := signIn(t, people, "ada@example.com")
				slow := identity.Service{
					DB: people.DB, Keys: people.Keys, Passwords: people.Passwords,
					IDs: id.NewSource(&interruption{Clock: s.Clock, do: func() { must(t, c.event(people, first)) }}),
				}
				in, err := slow.SignIn(ctx, "ada@example.com", password, noToken)
				want(t, err, c.refusal)
				must(t, c.after(people, first))
				want(t, authenticate(people, in.Token), identity.ErrNoSession)
			})
		})
	}
}
