package consoleapi

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/tenancy/organization"
)

// consoleVersion of the document. The console has no versions: it goes with the pages that use it (C.10).
const consoleVersion = "1"

// errorDoc is the standard error shape, for the document.
type errorDoc struct {
	StatusCode int            `json:"statusCode"`
	Message    any            `json:"message" doc:"A sentence for people, or an array of them for validation failures, each beginning with the member's path."`
	Error      string         `json:"error" doc:"The name of the HTTP status."`
	Code       string         `json:"code,omitempty" doc:"The word to branch on; absent for validation failures."`
	Params     map[string]any `json:"params,omitempty" doc:"The values that the message interpolates: p0, p1…"`
}

// problems are what any call may be refused with.
var problems = map[int]string{
	400: "The request is wrong: a validation failure with an array of messages, or a rule with a code.",
	401: "Nobody is signed in.",
	403: "The person's role in the organization does not allow it.",
	404: "There is no such record, or it is another organization's: the two are never told apart.",
	409: "The state of the record does not permit it.",
	412: "The record has another version than If-Match says.",
	413: "The body is too large.",
	415: "The body is not JSON.",
	429: "A limit is used up; Retry-After says how long to wait.",
	500: "Something went wrong on our side.",
}

func problemName(status int) string { return "Problem" + strconv.Itoa(status) }

// introduce describes what all routes share.
func (a *API) introduce(o *huma.OpenAPI) {
	o.Info.Description = "The developer console: an organization, its apps and what they do. Calls are made with the session of a person, whose role in the organization decides what is allowed. Instants are UTC."
	o.Servers = []*huma.Server{{URL: a.BaseURL}}
	o.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": {Type: "apiKey", In: "cookie", Name: a.Cookie.Name(), Description: "The session of a person who signed in."},
	}
	o.Components.Responses = map[string]*huma.Response{}
	schema := o.Components.Schemas.Schema(reflect.TypeFor[errorDoc](), true, "")
	for status, about := range problems {
		o.Components.Responses[problemName(status)] = &huma.Response{Description: about, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
}

// roleFor is the least role that allows it.
func roleFor(a organization.Ability) organization.Role {
	least := organization.Owner
	for _, r := range organization.Roles { // the most powerful first
		if r.May(a) {
			least = r
		}
	}
	return least
}

// operation describes a route.
func (a *API) operation(r *Route, schemas huma.Registry) huma.Operation {
	op := huma.Operation{
		OperationID: operationID(r), Method: r.Method, Path: r.Path, Summary: r.Summary, Description: r.About, Tags: []string{tag(r)},
		DefaultStatus: r.verb.status, MaxBodyBytes: -1, BodyReadTimeout: -1, SkipValidateParams: true, // all done before
		Security: []map[string][]string{{"session": {}}}, Responses: map[string]*huma.Response{}, Extensions: map[string]any{},
	}
	if r.Of != Person {
		op.Extensions["x-role"] = string(roleFor(r.Needs))
	}
	for _, name := range placeholders.FindAllStringSubmatch(r.Path, -1) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name[1], In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
	}
	for _, p := range r.params() {
		op.Parameters = append(op.Parameters, textParam("query", p.Name, p.About))
	}
	ok := &huma.Response{Description: http.StatusText(r.verb.status)}
	if r.verb.doc != nil {
		ok.Content = map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(r.verb.doc, true, op.OperationID+"Answer")}}
	}
	op.Responses[strconv.Itoa(r.verb.status)] = ok
	statuses := []int{400, 401, 403, 404, 429, 500}
	if r.writes() {
		statuses = append(statuses, 409, 413, 415)
	}
	if r.Versioned {
		op.Parameters = append(op.Parameters, textParam("header", "If-Match", "The ETag of the record that the change is based on."))
		statuses = append(statuses, 412)
	}
	for _, status := range statuses {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + problemName(status)}
	}
	return op
}

// operationID is a name for generated clients: get-apps-appId-secrets.
func operationID(r *Route) string {
	parts := strings.FieldsFunc(strings.ToLower(r.Method)+"/"+strings.TrimPrefix(r.Path, prefix), func(c rune) bool { return c == '/' || c == '{' || c == '}' })
	return strings.Join(parts, "-")
}

// tag is the resource that a route is about: secrets of /developer/apps/{appId}/secrets.
func tag(r *Route) string {
	parts := strings.Split(strings.TrimPrefix(r.Path, prefix), "/")
	if len(parts) > 2 && parts[0] == "apps" {
		return parts[2]
	}
	return parts[0]
}

func textParam(in, name, about string) *huma.Param {
	return &huma.Param{Name: name, In: in, Description: about, Schema: &huma.Schema{Type: "string"}}
}
