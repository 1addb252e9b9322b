package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// byRecord is the rest of the surface: calls that need one of several scopes, which the record decides.
var byRecord = rows("invoices:read customers:read suppliers:read payments:read accounts:read journal:read", "", "GET /app-data", "PUT /app-data", "DELETE /app-data/{id}")

// standing makes a record of each sort, and gives their ids in the order of sorts.
func (n *apiNode) standing(t *testing.T, c caller) []string {
	t.Helper()
	bank, capital := c.account(t, "1000"), c.account(t, "3000")
	customer := n.id(c.make(t, "/customers", object{"displayName": "Ada"}))
	return []string{
		n.id(c.make(t, "/invoices", object{"customerId": customer, "lines": []object{line("5")}})),
		n.id(c.make(t, "/customers", object{"displayName": "Bea"})),
		n.id(c.make(t, "/suppliers", object{"displayName": "Mill"})),
		n.id(c.make(t, "/payments", object{"kind": "RECEIPT", "date": today(n), "amount": 400, "bankAccountId": bank, "customerId": customer})),
		n.id(c.make(t, "/accounts", object{"code": fmt.Sprint("x", n.soFar(t)), "name": "Till", "type": "ASSET", "subtype": "CASH"})),
		n.id(c.make(t, "/journal-entries", object{"date": today(n), "draft": true, "lines": []object{{"accountId": bank, "debit": 100}, {"accountId": capital, "credit": 100}}})),
	}
}

// accessToValues proves that the sort of record decides which scope and permission are needed.
func accessToValues(t *testing.T, n *apiNode) {
	all := n.by(t, fullApp, "olivia", "shop")
	records := n.standing(t, all)
	owner := n.session(t, "olivia", "shop")
	staff := n.by(t, fullApp, "rosa", "shop")
	for i, s := range sorts {
		one := records[i]
		kept := n.id(all.wrote(t, val(s.word, one, "note", "x"))[0])
		calls := func(c caller) map[string]harness.Answer {
			return map[string]harness.Answer{
				"GET": c.do(t, "GET", "/app-data?resourceId="+one, nil), "GET of one that is not there": c.do(t, "GET", "/app-data?resourceIds=x,"+one[:4]+nowhere, nil),
				"PUT": c.put(t, val(s.word, one, "note", "y")), "DELETE": c.do(t, "DELETE", "/app-data/"+kept, nil),
			}
		}
		t.Run("ADAT-05 "+s.word+" without its read scope", func(t *testing.T) {
			for name, a := range calls(n.by(t, fullApp, "olivia", "shop", without(s.scope)...)) {
				if r := refused(t, a, http.StatusForbidden, "APP_CANNOT_ACCESS_TYPE_RECORD"); r.Params["p0"] != s.word || r.Params["p1"] != s.scope {
					t.Errorf("%s: %s", name, a.Body)
				}
			}
		})
		t.Run("ADAT-05 "+s.word+" with no other scope than that", func(t *testing.T) {
			c := n.by(t, fullApp, "olivia", "shop", s.scope)
			c.wrote(t, val(s.word, one, "note", "z"))
			if got := inShort(c.values(t, "resourceId="+one)); got != `note="z"` {
				t.Error(got)
			}
		})
		t.Run("CALL-05 "+s.word+" for a person who may not see such records", func(t *testing.T) {
			member := "/members/" + n.ids["rosa"] + "/permissions/" + s.permission
			said(t, owner.do(t, "PUT", member, object{"effect": "DENY"}), http.StatusOK)
			for name, a := range calls(staff) {
				if r := refused(t, a, http.StatusForbidden, "PERMISSION_DENIED"); r.Params["p0"] != s.permission {
					t.Errorf("%s: %s", name, a.Body)
				}
			}
			said(t, owner.do(t, "PUT", member, object{"effect": "GRANT"}), http.StatusOK)
			gone(t, staff.do(t, "DELETE", "/app-data/"+kept, nil))
		})
	}
	t.Run("ADAT-05 one sort without its scope spoils the whole call", func(t *testing.T) {
		c := n.by(t, fullApp, "olivia", "shop", without("suppliers:read")...)
		refused(t, c.put(t, val("CUSTOMER", records[1], "note", "mixed"), val("SUPPLIER", records[2], "note", "mixed")), http.StatusForbidden, "APP_CANNOT_ACCESS_TYPE_RECORD")
		refused(t, c.do(t, "GET", "/app-data?resourceIds="+records[1]+","+records[2], nil), http.StatusForbidden, "APP_CANNOT_ACCESS_TYPE_RECORD")
		if got := all.values(t, "resourceId="+records[1]); len(got) != 0 {
			t.Error(got)
		}
	})
	t.Run("ADAT-08 a session is refused, whoever's it is", func(t *testing.T) {
		for _, who := range []string{"olivia", "dan", "vera"} {
			pages := n.session(t, who, "shop")
			for _, a := range []harness.Answer{
				pages.do(t, "GET", "/app-data", nil), pages.do(t, "GET", "/app-data?resourceId="+records[0], nil), pages.put(t, val("CUSTOMER", records[1], "note", "x")),
				pages.do(t, "DELETE", "/app-data/adv_"+nowhere, nil),
			} {
				refused(t, a, http.StatusForbidden, "APP_DATA_API_AVAILABLE_CONNECTED_APPS_ONLY")
			}
		}
	})
	t.Run("CALL-02 without a token and a session it is 401", func(t *testing.T) {
		standard(t, n.nobody().do(t, "GET", "/app-data?resourceId=x", nil), http.StatusUnauthorized)
		unauthenticated(t, n.with("at_"+strings.Repeat("A", 43)).do(t, "GET", "/app-data", nil))
	})
	t.Run("RATE-03 the limits are told, also with a refusal", func(t *testing.T) {
		limitHeaders(t, all.do(t, "GET", "/app-data", nil))
		limitHeaders(t, all.put(t))
	})
}

// tenantsOfValues proves that values are private to app and business.
func tenantsOfValues(t *testing.T, n *apiNode) {
	mine, twin, elsewhere := n.by(t, fullApp, "olivia", "shop"), n.by(t, twinApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "stall")
	customer := n.id(mine.make(t, "/customers", object{"displayName": "Cleo"}))
	theirs := n.id(elsewhere.make(t, "/customers", object{"displayName": "Cleo"}))
	kept := n.id(mine.wrote(t, val("CUSTOMER", customer, "note", "mine"))[0])
	twin.wrote(t, val("CUSTOMER", customer, "note", "twin"))
	elsewhere.wrote(t, val("CUSTOMER", theirs, "note", "elsewhere"))
	before := len(mine.updates(t))
	t.Run("ADAT-09 an app sees its own values, in this business", func(t *testing.T) {
		for want, c := range map[string]caller{`note="mine"`: mine, `note="twin"`: twin, `note="elsewhere"`: elsewhere} {
			if got := inShort(c.values(t, "resourceIds="+customer+","+theirs)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	})
	t.Run("ADAT-07 nobody else deletes it", func(t *testing.T) {
		for _, c := range []caller{twin, elsewhere} {
			refused(t, c.do(t, "DELETE", "/app-data/"+kept, nil), http.StatusNotFound, "APP_DATA_VALUE_NOT_FOUND")
		}
	})
	t.Run("ADAT-06 nobody writes on a record of another business", func(t *testing.T) {
		a := elsewhere.put(t, val("CUSTOMER", customer, "note", "x"))
		b := elsewhere.put(t, val("CUSTOMER", "cus_"+nowhere, "note", "x"))
		refused(t, a, http.StatusNotFound, "RECORD_NOT_FOUND")
		if strings.ReplaceAll(a.Body, customer, "") != strings.ReplaceAll(b.Body, "cus_"+nowhere, "") {
			t.Errorf("%s\n%s", a.Body, b.Body)
		}
	})
	t.Run("ADAT-09 an app hears of its own data only", func(t *testing.T) {
		for _, data := range append(twin.updates(t), elsewhere.updates(t)...) {
			if data["resourceId"] == customer && len(twin.updates(t)) != 1 || data["resourceId"] == theirs && len(elsewhere.updates(t)) != 1 {
				t.Errorf("%v", data)
			}
		}
		if len(mine.updates(t)) != before {
			t.Error("it hears of what others did")
		}
	})
	t.Run("ADAT-03 a field that only another app declared is none", func(t *testing.T) {
		n.declare(t, "twin", "CUSTOMER", "only_twin", "TEXT", nil)
		refused(t, mine.put(t, val("CUSTOMER", customer, "only_twin", "x")), http.StatusBadRequest, "UNKNOWN_APP_DATA_FIELD")
		twin.wrote(t, val("CUSTOMER", customer, "only_twin", "x"))
	})
}

// valuesOnce proves that a write with a name happens once (CALL-07).
func valuesOnce(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "store")
	customer := n.id(c.make(t, "/customers", object{"displayName": "Dee"}))
	body := object{"values": []object{val("CUSTOMER", customer, "note", "x")}}
	before := len(c.updates(t))
	t.Run("CALL-07 repeated, PUT and DELETE", func(t *testing.T) {
		first := anew(t, c.once("adat 1").do(t, "PUT", "/app-data", body), http.StatusOK)
		again(t, first, c.once("adat 1").do(t, "PUT", "/app-data", body))
		id := n.id(rowsOf(first.JSON(t))[0])
		again(t, anew(t, c.once("adat 2").do(t, "DELETE", "/app-data/"+id, nil), http.StatusNoContent), c.once("adat 2").do(t, "DELETE", "/app-data/"+id, nil))
		if now := len(c.updates(t)); now != before+2 {
			t.Errorf("%d events, then %d", before, now)
		}
	})
	t.Run("CALL-07 a missing scope is not kept, a broken rule is", func(t *testing.T) {
		few := n.by(t, fullApp, "olivia", "store", "profile:read")
		anew(t, few.once("adat 3").do(t, "PUT", "/app-data", body), http.StatusForbidden)
		anew(t, c.once("adat 3").do(t, "PUT", "/app-data", body), http.StatusOK)
		bad := object{"values": []object{val("CUSTOMER", customer, "number", -1)}}
		again(t, anew(t, c.once("adat 4").do(t, "PUT", "/app-data", bad), http.StatusBadRequest), c.once("adat 4").do(t, "PUT", "/app-data", bad))
	})
}

// valuesOfRecords proves that values go with their record.
func valuesOfRecords(t *testing.T, n *apiNode) {
	c, owner := n.by(t, fullApp, "olivia", "store"), n.session(t, "olivia", "store")
	records := n.standing(t, c)
	paths := []string{"/invoices/", "/customers/", "/suppliers/", "/payments/", "/accounts/", "/journal-entries/"}
	for i, s := range sorts {
		t.Run("ADAT-09 deleted with the record, "+s.word, func(t *testing.T) {
			c.wrote(t, val(s.word, records[i], "note", "x"))
			gone(t, c.do(t, "DELETE", paths[i]+records[i], nil))
			if got := c.values(t, "resourceId="+records[i]); len(got) != 0 || n.rows(t, records[i]) != 0 {
				t.Errorf("%v", got)
			}
			refused(t, c.put(t, val(s.word, records[i], "note", "x")), http.StatusNotFound, "RECORD_NOT_FOUND")
		})
	}
	for sort, path := range map[string]string{"CUSTOMER": "/customers", "SUPPLIER": "/suppliers"} {
		t.Run("ADAT-09 gone with what is personal, "+sort, func(t *testing.T) {
			id := n.id(c.make(t, path, object{"displayName": "Erase Me"}))
			c.wrote(t, val(sort, id, "note", "Erase Me"))
			owner.act(t, path+"/"+id+"/redact", nil)
			if n.rows(t, id) != 0 {
				t.Error("values outlive the redaction")
			}
			refused(t, c.put(t, val(sort, id, "note", "x")), http.StatusNotFound, "RECORD_NOT_FOUND")
		})
	}
	t.Run("ADAT-09 a deletion that is refused leaves the values", func(t *testing.T) {
		used := n.id(c.make(t, "/customers", object{"displayName": "Used"}))
		c.make(t, "/invoices", object{"customerId": used, "lines": []object{line("5")}})
		c.wrote(t, val("CUSTOMER", used, "note", "stays"))
		refused(t, c.do(t, "DELETE", "/customers/"+used, nil), http.StatusConflict, "RECORD_IN_USE")
		if got := inShort(c.values(t, "resourceId="+used)); got != `note="stays"` {
			t.Error(got)
		}
	})
	t.Run("ADAT-09 no value is left when many write while the record is deleted", func(t *testing.T) {
		for range 5 {
			id := n.id(c.make(t, "/customers", object{"displayName": "Race"}))
			var wait sync.WaitGroup
			for i := range 6 {
				wait.Go(func() {
					if a := c.put(t, val("CUSTOMER", id, "note", fmt.Sprint(i))); a.Status != http.StatusOK && a.Status != http.StatusNotFound {
						t.Errorf("%d %s", a.Status, a.Body)
					}
				})
			}
			gone(t, c.do(t, "DELETE", "/customers/"+id, nil))
			wait.Wait()
			if left := n.rows(t, id); left != 0 {
				t.Fatalf("%d values without a record", left)
			}
		}
	})
}

// rows counts the values on a record, whoever's they are.
func (n *apiNode) rows(t *testing.T, resourceID string) int {
	t.Helper()
	return n.counted(t, `SELECT count(*) FROM app_data WHERE resource_id = $1`, resourceID)
}

// soFar is a number that grows with the world, for names that must be new.
func (n *apiNode) soFar(t *testing.T) int {
	t.Helper()
	return n.counted(t, `SELECT count(*) FROM events`)
}

func (n *apiNode) counted(t *testing.T, sql string, args ...any) (count int) {
	t.Helper()
	ctx := context.Background()
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		count, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return count
}
