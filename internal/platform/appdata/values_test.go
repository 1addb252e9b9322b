package appdata_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

func TestAValueFromWritingToDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.declare(t, w.app, appdata.Customer, "tier", appdata.Choice, `{"choices":["gold","silver"]}`)
		w.declare(t, w.app, appdata.Customer, "size", appdata.Number, `{}`)
		w.declare(t, w.app, appdata.Invoice, "size", appdata.Boolean, `{}`)
		by, customer, invoice := w.in("biz_1"), w.record("biz_1", id.Customer), w.record("biz_1", id.Invoice)
		made, err := w.put(by, value(appdata.Customer, customer, "tier", `" gold "`), value(appdata.Invoice, invoice, "size", `true`), value(appdata.Customer, customer, "size", `7`))
		must(t, err)
		if len(made) != 3 || made[0].Key != "tier" || string(made[0].Value) != `"gold"` || made[1].ResourceID != invoice || string(made[2].Value) != `"7"` ||
			!made[0].Valid || made[0].Origin != appdata.ByApp || made[2].Type != appdata.Number || !id.Valid(id.FieldValue, made[0].ID) {
			t.Errorf("%+v", made)
		}
		w.Clock.Advance(time.Minute)
		again, err := w.put(by, value(appdata.Customer, customer, "tier", `"silver"`))
		must(t, err)
		if again[0].ID != made[0].ID || !again[0].CreatedAt.Equal(made[0].CreatedAt) || !again[0].UpdatedAt.Equal(w.Clock.Now()) {
			t.Errorf("written in its place: %+v after %+v", again[0], made[0])
		}
		if got := w.list(t, by, customer, invoice, "cus_x", "nothing", customer); got != `size="7" tier="silver" size=true` {
			t.Errorf("lists %s", got)
		}
		some, err := w.data.List(ctx, by, []string{customer}, []string{"tier", "other"})
		if err != nil || len(some) != 1 || some[0].Key != "tier" {
			t.Errorf("%+v, %v", some, err)
		}
		must(t, w.delete(by, made[0].ID))
		want(t, w.delete(by, made[0].ID), appdata.ErrValueNotFound)
		if got := w.list(t, by, customer); got != `size="7"` {
			t.Errorf("lists %s", got)
		}
		var got []string
		for _, line := range w.told(t, "biz_1") {
			got = append(got, strings.NewReplacer(w.app, "APP", customer, "CUSTOMER", invoice, "INVOICE").Replace(line))
		}
		wanted := []string{ // one for each record and call
			`app_data.updated APP {"deleted":false,"keys":["tier","size"],"origin":"APP","resourceId":"CUSTOMER","resourceType":"CUSTOMER"}`,
			`app_data.updated APP {"deleted":false,"keys":["size"],"origin":"APP","resourceId":"INVOICE","resourceType":"INVOICE"}`,
			`app_data.updated APP {"deleted":false,"keys":["tier"],"origin":"APP","resourceId":"CUSTOMER","resourceType":"CUSTOMER"}`,
			`app_data.updated APP {"deleted":true,"keys":["tier"],"origin":"APP","resourceId":"CUSTOMER","resourceType":"CUSTOMER"}`,
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("ADAT-09 told\n%s", strings.Join(got, "\n"))
		}
	})
}

// Of several things that are wrong, the first in the order of the contract is told, and nothing is written.
func TestWhatIsToldFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.declare(t, w.app, appdata.Customer, "size", appdata.Number, `{"max":"5"}`)
		customer := w.record("biz_1", id.Customer)
		other := w.record("biz_2", id.Customer)
		supplier := w.record("biz_1", id.Supplier)
		good := value(appdata.Customer, customer, "size", `1`)
		all, few, blind := w.in("biz_1"), w.in("biz_1"), w.in("biz_1")
		few.Scopes = few.Scopes.Minus(scope.Of(scope.CustomersRead))
		blind.Access = business.Access{}
		for _, c := range []struct {
			name   string
			by     appdata.Call
			values []appdata.NewValue
			want   string
		}{
			{"nothing", all, nil, "values"},
			{"a sort that is none", all, []appdata.NewValue{value("TAX_RATE", "tax_1", "size", `1`)}, "values.0.resourceType"},
			{"members that are empty", all, []appdata.NewValue{good, {}}, "values.1.resourceType values.1.resourceId values.1.key values.1.value"},
			{"one place twice", all, []appdata.NewValue{good, good}, "values.1"},
			{"shape before field", all, []appdata.NewValue{value(appdata.Customer, customer, "none", `1`), good, good}, "values.2"},
			{"field before access", few, []appdata.NewValue{value(appdata.Customer, customer, "none", `1`)}, "UNKNOWN_APP_DATA_FIELD"},
			{"a field of another sort of record", all, []appdata.NewValue{value(appdata.Supplier, supplier, "size", `1`)}, "UNKNOWN_APP_DATA_FIELD"},
			{"access before rules", few, []appdata.NewValue{value(appdata.Customer, customer, "size", `9`)}, "APP_CANNOT_ACCESS_TYPE_RECORD"},
			{"permission before rules", blind, []appdata.NewValue{value(appdata.Customer, customer, "size", `9`)}, "PERMISSION_DENIED"},
			{"rules before record", all, []appdata.NewValue{value(appdata.Customer, other, "size", `9`)}, "INVALID_APP_DATA_VALUE"},
			{"a record of another business", all, []appdata.NewValue{good, value(appdata.Customer, other, "size", `1`)}, "RECORD_NOT_FOUND"},
			{"a record of another sort", all, []appdata.NewValue{value(appdata.Customer, supplier, "size", `1`)}, "RECORD_NOT_FOUND"},
			{"what is no id", all, []appdata.NewValue{value(appdata.Customer, "' OR 1=1", "size", `1`)}, "RECORD_NOT_FOUND"},
		} {
			t.Run(c.name, func(t *testing.T) {
				_, err := w.put(c.by, c.values...)
				if verdict(err) != c.want {
					t.Errorf("%v, want %s", err, c.want)
				}
			})
		}
		t.Run("ADAT-04 every offence is named", func(t *testing.T) {
			w.declare(t, w.app, appdata.Customer, "paid", appdata.Money, `{"max":1,"currencies":["EUR"]}`)
			_, err := w.put(all, good, value(appdata.Customer, other, "size", `9`), value(appdata.Customer, customer, "paid", `{"amount":2,"currency":"USD"}`))
			f := fault.From(err)
			if f == nil || f.Code != "INVALID_APP_DATA_VALUE" {
				t.Fatal(err)
			}
			wanted := []appdata.Offence{
				{ResourceType: "CUSTOMER", ResourceID: other, Key: "size", Reason: "above_max"}, {ResourceType: "CUSTOMER", ResourceID: customer, Key: "paid", Reason: "above_max"},
				{ResourceType: "CUSTOMER", ResourceID: customer, Key: "paid", Reason: "currency_not_allowed"},
			}
			if got := f.Details.([]appdata.Offence); !slices.Equal(got, wanted) {
				t.Errorf("%+v", got)
			}
		})
		if n := w.count(t, `SELECT count(*) FROM app_data`); n != 0 || len(w.told(t, "biz_1")) != 0 {
			t.Errorf("%d values were written, told %v", n, w.told(t, "biz_1"))
		}
	})
}

func TestTheMostOfACall(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.declare(t, w.app, appdata.Account, "size", appdata.Number, `{}`)
		by := w.in("biz_1")
		var values []appdata.NewValue
		var ids []string
		for range appdata.MaxRecords + 1 {
			ids = append(ids, w.record("biz_1", id.Account))
			values = append(values, value(appdata.Account, ids[len(ids)-1], "size", `1`))
		}
		_, err := w.put(by, values[:26]...)
		if verdict(err) != "values" {
			t.Errorf("ADAT-02 26 values: %v", err)
		}
		for _, part := range [][]appdata.NewValue{values[:25], values[25:50]} {
			if made, err := w.put(by, part...); err != nil || len(made) != 25 {
				t.Fatalf("ADAT-02 25 values: %v", err)
			}
		}
		if list, err := w.data.List(ctx, by, ids[:50], nil); err != nil || len(list) != 50 {
			t.Errorf("ADAT-01 50 ids: %d, %v", len(list), err)
		}
		_, err = w.data.List(ctx, by, ids, nil)
		want(t, err, appdata.ErrTooManyRecords)
		_, err = w.data.List(ctx, by, nil, nil)
		want(t, err, appdata.ErrWhichRecords)
	})
}

// ADAT-05, ADAT-07: reading and deleting ask for the same as writing.
func TestReadingAndDeletingAskForTheSortOfRecord(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, r := range appdata.ResourceTypes {
			w.declare(t, w.app, r, "note", appdata.Text, `{}`)
		}
		prefixes := map[appdata.ResourceType]id.Prefix{
			appdata.Invoice: id.Invoice, appdata.Customer: id.Customer, appdata.Supplier: id.Supplier, appdata.Payment: id.Payment, appdata.Account: id.Account, appdata.JournalEntry: id.JournalEntry,
		}
		for r, p := range prefixes {
			one := w.record("biz_1", p)
			all, few, blind := w.in("biz_1"), w.in("biz_1"), w.in("biz_1")
			made, err := w.put(all, value(r, one, "note", `"x"`))
			must(t, err)
			few.Scopes = few.Scopes.Minus(scope.Of(r.Scope()))
			blind.Access.Permissions = slices.DeleteFunc(slices.Clone(business.Permissions), func(p business.Permission) bool { return p == r.Permission() })
			for refusal, by := range map[*fault.Fault]appdata.Call{appdata.ErrTypeAccess: few, business.ErrPermission: blind} {
				_, err := w.data.List(ctx, by, []string{one}, nil)
				want(t, err, refusal)
				_, err = w.data.List(ctx, by, []string{w.IDs.New(p)}, nil) // one that is not there, too
				want(t, err, refusal)
				want(t, w.delete(by, made[0].ID), refusal)
				_, err = w.put(by, value(r, one, "note", `"y"`))
				want(t, err, refusal)
			}
			must(t, w.delete(all, made[0].ID))
		}
	})
}

// ADAT-09: nobody sees or touches a value but its app, in its business.
func TestValuesArePrivateToAppAndBusiness(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.newApp(t)
		customer, theirs := w.record("biz_1", id.Customer), w.record("biz_2", id.Customer)
		for _, a := range []string{w.app, other} {
			w.declare(t, a, appdata.Customer, "note", appdata.Text, `{}`)
		}
		mine, elsewhere, rival := w.in("biz_1"), w.in("biz_2"), w.in("biz_1")
		rival.AppID = other
		made, err := w.put(mine, value(appdata.Customer, customer, "note", `"mine"`))
		must(t, err)
		_, err = w.put(elsewhere, value(appdata.Customer, theirs, "note", `"elsewhere"`))
		must(t, err)
		_, err = w.put(rival, value(appdata.Customer, customer, "note", `"rival"`))
		must(t, err)
		for _, c := range []struct {
			by   appdata.Call
			want string
		}{{mine, `note="mine"`}, {elsewhere, `note="elsewhere"`}, {rival, `note="rival"`}} {
			if got := w.list(t, c.by, customer, theirs); got != c.want {
				t.Errorf("%s in %s sees %s", c.by.AppID, c.by.BusinessID, got)
			}
		}
		for _, by := range []appdata.Call{elsewhere, rival} {
			want(t, w.delete(by, made[0].ID), appdata.ErrValueNotFound)
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error { return w.data.Erase(ctx, tx, "biz_1", w.app) }))
		if w.list(t, mine, customer) != "" || w.list(t, rival, customer) == "" || w.list(t, elsewhere, theirs) == "" {
			t.Error("erased too little, or too much")
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error { return w.data.Forget(ctx, tx, "biz_2", customer) })) // of another business
		if w.list(t, rival, customer) == "" {
			t.Error("forgotten from another business")
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error { return w.data.Forget(ctx, tx, "biz_1", customer) }))
		if w.list(t, rival, customer) != "" || w.list(t, elsewhere, theirs) == "" {
			t.Error("forgotten too little, or too much")
		}
	})
}
