package pages

import (
	"errors"
	"net/http"
	"net/url"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// authorize is where an app sends a person: the request is checked, held, and put before them on the consent page.
// Whatever is wrong with it is shown here and never redirects (AUTHZ-07).
func (s *Site) authorize(w http.ResponseWriter, r *http.Request) error {
	q, err := url.ParseQuery(r.URL.RawQuery) // Query() would drop what it cannot read, the app's state among it
	if err != nil {
		s.refuse(w, r, "invalid_request: the parameters are not valid form encoding")
		return nil
	}
	clientID, message := oauth.ParseAsk(q)
	if message != "" {
		s.refuse(w, r, message)
		return nil
	}
	known, err := s.OAuth.Resolve(r.Context(), clientID, wire.ClientKey(r.Context()))
	if err != nil {
		return err
	}
	client, err := s.OAuth.Client(r.Context(), clientID)
	if !known || errors.Is(err, app.ErrNotFound) {
		s.refuse(w, r, oauth.MessageInvalidClient)
		return nil
	}
	if err != nil {
		return err
	}
	ask, message := oauth.CheckAsk(q, client, s.APIOrigin)
	if message != "" {
		s.refuse(w, r, message)
		return nil
	}
	who, err := s.visitor(r)
	if err != nil {
		return err // signed out: sign in and come back here
	}
	handle, err := s.OAuth.Hold(r.Context(), client, ask, who.session.ID)
	if err != nil {
		return err
	}
	seeOther(w, r, "/oauth/consent?request="+url.QueryEscape(handle.Reveal()))
	return nil
}

// refuse shows one of the contract's messages. The person cannot mend it; the app's developer can.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, message string) {
	refusalPage.write(w, r, s, http.StatusBadRequest, frame{Title: "This app cannot connect"}, refusalView{
		Message: message, RequestID: wire.RequestID(r.Context()),
	})
}

type refusalView struct{ Message, RequestID string }

var refusalPage = newPage[refusalView]("refusal.html")

type consentView struct {
	Request    string
	App        appView
	ReturnTo   string // the host the person returns to
	Local      bool   // the app runs on the person's own computer
	Businesses []businessChoice
	Grants     []grantView
}

// appView is how people see an app.
type appView struct {
	Name      string
	Publisher string // empty: nobody vouches for it
	Reviewed  bool
	Host      string // of a client that is an address
}

type businessChoice struct {
	ID, Name, Currency string
	Sandbox, Current   bool
}

type grantView struct {
	Sentence string
	Writes   bool
}

var consentPage = newPage[consentView]("consent.html")

func (s *Site) consentForm(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	handle := r.URL.Query().Get("request")
	held, err := s.OAuth.Held(r.Context(), secret.Of(handle), who.session.ID)
	if err != nil {
		return err
	}
	if held == nil {
		s.refuse(w, r, oauth.MessageRequestNotFound)
		return nil
	}
	described, choices, err := s.offer(w, r, who, held.App, held.Scopes)
	if err != nil || len(choices) == 0 {
		return err
	}
	back, _ := url.Parse(held.RedirectURI) // checked when it was registered and again when it was asked for
	consentPage.writeFor(w, r, s, http.StatusOK, frame{Title: "Connect " + held.App.Name, Visitor: who.user.DisplayName}, consentView{
		Request: handle, App: described, ReturnTo: back.Host, Local: app.IsLoopback(back.Hostname()), Businesses: choices, Grants: grants(held.Scopes.Entries()),
	}, back.Scheme+"://"+back.Host)
	return nil
}

// offer is what a person may decide about an app: how it looks and where it may be connected. Without any choice, the page
// that says why is already written.
func (s *Site) offer(w http.ResponseWriter, r *http.Request, who visitor, a app.App, asked scope.Set) (appView, []businessChoice, error) {
	if !a.Running() {
		s.refuse(w, r, oauth.MessageInvalidClient)
		return appView{}, nil, nil
	}
	choices, err := s.choices(r, who, a, asked)
	if err != nil {
		return appView{}, nil, err
	}
	if len(choices) == 0 {
		s.refuseChoices(w, r, a, asked)
		return appView{}, nil, nil
	}
	described, err := s.describeApp(r, a)
	return described, choices, err
}

// refuseChoices says why there is no business to choose.
func (s *Site) refuseChoices(w http.ResponseWriter, r *http.Request, a app.App, asked scope.Set) {
	if a.ReviewStatus != app.Approved {
		s.refuse(w, r, install.ErrNotReviewed.Message)
		return
	}
	if late := a.Unapproved(asked); len(late) > 0 {
		s.refuse(w, r, install.ErrUnapproved.With(late.String()).Text())
		return
	}
	s.Fail(w, r, http.StatusForbidden, errNowhere)
}

var errNowhere = fault.New(fault.Forbidden, "NO_BUSINESS", "You belong to no business where you may connect apps. Ask an owner or admin of yours to do it, or to grant you apps.connect.")

// choices are the businesses a person may connect this app to.
func (s *Site) choices(r *http.Request, who visitor, a app.App, asked scope.Set) ([]businessChoice, error) {
	list, err := s.Businesses.With(r.Context(), who.user.ID, business.AppsConnect)
	if err != nil {
		return nil, err
	}
	current := business.Current(who.session, list)
	var out []businessChoice
	for _, m := range list {
		allowed, err := s.Installations.MayConnect(r.Context(), a, asked, m.Business, who.user.ID)
		if err != nil {
			return nil, err
		}
		if allowed {
			out = append(out, businessChoice{ID: m.ID, Name: m.Name, Currency: m.Currency, Sandbox: m.Sandbox(), Current: current.ID == m.ID})
		}
	}
	return out, nil
}

func (s *Site) describeApp(r *http.Request, a app.App) (appView, error) {
	v := appView{Name: a.Name, Reviewed: a.ReviewStatus == app.Approved}
	if a.Origin == app.Document {
		if u, err := url.Parse(a.ClientID); err == nil {
			v.Host = u.Host
		}
	}
	if a.OrganizationID == nil {
		return v, nil
	}
	var err error
	v.Publisher, err = s.Organizations.NameOf(r.Context(), *a.OrganizationID)
	return v, err
}

func (s *Site) consent(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	form, err := readForm(r)
	if err != nil {
		return err
	}
	allow, err := readDecision(form)
	if err != nil {
		return err
	}
	target, err := s.OAuth.Decide(r.Context(), secret.Of(form.Get("request")), oauth.Decision{
		Allow: allow, BusinessID: form.Get("business"), UserID: who.user.ID, SessionID: who.session.ID,
	})
	switch {
	case errors.Is(err, install.ErrNotReviewed), errors.Is(err, install.ErrUnapproved):
		s.refuse(w, r, fault.From(err).Text())
	case errors.Is(err, install.ErrAppNotActive):
		s.refuse(w, r, oauth.MessageInvalidClient)
	case errors.Is(err, install.ErrScopes):
		s.refuse(w, r, oauth.MessageScopes)
	case errors.Is(err, oauth.ErrRedirectURI):
		s.refuse(w, r, oauth.MessageRedirectURI)
	case err != nil:
		return err
	case target == "":
		s.refuse(w, r, oauth.MessageRequestNotFound)
	default:
		seeOther(w, r, target)
	}
	return nil
}

var errDecision = fault.New(fault.Invalid, "DECISION_REQUIRED", "Choose Allow or Deny. Go back and use one of the two buttons.")

func readDecision(form url.Values) (allow bool, err error) {
	switch form.Get("decision") {
	case "allow":
		return true, nil
	case "deny":
		return false, nil
	}
	return false, errDecision
}
