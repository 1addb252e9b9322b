package contract_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// TestExtensions proves what the console says of the pages that an app shows inside ours (CONS-03, CONS-06).
func TestExtensions(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		said(t, n.session(t, "dan", "shop").do(t, "PATCH", "/developer/apps/"+n.ids["full"], object{"appUrl": "https://app.example/daybook/"}), http.StatusOK)
		t.Run("an extension", func(t *testing.T) { extensionLife(t, n) })
		t.Run("members", func(t *testing.T) { extensionMembers(t, n) })
		t.Run("scopes", func(t *testing.T) { extensionScopes(t, n) })
		t.Run("paths", func(t *testing.T) { extensionPaths(t, n) })
		t.Run("people", func(t *testing.T) { extensionPeople(t, n) })
		t.Run("ceiling", func(t *testing.T) { extensionCeiling(t, n) })
		t.Run("session tokens", func(t *testing.T) { tokensOfExtensions(t, n) })
	})
}

func (n *apiNode) extensionsOf(app string) string {
	return "/developer/apps/" + n.ids[app] + "/extensions"
}

// panel is an extension in order, but for the change.
func panel(change object) object {
	body := object{"kind": "PANEL", "resourceType": "INVOICE", "label": "Shipping", "path": "invoice"}
	for name, value := range change {
		body[name] = value
	}
	return body
}

func extensionLife(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.extensionsOf("full")
	a := dan.do(t, "POST", path, panel(object{"label": " Shipping ", "path": "invoice?x=1"}))
	made := said(t, a, http.StatusCreated)
	one := path + "/" + n.id(made)
	t.Run("CONS-03 an extension has exactly the promised members", func(t *testing.T) {
		want := object{
			"id": made["id"], "kind": "PANEL", "resourceType": "INVOICE", "label": "Shipping", "path": "invoice?x=1", "enabled": true, "address": "https://app.example/daybook/invoice?x=1",
			"hiddenBy": nil, "version": 1.0, "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
		}
		if !reflect.DeepEqual(made, want) || !strings.HasPrefix(n.id(made), "ext_") || made["createdAt"] == nil || a.Header.Get("ETag") != `"1"` {
			t.Errorf("%v", made)
		}
		page := dan.make(t, path, object{"kind": "PAGE", "label": "Home", "path": "", "enabled": false})
		if page["resourceType"] != nil || page["address"] != "https://app.example/daybook/" || page["enabled"] != false || page["hiddenBy"] != "DISABLED" {
			t.Errorf("%v", page)
		}
		if list := rowsOf(dan.get(t, path)); !reflect.DeepEqual(list, []object{made, page}) {
			t.Errorf("%v", list)
		}
	})
	t.Run("CONS-03 members change together and alone", func(t *testing.T) {
		offends(t, dan.do(t, "PATCH", one, object{"kind": nil, "label": nil, "path": nil, "enabled": nil}), "kind", "label", "path", "enabled")
		offends(t, dan.do(t, "PATCH", one, object{"resourceType": nil}), "resourceType") // a PANEL needs one
		offends(t, dan.do(t, "PATCH", one, object{"kind": "PAGE"}), "resourceType")      // a PAGE has none
		page := said(t, dan.do(t, "PATCH", one, object{"kind": "PAGE", "resourceType": nil}), http.StatusOK)
		if page["kind"] != "PAGE" || page["resourceType"] != nil || page["version"] != 2.0 {
			t.Errorf("%v", page)
		}
		tab := said(t, dan.do(t, "PATCH", one, object{"kind": "TAB", "resourceType": "CUSTOMER", "label": "Parcels", "path": "/parcels", "enabled": false}), http.StatusOK)
		if tab["kind"] != "TAB" || tab["resourceType"] != "CUSTOMER" || tab["label"] != "Parcels" || tab["address"] != "https://app.example/parcels" || tab["hiddenBy"] != "DISABLED" {
			t.Errorf("%v", tab)
		}
		refused(t, dan.and("If-Match", `"1"`).do(t, "PATCH", one, object{"label": "Late"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		refused(t, dan.and("If-Match", `"1"`).do(t, "DELETE", one, nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		again := dan.and("If-Match", `"3"`).do(t, "PATCH", one, object{})
		if said(t, again, http.StatusOK)["label"] != "Parcels" || again.Header.Get("ETag") != `"4"` {
			t.Errorf("%s", again.Body)
		}
	})
	t.Run("CONS-03 what is deleted is gone", func(t *testing.T) {
		gone(t, dan.do(t, "DELETE", one, nil))
		for _, method := range []string{"PATCH", "DELETE"} {
			refused(t, dan.do(t, method, one, object{}), http.StatusNotFound, "NOT_FOUND")
		}
		n.emptyExtensions(t, "full")
	})
}

// emptyExtensions deletes all that an app has.
func (n *apiNode) emptyExtensions(t *testing.T, app string) {
	t.Helper()
	dan := n.session(t, "dan", "shop")
	for _, e := range rowsOf(dan.get(t, n.extensionsOf(app))) {
		gone(t, dan.do(t, "DELETE", n.extensionsOf(app)+"/"+n.id(e), nil))
	}
}

func extensionMembers(t *testing.T, n *apiNode) {
	dan, path := n.session(t, "dan", "shop"), n.extensionsOf("full")
	for name, c := range map[string]struct {
		body  object
		named string
	}{
		"nothing":                 {object{}, "kind label path"},
		"nothing known":           {panel(object{"kind": "POPUP", "resourceType": "BILL", "label": ""}), "kind resourceType label"},
		"a kind in small letters": {panel(object{"kind": "panel"}), "kind"},
		"a page beside a record":  {panel(object{"kind": "PAGE"}), "resourceType"},
		"a panel beside nothing":  {panel(object{"resourceType": nil}), "resourceType"},
		"a tab beside nothing":    {panel(object{"kind": "TAB", "resourceType": nil}), "resourceType"},
		"an action the same":      {panel(object{"kind": "ACTION", "resourceType": nil}), "resourceType"},
		"a label of 41":           {panel(object{"label": strings.Repeat("é", 41)}), "label"},
		"a label of two lines":    {panel(object{"label": "a\nb"}), "label"},
		"no path":                 {panel(object{"path": nil}), "path"},
		"members of wrong type":   {panel(object{"path": 5, "label": true, "enabled": "yes"}), "path label enabled"},
		"a stranger":              {panel(object{"url": "https://app.example/"}), "url"},
	} {
		t.Run("SERR-02 "+name, func(t *testing.T) { offends(t, dan.do(t, "POST", path, c.body), strings.Fields(c.named)...) })
	}
	t.Run("CONS-03 a label of 40", func(t *testing.T) {
		dan.make(t, path, panel(object{"label": strings.Repeat("é", 40)}))
		n.emptyExtensions(t, "full")
	})
}

func extensionScopes(t *testing.T, n *apiNode) {
	dan := n.session(t, "dan", "shop")
	sorts := map[string]string{
		"INVOICE": "invoices:read", "CUSTOMER": "customers:read", "SUPPLIER": "suppliers:read", "PAYMENT": "payments:read", "ACCOUNT": "accounts:read", "JOURNAL_ENTRY": "journal:read",
	}
	for sort, scope := range sorts {
		t.Run("CONS-03 EXTENSION_SCOPE_REQUIRED for "+sort, func(t *testing.T) {
			app, _ := n.newApp(t, dan, object{"appUrl": "https://app.example/", "scopes": []string{"profile:read", strings.Replace(scope, ":read", ":write", 1)}})
			r := refused(t, dan.do(t, "POST", app+"/extensions", panel(object{"resourceType": sort})), http.StatusBadRequest, "EXTENSION_SCOPE_REQUIRED")
			if r.Params["p0"] != sort || r.Params["p1"] != scope {
				t.Errorf("%v", r.Params)
			}
			page := dan.make(t, app+"/extensions", object{"kind": "PAGE", "label": "Home", "path": "x"}) // which needs none
			refused(t, dan.do(t, "PATCH", app+"/extensions/"+n.id(page), object{"kind": "TAB", "resourceType": sort}), http.StatusBadRequest, "EXTENSION_SCOPE_REQUIRED")
			said(t, dan.do(t, "PUT", app+"/scopes", object{"scopes": []string{scope}}), http.StatusOK)
			made := dan.make(t, app+"/extensions", panel(object{"resourceType": sort}))
			said(t, dan.do(t, "PUT", app+"/scopes", object{"scopes": []string{"profile:read"}}), http.StatusOK)
			if list := rowsOf(dan.get(t, app+"/extensions")); len(list) != 2 || list[1]["hiddenBy"] != "EXTENSION_SCOPE_REQUIRED" || list[0]["hiddenBy"] != nil {
				t.Errorf("%v", list)
			}
			said(t, dan.do(t, "PATCH", app+"/extensions/"+n.id(made), object{"label": "Renamed"}), http.StatusOK) // it is not held up by that
			refused(t, dan.do(t, "PATCH", app+"/extensions/"+n.id(made), object{"path": "y"}), http.StatusBadRequest, "EXTENSION_SCOPE_REQUIRED")
		})
	}
}

func extensionPaths(t *testing.T, n *apiNode) {
	dan := n.session(t, "dan", "shop")
	app, _ := n.newApp(t, dan, object{"appUrl": "https://app.example/daybook/", "scopes": []string{"invoices:read"}})
	path := app + "/extensions"
	one := path + "/" + n.id(dan.make(t, path, panel(nil)))
	for name, bad := range map[string]string{
		"a backslash": `a\b`, "a backslash that browsers take for a slash": `\\evil.example`, "a space": "a b", "a space at the end": "invoice ", "a tab": "a\tb", "a line break": "a\nb",
		"a NUL": "a\x00b", "a DEL": "a\x7fb", "a character that turns text": "a\u202eb", "a no-break space": "a\u00a0b",
		"another host": "https://evil.example/", "another host without a scheme": "//evil.example/", "three slashes": "///evil.example/", "another scheme": "http://app.example/", "another port": "https://app.example:8443/",
		"the host as user info": "https://app.example@evil.example/", "user info": "https://evil@app.example/", "a script": "javascript:alert(1)", "data": "data:text/html,x", "a half address": "https:evil.example",
		"a broken escape": "%zz", "1001 characters": strings.Repeat("x", 1001),
	} {
		t.Run("CONS-03 EXTENSION_PATH_INVALID: "+name, func(t *testing.T) {
			refused(t, dan.do(t, "POST", path, panel(object{"path": bad})), http.StatusBadRequest, "EXTENSION_PATH_INVALID")
			refused(t, dan.do(t, "PATCH", one, object{"path": bad}), http.StatusBadRequest, "EXTENSION_PATH_INVALID")
		})
	}
	for good, address := range map[string]string{
		"": "https://app.example/daybook/", "/": "https://app.example/", "..": "https://app.example/", "a/b?c=d#e": "https://app.example/daybook/a/b?c=d#e", "?q": "https://app.example/daybook/?q",
		"https://app.example/x": "https://app.example/x", "//APP.example:443/x": "https://app.example/x", "%5C%20": "https://app.example/daybook/%5C%20", strings.Repeat("x", 1000): "https://app.example/daybook/" + strings.Repeat("x", 1000),
	} {
		t.Run(fmt.Sprintf("CONS-03 the path %.20q is a page on the App URL's origin", good), func(t *testing.T) {
			if got := said(t, dan.do(t, "PATCH", one, object{"path": good}), http.StatusOK); got["address"] != address || got["path"] != good {
				t.Errorf("%v", got)
			}
		})
	}
	t.Run("CONS-03 the App URL may change", func(t *testing.T) {
		said(t, dan.do(t, "PATCH", one, object{"path": "https://app.example/x"}), http.StatusOK)
		for appURL, want := range map[any]any{"https://elsewhere.example/": "EXTENSION_PATH_INVALID", nil: "EXTENSION_PATH_INVALID", "https://app.example": nil} {
			said(t, dan.do(t, "PATCH", app, object{"appUrl": appURL}), http.StatusOK)
			if list := rowsOf(dan.get(t, path)); list[0]["hiddenBy"] != want || (list[0]["address"] == nil) != (want != nil) {
				t.Errorf("%v: %v", appURL, list)
			}
		}
	})
	t.Run("CONS-03 nothing of our own is ever framed, and nothing without an App URL", func(t *testing.T) {
		for _, appURL := range []any{n.AuthURL + "/", n.BaseURL, nil} {
			said(t, dan.do(t, "PATCH", app, object{"appUrl": appURL}), http.StatusOK)
			refused(t, dan.do(t, "POST", path, panel(nil)), http.StatusBadRequest, "EXTENSION_PATH_INVALID")
		}
	})
}

func extensionPeople(t *testing.T, n *apiNode) {
	path := n.extensionsOf("full")
	for user, role := range map[string]string{"sam": "DEVELOPER", "vera": "VIEWER"} {
		n.sql(t, `INSERT INTO organization_members (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, 0)`, n.ids["acme"], n.ids[user], role)
	}
	made := n.session(t, "dan", "shop").make(t, path, panel(nil))
	one := path + "/" + n.id(made)
	calls := func(who caller) map[string]harness.Answer {
		return map[string]harness.Answer{
			"GET": who.do(t, "GET", path, nil), "POST": who.do(t, "POST", path, panel(nil)), "PATCH": who.do(t, "PATCH", one, object{"label": "Other"}), "DELETE": who.do(t, "DELETE", one, nil),
		}
	}
	t.Run("CONS-06 who is no member does not see that there is such an app", func(t *testing.T) {
		for _, a := range calls(n.session(t, "olivia", "shop")) {
			refused(t, a, http.StatusNotFound, "NOT_FOUND")
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
	t.Run("CONS-06 an extension of another app is none of this one's", func(t *testing.T) {
		dan := n.session(t, "dan", "shop")
		refused(t, dan.do(t, "PATCH", n.extensionsOf("twin")+"/"+n.id(made), object{"label": "x"}), http.StatusNotFound, "NOT_FOUND")
		refused(t, dan.do(t, "DELETE", n.extensionsOf("twin")+"/"+n.id(made), nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CONS-06 a developer changes, and it is kept who did", func(t *testing.T) {
		sam := n.session(t, "sam", "shop")
		said(t, sam.do(t, "PATCH", one, object{"label": "Sam's", "enabled": false}), http.StatusOK)
		gone(t, sam.do(t, "DELETE", one, nil))
		var kept []string
		must(t, n.store(t).Read(t.Context(), func(tx *db.Tx) (err error) {
			kept, err = db.All(t.Context(), tx, db.Value[string], `SELECT action || ' ' || user_id FROM audit_log WHERE object_type = 'extension' AND object_id = $1 ORDER BY id`, n.id(made))
			return err
		}))
		want := []string{"extension.created " + n.ids["dan"], "extension.changed " + n.ids["sam"], "extension.deleted " + n.ids["sam"]}
		if !reflect.DeepEqual(kept, want) {
			t.Errorf("kept %v", kept)
		}
	})
	n.emptyExtensions(t, "full")
}

// extensionCeiling proves the limit, with many who race for the last places.
func extensionCeiling(t *testing.T, n *apiNode) {
	dan := n.session(t, "dan", "shop")
	app, _ := n.newApp(t, dan, object{"appUrl": "https://app.example/", "scopes": []string{"invoices:read"}})
	path := app + "/extensions"
	for i := range 7 {
		dan.make(t, path, panel(object{"label": fmt.Sprint(i)}))
	}
	t.Run("CONS-03 10 extensions, whoever races", func(t *testing.T) {
		var mu sync.Mutex
		made, full := 0, 0
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				a := dan.do(t, "POST", path, panel(nil))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case a.Status == http.StatusCreated:
					made++
				case a.Status == http.StatusBadRequest && strings.Contains(a.Body, "EXTENSION_LIMIT_REACHED"):
					full++
				default:
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		wait.Wait()
		if made != 3 || full != 7 || len(rowsOf(dan.get(t, path))) != 10 {
			t.Errorf("%d were made, %d refused", made, full)
		}
		refused(t, dan.do(t, "POST", path, panel(nil)), http.StatusBadRequest, "EXTENSION_LIMIT_REACHED")
		gone(t, dan.do(t, "DELETE", path+"/"+n.id(rowsOf(dan.get(t, path))[4]), nil))
		dan.make(t, path, panel(nil))
	})
}
