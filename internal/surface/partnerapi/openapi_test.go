package partnerapi

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// at walks into a document.
func at(t *testing.T, d any, path ...string) any {
	t.Helper()
	for _, p := range path {
		o, ok := d.(object)
		if !ok || o[p] == nil {
			t.Fatalf("no %s in %.200s", strings.Join(path, " / "), fmt.Sprint(d))
		}
		d = o[p]
	}
	return d
}

// resolve follows a reference.
func resolve(t *testing.T, document object, schema object) object {
	t.Helper()
	ref, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	found, ok := at(t, document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(object)
	if !ok {
		t.Fatalf("%s leads nowhere", ref)
	}
	return found
}

// agrees holds a value against its schema: every documented member is there, no other is, and types agree.
func agrees(t *testing.T, document, schema object, value any, path string) {
	t.Helper()
	schema = resolve(t, document, schema)
	if any, ok := schema["anyOf"].([]any); ok {
		if value == nil {
			return
		}
		agrees(t, document, any[0].(object), value, path)
		return
	}
	var types []any
	switch s := schema["type"].(type) {
	case string:
		types = []any{s}
	case []any:
		types = s
	}
	kind := map[bool]string{true: "null"}[value == nil]
	switch v := value.(type) {
	case string:
		kind = "string"
		if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, value) {
			t.Errorf("%s: %v is not one of %v", path, v, enum)
		}
	case bool:
		kind = "boolean"
	case json.Number:
		kind = "integer"
	case []any:
		kind = "array"
		for i, item := range v {
			agrees(t, document, schema["items"].(object), item, fmt.Sprint(path, ".", i))
		}
	case object:
		kind = "object"
		if schema["properties"] == nil && schema["additionalProperties"] != false {
			break // a map of anything
		}
		properties := at(t, schema, "properties").(object)
		for name, member := range v {
			if properties[name] == nil {
				t.Errorf("%s.%s is not documented", path, name)
				continue
			}
			agrees(t, document, properties[name].(object), member, path+"."+name)
		}
		for name := range properties {
			if !has(v, name) {
				t.Errorf("%s.%s is missing", path, name)
			}
		}
	}
	if !slices.Contains(types, any(kind)) {
		t.Errorf("%s is %s, documented as %v", path, kind, types)
	}
}

func TestTheDocumentTellsTheTruth(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Limits = generous{}
		got := w.call(header{}, "GET", "/openapi.json", nil).is(200, "")
		document := got.object()
		if document["openapi"] != "3.1.0" || strings.Contains(got.Body.String(), "ErrorModel") || got.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%.300s", got.Body)
		}
		for _, r := range w.api.Routes() {
			op := at(t, document, "paths", r.Path, strings.ToLower(r.Method)).(object)
			if op["summary"] != r.Summary || op["operationId"] == "" {
				t.Errorf("%s: %v", r.pattern(), op)
			}
			security, _ := json.Marshal(op["security"])
			want := `[{"session":[]}]`
			switch {
			case r.Public:
				want = "null"
			case r.Partner:
				scopes, _ := json.Marshal(r.Scopes)
				want = `[{"oauth":` + string(scopes) + `},{"session":[]}]`
				if r.AppsOnly != nil {
					want = `[{"oauth":` + string(scopes) + `}]`
				}
				if len(r.OneOf) > 0 {
					want = `[{"oauth":["` + strings.Join(words(r.OneOf), `"]},{"oauth":["`) + `"]}]`
				}
			}
			if string(security) != want {
				t.Errorf("%s: security %s, want %s", r.pattern(), security, want)
			}
			if names := parameters(op); r.verb.list != nil && !within(r.verb.list.Parameters(), names) || r.writes() && !within([]string{"Idempotency-Key", "If-Match"}, names) {
				t.Errorf("%s: parameters %v", r.pattern(), names)
			}
		}
		// Every reference leads somewhere.
		for _, ref := range strings.Split(got.Body.String(), `"$ref":"#/`)[1:] {
			ref, _, _ = strings.Cut(ref, `"`)
			at(t, document, strings.Split(ref, "/")...)
		}
		// Answers look as the document says.
		walk(w, w.all(), func(route string, a answer) {
			if strings.HasSuffix(route, "/pdf") {
				return
			}
			method, path, _ := strings.Cut(route, " ")
			response := at(t, document, "paths", path, strings.ToLower(method), "responses", fmt.Sprint(a.Code)).(object)
			if a.Code == 204 {
				if response["content"] != nil {
					t.Errorf("%s: 204 with a body", route)
				}
				return
			}
			agrees(t, document, at(t, response, "content", "application/json", "schema").(object), a.object(), route)
		})
		// What requests must be is told, although the features judge it.
		customer := at(t, document, "components", "schemas", "NewCustomer").(object)
		name := at(t, customer, "properties", "displayName").(object)
		if name["maxLength"] != json.Number("200") || customer["additionalProperties"] != false || !slices.Equal(customer["required"].([]any), []any{"displayName"}) {
			t.Errorf("%v", customer)
		}
		terms := at(t, document, "components", "schemas", "CustomerPatch", "properties", "paymentTermsDays").(object)
		if types, _ := json.Marshal(terms["type"]); string(types) != `["integer","null"]` {
			t.Errorf("%v", terms)
		}
		flow := at(t, document, "components", "securitySchemes", "oauth", "flows", "authorizationCode", "scopes").(object)
		if len(flow) != len(everything) || flow[string(scope.ConsoleManage)] != nil {
			t.Errorf("%v", flow)
		}
	})
}

func parameters(op object) []string {
	var names []string
	list, _ := op["parameters"].([]any)
	for _, p := range list {
		names = append(names, p.(object)["name"].(string))
	}
	return names
}

func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// A table that lets apps in without a scope does not start.
func TestMistakesInTheTable(t *testing.T) {
	good := Route{Method: "GET", Path: "/x", Scopes: []scope.Scope{scope.InvoicesRead}, Partner: true, Summary: "X", verb: show(func(context.Context, *call) (lockDoc, error) { return lockDoc{}, nil })}
	if err := check([]Route{good}); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Route){
		"without a scope":         func(r *Route) { r.Scopes = nil },
		"for nobody":              func(r *Route) { r.Partner = false },
		"a scope of ours":         func(r *Route) { r.Scopes = []scope.Scope{scope.BusinessManage} },
		"an unknown scope":        func(r *Route) { r.Scopes = []scope.Scope{"x:read"} },
		"public with a scope":     func(r *Route) { r.Public = true },
		"apps not let in":         func(r *Route) { r.AppsOnly, r.Partner, r.Scopes = errEventsForApps, false, nil },
		"a scope too many":        func(r *Route) { r.OneOf = r.Scopes },
		"no such scope":           func(r *Route) { r.OneOf, r.Scopes = []scope.Scope{"x:read"}, nil },
		"a permission of its own": func(r *Route) { r.OneOf, r.Scopes, r.Permission = r.Scopes, nil, business.InvoicesView },
		"one of for nobody":       func(r *Route) { r.OneOf, r.Scopes, r.Partner = r.Scopes, nil, false },
		"public and changing":     func(r *Route) { r.Public, r.Scopes, r.Method = true, nil, "POST" },
		"without a summary":       func(r *Route) { r.Summary = "" },
		"without a verb":          func(r *Route) { r.verb = verb{} },
		"of another fashion":      func(r *Route) { r.Path = "/x/:id" },
	} {
		bad := good
		spoil(&bad)
		if check([]Route{bad}) == nil {
			t.Errorf("%s: not found", name)
		}
	}
	if check([]Route{good, good}) == nil {
		t.Error("twice: not found")
	}
}

// Two statements: the token and the record.
func TestStatementsOfARead(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		customer := w.customer(token)
		invoice := w.invoice(token, customer)
		w.call(bearer(token), "GET", "/invoices", nil).is(200, "") // invoices stand on the shelf from then on
		for path, most := range map[string]int64{"/invoices/" + invoice: 2, "/customers/" + customer: 2, "/invoices": 2, "/customers": 2, "/versions": 0} {
			counting, n := db.Counting(ctx)
			w.send(counting, w.handler, bearer(token), "GET", path, nil).is(200, "")
			if n.Load() > most {
				t.Errorf("%s takes %d statements", path, n.Load())
			}
		}
	})
}

func TestWhatTheMeterHears(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		got := w.call(bearer(token).with("Daybook-Version", older), "GET", "/invoices/inv_x", nil).is(404, "NOT_FOUND")
		m := w.meter.last(t)
		if m.AppID != w.app.ID || m.BusinessID != w.shop || m.InstallationID == "" || m.Route != "/invoices/{id}" || m.Method != "GET" || m.Status != 404 || m.Version != older ||
			m.RateLimited || !m.At.Equal(w.Clock.Now()) || m.RequestID != got.Header().Get("Request-Id") || m.RequestID == "" {
			t.Errorf("%+v", m)
		}
		w.call(bearer(token), "GET", "/nowhere", nil).is(403, "ENDPOINT_NOT_EXPOSED")
		if m := w.meter.last(t); m.Route != "" || m.Status != 403 {
			t.Errorf("%+v", m)
		}
		before := len(w.meter.calls)
		w.call(bearer("at_x"), "GET", "/me", nil).is(401, "INVALID_TOKEN")
		w.call(bearer(token), "GET", "/versions", nil).is(200, "")
		if len(w.meter.calls) != before {
			t.Error("a call of nobody was counted")
		}
		w.api.Meter = nil
		w.call(bearer(token), "GET", "/me", nil).is(200, "")
	})
}
