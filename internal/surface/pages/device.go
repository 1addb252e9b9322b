package pages

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

type deviceCodeView struct {
	UserCode string
	Error    string
}

type deviceView struct {
	UserCode   string
	App        appView
	Place      string
	AskedAt    time.Time
	Businesses []businessChoice
	Grants     []grantView
}

type deviceDoneView struct{ Allowed bool }

var (
	deviceCodePage = newPage[deviceCodeView]("device-code.html")
	devicePage     = newPage[deviceView]("device.html")
	deviceDonePage = newPage[deviceDoneView]("device-done.html")
)

// guessPlace bounds guesses per place, beside the exact count per person.
var guessPlace = limit.Rule{Name: "user-code-ip", Max: 30, Per: time.Minute}

// deviceForm asks for the code that a device shows. A code in the address only fills the field: nothing is approved, and
// nothing is looked up, before a person compared it and went on.
func (s *Site) deviceForm(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	s.writeDeviceCode(w, r, http.StatusOK, who, deviceCodeView{UserCode: shownCode(r.URL.Query().Get("user_code"))})
	return nil
}

// shownCode shows a well-formed code as the device does, and anything else not at all.
func shownCode(typed string) string {
	if code, ok := oauth.ParseUserCode(typed); ok {
		return oauth.ShowUserCode(code)
	}
	return ""
}

func (s *Site) writeDeviceCode(w http.ResponseWriter, r *http.Request, status int, who visitor, v deviceCodeView) {
	deviceCodePage.write(w, r, s, status, frame{Title: "Connect a device", Visitor: who.user.DisplayName}, v)
}

func (s *Site) device(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	form, err := readForm(r)
	if err != nil {
		return err
	}
	window := s.Limits.Take(r.Context(), limit.Hit{Rule: guessPlace, Key: wire.ClientKey(r.Context())})[0]
	if !window.Allowed {
		return oauth.ErrGuesses.After(window.Reset)
	}
	if form.Get("decision") == "" {
		return s.showDevice(w, r, who, form)
	}
	return s.decideDevice(w, r, who, form)
}

func (s *Site) showDevice(w http.ResponseWriter, r *http.Request, who visitor, form url.Values) error {
	waiting, err := s.OAuth.FindWaiting(r.Context(), form.Get("user_code"), who.user.ID)
	if errors.Is(err, oauth.ErrNoDevice) || errors.Is(err, oauth.ErrGuesses) {
		f := fault.From(err)
		wire.SetRetryAfter(w, f.RetryAfter)
		s.writeDeviceCode(w, r, wire.Status(err), who, deviceCodeView{UserCode: shownCode(form.Get("user_code")), Error: f.Text()})
		return nil
	}
	if err != nil {
		return err
	}
	described, choices, err := s.offer(w, r, who, waiting.App, waiting.Scopes)
	if err != nil || len(choices) == 0 {
		return err
	}
	devicePage.write(w, r, s, http.StatusOK, frame{Title: "Connect " + waiting.App.Name, Visitor: who.user.DisplayName}, deviceView{
		UserCode: waiting.UserCode, App: described, Place: waiting.Place, AskedAt: waiting.AskedAt, Businesses: choices, Grants: grants(waiting.Scopes.Entries()),
	})
	return nil
}

func (s *Site) decideDevice(w http.ResponseWriter, r *http.Request, who visitor, form url.Values) error {
	allow, err := readDecision(form)
	if err != nil {
		return err
	}
	d := oauth.Decision{Allow: allow, BusinessID: form.Get("business"), UserID: who.user.ID, SessionID: who.session.ID}
	if allow && d.BusinessID == "" { // the one they are signed into (DEVC-10)
		list, err := s.Businesses.Of(r.Context(), who.user.ID)
		if err != nil {
			return err
		}
		if current := business.Current(who.session, list); current != nil {
			d.BusinessID = current.ID
		}
	}
	err = s.OAuth.DecideDevice(r.Context(), form.Get("user_code"), d)
	switch {
	case errors.Is(err, install.ErrNotReviewed), errors.Is(err, install.ErrUnapproved):
		s.refuse(w, r, fault.From(err).Text())
		return nil
	case errors.Is(err, install.ErrAppNotActive):
		s.refuse(w, r, oauth.MessageInvalidClient)
		return nil
	case err != nil:
		return err
	}
	to := "/device/done?decision=deny"
	if allow {
		to = "/device/done?decision=allow"
	}
	seeOther(w, r, to)
	return nil
}

func (s *Site) deviceDone(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	allowed, title := r.URL.Query().Get("decision") == "allow", "Access denied"
	if allowed {
		title = "Your device is connected"
	}
	deviceDonePage.write(w, r, s, http.StatusOK, frame{Title: title, Visitor: who.user.DisplayName}, deviceDoneView{Allowed: allowed})
	return nil
}
