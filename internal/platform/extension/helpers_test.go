package extension_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with an app that registered a few scopes, and a business that has it.
type world struct {
	*dbtest.Store
	pages                              *extension.Service
	apps                               *app.Service
	businesses                         *business.Service
	installs                           *install.Service
	organization                       string
	owner, developer, viewer, stranger string
	app, shop, installation            string
	standing                           records
}

// records are those that there are.
type records map[string]bool

// Exists implements extension.Records.
func (r records) Exists(_ context.Context, _ *db.Tx, businessID string, t appdata.ResourceType, resourceID string) (bool, error) {
	return r[businessID+" "+string(t)+" "+resourceID], nil
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, standing: records{}, apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}}
		w.businesses, w.installs = &business.Service{DB: s.DB, IDs: s.IDs}, &install.Service{DB: s.DB, IDs: s.IDs}
		w.pages = &extension.Service{DB: s.DB, IDs: s.IDs, Records: w.standing, Home: extension.Home{Origins: []string{"https://books.example"}}}
		w.owner, w.developer, w.viewer, w.stranger = s.Person(t), s.Person(t), s.Person(t), s.Person(t)
		organizations := &organization.Service{DB: s.DB, IDs: s.IDs}
		o, err := organizations.Create(ctx, "Acme", w.owner)
		must(t, err)
		w.organization = o.ID
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.developer, organization.Developer))
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.viewer, organization.Viewer))
		w.app = w.newApp(t, "Ledger Sync")
		b, err := w.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR", SandboxOf: &o.ID}, w.owner)
		must(t, err)
		w.shop = b.ID
		w.install(t, w.app, scope.InvoicesRead, scope.CustomersRead)
		test(t, w)
	})
}

// registered is what every app here may ask for.
var registered = scope.Of(scope.ProfileRead, scope.InvoicesRead, scope.CustomersRead)

func (w *world) newApp(t *testing.T, name string) (appID string) {
	t.Helper()
	appURL := "https://app.example/daybook/"
	a, err := w.apps.Create(ctx, w.organization, w.owner, app.New{
		Name: name, ClientType: app.Confidential, RedirectURIs: []string{"https://app.example/callback"}, Scopes: registered, AppURL: &appURL,
	})
	must(t, err)
	return a.ID
}

// install connects an app to the shop.
func (w *world) install(t *testing.T, appID string, scopes ...scope.Scope) {
	t.Helper()
	done, err := w.installs.Approve(ctx, install.Approval{AppID: appID, BusinessID: w.shop, UserID: w.owner, Scopes: scope.Of(scopes...)})
	must(t, err)
	w.installation = done.Installation.ID
}

// setURL gives an app another App URL; empty takes it away.
func (w *world) setURL(t *testing.T, appID, appURL string) {
	t.Helper()
	to := &appURL
	_, err := w.apps.ChangeDetails(ctx, appID, w.owner, 0, app.DetailsPatch{AppURL: &to})
	must(t, err)
}

// draft is one that fits.
func draft(k extension.Kind, t appdata.ResourceType, label, path string) extension.New {
	n := extension.New{Kind: k, Label: label, Path: &path, Enabled: true}
	if t != "" {
		n.ResourceType = &t
	}
	return n
}

func (w *world) add(t *testing.T, appID string, n extension.New) extension.Placed {
	t.Helper()
	e, err := w.pages.Create(ctx, appID, w.developer, n)
	must(t, err)
	return e
}

// all may see everything.
var all = business.Access{Permissions: business.Permissions}

// shown tells what somebody sees beside records of a sort: app/label@address.
func (w *world) shown(t *testing.T, access business.Access, r appdata.ResourceType) string {
	t.Helper()
	list, err := w.pages.Shown(ctx, extension.Viewer{BusinessID: w.shop, Access: access}, r)
	must(t, err)
	var words []string
	for _, g := range list {
		words = append(words, g.AppName+"/"+g.Label+"@"+g.Address.URL)
	}
	return strings.Join(words, " ")
}

// hidden tells why an app's extensions are not shown, in their order.
func (w *world) hidden(t *testing.T, appID string) string {
	t.Helper()
	list, err := w.pages.List(ctx, appID, w.viewer)
	must(t, err)
	var words []string
	for _, e := range list {
		words = append(words, e.Label+":"+string(e.Hidden))
	}
	return strings.Join(words, " ")
}

func must(t testing.TB, err error) {
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
