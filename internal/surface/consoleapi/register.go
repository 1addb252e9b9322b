package consoleapi

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
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
	p.ServeMux.HandleFunc(pattern, p.api.serve(p.routes[pattern], judged))
}

// registerConsole adds the table to the mux, and the document that describes it.
func (a *API) registerConsole(mux *http.ServeMux) {
	routes := a.Routes()
	if err := check(routes); err != nil {
		panic("consoleapi: " + err.Error())
	}
	p := pipes{mux, a, map[string]*Route{}}
	h := wire.NewREST(p, a.ServiceName+" developer console", consoleVersion)
	a.introduce(h.OpenAPI())
	registry := h.OpenAPI().Components.Schemas
	nameTypes(registry)
	for i := range routes {
		r := &routes[i]
		p.routes[r.pattern()] = r
		r.verb.register(h, a.operation(r, registry))
	}
	a.document = wire.Describe(h)
	mux.Handle("GET "+prefix+"openapi.json", wire.JSON(a.openAPI))
}

// nameTypes tells huma what types of ours look like on the wire.
func nameTypes(r huma.Registry) {
	alias[record.Patch[string], *string](r)
	alias[record.Patch[bool], *bool](r)
	alias[record.Patch[appdata.Visibility], *string](r)
	alias[record.Patch[appdata.RuleSet], map[string]any](r)
	alias[record.Patch[appdata.ResourceType], *string](r)
	alias[record.Patch[extension.Kind], *string](r)
	alias[record.Patch[eventNames], []string](r)
	alias[eventNames, []string](r)
	alias[record.Patch[assetIDs], []string](r)
	alias[record.Patch[languages], []string](r)
	alias[record.Patch[justifications], map[string]string](r)
	alias[record.Patch[pricingBody], *PricingDoc](r)
}

func alias[T, As any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[As]())
}

// openAPI shows the document to anyone: it tells nothing of anybody.
func (a *API) openAPI(w http.ResponseWriter, r *http.Request) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	wire.WriteText(w, http.StatusOK, a.document())
	return nil
}

// Document is the OpenAPI document of the console, as it is served.
func (a *API) Document() []byte { return a.document() }
