package partnerapi

import (
	"net/http"
	"net/textproto"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/report"
	"daybook/internal/books/tax"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

// API is the business endpoints.
type API struct {
	// ServiceName begins the version header: Daybook-Version.
	ServiceName string
	// BaseURL is the API's origin, without a trailing slash.
	BaseURL string
	Clock   clock.Clock
	Limits  limit.Limiter
	Cookie  wire.SessionCookie

	OAuth         *oauth.Service
	Identity      *identity.Service
	Businesses    *business.Service
	Installations *install.Service
	Idem          *idem.Service
	Ledger        *ledger.Service
	Taxes         *tax.Service
	Parties       *party.Service
	Invoices      *invoice.Service
	Payments      *payment.Service
	Imports       *bulk.Service
	Reports       *report.Service
	Events        *event.Feed
	AppData       *appdata.Service
	// Meter, if not nil, is told of every call that an app made.
	Meter Meter

	versionHeader string   // in the form in which net/http keeps it
	exposed       []string // the headers that pages of other origins may read
	challenge     string
	patterns      map[string]bool
	document      func() []byte
	schemas       huma.Registry
	shelf         *shelf
}

// Register adds the routes. A table with a mistake in it does not start.
func (a *API) Register(mux *http.ServeMux) {
	a.versionHeader = textproto.CanonicalMIMEHeaderKey(a.ServiceName + "-Version")
	a.exposed = []string{strings.Join([]string{"Request-Id", "Retry-After", "WWW-Authenticate", "ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
		a.ServiceName + "-Version", "Deprecation", "Sunset", "Link", "Idempotent-Replayed"}, ", ")}
	a.challenge = `Bearer realm="` + a.ServiceName + `", resource_metadata="` + a.BaseURL + `/.well-known/oauth-protected-resource"`
	a.patterns, a.shelf = map[string]bool{}, &shelf{}
	routes := a.Routes()
	if err := check(routes); err != nil {
		panic("partnerapi: " + err.Error())
	}
	a.document = a.register(mux, routes)
	mux.Handle("GET /openapi.json", wire.JSON(a.openAPI))
}

func (a *API) openAPI(w http.ResponseWriter, r *http.Request) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	wire.WriteText(w, http.StatusOK, a.document())
	return nil
}

// Refusal writes a refusal as this surface answers it, for idem to keep.
func Refusal(err error) idem.Answer {
	status, text := wire.Refusal(err)
	return idem.Answer{Status: status, Body: text}
}
