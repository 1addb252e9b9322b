package business_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

var ctx = context.Background()

var (
	grant, deny = business.Grant, business.Deny
	// toGrant, toDeny and back are the three things one can do with an override.
	toGrant, toDeny = &grant, &deny
	back            *business.Effect
)

// each gives the test an empty store and the service on it.
func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, service *business.Service)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		people := &identity.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}
		test(t, s, &business.Service{DB: s.DB, IDs: s.IDs, Identity: people})
	})
}

// person is somebody who never signs in.
func person(t *testing.T, s *dbtest.Store) (userID string) { t.Helper(); return s.Person(t) }

// shop is the least a business must be.
var shop = business.New{Name: "Shop", Country: "NL", Currency: "EUR"}

// cast is a business with somebody in every role, and a stranger.
type cast struct {
	business.Business
	owner, admin, accountant, staff, viewer, stranger string
}

func newCast(t *testing.T, s *dbtest.Store, service *business.Service) cast {
	t.Helper()
	c := cast{owner: person(t, s), stranger: person(t, s)}
	var err error
	c.Business, err = service.Create(ctx, shop, c.owner)
	must(t, err)
	c.admin, c.accountant = c.join(t, s, service, business.Admin), c.join(t, s, service, business.Accountant)
	c.staff, c.viewer = c.join(t, s, service, business.Staff), c.join(t, s, service, business.Viewer)
	return c
}

// join takes somebody new in.
func (c cast) join(t *testing.T, s *dbtest.Store, service *business.Service, role business.Role) (userID string) {
	t.Helper()
	userID = person(t, s)
	must(t, service.AddMember(ctx, c.ID, c.owner, userID, role))
	return userID
}

// may asks for one permission, as a call would.
func may(t *testing.T, s *dbtest.Store, businessID, userID string, p business.Permission) bool {
	t.Helper()
	err := s.Read(ctx, func(tx *db.Tx) error { _, err := business.Require(ctx, tx, businessID, userID, p); return err })
	if err != nil && !errors.Is(err, business.ErrPermission) {
		t.Fatal(err)
	}
	return err == nil
}

func exec(t *testing.T, s *dbtest.Store, sql string, args ...any) {
	t.Helper()
	must(t, s.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
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
