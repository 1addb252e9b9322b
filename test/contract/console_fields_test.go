package contract_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"daybook/test/harness"
)

// TestAppDataFields proves what the console says of the fields that an app declares (CONS-04, CONS-06, ADAT-03).
func TestAppDataFields(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("a field", func(t *testing.T) { fieldFromDeclarationToDeletion(t, n) })
		t.Run("refusals", func(t *testing.T) { refusedFields(t, n) })
		t.Run("choices", func(t *testing.T) { choicesOfFields(t, n) })
		t.Run("people", func(t *testing.T) { peopleOfFields(t, n) })
		t.Run("ceiling", func(t *testing.T) { ceilingOfFields(t, n) })
	})
}

func fieldFromDeclarationToDeletion(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.fieldsOf("full")
	app := n.by(t, fullApp, "olivia", "store")
	customer := n.id(app.make(t, "/customers", object{"displayName": "Ada"}))
	a := dan.do(t, "POST", path, object{
		"resourceType": "CUSTOMER", "key": "tier", "label": " Tier ", "description": "How dear", "type": "CHOICE", "rules": object{"choices": []string{" gold ", "silver"}}, "visibility": "READ",
	})
	made := said(t, a, http.StatusCreated)
	one := path + "/" + n.id(made)
	t.Run("CONS-04 a field has exactly the promised members", func(t *testing.T) {
		want := object{
			"id": made["id"], "resourceType": "CUSTOMER", "key": "tier", "label": "Tier", "description": "How dear", "type": "CHOICE", "rules": object{"choices": []any{"gold", "silver"}},
			"visibility": "READ", "version": 1.0, "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
		}
		if !reflect.DeepEqual(made, want) || !strings.HasPrefix(n.id(made), "fld_") || made["createdAt"] == nil || a.Header.Get("ETag") != `"1"` {
			t.Errorf("%v", made)
		}
		bare := dan.make(t, path, object{"resourceType": "ACCOUNT", "key": "tier", "label": "Tier", "type": "NUMBER"})
		if bare["description"] != nil || bare["visibility"] != "HIDDEN" || !reflect.DeepEqual(bare["rules"], object{"min": nil, "max": nil, "decimals": 2.0}) {
			t.Errorf("%v", bare)
		}
		if list := rowsOf(dan.get(t, path)); !reflect.DeepEqual(list, []object{bare, made}) {
			t.Errorf("%v", list)
		}
	})
	t.Run("CONS-04 members change, what is fixed does not", func(t *testing.T) {
		offends(t, dan.do(t, "PATCH", one, object{"key": "x", "type": "TEXT", "resourceType": nil, "label": nil, "visibility": nil}), "key", "type", "resourceType", "label", "visibility")
		changed := said(t, dan.do(t, "PATCH", one, object{"label": "Class", "description": nil, "visibility": "EDIT", "rules": object{"choices": []string{"gold"}}}), http.StatusOK)
		if changed["label"] != "Class" || changed["description"] != nil || changed["visibility"] != "EDIT" || changed["version"] != 2.0 || !reflect.DeepEqual(changed["rules"], object{"choices": []any{"gold"}}) {
			t.Errorf("%v", changed)
		}
		refused(t, dan.and("If-Match", `"1"`).do(t, "PATCH", one, object{"label": "Late"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		refused(t, dan.and("If-Match", `"1"`).do(t, "DELETE", one, nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		offends(t, dan.and("If-Match", `3`).do(t, "PATCH", one, object{}), "If-Match")
		again := dan.and("If-Match", `"2"`).do(t, "PATCH", one, object{})
		if said(t, again, http.StatusOK)["label"] != "Class" || again.Header.Get("ETag") != `"3"` {
			t.Errorf("%s", again.Body)
		}
	})
	t.Run("ADAT-03 a field that is deleted goes with its values", func(t *testing.T) {
		app.wrote(t, val("CUSTOMER", customer, "tier", "gold"))
		gone(t, dan.do(t, "DELETE", one, nil))
		if n.rows(t, customer) != 0 {
			t.Error("values outlive their field")
		}
		refused(t, app.put(t, val("CUSTOMER", customer, "tier", "gold")), http.StatusBadRequest, "UNKNOWN_APP_DATA_FIELD")
		for _, method := range []string{"PATCH", "DELETE"} {
			refused(t, dan.do(t, method, one, object{}), http.StatusNotFound, "NOT_FOUND")
		}
	})
}

func refusedFields(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.fieldsOf("full")
	good := func(change object) object {
		body := object{"resourceType": "INVOICE", "key": "fresh", "label": "Fresh", "type": "TEXT"}
		for name, value := range change {
			body[name] = value
		}
		return body
	}
	for name, c := range map[string]struct {
		change object
		named  string
	}{
		"nothing known":         {object{"resourceType": "x", "key": "", "label": "", "type": ""}, "resourceType key label type"},
		"a key too long":        {object{"key": strings.Repeat("k", 41)}, "key"},
		"a label too long":      {object{"label": strings.Repeat("l", 61)}, "label"},
		"a description too":     {object{"description": strings.Repeat("d", 301)}, "description"},
		"no such visibility":    {object{"visibility": "SHOWN"}, "visibility"},
		"a rule of another":     {object{"rules": object{"choices": []string{"a"}}}, "rules"},
		"a rule of wrong type":  {object{"rules": object{"minLength": "1", "multiline": 0}}, "rules.minLength rules.multiline"},
		"rules that are no set": {object{"rules": []string{}}, "rules"},
		"a stranger":            {object{"choices": []string{"a"}}, "choices"},
		"members of wrong type": {object{"key": 5, "label": true}, "key label"},
	} {
		t.Run("SERR-02 "+name, func(t *testing.T) {
			offends(t, dan.do(t, "POST", path, good(c.change)), strings.Fields(c.named)...)
		})
	}
	for name, rules := range map[string]object{
		"TEXT": {"minLength": 3, "maxLength": 2}, "NUMBER": {"min": "2", "max": "1"}, "DATE": {"min": "2026-01-02", "max": "2026-01-01"},
		"DATETIME": {"min": "2026-01-01T00:00:01Z", "max": "2026-01-01T00:00:00Z"}, "URL": {"maxLength": 2001}, "MONEY": {"min": 2, "max": 1},
	} {
		t.Run("CONS-04 rules that cannot hold, "+name, func(t *testing.T) {
			refused(t, dan.do(t, "POST", path, good(object{"type": name, "rules": rules})), http.StatusBadRequest, "INVALID_FIELD_RULES")
		})
	}
	t.Run("ADAT-03 a key is declared once for a sort of record", func(t *testing.T) {
		dan.make(t, path, good(nil))
		refused(t, dan.do(t, "POST", path, good(nil)), http.StatusConflict, "DUPLICATE_KEY")
		dan.make(t, path, good(object{"resourceType": "PAYMENT"}))
	})
	t.Run("SERR-03 queries, bodies and methods that do not belong", func(t *testing.T) {
		offends(t, dan.do(t, "GET", path+"?x=1", nil), "x")
		standard(t, dan.do(t, "POST", path, nil), http.StatusUnsupportedMediaType)
		refused(t, dan.do(t, "PUT", path, object{}), http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	})
}

func choicesOfFields(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.fieldsOf("full")
	many := func(count int) (list []string) {
		for i := range count {
			list = append(list, fmt.Sprint("choice ", i))
		}
		return list
	}
	long := strings.Repeat("é", 60)
	made := dan.make(t, path, object{"resourceType": "SUPPLIER", "key": "grade", "label": "Grade", "type": "CHOICE", "rules": object{"choices": append(many(49), "  "+long+" ")}})
	one := path + "/" + n.id(made)
	for name, rules := range map[string]any{
		"none": object{}, "no rules": nil, "null": object{"choices": nil}, "an empty list": object{"choices": []string{}}, "51": object{"choices": many(51)},
		"one of 61 characters": object{"choices": []string{long + "e"}}, "two that are the same after trimming": object{"choices": []string{"a", " a"}}, "an empty one": object{"choices": []string{"a", "  "}},
		"no list": object{"choices": "a"}, "a number": object{"choices": []any{"a", 1}}, "a null": object{"choices": []any{"a", nil}}, "a line break": object{"choices": []string{"a\nb"}},
	} {
		t.Run("CONS-04 choices: "+name, func(t *testing.T) {
			refused(t, dan.do(t, "POST", path, object{"resourceType": "SUPPLIER", "key": "bad", "label": "Bad", "type": "CHOICE", "rules": rules}), http.StatusBadRequest, "INVALID_CHOICES")
			if name == "none" {
				return // an empty patch changes nothing
			}
			refused(t, dan.do(t, "PATCH", one, object{"rules": rules}), http.StatusBadRequest, "INVALID_CHOICES")
		})
	}
	t.Run("CONS-04 what was refused changed nothing", func(t *testing.T) {
		for _, f := range rowsOf(dan.get(t, path)) {
			if f["key"] == "bad" || f["key"] == "grade" && (f["version"] != 1.0 || len(f["rules"].(object)["choices"].([]any)) != 50) {
				t.Errorf("%v", f)
			}
		}
	})
}

// peopleOfFields proves who may look and change.
func peopleOfFields(t *testing.T, n *apiNode) {
	path := n.fieldsOf("full")
	organization := n.ids["acme"]
	for user, role := range map[string]string{"sam": "DEVELOPER", "vera": "VIEWER"} {
		n.sql(t, `INSERT INTO organization_members (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, 0)`, organization, n.ids[user], role)
	}
	made := n.session(t, "dan", "shop").make(t, path, object{"resourceType": "JOURNAL_ENTRY", "key": "seen", "label": "Seen", "type": "BOOLEAN"})
	one := path + "/" + n.id(made)
	calls := func(who caller) map[string]harness.Answer {
		return map[string]harness.Answer{
			"GET": who.do(t, "GET", path, nil), "POST": who.do(t, "POST", path, object{"resourceType": "JOURNAL_ENTRY", "key": "more", "label": "More", "type": "BOOLEAN"}),
			"PATCH": who.do(t, "PATCH", one, object{"label": "Other"}), "DELETE": who.do(t, "DELETE", one, nil),
		}
	}
	t.Run("CONS-06 who is no member does not see that there is such an app", func(t *testing.T) {
		for method, a := range calls(n.session(t, "olivia", "shop")) {
			r := refused(t, a, http.StatusNotFound, "NOT_FOUND")
			none := n.session(t, "olivia", "shop").do(t, "GET", "/developer/apps/app_"+nowhere+"/fields", nil)
			if unknown := standard(t, none, http.StatusNotFound); unknown.text != r.text {
				t.Errorf("%s: %s and %s", method, a.Body, none.Body)
			}
		}
	})
	t.Run("CONS-06 a viewer looks", func(t *testing.T) {
		for method, a := range calls(n.session(t, "vera", "shop")) {
			if method == "GET" {
				said(t, a, http.StatusOK)
				continue
			}
			standard(t, a, http.StatusForbidden)
		}
	})
	t.Run("CONS-06 an app has no way in, and nobody without a session", func(t *testing.T) {
		for _, a := range calls(n.by(t, fullApp, "dan", "shop")) {
			refused(t, a, http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
		}
		for _, a := range calls(n.nobody()) {
			standard(t, a, http.StatusUnauthorized)
		}
	})
	t.Run("CONS-06 a field of another app of the organization is none of this one's", func(t *testing.T) {
		dan := n.session(t, "dan", "shop")
		refused(t, dan.do(t, "PATCH", n.fieldsOf("twin")+"/"+n.id(made), object{"label": "x"}), http.StatusNotFound, "NOT_FOUND")
		refused(t, dan.do(t, "DELETE", n.fieldsOf("twin")+"/"+n.id(made), nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CALL-08 a page of another site changes nothing", func(t *testing.T) {
		forged := n.session(t, "dan", "shop").and("Origin", "https://evil.example").and("Sec-Fetch-Site", "cross-site")
		refused(t, forged.do(t, "POST", path, object{"resourceType": "JOURNAL_ENTRY", "key": "forged", "label": "x", "type": "BOOLEAN"}), http.StatusForbidden, "CROSS_ORIGIN")
	})
	t.Run("CONS-06 a developer changes", func(t *testing.T) {
		for method, a := range calls(n.session(t, "sam", "shop")) {
			if a.Status >= 300 && !(method == "PATCH" && a.Status == http.StatusNotFound) { // the map has no order: it may be deleted by then
				t.Errorf("%s: %d %s", method, a.Status, a.Body)
			}
		}
	})
}

// ceilingOfFields proves the limit of fields, with many who race for the last places.
func ceilingOfFields(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.fieldsOf("twin")
	declare := func(key string) harness.Answer {
		return dan.do(t, "POST", path, object{"resourceType": "CUSTOMER", "key": key, "label": key, "type": "BOOLEAN"})
	}
	for i := range 22 {
		said(t, declare(fmt.Sprint("k", i)), http.StatusCreated)
	}
	t.Run("ADAT-03 25 fields for a sort of record, whoever races", func(t *testing.T) {
		var mu sync.Mutex
		made, full := 0, 0
		var wait sync.WaitGroup
		for i := range 10 {
			wait.Go(func() {
				a := declare(fmt.Sprint("race", i))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case a.Status == http.StatusCreated:
					made++
				case a.Status == http.StatusBadRequest && strings.Contains(a.Body, "FIELD_LIMIT_REACHED"):
					full++
				default:
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		wait.Wait()
		if made != 3 || full != 7 || len(rowsOf(dan.get(t, path))) != 25 {
			t.Errorf("%d were declared, %d refused", made, full)
		}
		refused(t, declare("one_more"), http.StatusBadRequest, "FIELD_LIMIT_REACHED")
		refused(t, declare("k0"), http.StatusConflict, "DUPLICATE_KEY")
	})
}
