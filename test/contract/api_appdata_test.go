package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TestAppData proves ADAT-01 to ADAT-09 on values; console_fields_test.go has the fields.
func TestAppData(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		n.declareAll(t, "full")
		n.declareAll(t, "twin")
		t.Run("values", func(t *testing.T) { valuesFromWritingToDeletion(t, n) })
		t.Run("reading", func(t *testing.T) { readingValues(t, n) })
		t.Run("refusals", func(t *testing.T) { refusedValues(t, n) })
		t.Run("access", func(t *testing.T) { accessToValues(t, n) })
		t.Run("tenants", func(t *testing.T) { tenantsOfValues(t, n) })
		t.Run("once", func(t *testing.T) { valuesOnce(t, n) })
		t.Run("records", func(t *testing.T) { valuesOfRecords(t, n) })
	})
}

// sorts are the sorts of records that values stand on, with the scope and permission that each asks for.
var sorts = []struct{ word, scope, permission string }{
	{"INVOICE", "invoices:read", "invoices.view"}, {"CUSTOMER", "customers:read", "customers.view"}, {"SUPPLIER", "suppliers:read", "suppliers.view"},
	{"PAYMENT", "payments:read", "payments.view"}, {"ACCOUNT", "accounts:read", "accounts.view"}, {"JOURNAL_ENTRY", "journal:read", "journal.view"},
}

// fieldsOf is where the fields of an app are declared.
func (n *apiNode) fieldsOf(app string) string { return "/developer/apps/" + n.ids[app] + "/fields" }

// declare makes a field of an app, as its developer.
func (n *apiNode) declare(t *testing.T, app, sort, key, kind string, rules object) object {
	t.Helper()
	return n.session(t, "dan", "shop").make(t, n.fieldsOf(app), object{"resourceType": sort, "key": key, "label": key, "type": kind, "rules": rules})
}

// declareAll gives an app a note on every sort of record, and one field of each type on customers.
func (n *apiNode) declareAll(t *testing.T, app string) {
	t.Helper()
	dan := n.session(t, "dan", "shop")
	for _, s := range sorts {
		dan.make(t, n.fieldsOf(app), object{"resourceType": s.word, "key": "note", "label": "Note", "type": "TEXT"})
	}
	for kind, rules := range map[string]object{
		"NUMBER": {"min": "0", "max": "100"}, "BOOLEAN": {}, "DATE": {}, "DATETIME": {}, "URL": {}, "MONEY": {"currencies": []string{"EUR"}}, "CHOICE": {"choices": []string{"gold", "silver"}},
	} {
		dan.make(t, n.fieldsOf(app), object{"resourceType": "CUSTOMER", "key": strings.ToLower(kind), "label": kind, "type": kind, "rules": rules})
	}
}

// val is one value of a PUT.
func val(sort, id, key string, value any) object {
	return object{"resourceType": sort, "resourceId": id, "key": key, "value": value}
}

// put writes values.
func (c caller) put(t testing.TB, values ...object) harness.Answer {
	t.Helper()
	return c.do(t, "PUT", "/app-data", object{"values": values})
}

// wrote proves that values were written, and gives them.
func (c caller) wrote(t testing.TB, values ...object) []object {
	t.Helper()
	return rowsOf(said(t, c.put(t, values...), http.StatusOK))
}

// values reads those of records.
func (c caller) values(t testing.TB, query string) []object {
	t.Helper()
	return rowsOf(c.get(t, "/app-data?"+query))
}

func rowsOf(answer object) []object {
	var list []object
	for _, one := range answer["data"].([]any) {
		list = append(list, one.(object))
	}
	return list
}

// inShort tells values, as key=value.
func inShort(values []object) string {
	var words []string
	for _, v := range values {
		text, _ := json.Marshal(v["value"])
		words = append(words, fmt.Sprintf("%s=%s", v["key"], text))
	}
	return strings.Join(words, " ")
}

// updates are the events of the app about its data, without their ids.
func (c caller) updates(t testing.TB) []object {
	t.Helper()
	var list []object
	for _, e := range rowsOf(c.get(t, "/events?types=app_data.updated")) {
		list = append(list, e["data"].(object))
	}
	return list
}

func valuesFromWritingToDeletion(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "store")
	customer := n.id(c.make(t, "/customers", object{"displayName": "Ada"}))
	var first object
	t.Run("ADAT-09 every type is written, and shown in its form", func(t *testing.T) {
		money := object{"amount": 1250, "currency": "EUR"}
		wrote := c.wrote(t, val("CUSTOMER", customer, "note", "  Rings twice "), val("CUSTOMER", customer, "number", 7), val("CUSTOMER", customer, "boolean", false),
			val("CUSTOMER", customer, "date", "2026-05-04"), val("CUSTOMER", customer, "datetime", "2026-05-04T11:30:00+02:00"), val("CUSTOMER", customer, "url", "https://a.example/x"),
			val("CUSTOMER", customer, "money", money), val("CUSTOMER", customer, "choice", "gold"))
		first = wrote[0]
		want := []struct {
			key, kind string
			value     any
		}{
			{"note", "TEXT", "Rings twice"}, {"number", "NUMBER", "7"}, {"boolean", "BOOLEAN", false}, {"date", "DATE", "2026-05-04"}, {"datetime", "DATETIME", "2026-05-04T09:30:00.000Z"},
			{"url", "URL", "https://a.example/x"}, {"money", "MONEY", object{"amount": 1250.0, "currency": "EUR"}}, {"choice", "CHOICE", "gold"},
		}
		if len(wrote) != len(want) {
			t.Fatalf("%v", wrote)
		}
		for i, v := range wrote {
			w := want[i]
			if v["key"] != w.key || v["type"] != w.kind || !reflect.DeepEqual(v["value"], w.value) || v["valid"] != true || v["origin"] != "APP" || v["resourceType"] != "CUSTOMER" ||
				v["resourceId"] != customer || !strings.HasPrefix(n.id(v), "adv_") || len(v) != 10 || v["createdAt"] == nil || v["updatedAt"] == nil {
				t.Errorf("%v, want %v", v, w)
			}
		}
		read := c.values(t, "resourceId="+customer)
		slices.SortFunc(read, func(a, b object) int { return strings.Compare(n.id(a), n.id(b)) })
		if !reflect.DeepEqual(read, wrote) {
			t.Errorf("read %v\nwrote %v", read, wrote)
		}
	})
	t.Run("ADAT-09 a second write takes the place of the first", func(t *testing.T) {
		again := c.wrote(t, val("CUSTOMER", customer, "note", "Rings once"))[0]
		if again["id"] != first["id"] || again["createdAt"] != first["createdAt"] || again["value"] != "Rings once" {
			t.Errorf("%v after %v", again, first)
		}
	})
	t.Run("ADAT-07 a value is deleted once", func(t *testing.T) {
		gone(t, c.do(t, "DELETE", "/app-data/"+n.id(first), nil))
		for _, id := range []string{n.id(first), "adv_" + nowhere, "x"} {
			refused(t, c.do(t, "DELETE", "/app-data/"+id, nil), http.StatusNotFound, "APP_DATA_VALUE_NOT_FOUND")
		}
		if got := inShort(c.values(t, "resourceId="+customer+"&keys=note,choice")); got != `choice="gold"` {
			t.Error(got)
		}
	})
	t.Run("ADAT-09 each write and deletion is told, once for a record", func(t *testing.T) {
		other := n.id(c.make(t, "/suppliers", object{"displayName": "Mill"}))
		c.wrote(t, val("SUPPLIER", other, "note", "a"), val("CUSTOMER", customer, "note", "b"), val("CUSTOMER", customer, "choice", "silver"))
		got := c.updates(t)
		want := []object{
			{"resourceType": "CUSTOMER", "resourceId": customer, "keys": []any{"note", "number", "boolean", "date", "datetime", "url", "money", "choice"}, "origin": "APP", "deleted": false},
			{"resourceType": "CUSTOMER", "resourceId": customer, "keys": []any{"note"}, "origin": "APP", "deleted": false},
			{"resourceType": "CUSTOMER", "resourceId": customer, "keys": []any{"note"}, "origin": "APP", "deleted": true},
			{"resourceType": "SUPPLIER", "resourceId": other, "keys": []any{"note"}, "origin": "APP", "deleted": false},
			{"resourceType": "CUSTOMER", "resourceId": customer, "keys": []any{"note", "choice"}, "origin": "APP", "deleted": false},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("told %v", got)
		}
	})
}

func readingValues(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "store")
	var ids []string
	for i := range 50 {
		ids = append(ids, n.id(c.make(t, "/customers", object{"displayName": fmt.Sprint("Many ", i)})))
	}
	for _, part := range [][]string{ids[:25], ids[25:]} {
		var values []object
		for _, id := range part {
			values = append(values, val("CUSTOMER", id, "number", 5))
		}
		c.wrote(t, values...)
	}
	t.Run("ADAT-01 50 records are read in one call", func(t *testing.T) {
		if got := c.values(t, "resourceIds="+strings.Join(ids, ",")); len(got) != 50 {
			t.Errorf("%d values", len(got))
		}
	})
	t.Run("ADAT-01 51 are refused, also when some are the same or none", func(t *testing.T) {
		for _, extra := range []string{"cus_" + nowhere, ids[0], "x"} {
			refused(t, c.do(t, "GET", "/app-data?resourceIds="+strings.Join(append(slices.Clone(ids), extra), ","), nil), http.StatusBadRequest, "RESOURCEIDS_ACCEPTS_MOST_50_IDS")
		}
	})
	t.Run("ADAT-01 without an id it is refused", func(t *testing.T) {
		for _, query := range []string{"", "?", "?resourceId=", "?resourceIds=", "?resourceIds=,%20,", "?keys=note"} {
			refused(t, c.do(t, "GET", "/app-data"+query, nil), http.StatusBadRequest, "PROVIDE_RESOURCEID_RESOURCEIDS")
		}
	})
	t.Run("ADAT-01 what is not there has no values", func(t *testing.T) {
		for _, id := range []string{"cus_" + nowhere, "inv_" + nowhere, "nothing", "tax_" + nowhere, "'", "%00"} {
			if got := c.values(t, "resourceId="+id); len(got) != 0 {
				t.Errorf("%s has %v", id, got)
			}
		}
	})
	t.Run("ADAT-01 keys choose", func(t *testing.T) {
		c.wrote(t, val("CUSTOMER", ids[0], "note", "x"), val("CUSTOMER", ids[0], "choice", "gold"))
		for keys, want := range map[string]string{
			"note": `note="x"`, "choice,number": `choice="gold" number="5"`, "none": "", "": `choice="gold" note="x" number="5"`, url.QueryEscape("note, none"): `note="x"`,
		} {
			if got := inShort(c.values(t, "resourceIds="+ids[0]+"&keys="+keys)); got != want {
				t.Errorf("keys=%s: %s, want %s", keys, got, want)
			}
		}
	})
	t.Run("SERR-02 parameters that do not belong are named", func(t *testing.T) {
		offends(t, c.do(t, "GET", "/app-data?resourceId=x&limit=5", nil), "limit")
		offends(t, c.do(t, "GET", "/app-data?resourceId=x&resourceId=y", nil), "resourceId")
	})
}
