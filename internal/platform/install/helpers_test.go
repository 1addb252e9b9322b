package install_test

import (
	"context"
	"errors"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is a developer organization with an app that passed review, and a business that may connect it.
type world struct {
	*dbtest.Store
	installs      *install.Service
	apps          *app.Service
	businesses    *business.Service
	organizations *organization.Service

	developer, acme string // the organization and its owner
	app             app.App
	shop            string
	owner, staff    string // of the shop
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{
			Store: s, installs: &install.Service{DB: s.DB, IDs: s.IDs}, apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()},
			businesses: &business.Service{DB: s.DB, IDs: s.IDs}, organizations: &organization.Service{DB: s.DB, IDs: s.IDs},
		}
		w.developer, w.owner = w.person(t), w.person(t)
		w.acme = w.newOrganization(t, w.developer)
		w.app = w.newApp(t, app.Approved)
		w.shop = w.newBusiness(t, nil)
		w.staff = w.member(t, business.Staff)
		test(t, w)
	})
}

// person is somebody who never signs in.
func (w *world) person(t *testing.T) (userID string) { t.Helper(); return w.Person(t) }

// member is somebody new in the shop.
func (w *world) member(t *testing.T, role business.Role) (userID string) {
	t.Helper()
	userID = w.person(t)
	must(t, w.businesses.AddMember(ctx, w.shop, w.owner, userID, role))
	return userID
}

func (w *world) newOrganization(t *testing.T, owner string) (organizationID string) {
	t.Helper()
	o, err := w.organizations.Create(ctx, "Acme", owner)
	must(t, err)
	return o.ID
}

// newBusiness belongs to the shop's owner, too.
func (w *world) newBusiness(t *testing.T, sandboxOf *string) (businessID string) {
	t.Helper()
	b, err := w.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR", SandboxOf: sandboxOf}, w.owner)
	must(t, err)
	return b.ID
}

// registered is what every app here may ask for.
var registered = scope.Of(scope.ProfileRead, scope.InvoicesRead, scope.InvoicesWrite, scope.CustomersRead, scope.PaymentsRead, scope.TaxesRead)

func (w *world) newApp(t *testing.T, review app.ReviewStatus) (made app.App) {
	t.Helper()
	create, err := w.apps.Prepare(w.acme, w.developer, app.New{
		Name: "Ledger", ClientType: app.Public, RedirectURIs: []string{"https://app.example/"}, Scopes: registered,
	}, app.Given{ReviewStatus: review})
	must(t, err)
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		c, err := create(ctx, tx)
		made = c.App
		return err
	}))
	return made
}

// stray is an app that registered itself and belongs to nobody.
func (w *world) stray(t *testing.T, review app.ReviewStatus) app.App {
	t.Helper()
	a := w.newApp(t, review)
	w.exec(t, `UPDATE apps SET organization_id = NULL, origin = 'REGISTRATION' WHERE id = $1`, a.ID)
	return a
}

// yes is a user's approval of the app in the shop.
func (w *world) yes(userID string, scopes ...scope.Scope) install.Approval {
	return install.Approval{AppID: w.app.ID, BusinessID: w.shop, UserID: userID, Scopes: scope.Of(scopes...)}
}

func (w *world) approve(t *testing.T, a install.Approval) install.Approved {
	t.Helper()
	done, err := w.installs.Approve(ctx, a)
	must(t, err)
	return done
}

func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

func (w *world) active(t *testing.T) int {
	t.Helper()
	return w.count(t, `SELECT count(*) FROM installations WHERE status = 'ACTIVE'`)
}

// consent reads a user's live consent; without one it is the zero value.
func (w *world) consent(t *testing.T, installationID, userID string) (c install.Consent) {
	t.Helper()
	err := w.Read(ctx, func(tx *db.Tx) (err error) {
		c, err = install.ConsentOf(ctx, tx, installationID, userID)
		return err
	})
	if errors.Is(err, install.ErrNotFound) {
		return install.Consent{}
	}
	must(t, err)
	return c
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
