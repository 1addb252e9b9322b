package pages

import (
	"errors"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
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
}

// Register adds the pages.
func (s *Site) Register(mux *http.ServeMux) {
	mux.Handle("GET /{$}", s.page(s.home))
	mux.Handle("GET /sign-in", s.page(s.signInForm))
	mux.Handle("POST /sign-in", s.page(s.signIn))
	mux.Handle("POST /sign-out", s.page(s.signOut))
	mux.Handle("GET /account", s.page(s.account))
	mux.Handle("POST /account/password", s.page(s.changePassword))
	mux.Handle("POST /switch", s.page(s.switchBusiness))
	mux.HandleFunc("GET "+stylesheetPath, stylesheet)
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
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// Fail is how the app host refuses, whatever happened: a page.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, status int, err error) {
	v := failureView{RequestID: wire.RequestID(r.Context())}
	f := fault.From(err)
	if f == nil || status == http.StatusInternalServerError {
		wire.LogFailure(r, err)
		v.Title, v.Text = "Something went wrong", "The fault is on our side, and it has been logged. Try again; if it stays, tell the operator the number below."
	} else {
		v.Title, v.Text = titleOf(status), f.Text()
		wire.SetRetryAfter(w, f.RetryAfter)
	}
	failurePage.write(w, r, s, status, frame{Title: v.Title}, v)
}

type failureView struct{ Title, Text, RequestID string }

var failurePage = newPage[failureView]("failure.html")

func titleOf(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Page not found"
	case http.StatusForbidden:
		return "Not allowed"
	case http.StatusTooManyRequests:
		return "Too many tries"
	case http.StatusConflict, http.StatusPreconditionFailed:
		return "That did not work"
	case http.StatusServiceUnavailable:
		return "Not available right now"
	}
	return "This request could not be understood"
}

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

func (s *Site) home(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.visitor(r); err != nil {
		return err
	}
	seeOther(w, r, "/account")
	return nil
}
