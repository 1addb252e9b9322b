package identity_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

func TestANewUserIsAsAskedFor(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		made, err := people.Create(ctx, identity.NewUser{Email: "  Ada@Example.com ", Password: password})
		must(t, err)
		if made.Email != "Ada@Example.com" || made.DisplayName != "Ada" || made.Locale != "en" || made.Operator {
			t.Errorf("got %+v, want the trimmed address, the name before the @, English, no operator", made)
		}
		if made.Version != 1 || !made.CreatedAt.Equal(dbtest.Start) || !made.UpdatedAt.Equal(dbtest.Start) || !id.Valid(id.User, made.ID) {
			t.Errorf("got %+v", made)
		}
		if made.Status() != identity.Active || !made.MayAct() {
			t.Error("a new user must be active")
		}
		read, err := people.Get(ctx, made.ID)
		must(t, err)
		if read != made {
			t.Errorf("read back %+v, made %+v", read, made)
		}
		in, err := people.SignIn(ctx, "ada@example.com", password, noToken)
		must(t, err)
		if in.User != made {
			t.Errorf("signed in as %+v", in.User)
		}

		chosen, err := people.Create(ctx, identity.NewUser{Email: "o@example.com", DisplayName: " Olga  ", Locale: "nl-NL", Password: password, Operator: true})
		must(t, err)
		if read, err = people.Get(ctx, chosen.ID); err != nil || read.DisplayName != "Olga" || read.Locale != "nl-NL" || !read.Operator {
			t.Errorf("got %+v, %v, want what was asked for", read, err)
		}
	})
}

func TestOneAddressIsOneAccountWhateverItsCase(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		first := person(t, s, "ada@example.com")
		for _, again := range []string{"ada@example.com", "ADA@EXAMPLE.COM", " Ada@Example.com"} {
			_, err := people.Create(ctx, identity.NewUser{Email: again, Password: password})
			want(t, err, identity.ErrEmailTaken)
		}
		for _, spelling := range []string{"ada@example.com", "aDA@example.COM", " ada@example.com "} {
			found, err := people.FindByEmail(ctx, spelling)
			must(t, err)
			if found.ID != first {
				t.Errorf("%q finds %s", spelling, found.ID)
			}
		}
		_, err := people.FindByEmail(ctx, "bob@example.com")
		want(t, err, identity.ErrUserNotFound)
		_, err = people.Get(ctx, s.IDs.New(id.User))
		want(t, err, identity.ErrUserNotFound)
	})
}

func TestOfManyWhoTakeTheSameAddressAtOnceOneGetsIt(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		var wins atomic.Int32
		var wait sync.WaitGroup
		for _, email := range []string{"ada@example.com", "Ada@example.com", "ADA@example.com", "ada@Example.com", "ada@EXAMPLE.com", "aDa@example.com"} {
			wait.Go(func() {
				_, err := people.Create(ctx, identity.NewUser{Email: email, Password: password})
				switch {
				case err == nil:
					wins.Add(1)
				case !errors.Is(err, identity.ErrEmailTaken):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if rows := query[string](t, s, `SELECT id FROM users`); wins.Load() != 1 || len(rows) != 1 {
			t.Errorf("%d won, %d accounts", wins.Load(), len(rows))
		}
	})
}

// judge only prepares users: that needs no store.
var judge = &identity.Service{IDs: id.NewSource(clock.System{}), Passwords: passwords}

func TestWhatANewUserMustBe(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	address := func(n int) string { // of n characters
		domain := ".example.com"
		return "ada@" + strings.Repeat("x", n-len("ada@")-len(domain)) + domain
	}
	for _, c := range []struct {
		name     string
		user     identity.NewUser
		offences string // "" when it is accepted
	}{
		{"an address of 254 characters", identity.NewUser{Email: address(254)}, ""},
		{"an address of 255 characters", identity.NewUser{Email: address(255)}, "email"},
		{"no address", identity.NewUser{DisplayName: "Ada"}, "email"},
		{"an address of spaces", identity.NewUser{Email: "  ", DisplayName: "Ada"}, "email"},
		{"no @", identity.NewUser{Email: "ada.example.com"}, "email"},
		{"nothing before the @", identity.NewUser{Email: "@example.com", DisplayName: "Ada"}, "email"},
		{"nothing behind the @", identity.NewUser{Email: "ada@"}, "email"},
		{"two @", identity.NewUser{Email: "ada@bob@example.com"}, "email"},
		{"a name around the address", identity.NewUser{Email: "Ada <ada@example.com>"}, "email"},
		{"a comment in the address", identity.NewUser{Email: "ada@example.com (Ada)"}, "email"},
		{"two addresses", identity.NewUser{Email: "ada@example.com, bob@example.com"}, "email"},
		{"a space in the address", identity.NewUser{Email: "a da@example.com"}, "email"},
		{"an address that is no text", identity.NewUser{Email: "ada\xff@example.com", DisplayName: "Ada"}, "email"},
		{"a name of 200 characters", identity.NewUser{Email: "n200@example.com", DisplayName: long(200)}, ""},
		{"a name of 201 characters", identity.NewUser{Email: "n201@example.com", DisplayName: long(201)}, "displayName"},
		{"a name of spaces", identity.NewUser{Email: "ns@example.com", DisplayName: "   "}, "displayName"},
		{"a name with a line break", identity.NewUser{Email: "nl@example.com", DisplayName: "Ada\nOperator"}, "displayName"},
		{"a locale of 35 characters", identity.NewUser{Email: "l35@example.com", Locale: strings.Repeat("a", 35)}, ""},
		{"a locale of 36 characters", identity.NewUser{Email: "l36@example.com", Locale: strings.Repeat("a", 36)}, "locale"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.user.Password = password
			_, err := judge.Prepare(ctx, c.user)
			if c.offences == "" {
				must(t, err)
			} else if got := offences(err); got != c.offences {
				t.Errorf("complains about %q, want %q: %v", got, c.offences, err)
			}
		})
	}
}

func TestAllOffencesOfANewUserAreNamedAtOnce(t *testing.T) {
	_, err := judge.Create(ctx, identity.NewUser{Email: "nobody", DisplayName: strings.Repeat("x", 201), Locale: strings.Repeat("x", 36), Password: secret.Of("")})
	if got := offences(err); got != "email displayName locale password" {
		t.Errorf("complains about %q", got)
	}
}

// A name that was not given is made from the address: whatever is wrong is then wrong with the address.
func TestAnAbsentNameIsNeverComplainedAbout(t *testing.T) {
	for _, email := range []string{"", "@example.com", "ada\xff@example.com", strings.Repeat("x", 201) + "@example.com"} {
		_, err := judge.Prepare(ctx, identity.NewUser{Email: email, Password: password})
		if got := offences(err); strings.Contains(got, "displayName") {
			t.Errorf("%.20q without a name: %v", email, err)
		}
	}
}
