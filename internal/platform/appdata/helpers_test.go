package appdata_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with an app, and businesses of which only the ids are known.
type world struct {
	*dbtest.Store
	data                               *appdata.Service
	apps                               *app.Service
	organizations                      *organization.Service
	organization                       string
	owner, developer, viewer, stranger string
	app                                string
	standing                           records
}

// records are those that there are, by business.
type records map[string][]string

// Hold implements appdata.Records.
func (r records) Hold(_ context.Context, _ *db.Tx, businessID string, t appdata.ResourceType, ids []string) ([]string, error) {
	var found []string
	for _, one := range ids {
		if t.Names(one) && slices.Contains(r[businessID], one) {
			found = append(found, one)
		}
	}
	return found, nil
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, standing: records{}, apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}, organizations: &organization.Service{DB: s.DB, IDs: s.IDs}}
		w.data = &appdata.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}, Records: w.standing}
		w.owner, w.developer, w.viewer, w.stranger = s.Person(t), s.Person(t), s.Person(t), s.Person(t)
		o, err := w.organizations.Create(ctx, "Acme", w.owner)
		must(t, err)
		w.organization = o.ID
		must(t, w.organizations.AddMember(ctx, o.ID, w.owner, w.developer, organization.Developer))
		must(t, w.organizations.AddMember(ctx, o.ID, w.owner, w.viewer, organization.Viewer))
		w.app = w.newApp(t)
		test(t, w)
	})
}

func (w *world) newApp(t *testing.T) (appID string) {
	t.Helper()
	a, err := w.apps.Create(ctx, w.organization, w.owner, app.New{
		Name: "Ledger Sync", ClientType: app.Public, RedirectURIs: []string{"https://app.example/callback"}, Scopes: scope.Of(scope.ProfileRead),
	})
	must(t, err)
	return a.ID
}

// record puts one into a business.
func (w *world) record(businessID string, p id.Prefix) (resourceID string) {
	resourceID = w.IDs.New(p)
	w.standing[businessID] = append(w.standing[businessID], resourceID)
	return resourceID
}

// declare makes a field of the app.
func (w *world) declare(t *testing.T, appID string, r appdata.ResourceType, key string, kind appdata.Type, rules string) appdata.Field {
	t.Helper()
	f, err := w.data.Declare(ctx, appID, w.developer, appdata.NewField{ResourceType: r, Key: key, Label: key, Type: kind, Rules: rulesOf(t, rules)})
	must(t, err)
	return f
}

// everyRead is each read scope that app data can need.
var everyRead = func() scope.Set {
	var all []scope.Scope
	for _, r := range appdata.ResourceTypes {
		all = append(all, r.Scope())
	}
	return scope.Of(all...)
}()

// in is the app in a business, with all it needs.
func (w *world) in(businessID string) appdata.Call {
	return appdata.Call{BusinessID: businessID, AppID: w.app, Scopes: everyRead, Access: business.Access{Permissions: business.Permissions}}
}

func value(r appdata.ResourceType, resourceID, key, json_ string) appdata.NewValue {
	return appdata.NewValue{ResourceType: r, ResourceID: resourceID, Key: key, Value: json.RawMessage(json_)}
}

func (w *world) put(by appdata.Call, values ...appdata.NewValue) ([]appdata.Value, error) {
	return db.Run(ctx, w.DB, w.data.Put(by, values))
}

func (w *world) delete(by appdata.Call, valueID string) error {
	_, err := db.Run(ctx, w.DB, w.data.Delete(by, valueID))
	return err
}

// list tells the app's values on records in short: key=value.
func (w *world) list(t *testing.T, by appdata.Call, ids ...string) string {
	t.Helper()
	found, err := w.data.List(ctx, by, ids, nil)
	must(t, err)
	var words []string
	for _, v := range found {
		words = append(words, v.Key+"="+string(v.Value))
	}
	return strings.Join(words, " ")
}

// told are the events of a business, in short.
func (w *world) told(t *testing.T, businessID string) []string {
	t.Helper()
	var list []string
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, func(s db.Scan) (string, error) {
			var kind, appID, data string
			err := s(&kind, &appID, &data)
			return kind + " " + appID + " " + data, err
		}, `SELECT type, app_id, data FROM events WHERE business_id = $1 ORDER BY number`, businessID)
		return err
	}))
	return list
}

// count counts rows.
func (w *world) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}
