package identity_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

var ctx = context.Background()

// password is everybody's; its stored form is made once, because a hash takes tens of milliseconds on purpose.
var (
	password  = secret.Of("correct horse battery")
	wrong     = secret.Of("incorrect horse battery")
	noToken   = secret.Of("")
	passwords = secret.NewPasswords(4)
	hashed    = sync.OnceValues(func() (string, error) { return passwords.Hash(ctx, password) })
)

// each gives the test a store without people and the service on it.
func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, people *identity.Service)) {
	t.Helper()
	t.Parallel()
	keys := secret.RandomKeys()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		test(t, s, &identity.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Passwords: passwords})
	})
}

// person puts a user into the store whose password is password.
func person(t *testing.T, s *dbtest.Store, email string) (userID string) {
	t.Helper()
	hash, err := hashed()
	must(t, err)
	userID = s.IDs.New(id.User)
	exec(t, s, `INSERT INTO users (id, email, email_key, display_name, locale, password_hash, operator, version, created_at, updated_at)
		VALUES ($1, $2, $3, 'Somebody', 'en', $4, 0, 1, $5, $5)`, userID, email, strings.ToLower(email), hash, s.Clock.Now())
	return userID
}

func signIn(t *testing.T, people *identity.Service, email string) identity.SignedIn {
	t.Helper()
	in, err := people.SignIn(ctx, email, password, noToken)
	must(t, err)
	return in
}

func authenticate(people *identity.Service, token secret.Secret) error {
	_, _, err := people.Authenticate(ctx, token)
	return err
}

// statements counts what one call costs.
func statements(call func(context.Context)) int64 {
	counting, n := db.Counting(ctx)
	call(counting)
	return n.Load()
}

func exec(t *testing.T, s *dbtest.Store, sql string, args ...any) {
	t.Helper()
	must(t, s.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func query[T any](t *testing.T, s *dbtest.Store, sql string, args ...any) []T {
	t.Helper()
	var list []T
	must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, db.Value[T], sql, args...)
		return err
	}))
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal; a nil one means that there must be none.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	switch {
	case refusal == nil && err != nil:
		t.Errorf("refused: %v", err)
	case refusal != nil && !errors.Is(err, refusal):
		t.Errorf("got %v, want %v", err, refusal)
	}
}

// offences are the members that a validation failure names, in its order.
func offences(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid {
		return "no validation failure"
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}
