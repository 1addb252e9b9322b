package partnerapi

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/apiversion"
	"daybook/internal/surface/wire"
)

// pipes is the mux that huma sees: whatever is registered gets the pipeline around it.
type pipes struct {
	*http.ServeMux
	api    *API
	routes map[string]*Route
}

// HandleFunc implements humago.Mux.
func (p pipes) HandleFunc(pattern string, judged func(http.ResponseWriter, *http.Request)) {
	p.api.patterns[pattern] = true
	p.ServeMux.HandleFunc(pattern, p.api.serve(p.routes[pattern], judged))
}

// register adds the routes to the mux and gives the OpenAPI document.
func (a *API) register(mux *http.ServeMux, routes []Route) func() []byte {
	p := pipes{mux, a, map[string]*Route{}}
	h := wire.NewREST(p, a.ServiceName+" API", apiversion.Latest().Name)
	a.introduce(h.OpenAPI())
	registry := h.OpenAPI().Components.Schemas
	nameTypes(registry)
	paths := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		p.routes[r.pattern()] = r
		r.verb.register(h, a.operation(r, registry))
		if r.Partner && !paths[r.Path] {
			paths[r.Path] = true
			mux.Handle("OPTIONS "+r.Path, a.preflight(routes, r.Path))
		}
	}
	a.schemas = registry
	describeEvents(h.OpenAPI())
	illustrate(h.OpenAPI())
	return wire.Describe(h)
}

// nameTypes tells huma what types of ours look like on the wire.
func nameTypes(r huma.Registry) {
	alias[record.Patch[string], *string](r)
	alias[record.Patch[int], *int](r)
	alias[record.Patch[ledger.AccountType], *string](r)
	alias[record.Patch[ledger.Subtype], *string](r)
	alias[record.Patch[tax.Kind], *string](r)
	alias[record.Patch[tax.Category], *string](r)
	alias[record.Patch[party.Type], *string](r)
	alias[record.Patch[payment.Method], *string](r)
	alias[record.Patch[[]newEntryLine], []newEntryLine](r)
	alias[record.Patch[[]newInvoiceLine], []newInvoiceLine](r)
	alias[record.Patch[addressPatch], *addressPatch](r)
}

func alias[T, As any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[As]())
}

// preflight tells a browser what pages of any origin may send. They have to bring a token: no cookie counts across origins.
func (a *API) preflight(routes []Route, path string) http.Handler {
	var methods []string
	for _, r := range routes {
		if r.Path == path && r.Partner {
			methods = append(methods, r.Method)
		}
	}
	allowed := strings.Join(methods, ", ")
	headers := strings.Join([]string{"Authorization", "Content-Type", "Idempotency-Key", "If-Match", a.ServiceName + "-Version"}, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", allowed)
		h.Set("Access-Control-Allow-Headers", headers)
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	})
}

// open are the paths outside of the table that read the Authorization header themselves, or do not care for it.
var open = []string{"/oauth/", "/.well-known/", "/healthz", "/readyz", "/openapi.json", "/docs", "/static/", "/dev/"}

// Divert takes requests with an access token away from everything that is not in the table: for apps it does not exist,
// whatever else is served there (CALL-04). It is for wire.Front.
func (a *API) Divert(r *http.Request, pattern string) http.Handler {
	if a.patterns[pattern] {
		return nil
	}
	if !wire.HasBearer(r) {
		if _, ok := standIn(r.Context()); !ok {
			return nil
		}
	}
	for _, path := range open {
		if pattern != "" && strings.HasPrefix(r.URL.Path, path) {
			return nil
		}
	}
	return a.serve(nil, nil)
}
