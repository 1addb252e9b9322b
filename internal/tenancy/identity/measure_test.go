package identity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/trail"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

// notebook keeps acts in memory, or fails.
type notebook struct {
	lines []string
	err   error
}

func (n *notebook) Keep(ctx context.Context, tx *db.Tx, a trail.Act) error {
	if n.err != nil {
		return n.err
	}
	line := fmt.Sprint(a.UserID, " ", a.Action, " ", a.Object.ID, " ", a.Details, " ", trail.From(ctx).IP)
	tx.AfterCommit(func() { n.lines = append(n.lines, line) })
	return nil
}

func TestMeasuresOfOperators(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		kept := &notebook{}
		people.Trail = kept
		rosa, ada := person(t, s, "rosa@example.com"), person(t, s, "ada@example.com")
		in := signIn(t, people, "ada@example.com")
		kept.lines = nil
		for _, c := range []struct {
			measure               identity.Measure
			reason                string
			suspended, restricted bool
		}{
			{identity.Restricting, "", false, true}, {identity.Suspending, " fraud ", true, true}, {identity.Unrestricting, "", true, false},
			{identity.Restricting, "", true, true}, {identity.Lifting, "over", false, false}, {identity.Suspending, "again", true, false}, {identity.Unsuspending, "", false, false},
		} {
			u, err := people.Take(ctx, rosa, ada, c.measure, c.reason)
			must(t, err)
			if (u.SuspendedAt != nil) != c.suspended || (u.RestrictedAt != nil) != c.restricted {
				t.Errorf("%s: %+v", c.measure, u)
			}
			details := "map[]"
			if c.reason != "" {
				details = "map[reason:" + strings.TrimSpace(c.reason) + "]"
			}
			if want := fmt.Sprint(rosa, " ", c.measure, " ", ada, " ", details, " "); kept.lines[len(kept.lines)-1] != want {
				t.Errorf("kept was %q, want %q", kept.lines[len(kept.lines)-1], want)
			}
		}
		want(t, authenticate(people, in.Token), identity.ErrNoSession)
		_, err := people.Take(ctx, rosa, "usr_none", identity.Lifting, "")
		want(t, err, identity.ErrUserNotFound)
		_, err = people.Take(ctx, rosa, rosa, identity.Suspending, "me")
		want(t, err, identity.ErrOwnAccount)
		if _, err = people.Take(ctx, rosa, ada, identity.Suspending, ""); err == nil {
			t.Error("a suspension without a reason")
		}
		if len(kept.lines) != 7 {
			t.Errorf("what was refused is kept: %q", kept.lines)
		}
	})
}

func TestFailedSignInsAreKeptAsCounts(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		kept := &notebook{}
		people.Trail = kept
		ada := person(t, s, "ada@example.com")
		from := trail.With(ctx, trail.Origin{IP: "192.0.2.7"})
		for _, email := range []string{"ada@example.com", "nobody@example.com", "ADA@example.com"} {
			_, err := people.SignIn(from, email, wrong, noToken)
			want(t, err, identity.ErrWrongCredentials)
		}
		if len(kept.lines) != 0 {
			t.Errorf("%q", kept.lines)
		}
		kept.err = errors.New("no")
		if people.KeepFailures(ctx) == nil {
			t.Error("what could not be kept is said to be")
		}
		kept.err = nil
		for range 2 {
			must(t, people.KeepFailures(ctx))
		}
		if got := strings.Join(kept.lines, "\n"); got != " user.sign_in_failed  map[times:1] 192.0.2.7\n user.sign_in_failed "+ada+" map[times:2] 192.0.2.7" {
			t.Errorf("%s", got)
		}
	})
}

func TestThoseWhomSomethingHoldsAreListed(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		var all []string
		for _, name := range []string{"ada", "ben", "cyd"} {
			all = append(all, person(t, s, name+"@example.com"))
		}
		must(t, people.Suspend(ctx, all[0]))
		must(t, people.Suspend(ctx, all[2]))
		must(t, people.Restrict(ctx, all[1]))
		must(t, people.Restrict(ctx, all[2]))
		must(t, people.Unrestrict(ctx, all[2]))
		page, err := people.Held(ctx, identity.HeldSuspended, "", 1)
		must(t, err)
		if len(page.Users) != 1 || page.Users[0].ID != all[2] || page.Next == nil {
			t.Fatalf("%+v", page)
		}
		rest, err := people.Held(ctx, identity.HeldSuspended, *page.Next, 1)
		must(t, err)
		if len(rest.Users) != 1 || rest.Users[0].ID != all[0] || rest.Next != nil {
			t.Errorf("%+v", rest)
		}
		if other, err := people.Held(ctx, identity.HeldRestricted, "", 1); err != nil || len(other.Users) != 1 || other.Users[0].ID != all[1] {
			t.Errorf("%+v %v", other, err)
		}
		if _, err := people.Held(ctx, identity.HeldRestricted, *page.Next, 1); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("a cursor of another list: %v", err)
		}
	})
}
