package authapi

import (
	"net/http"

	"daybook/internal/base/limit"
	"daybook/internal/platform/app"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
)

// API is the OAuth endpoints.
type API struct {
	OAuth  *oauth.Service
	Apps   *app.Service
	Limits limit.Limiter
	// BaseURL and AuthURL are the origins of the two hosts, without a trailing slash.
	BaseURL, AuthURL string
	// Realm names the service in challenges.
	Realm string
}

// Paths are the endpoints that browsers of other origins may call: PUBLIC clients run there (security row CO-1). They
// carry no cookie, so the cross-origin guard has nothing to protect.
var Paths = []string{"/oauth/token", "/oauth/revoke", "/oauth/device/authorize", "/oauth/register"}

// Register adds the routes.
func (a *API) Register(mux *http.ServeMux) {
	mux.Handle("GET /.well-known/oauth-authorization-server", open(wire.JSON(a.metadata)))
	mux.Handle("GET /.well-known/oauth-protected-resource", open(wire.JSON(a.resource)))
	mux.Handle("GET /.well-known/jwks.json", open(wire.JSON(a.keys)))
	mux.Handle("POST /oauth/token", open(a.endpoint(a.token)))
	mux.Handle("POST /oauth/revoke", open(a.endpoint(a.revoke)))
	mux.Handle("POST /oauth/introspect", a.endpoint(a.introspect))
	mux.Handle("POST /oauth/device/authorize", open(a.endpoint(a.deviceAuthorize)))
	mux.Handle("POST /oauth/register", open(a.endpoint(a.register)))
	for _, path := range append([]string{"/oauth/introspect"}, Paths...) {
		mux.Handle(path, a.endpoint(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Allow", http.MethodPost)
			no := badRequest("use POST")
			no.status = http.StatusMethodNotAllowed
			return no
		}))
	}
	for _, path := range Paths {
		mux.Handle("OPTIONS "+path, preflight(http.MethodPost, "Authorization, Content-Type, Idempotency-Key"))
	}
	for _, document := range []string{"oauth-authorization-server", "oauth-protected-resource", "jwks.json"} {
		mux.Handle("OPTIONS /.well-known/"+document, preflight(http.MethodGet, "MCP-Protocol-Version"))
	}
}

// open lets pages of any origin read the answer. Credentials are never allowed: only what the caller itself sends counts.
func open(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "Request-Id, Retry-After, WWW-Authenticate")
		next.ServeHTTP(w, r)
	})
}

// preflight tells a browser what it may send from a page of any origin.
func preflight(method, headers string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", method)
		h.Set("Access-Control-Allow-Headers", headers)
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	})
}
