package identity_test

import (
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

var fresh = secret.Of("a wholly new password")

func TestAPasswordHasTenToTwoHundredCharacters(t *testing.T) {
	for _, c := range []struct {
		name, password string
		ok             bool
	}{
		{"none", "", false},
		{"9 characters", strings.Repeat("x", 9), false},
		{"9 characters of 36 bytes", strings.Repeat("𝄞", 9), false},
		{"10 characters", strings.Repeat("x", 10), true},
		{"10 digits, nothing else", "0123456789", true},
		{"10 spaces", strings.Repeat(" ", 10), true},
		{"200 characters", strings.Repeat("x", 200), true},
		{"200 characters of 800 bytes", strings.Repeat("𝄞", 200), true},
		{"201 characters", strings.Repeat("x", 201), false},
		{"201 characters of 402 bytes", strings.Repeat("é", 201), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var check fault.Check
			identity.CheckPassword(&check, "password", secret.Of(c.password))
			if err := check.Err(); (err == nil) != c.ok {
				t.Errorf("got %v", err)
			} else if !c.ok && offences(err) != "password" {
				t.Errorf("complains about %q", offences(err))
			}
		})
	}
}

func TestChangingThePasswordEndsEveryOtherSession(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		person(t, s, "bob@example.com")
		here, there, other := signIn(t, people, "ada@example.com"), signIn(t, people, "ada@example.com"), signIn(t, people, "bob@example.com")
		must(t, people.ChangePassword(ctx, here.Session, "ada@example.com", password, fresh))
		want(t, authenticate(people, here.Token), nil)
		want(t, authenticate(people, there.Token), identity.ErrNoSession)
		want(t, authenticate(people, other.Token), nil)

		_, err := people.SignIn(ctx, "ada@example.com", password, noToken)
		want(t, err, identity.ErrWrongCredentials)
		_, err = people.SignIn(ctx, "ada@example.com", fresh, noToken)
		want(t, err, nil)
		if u, err := people.Get(ctx, here.User.ID); err != nil || u.Version != here.User.Version+1 {
			t.Errorf("version %d after a change, %v", u.Version, err)
		}
		signIn(t, people, "bob@example.com") // whose password is as it was
	})
}

func TestARefusedChangeOfPasswordChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		person(t, s, "bob@example.com")
		here, there := signIn(t, people, "ada@example.com"), signIn(t, people, "ada@example.com")
		for _, c := range []struct {
			name, email string
			old, fresh  secret.Secret
			refusal     *fault.Fault // nil: the new password is at fault
		}{
			{"a wrong old password", "ada@example.com", wrong, fresh, identity.ErrWrongCredentials},
			{"somebody else's address and password", "bob@example.com", password, fresh, identity.ErrWrongCredentials},
			{"an address that nobody has", "eve@example.com", password, fresh, identity.ErrWrongCredentials},
			{"a new password of 9 characters", "ada@example.com", password, secret.Of("123456789"), nil},
			{"a new password of 201 characters", "ada@example.com", password, secret.Of(strings.Repeat("x", 201)), nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				err := people.ChangePassword(ctx, here.Session, c.email, c.old, c.fresh)
				if c.refusal != nil {
					want(t, err, c.refusal)
				} else if offences(err) != "newPassword" {
					t.Errorf("got %v", err)
				}
				want(t, authenticate(people, here.Token), nil)
				want(t, authenticate(people, there.Token), nil)
			})
		}
		signIn(t, people, "ada@example.com")
		signIn(t, people, "bob@example.com")
	})
}
