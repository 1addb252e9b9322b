package sandbox_test

import (
	"context"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/sandbox"
	"daybook/internal/books/tax"
	"daybook/internal/boot/demobooks"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is the services on a store, put together as a node does, and an organization with one of each role.
type world struct {
	*dbtest.Store
	t    *testing.T
	made *sandbox.Service
	apps *app.Service

	organization, owner, developer, viewer, stranger string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t *testing.T, s *dbtest.Store) *world {
	t.Helper()
	keys := secret.RandomKeys()
	log := &event.Log{IDs: s.IDs, Subscribers: &webhook.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Clock: s.Clock}}
	books := &ledger.Service{DB: s.DB, IDs: s.IDs, Events: log}
	taxes := &tax.Service{DB: s.DB, Ledger: books}
	parties := &party.Service{DB: s.DB, Ledger: books, Taxes: taxes}
	invoices := &invoice.Service{DB: s.DB, Ledger: books, Parties: parties, Taxes: taxes}
	payments := &payment.Service{DB: s.DB, Ledger: books, Parties: parties, Invoices: invoices}
	parties.Uses = []func(context.Context, *db.Tx, string, string) (bool, error){invoices.Uses, payments.UsedParty, ledger.UsedParty}
	people := &identity.Service{DB: s.DB, IDs: s.IDs, Keys: keys, Passwords: secret.NewPasswords(2)}
	businesses := &business.Service{DB: s.DB, IDs: s.IDs, Identity: people, Books: opener{books, taxes}}
	apps := &app.Service{DB: s.DB, IDs: s.IDs, Keys: keys}
	values := &appdata.Service{DB: s.DB, IDs: s.IDs, Events: log, Records: records{}}
	books.Forget = values.Forget
	w := &world{Store: s, t: t, apps: apps, made: &sandbox.Service{
		DB: s.DB, IDs: s.IDs, Identity: people, Businesses: businesses, Apps: apps, Installations: &install.Service{DB: s.DB, IDs: s.IDs, Log: told{log}},
		AppData: values, Ledger: books, Taxes: taxes, Parties: parties, Invoices: invoices, Payments: payments,
		Demo: demo{demobooks.Books{Ledger: books, Parties: parties, Invoices: invoices, Payments: payments}},
	}}
	for _, who := range []*string{&w.owner, &w.developer, &w.viewer, &w.stranger} {
		*who = s.Person(t)
	}
	w.organization = w.newOrganization(w.owner)
	must(t, s.Write(ctx, func(tx *db.Tx) error {
		for userID, role := range map[string]organization.Role{w.developer: organization.Developer, w.viewer: organization.Viewer} {
			if err := organization.Join(ctx, tx, w.organization, w.owner, userID, role); err != nil {
				return err
			}
		}
		return nil
	}))
	return w
}

func (w *world) newOrganization(owner string) string {
	w.t.Helper()
	o, err := (&organization.Service{DB: w.DB, IDs: w.IDs}).Create(ctx, "Acme", owner)
	must(w.t, err)
	return o.ID
}

// shop is an empty sandbox that the developer made.
func (w *world) shop(seed business.Seed) sandbox.View {
	w.t.Helper()
	v, err := w.made.Create(ctx, w.organization, w.developer, sandbox.New{Name: "Shop", Country: "NL", Currency: "EUR", Seed: seed})
	must(w.t, err)
	return v
}

// newApp is an app of the organization that registered every scope.
func (w *world) newApp() app.App {
	w.t.Helper()
	made, err := w.apps.Create(ctx, w.organization, w.owner, app.New{
		Name: "App", ClientType: app.Confidential, RedirectURIs: []string{"https://app.test/back"}, Scopes: everything(),
	})
	must(w.t, err)
	return made.App
}

// everything is all scopes that an app can register.
func everything() scope.Set {
	var all []scope.Scope
	for _, e := range scope.Catalog {
		if scope.Partner(e.Scope) {
			all = append(all, e.Scope)
		}
	}
	return scope.Of(all...)
}

type opener struct {
	ledger *ledger.Service
	taxes  *tax.Service
}

func (o opener) OpenBooks(ctx context.Context, tx *db.Tx, b business.Business) error {
	if err := o.ledger.OpenBooks(ctx, tx, b.ID); err != nil {
		return err
	}
	return o.taxes.OpenRates(ctx, tx, b.ID, b.Country)
}

type demo struct{ books demobooks.Books }

func (d demo) WriteDemo(ctx context.Context, tx *db.Tx, b business.Business, ownerID string) error {
	return demobooks.Write(ctx, tx, d.books, demobooks.Whose{BusinessID: b.ID, Name: b.Name, OwnerID: ownerID})
}

// told writes what happens to installations into the log, much as boot does.
type told struct{ log *event.Log }

func (t told) Record(ctx context.Context, tx *db.Tx, h install.Happening) error {
	return t.log.Append(ctx, tx, h.Installation.BusinessID, event.Actor{Type: event.User},
		event.Happening{Type: event.Type(h.Kind), AppID: h.Installation.AppID, Data: event.Data{"installationId": h.Installation.ID, "reason": h.Reason}})
}

type records struct{}

func (records) Hold(ctx context.Context, tx *db.Tx, businessID string, t appdata.ResourceType, ids []string) ([]string, error) {
	return ids, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused proves that something was refused with that code.
func refused(t *testing.T, err error, code string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Code != code {
		t.Errorf("want the refusal %q, got %v", code, err)
	}
}

// count counts rows.
func (w *world) count(sql string, args ...any) (n int) {
	w.t.Helper()
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}
