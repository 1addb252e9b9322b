package identity_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

func TestSigningInTakesTheRightPassword(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		must(t, people.Suspend(ctx, person(t, s, "sue@example.com")))
		for _, c := range []struct {
			name, email string
			password    secret.Secret
			refusal     *fault.Fault
		}{
			{"the right password", "ada@example.com", password, nil},
			{"the address in another case and with spaces", " ADA@example.com ", password, nil},
			{"a wrong password", "ada@example.com", wrong, identity.ErrWrongCredentials},
			{"the password in another case", "ada@example.com", secret.Of("Correct horse battery"), identity.ErrWrongCredentials},
			{"the password and a space", "ada@example.com", secret.Of("correct horse battery "), identity.ErrWrongCredentials},
			{"no password", "ada@example.com", secret.Of(""), identity.ErrWrongCredentials},
			{"an unknown address", "bob@example.com", password, identity.ErrWrongCredentials},
			{"an unknown address and no password", "bob@example.com", secret.Of(""), identity.ErrWrongCredentials},
			{"no address", "", password, identity.ErrWrongCredentials},
			{"an address with a zero byte", "ada\x00@example.com", password, identity.ErrWrongCredentials},
			{"an address that is no text", "ada\xff@example.com", password, identity.ErrWrongCredentials},
			{"a suspended user with the right password", "sue@example.com", password, identity.ErrSuspended},
			{"a suspended user with a wrong password", "sue@example.com", wrong, identity.ErrWrongCredentials},
		} {
			t.Run(c.name, func(t *testing.T) {
				before := len(query[string](t, s, `SELECT id FROM sessions`))
				in, err := people.SignIn(ctx, c.email, c.password, noToken)
				want(t, err, c.refusal)
				opened := len(query[string](t, s, `SELECT id FROM sessions`)) - before
				if c.refusal != nil && (opened != 0 || !in.Token.Empty()) || c.refusal == nil && opened != 1 {
					t.Errorf("%d sessions opened", opened)
				}
			})
		}
	})
}

// The waiting line for hashing has no places here, so whoever comes to hash a password waits until the context ends.
func TestAnUnknownAddressCostsAHashAndAnOverlongPasswordNone(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		people.Passwords = secret.NewPasswords(0)
		for _, c := range []struct {
			name, email, password string
			hashes                bool
		}{
			{"a known address", "ada@example.com", "some password", true},
			{"an unknown address", "bob@example.com", "some password", true},
			{"a password of 200 characters of four bytes", "ada@example.com", strings.Repeat("𝄞", 200), true},
			{"a password one byte longer", "ada@example.com", strings.Repeat("𝄞", 200) + "x", false},
		} {
			t.Run(c.name, func(t *testing.T) {
				patience := time.Minute
				if c.hashes {
					patience = 50 * time.Millisecond
				}
				waiting, cancel := context.WithTimeout(ctx, patience)
				defer cancel()
				_, err := people.SignIn(waiting, c.email, secret.Of(c.password), noToken)
				if waited := errors.Is(err, context.DeadlineExceeded); waited != c.hashes {
					t.Errorf("got %v; does it hash? want %v", err, c.hashes)
				}
			})
		}
	})
}

func TestSigningInEndsTheSessionTheBrowserHad(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		first, elsewhere := signIn(t, people, "ada@example.com"), signIn(t, people, "ada@example.com")
		second, err := people.SignIn(ctx, "ada@example.com", password, first.Token)
		must(t, err)
		if second.Token.Equal(first.Token) || second.Session.ID == first.Session.ID {
			t.Error("the session was kept, not replaced")
		}
		want(t, authenticate(people, first.Token), identity.ErrNoSession)
		want(t, authenticate(people, second.Token), nil)
		want(t, authenticate(people, elsewhere.Token), nil)

		_, err = people.SignIn(ctx, "ada@example.com", wrong, second.Token)
		want(t, err, identity.ErrWrongCredentials)
		want(t, authenticate(people, second.Token), nil) // a failed sign-in ends nothing
		_, err = people.SignIn(ctx, "ada@example.com", password, secret.Of("no token at all"))
		want(t, err, nil)
	})
}

func TestRacersWithTheSamePreviousTokenAllGetSessionsOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		person(t, s, "ada@example.com")
		first := signIn(t, people, "ada@example.com")
		const racers = 4
		got := make([]identity.SignedIn, racers)
		var wait sync.WaitGroup
		for i := range racers {
			wait.Go(func() {
				var err error
				if got[i], err = people.SignIn(ctx, "ada@example.com", password, first.Token); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		want(t, authenticate(people, first.Token), identity.ErrNoSession)
		for _, in := range got {
			want(t, authenticate(people, in.Token), nil)
		}
		if rows := query[string](t, s, `SELECT id FROM sessions`); len(rows) != racers {
			t.Errorf("%d sessions for %d sign-ins", len(rows), racers)
		}
	})
}

func TestANewSessionIsWholeAndItsTokenStoredNowhere(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		userID := person(t, s, "ada@example.com")
		in := signIn(t, people, "ada@example.com")
		session, user, err := people.Authenticate(ctx, in.Token)
		must(t, err)
		if session != in.Session || user.ID != userID || user != in.User {
			t.Errorf("signed in as %+v, recognised as %+v", in, session)
		}
		if session.UserID != userID || session.BusinessID != nil || !id.Valid(id.Session, session.ID) ||
			!session.ExpiresAt.Equal(dbtest.Start.Add(7*24*time.Hour)) {
			t.Errorf("got %+v", session)
		}

		random := strings.TrimPrefix(in.Token.Reveal(), string(secret.SessionID))
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			rows, err := db.All(ctx, tx, func(scan db.Scan) ([]byte, error) {
				var id, user, business string
				var hash []byte
				err := scan(&id, &hash, &user, &business)
				return append(hash, id+user+business...), err
			}, `SELECT id, token_hash, user_id, COALESCE(business_id, '') FROM sessions`)
			if len(rows) != 1 {
				t.Errorf("%d sessions", len(rows))
			}
			for _, row := range rows {
				if bytes.Contains(row, []byte(random)) || bytes.Contains(row, []byte(random[:16])) {
					t.Error("the token is in the table")
				}
			}
			return err
		}))
	})
}
