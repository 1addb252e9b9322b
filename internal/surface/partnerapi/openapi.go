package partnerapi

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/books/record"
	"daybook/internal/platform/scope"
)

// errorDoc is the standard error shape, for the document.
type errorDoc struct {
	StatusCode int            `json:"statusCode"`
	Message    any            `json:"message" doc:"A sentence for people, or an array of them for validation failures, each beginning with the member's path."`
	Error      string         `json:"error" doc:"The name of the HTTP status."`
	Code       string         `json:"code,omitempty" doc:"The word to branch on; absent for validation failures."`
	Params     map[string]any `json:"params,omitempty" doc:"The values that the message interpolates: p0, p1…"`
	Details    any            `json:"details,omitempty"`
	Results    []importedDoc  `json:"results,omitempty" doc:"Of a rejected import: what became of each row."`
}

// introduce describes what all routes share.
func (a *API) introduce(o *huma.OpenAPI) {
	o.Info.Description = "The books of a business. Amounts are whole minor units of the currency; quantities, prices, percentages and rates are decimal strings; instants are UTC, dates are the business's own."
	o.Servers = []*huma.Server{{URL: a.BaseURL}}
	scopes := map[string]string{}
	for _, e := range scope.Catalog {
		if scope.Partner(e.Scope) {
			scopes[string(e.Scope)] = e.Sentence
		}
	}
	o.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"oauth": {Type: "oauth2", Description: "An access token, sent as Authorization: Bearer. GET /.well-known/oauth-authorization-server tells where the authorization page is.",
			Flows: &huma.OAuthFlows{AuthorizationCode: &huma.OAuthFlow{
				AuthorizationURL: a.BaseURL + "/.well-known/oauth-authorization-server", TokenURL: a.BaseURL + "/oauth/token", Scopes: scopes}}},
		"session": {Type: "apiKey", In: "cookie", Name: a.Cookie.Name(), Description: "The session of a person on our own pages."},
	}
	o.Components.Responses = map[string]*huma.Response{}
	schema := o.Components.Schemas.Schema(typeOf[errorDoc](), true, "")
	for status, about := range problems {
		o.Components.Responses[problemName(status)] = &huma.Response{Description: about, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
}

// problems are what any call may be refused with.
var problems = map[int]string{
	400: "The request is wrong: a validation failure with an array of messages, or a rule of the books with a code.",
	401: "No valid access token.",
	403: "Not open to apps, a missing scope, a missing permission, or a ceiling of the plan.",
	404: "No such record in this business.",
	409: "The state of the record does not permit it.",
	412: "The record has another version than If-Match says.",
	413: "The body is too large.",
	415: "The body is not JSON.",
	422: "The Idempotency-Key was used for another request.",
	429: "A limit is used up; Retry-After says how long to wait.",
	500: "Something went wrong on our side.",
}

func problemName(status int) string { return "Problem" + strconv.Itoa(status) }

var placeholders = regexp.MustCompile(`\{(\w+)\}`)

// operation describes a route.
func (a *API) operation(r *Route, schemas huma.Registry) huma.Operation {
	op := huma.Operation{
		OperationID: operationID(r), Method: r.Method, Path: r.Path, Summary: r.Summary, Tags: []string{strings.Split(r.Path, "/")[1]},
		DefaultStatus: r.verb.status, MaxBodyBytes: -1, BodyReadTimeout: -1, SkipValidateParams: true, // all done before
		Responses: map[string]*huma.Response{},
	}
	for _, name := range placeholders.FindAllStringSubmatch(r.Path, -1) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name[1], In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
	}
	op.Parameters = append(op.Parameters, listParams(r.verb.list)...)
	for _, p := range r.Params {
		op.Parameters = append(op.Parameters, queryParam(p.Name, p.About))
	}
	ok := &huma.Response{Description: http.StatusText(r.verb.status)}
	if r.verb.doc != nil {
		ok.Content = map[string]*huma.MediaType{"application/json": {Schema: schemas.Schema(r.verb.doc, true, op.OperationID+"Answer")}}
	}
	if r.verb.media != "" {
		ok.Content = map[string]*huma.MediaType{r.verb.media: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}
	}
	op.Responses[strconv.Itoa(r.verb.status)] = ok
	refer := func(statuses ...int) {
		for _, status := range statuses {
			op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + problemName(status)}
		}
	}
	refer(400, 429, 500)
	if r.Public {
		return op
	}
	refer(401, 403, 404)
	op.Security = []map[string][]string{{"session": {}}}
	if r.Partner {
		op.Security = []map[string][]string{{"oauth": words(r.Scopes)}, {"session": {}}}
	}
	if len(r.OneOf) > 0 {
		op.Security = append(oneOf(r.OneOf), op.Security[1:]...)
	}
	if r.AppsOnly != nil {
		op.Security = op.Security[:len(op.Security)-1]
	}
	op.Description = r.About
	if r.Permission != "" {
		op.Description = "The person needs the permission " + string(r.Permission) + "."
	}
	op.Parameters = append(op.Parameters, headerParam(a.ServiceName+"-Version", "The API version; by default the app's pinned one, else the newest."))
	if r.writes() {
		op.Parameters = append(op.Parameters,
			headerParam("Idempotency-Key", "Names the request: sent again within 24 hours it gets the same answer and nothing happens twice."),
			headerParam("If-Match", "The ETag of the record that the change is based on."))
		refer(409, 412, 413, 415, 422)
	}
	return op
}

// oneOf are several ways in, each by one scope.
func oneOf(scopes []scope.Scope) []map[string][]string {
	var ways []map[string][]string
	for _, s := range scopes {
		ways = append(ways, map[string][]string{"oauth": {string(s)}})
	}
	return ways
}

// operationID is a name for generated clients: get-invoices-id-lines.
func operationID(r *Route) string {
	words := strings.FieldsFunc(strings.ToLower(r.Method)+r.Path, func(c rune) bool { return c == '/' || c == '{' || c == '}' })
	return strings.Join(words, "-")
}

func queryParam(name, about string) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: about, Schema: &huma.Schema{Type: "string"}}
}

func headerParam(name, about string) *huma.Param {
	return &huma.Param{Name: name, In: "header", Description: about, Schema: &huma.Schema{Type: "string"}}
}

// listParams describes what a list takes, from the table that judges it.
func listParams(l *record.List) []*huma.Param {
	if l == nil {
		return nil
	}
	about := map[string]string{
		"limit":        "How many records a page has: 1 to 100, by default 50.",
		"cursor":       "nextCursor of the page before.",
		"sort":         "One of " + sorts(l) + "; with a leading - descending.",
		"ids":          "Up to 50 ids, separated by commas.",
		"updatedSince": "Only what changed at or after this instant.",
		"externalId":   "Only the record that the calling app calls so.",
	}
	for _, f := range l.Filters {
		about[f.Name] = filterAbout(f)
	}
	var params []*huma.Param
	for _, name := range l.Parameters() {
		params = append(params, queryParam(name, about[name]))
	}
	return params
}

func sorts(l *record.List) string {
	var names []string
	for _, s := range l.Sorts {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

func filterAbout(f record.Filter) string {
	form := map[record.Form]string{record.Text: "a text", record.Date: "a date", record.Amount: "an amount in minor units"}[f.Form]
	switch f.Match {
	case record.Flag:
		return "true or false."
	case record.Search:
		return "The beginning of a name, at least 2 characters."
	case record.From:
		return "Not below: " + form + "."
	case record.To:
		return "Not above: " + form + "."
	}
	if len(f.Values) > 0 {
		return "Any of " + strings.Join(f.Values, ", ") + ", separated by commas."
	}
	return "Equal to " + form + ", or any of several, separated by commas."
}
