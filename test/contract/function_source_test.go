package contract_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFunctionSources proves what can be uploaded as a hosted function (CONS-05), and what the console says of functions (CONS-06).
func TestFunctionSources(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("sources", func(t *testing.T) { functionSources(t, n) })
		t.Run("console", func(t *testing.T) { functionConsole(t, n) })
		t.Run("configuration", func(t *testing.T) { functionConfiguration(t, n) })
		t.Run("limits", func(t *testing.T) { functionLimits(t, n) })
	})
}

func functionSources(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	path := n.functionsOf("full") + "/" + n.id(dan.make(t, n.functionsOf("full"), object{"name": "Sources", "trigger": object{"type": "MANUAL"}}))
	const noHandler, imports = "FUNCTION_SOURCE_NO_HANDLER", "FUNCTION_SOURCE_IMPORTS"
	for name, c := range map[string]struct{ source, code string }{
		"a default function":            {`export default function () {}`, ""},
		"a default arrow":               {`export default async (input, ctx) => {}`, ""},
		"a named function":              {`export async function handler(input, ctx) { return 1 }`, ""},
		"a named constant":              {`export const handler = () => 1`, ""},
		"a list of exports":             {`const handler = () => 1; export { handler }`, ""},
		"under another name":            {`const f = () => 1; export { f as handler }`, ""},
		"as a string":                   {`const f = () => 1; export { f as "handler" }`, ""},
		"as the default of a list":      {`const f = () => 1; export { f as default }`, ""},
		"with other exports":            {`export const a = 1; export const handler = () => a`, ""},
		"await at the top":              {`const a = await Promise.resolve(1); export default () => a`, ""},
		"a word in a comment":           {"// import x from \"y\"\nexport default () => 'import(1)'", ""},
		"handler is only a comment":     {`// export const handler = 1`, noHandler},
		"handler is only a string":      {`const a = "export default 1"`, noHandler},
		"handler is not exported":       {`const handler = () => 1`, noHandler},
		"another name":                  {`export const handle = () => 1`, noHandler},
		"another case":                  {`export const Handler = () => 1`, noHandler},
		"nothing":                       {``, noHandler},
		"no code":                       {`Hello!`, noHandler},
		"CommonJS":                      {`module.exports = { handler() {} }`, noHandler},
		"CommonJS, a member":            {`exports.handler = () => 1`, noHandler},
		"a syntax error":                {`export default () => {`, noHandler},
		"TypeScript":                    {`export const handler = (input: any): number => 1`, noHandler},
		"JSX":                           {`export const handler = () => <div/>`, noHandler},
		"two defaults":                  {`export default 1; export default 2`, noHandler},
		"sloppy code":                   {`with (a) {} export default () => 1`, noHandler},
		"an import":                     {`import x from "y"; export default () => x`, imports},
		"an import of a neighbour":      {`import "./a.js"; export default () => 1`, imports},
		"a dynamic import":              {`export default async () => (await import("os")).exec`, imports},
		"everything of another":         {`export * from "./handler.js"`, imports},
		"the handler of another":        {`export { handler } from "./handler.js"`, imports},
		"the default of another":        {`export { default } from "./handler.js"`, imports},
		"a require":                     {`export default () => require("fs")`, imports},
		"just 256 KiB":                  {pad(`export default () => 1 //`, 256<<10), ""},
		"256 KiB of wide letters":       {pad(`export default () => 1 //`, 256<<10-2) + "é", ""},
		"no handler at the end of much": {pad(`export const a = 1 //`, 256<<10), noHandler},
	} {
		t.Run("CONS-05 "+name, func(t *testing.T) {
			for _, a := range []struct {
				path string
				body object
			}{{path + "/versions", object{"source": c.source}}, {n.functionsOf("full"), object{"name": "New", "trigger": object{"type": "MANUAL"}, "source": c.source}}} {
				answer := dan.do(t, "POST", a.path, a.body)
				if c.code != "" {
					refused(t, answer, http.StatusBadRequest, c.code)
					continue
				}
				made := said(t, answer, http.StatusCreated)
				if a.path == n.functionsOf("full") {
					gone(t, dan.do(t, "DELETE", n.functionsOf("full")+"/"+n.id(made), nil))
				} else if made["bytes"] != float64(len(c.source)) || !strings.HasPrefix(n.id(made), "fnv_") {
					t.Errorf("%v", made)
				} else if kept := dan.get(t, path+"/versions/"+n.id(made)); kept["source"] != c.source {
					t.Errorf("the source is not what was sent: %.80v", kept["source"])
				}
			}
		})
	}
	t.Run("CONS-05 more than 256 KiB", func(t *testing.T) {
		offends(t, dan.do(t, "POST", path+"/versions", object{"source": pad(`export default () => 1 //`, 256<<10+1)}), "source")
		offends(t, dan.do(t, "POST", path+"/versions", object{"source": pad(`export default () => 1 //`, 256<<10-1) + "é"}), "source")
		offends(t, dan.do(t, "POST", path+"/versions", object{"source": "export default () => '\x00'"}), "source")
	})
	t.Run("SERR-02 bodies of the wrong shape", func(t *testing.T) {
		offends(t, dan.do(t, "POST", path+"/versions", object{}), "source")
		offends(t, dan.do(t, "POST", path+"/versions", object{"source": 5}), "source")
		offends(t, dan.do(t, "POST", n.functionsOf("full"), object{"source": "export default 1"}), "name", "trigger")
		for name, trigger := range map[string]object{
			"trigger.type": {"type": "SOMETIMES"}, "trigger.events": {"type": "EVENT", "events": []string{}}, "trigger.every": {"type": "SCHEDULE", "every": "NOW"},
		} {
			offends(t, dan.do(t, "POST", n.functionsOf("full"), object{"name": "x", "trigger": trigger}), name)
		}
		offends(t, dan.do(t, "POST", n.functionsOf("full"), object{"name": "x", "trigger": object{"type": "MANUAL", "events": []string{"invoice.paid"}, "every": "DAILY"}}), "trigger.events", "trigger.every")
		refused(t, dan.do(t, "POST", n.functionsOf("full"), object{"name": "x", "trigger": on("invoice.eaten")}), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE")
	})
	t.Run("HOOK-02 an event that the app can never hear of", func(t *testing.T) {
		n.sql(t, `UPDATE apps SET scopes = 'invoices:read' WHERE id = $1`, n.ids["twin"])
		refused(t, dan.do(t, "POST", n.functionsOf("twin"), object{"name": "x", "trigger": on("customer.created")}), http.StatusBadRequest, "SCOPE_NOT_HELD")
		dan.make(t, n.functionsOf("twin"), object{"name": "x", "trigger": on("invoice.paid", "app.uninstalled")})
	})
}

// pad makes a source as long as that, in bytes.
func pad(source string, length int) string {
	return source + strings.Repeat("x", length-len(source))
}

func functionConsole(t *testing.T, n *apiNode) {
	dan, vera := n.console(t, "dan"), n.console(t, "vera")
	a := dan.do(t, "POST", n.functionsOf("full"), object{"name": " Welcome ", "description": "Greets", "trigger": on("customer.created", "invoice.paid")})
	made := said(t, a, http.StatusCreated)
	path := n.functionsOf("full") + "/" + n.id(made)
	t.Run("CONS-05 a function has exactly the promised members", func(t *testing.T) {
		want := object{
			"id": made["id"], "name": "Welcome", "description": "Greets", "trigger": object{"type": "EVENT", "events": []any{"customer.created", "invoice.paid"}, "every": nil},
			"state": "DRAFT", "disabledReason": nil, "activeVersionId": nil, "failures": 0.0, "nextRunAt": nil, "version": 1.0, "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
			"latestVersionId": nil,
		}
		if !reflect.DeepEqual(made, want) || !strings.HasPrefix(n.id(made), "fun_") || a.Header.Get("ETag") != `"1"` {
			t.Errorf("%v", made)
		}
	})
	t.Run("CONS-05 versions are made, switched and kept", func(t *testing.T) {
		refused(t, dan.do(t, "POST", path+"/activate", nil), http.StatusBadRequest, "FUNCTION_HAS_NO_VERSION")
		refused(t, dan.do(t, "POST", path+"/disable", nil), http.StatusConflict, "INVALID_STATE")
		first := dan.make(t, path+"/versions", object{"source": "export default () => 1"})
		second := dan.make(t, path+"/versions", object{"source": "export default () => 2"})
		if first["number"] != 1.0 || second["number"] != 2.0 {
			t.Errorf("%v %v", first, second)
		}
		if on := said(t, dan.do(t, "POST", path+"/activate", nil), http.StatusOK); on["state"] != "ACTIVE" || on["activeVersionId"] != second["id"] {
			t.Errorf("%v", on)
		}
		if on := said(t, dan.do(t, "POST", path+"/activate", object{"versionId": first["id"]}), http.StatusOK); on["activeVersionId"] != first["id"] {
			t.Errorf("%v", on)
		}
		if off := said(t, dan.do(t, "POST", path+"/disable", nil), http.StatusOK); off["state"] != "DISABLED" || off["disabledReason"] != "DEVELOPER" || off["activeVersionId"] != first["id"] {
			t.Errorf("%v", off)
		}
		list := rowsOf(dan.get(t, path+"/versions"))
		if len(list) != 2 || list[0]["id"] != second["id"] || list[0]["source"] != nil || list[0]["createdBy"] != n.User(t, "dan").ID {
			t.Errorf("%v", list)
		}
		refused(t, dan.do(t, "POST", path+"/activate", object{"versionId": "fnv_" + nowhere}), http.StatusNotFound, "NOT_FOUND")
		refused(t, dan.do(t, "GET", path+"/versions/fnv_"+nowhere, nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CONS-06 whoever has seen another version is told", func(t *testing.T) {
		for _, call := range []struct{ method, path string }{{"PATCH", path}, {"DELETE", path}, {"POST", path + "/activate"}, {"POST", path + "/disable"}} {
			var body any
			if call.method == "PATCH" {
				body = object{"name": "Late"}
			}
			refused(t, dan.and("If-Match", `"1"`).do(t, call.method, call.path, body), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		}
	})
	t.Run("CONS-08 no function is a webhook", func(t *testing.T) {
		if list := rowsOf(dan.get(t, n.hooks("full"))); len(list) != 0 {
			t.Errorf("%v", list)
		}
		hook := n.hooks("full") + "/" + n.id(made)
		for _, call := range []struct {
			method, path string
			body         any
		}{
			{"GET", hook, nil}, {"PATCH", hook, object{"enabled": true}}, {"DELETE", hook, nil}, {"POST", hook + "/rotate-secret", nil}, {"POST", hook + "/test", nil},
			{"GET", hook + "/deliveries", nil}, {"POST", hook + "/redeliver-failed", object{"since": "2026-01-01T00:00:00Z", "until": "2036-01-01T00:00:00Z"}},
		} {
			refused(t, dan.do(t, call.method, call.path, call.body), http.StatusNotFound, "NOT_FOUND")
		}
		for range 10 {
			n.hook(t, dan, "full", "http://127.0.0.1:9/") // functions take no place of theirs
		}
	})
	t.Run("CONS-06 a viewer looks", func(t *testing.T) {
		said(t, vera.do(t, "GET", path, nil), http.StatusOK)
		refused(t, vera.do(t, "POST", path+"/versions", object{"source": "export default 1"}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		refused(t, vera.do(t, "POST", path+"/invoke", object{"businessId": n.ids["shop"]}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
	})
	t.Run("CONS-05 what is deleted is gone", func(t *testing.T) {
		gone(t, dan.do(t, "DELETE", path, nil))
		for _, p := range []string{path, path + "/versions", path + "/runs", path + "/deliveries"} {
			refused(t, dan.do(t, "GET", p, nil), http.StatusNotFound, "NOT_FOUND")
		}
		refused(t, dan.do(t, "DELETE", path, nil), http.StatusNotFound, "NOT_FOUND")
	})
}

// functionConfiguration proves that what is secret is never shown again, and that functions find it.
func functionConfiguration(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	config := theApps + "/" + n.ids["full"] + "/function-config"
	_, lab := n.lab(t, dan)
	said(t, dan.do(t, "POST", config, object{"key": "greeting", "value": "Hello"}), http.StatusOK)
	if made := dan.do(t, "POST", config, object{"key": "apiKey", "value": "s3cret-" + canary, "secret": true}); strings.Contains(made.Body, canary) || said(t, made, http.StatusOK)["value"] != nil {
		t.Errorf("CONS-07 a secret is shown: %s", made.Body)
	}
	a := dan.do(t, "GET", config, nil)
	rows := rowsOf(said(t, a, http.StatusOK))
	if len(rows) != 2 || rows[0]["key"] != "apiKey" || rows[0]["secret"] != true || rows[1]["value"] != "Hello" || strings.Contains(a.Body, canary) {
		t.Errorf("%s", a.Body)
	}
	f := n.function(t, dan, "full", object{"type": "MANUAL"}, `export default (_, ctx) => ctx.config`)
	if got := f.settles(t, object{"businessId": lab})["result"]; !reflect.DeepEqual(got, object{"greeting": "Hello", "apiKey": "s3cret-" + canary}) {
		t.Errorf("the function finds %v", got)
	}
	gone(t, dan.do(t, "DELETE", config+"/greeting", nil))
	refused(t, dan.do(t, "DELETE", config+"/greeting", nil), http.StatusNotFound, "NOT_FOUND")
	if got := f.settles(t, object{"businessId": lab})["result"]; !reflect.DeepEqual(got, object{"apiKey": "s3cret-" + canary}) {
		t.Errorf("the function finds %v", got)
	}
	offends(t, dan.do(t, "POST", config, object{"key": "with space", "value": ""}), "key", "value")
	offends(t, dan.do(t, "POST", config, object{}), "key", "value")
	offends(t, dan.do(t, "POST", config, object{"key": "k", "value": strings.Repeat("v", 4097)}), "value")
	for _, text := range n.column(t, `SELECT coalesce(value, '') || coalesce(error, '') FROM (SELECT value, NULL AS error FROM function_config UNION ALL SELECT NULL, details FROM audit_log) x`) {
		if strings.Contains(text, canary) {
			t.Errorf("CONS-07 kept in the clear: %s", text)
		}
	}
}

func functionLimits(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	have := len(rowsOf(dan.get(t, n.functionsOf("full"))))
	for range 20 - have {
		dan.make(t, n.functionsOf("full"), object{"name": "One", "trigger": object{"type": "MANUAL"}})
	}
	refused(t, dan.do(t, "POST", n.functionsOf("full"), object{"name": "One too many", "trigger": object{"type": "MANUAL"}}), http.StatusBadRequest, "FUNCTION_LIMIT_REACHED")
	path := n.functionsOf("full") + "/" + rowsOf(dan.get(t, n.functionsOf("full")))[0]["id"].(string)
	first := n.id(dan.make(t, path+"/versions", object{"source": "export default () => 0"}))
	said(t, dan.do(t, "POST", path+"/activate", object{"versionId": first}), http.StatusOK)
	for range 55 {
		dan.make(t, path+"/versions", object{"source": "export default () => 1"})
	}
	list := rowsOf(dan.get(t, path+"/versions"))
	if len(list) != 51 || !slices.ContainsFunc(list, func(v object) bool { return v["id"] == first }) {
		t.Errorf("%d versions are kept", len(list))
	}
	for _, one := range rowsOf(dan.get(t, n.functionsOf("full"))) {
		gone(t, dan.do(t, "DELETE", n.functionsOf("full")+"/"+n.id(one), nil))
	}
}
