package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with somebody in every role, a stranger, and the service of apps.
type world struct {
	*dbtest.Store
	apps                               *app.Service
	organizations                      *organization.Service
	organization                       string
	owner, developer, viewer, stranger string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}, organizations: &organization.Service{DB: s.DB, IDs: s.IDs}}
		w.owner, w.developer, w.viewer, w.stranger = w.person(t), w.person(t), w.person(t), w.person(t)
		w.organization = w.newOrganization(t, w.owner)
		must(t, w.organizations.AddMember(ctx, w.organization, w.owner, w.developer, organization.Developer))
		must(t, w.organizations.AddMember(ctx, w.organization, w.owner, w.viewer, organization.Viewer))
		test(t, w)
	})
}

// person is somebody who never signs in.
func (w *world) person(t *testing.T) (userID string) { t.Helper(); return w.Person(t) }

func (w *world) newOrganization(t *testing.T, owner string) (organizationID string) {
	t.Helper()
	o, err := w.organizations.Create(ctx, "Acme", owner)
	must(t, err)
	return o.ID
}

// least is the least an app must be.
func least() app.New {
	return app.New{Name: "Ledger Sync", ClientType: app.Confidential, RedirectURIs: []string{"https://app.example/callback"}, Scopes: scope.Of(scope.ProfileRead)}
}

func (w *world) create(t *testing.T, n app.New) app.Created {
	t.Helper()
	c, err := w.apps.Create(ctx, w.organization, w.developer, n)
	must(t, err)
	return c
}

// judge tells what is wrong with an app itself, which takes no store.
func judge(n app.New) error {
	_, err := (&app.Service{IDs: id.NewSource(clock.System{})}).Prepare("org_1", "usr_1", n, app.Given{})
	return err
}

// stray puts an app into the store that registered itself and belongs to nobody.
func (w *world) stray(t *testing.T) (appID string) {
	t.Helper()
	a := w.create(t, least())
	w.exec(t, `UPDATE apps SET organization_id = NULL, origin = 'REGISTRATION' WHERE id = $1`, a.ID)
	return a.ID
}

// find reads an app whoever owns it.
func (w *world) find(t *testing.T, appID string) (a app.App) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		a, err = app.Find(ctx, tx, appID)
		return err
	}))
	return a
}

func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func text(s string) *string { return &s }

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

// offences are the members that a validation failure names, each once, in its order; "" when there is none.
func offences(err error) string {
	if err == nil {
		return ""
	}
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid {
		return "no validation failure: " + err.Error()
	}
	var paths []string
	sentences := f.Fields
	if errors.Is(err, app.ErrUnknownScope) || errors.Is(err, app.ErrRedirectURI) { // of these, the entries are all that is wrong
		sentences = strings.Split(f.Params[0].(string), "; ")
	}
	for _, sentence := range sentences {
		path, _, _ := strings.Cut(sentence, " ")
		if len(paths) == 0 || paths[len(paths)-1] != path {
			paths = append(paths, path)
		}
	}
	return strings.Join(paths, " ")
}
