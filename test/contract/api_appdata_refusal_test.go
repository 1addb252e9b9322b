package contract_test

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"
)

func refusedValues(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "store")
	customer := n.id(c.make(t, "/customers", object{"displayName": "Bea"}))
	many := func(count int) (values []object) {
		for range count {
			values = append(values, val("CUSTOMER", customer, fmt.Sprint("k", len(values)), "x"))
		}
		return values
	}
	before := len(c.updates(t))
	t.Run("ADAT-02 26 values are a validation failure, 25 are not", func(t *testing.T) {
		offends(t, c.put(t, many(26)...), "values")
		refused(t, c.put(t, many(25)...), http.StatusBadRequest, "UNKNOWN_APP_DATA_FIELD")
	})
	t.Run("SERR-02 what is no list of values is named", func(t *testing.T) {
		offends(t, c.put(t), "values")
		offends(t, c.do(t, "PUT", "/app-data", object{}), "values")
		offends(t, c.do(t, "PUT", "/app-data", object{"values": "x", "more": 1}), "values", "more")
		offends(t, c.put(t, object{}), "values.0.resourceType", "values.0.resourceId", "values.0.key", "values.0.value")
		offends(t, c.put(t, val("TAX_RATE", customer, "note", "x"), object{"resourceType": "CUSTOMER", "resourceId": 5, "key": "note", "value": 1, "x": 1}),
			"values.0.resourceType", "values.1.resourceId", "values.1.x")
		offends(t, c.put(t, val("CUSTOMER", customer, "note", "a"), val("CUSTOMER", customer, "note", "b")), "values.1")
	})
	t.Run("ADAT-03 a key that the app did not declare for this sort of record", func(t *testing.T) {
		for _, v := range []object{val("CUSTOMER", customer, "undeclared", 1), val("INVOICE", "inv_"+nowhere, "number", 1), val("CUSTOMER", customer, "NOTE", "x")} {
			r := refused(t, c.put(t, val("CUSTOMER", customer, "note", "x"), v), http.StatusBadRequest, "UNKNOWN_APP_DATA_FIELD")
			if r.Params["p0"] != v["key"] || r.Params["p1"] != v["resourceType"] {
				t.Errorf("%v", r.Params)
			}
		}
	})
	t.Run("ADAT-04 every value that breaks its rules is named with the reason", func(t *testing.T) {
		a := c.put(t, val("CUSTOMER", customer, "note", "fine"), val("CUSTOMER", customer, "number", 101), val("CUSTOMER", customer, "choice", "bronze"), val("CUSTOMER", customer, "boolean", nil),
			val("CUSTOMER", customer, "money", object{"amount": 1, "currency": "USD"}), val("CUSTOMER", "cus_"+nowhere, "date", "today"))
		want := []any{}
		for _, o := range [][3]string{{customer, "number", "above_max"}, {customer, "choice", "not_a_choice"}, {customer, "boolean", "required"}, {customer, "money", "currency_not_allowed"}, {"cus_" + nowhere, "date", "type"}} {
			want = append(want, object{"resourceType": "CUSTOMER", "resourceId": o[0], "key": o[1], "reason": o[2]})
		}
		got := a.JSON(t)
		if a.Status != http.StatusBadRequest || got["code"] != "INVALID_APP_DATA_VALUE" || !reflect.DeepEqual(got["details"], want) || got["statusCode"] != 400.0 || got["error"] != "Bad Request" {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	t.Run("ADAT-06 a record that is not in the business", func(t *testing.T) {
		for _, id := range []string{"cus_" + nowhere, "x", "inv_" + nowhere, n.id(c.make(t, "/suppliers", object{"displayName": "Mill"}))} {
			refused(t, c.put(t, val("CUSTOMER", customer, "note", "x"), val("CUSTOMER", id, "note", "x")), http.StatusNotFound, "RECORD_NOT_FOUND")
		}
	})
	t.Run("ADAT-04 nothing was written, and nothing told", func(t *testing.T) {
		if got := c.values(t, "resourceId="+customer); len(got) != 0 || len(c.updates(t)) != before {
			t.Errorf("%v", got)
		}
	})
	t.Run("ADAT-04 rules that change leave the value, which is not valid until it is written anew", func(t *testing.T) {
		made := n.declare(t, "full", "CUSTOMER", "size", "TEXT", object{"maxLength": 5})
		c.wrote(t, val("CUSTOMER", customer, "size", "large"))
		said(t, n.session(t, "dan", "shop").do(t, "PATCH", n.fieldsOf("full")+"/"+n.id(made), object{"rules": object{"maxLength": 2}}), http.StatusOK)
		if v := c.values(t, "resourceId="+customer)[0]; v["valid"] != false || v["value"] != "large" {
			t.Error(v)
		}
		if v := c.wrote(t, val("CUSTOMER", customer, "size", "xl"))[0]; v["valid"] != true {
			t.Error(v)
		}
	})
}
