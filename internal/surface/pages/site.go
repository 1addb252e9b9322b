package pages

import (
	"context"
	"errors"
	"net/http"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/report"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	picture "daybook/internal/platform/asset"
	"daybook/internal/platform/audit"
	"daybook/internal/platform/event"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/function"
	"daybook/internal/platform/install"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/usage"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// Site is the app host.
type Site struct {
	// Name of the service, in titles and in the corner.
	Name          string
	Cookie        wire.SessionCookie
	Limits        limit.Limiter
	Identity      *identity.Service
	Organizations *organization.Service
	Businesses    *business.Service
	Apps          *app.Service
	Installations *install.Service
	OAuth         *oauth.Service
	// APIOrigin is what a resource indicator must name.
	APIOrigin string
	// What the developer console shows besides.
	Clock      clock.Clock
	AppData    *appdata.Service
	Extensions *extension.Service
	Webhooks   *webhook.Service
	Functions  *function.Service
	Tally      *tally.Service
	Usage      *usage.Meter
	Requests   *reqlog.Log
	Sandboxes  *sandbox.Service
	// What the pages of a business show besides.
	Ledger   *ledger.Service
	Parties  *party.Service
	Invoices *invoice.Service
	Payments *payment.Service
	Reports  *report.Service
	Events   *event.Feed
	// The marketplace, and what is made and reviewed for it.
	Listings *listing.Service
	Assets   *picture.Service
	// What the pages of operators show besides.
	Audit  *audit.Log
	Health func(context.Context) (wire.Condition, error)
}

// Register adds the pages.
func (s *Site) Register(mux *http.ServeMux) {
	mux.Handle("GET /sign-in", s.page(s.signInForm))
	mux.Handle("POST /sign-in", s.page(s.signIn))
	mux.Handle("POST /sign-out", s.page(s.signOut))
	mux.Handle("GET /account", s.page(s.account))
	mux.Handle("POST /account/password", s.page(s.changePassword))
	mux.Handle("POST /switch", s.page(s.switchBusiness))
	mux.Handle("GET /oauth/authorize", s.page(s.authorize))
	mux.Handle("GET /oauth/consent", s.page(s.consentForm))
	mux.Handle("POST /oauth/consent", s.page(s.consent))
	mux.Handle("GET /device", s.page(s.deviceForm))
	mux.Handle("POST /device", s.page(s.device))
	mux.Handle("GET /device/done", s.page(s.deviceDone))
	mux.Handle("GET /apps", s.deskPage("", s.connected))
	mux.Handle("POST /apps/{id}/uninstall", s.page(s.uninstall))
	mux.Handle("POST /apps/{id}/revoke-access", s.page(s.revokeAccess))
	mux.HandleFunc("GET /favicon.ico", favicon)
	s.registerMarket(mux)
	s.registerBusiness(mux)
	s.registerConsole(mux)
	s.registerOperator(mux)
	stylesheet.register(mux)
	mark.register(mux)
}

// page serves a Handler whose errors are pages. Someone who is not signed in is sent to sign in, and back.
func (s *Site) page(h wire.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		switch {
		case err == nil:
		case errors.Is(err, identity.ErrNoSession) && r.Method == http.MethodGet:
			seeOther(w, r, "/sign-in?next="+escapeNext(r))
		case errors.Is(err, identity.ErrNoSession):
			seeOther(w, r, "/sign-in") // what was posted is not repeated behind somebody's back
		default:
			s.Fail(w, r, wire.Status(err), err)
		}
	})
}

// seeOther answers a form, or moves on. 303 makes the browser GET the next page and drop what it posted
// (RFC 9700, 4.12).
func seeOther(w http.ResponseWriter, r *http.Request, to string) {
	setHeaders(w.Header())
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// forgetPages makes the browser drop the pages it keeps for its back button: no-store does not reach those.
func forgetPages(w http.ResponseWriter) { w.Header().Set("Clear-Site-Data", `"cache"`) }

// visitor is the signed-in person behind a request.
type visitor struct {
	session identity.Session
	user    identity.User
}

// visitor is identity.ErrNoSession for someone who is not signed in.
func (s *Site) visitor(r *http.Request) (visitor, error) {
	session, user, err := s.Identity.Authenticate(r.Context(), s.Cookie.Read(r))
	return visitor{session, user}, err
}
