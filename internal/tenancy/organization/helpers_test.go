package organization_test

import (
	"context"
	"errors"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// each gives the test an empty store and the service on it.
func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, service *organization.Service)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		test(t, s, &organization.Service{DB: s.DB, IDs: s.IDs})
	})
}

// person is somebody who never signs in.
func person(t *testing.T, s *dbtest.Store) (userID string) { t.Helper(); return s.Person(t) }

// cast is an organization with somebody in every role, and a stranger.
type cast struct {
	organization.Organization
	owner, developer, viewer, stranger string
}

func newCast(t *testing.T, s *dbtest.Store, service *organization.Service) cast {
	t.Helper()
	c := cast{owner: person(t, s), developer: person(t, s), viewer: person(t, s), stranger: person(t, s)}
	var err error
	c.Organization, err = service.Create(ctx, "Acme", c.owner)
	must(t, err)
	must(t, service.AddMember(ctx, c.ID, c.owner, c.developer, organization.Developer))
	must(t, service.AddMember(ctx, c.ID, c.owner, c.viewer, organization.Viewer))
	return c
}

// roles of the members, by user.
func roles(t *testing.T, s *dbtest.Store, organizationID string) map[string]organization.Role {
	t.Helper()
	all := map[string]organization.Role{}
	must(t, s.Read(ctx, func(tx *db.Tx) error {
		_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
			var user string
			var role organization.Role
			err := scan(&user, &role)
			all[user] = role
			return struct{}{}, err
		}, `SELECT user_id, role FROM organization_members WHERE organization_id = $1`, organizationID)
		return err
	}))
	return all
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
