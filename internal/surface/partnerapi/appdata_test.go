package partnerapi

import (
	"context"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

// allThere finds every record that it is asked for: what there is in the books is for the tests of the whole.
type allThere struct{}

func (allThere) Hold(_ context.Context, _ *db.Tx, _ string, _ appdata.ResourceType, ids []string) ([]string, error) {
	return ids, nil
}

// values is a body that writes a note on a customer. The app declares the field where it has not.
func (w *world) values(customer string) object {
	w.t.Helper()
	if fields, err := w.api.AppData.Fields(ctx, w.app.ID, w.developer); err != nil || len(fields) == 0 {
		_, err = w.api.AppData.Declare(ctx, w.app.ID, w.developer, appdata.NewField{ResourceType: appdata.Customer, Key: "note", Label: "Note", Type: appdata.Text})
		must(w.t, err)
	}
	return object{"values": []object{{"resourceType": "CUSTOMER", "resourceId": customer, "key": "note", "value": "Rings twice"}}}
}

// ADAT-05, ADAT-08: there is no way to the values of a sort of record without its scope and permission, nor with a session.
func TestAppDataAsksForTheSortOfRecord(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Limits = generous{}
		all := w.all()
		customer := w.customer(all)
		body := w.values(customer)
		kept := w.call(bearer(all), "PUT", "/app-data", body).is(200, "").object()["data"].([]any)[0].(object)["id"].(string)
		once := w.member(business.Staff)
		blind := w.token(w.shop, once, everything...)
		deny := business.Deny
		must(t, w.api.Businesses.SetMemberOverride(ctx, w.shop, w.owner, once, business.CustomersView, &deny))
		for _, r := range w.api.Routes() {
			if len(r.OneOf) == 0 {
				continue
			}
			path := strings.Replace(r.Path, "{id}", kept, 1)
			var sent any
			switch r.Method {
			case "GET":
				path += "?resourceId=" + customer
			case "PUT":
				sent = body
			}
			for _, s := range everything {
				if s != "customers:read" { // none of the others opens the door
					w.call(bearer(w.token(w.shop, w.owner, s)), r.Method, path, sent).is(403, "APP_CANNOT_ACCESS_TYPE_RECORD")
				}
			}
			w.call(bearer(blind), r.Method, path, sent).is(403, "PERMISSION_DENIED")
			w.call(header{"Cookie", w.cookie(w.owner)}, r.Method, path, sent).is(403, "APP_DATA_API_AVAILABLE_CONNECTED_APPS_ONLY")
			if got := w.call(bearer(w.token(w.shop, w.owner, "customers:read")), r.Method, path, sent); got.Code >= 300 {
				t.Errorf("%s: %d %s", r.pattern(), got.Code, got.Body)
			}
		}
	})
}

// TestStatementsOfAppData: the token, and one for reading; fields, records, values and the event for writing.
func TestStatementsOfAppData(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		customer := w.customer(token)
		body := w.values(customer)
		for method, most := range map[string]int64{"GET": 2, "PUT": 6} {
			counting, n := db.Counting(ctx)
			w.send(counting, w.handler, bearer(token), method, map[string]string{"GET": "/app-data?resourceId=" + customer, "PUT": "/app-data"}[method], map[string]any{"PUT": body}[method]).is(200, "")
			if n.Load() > most {
				t.Errorf("%s takes %d statements", method, n.Load())
			}
		}
	})
}
