package pages

import (
	"errors"
	"net/http"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

type signInView struct {
	Email string
	Next  string
	Error string
}

var signInPage = newPage[signInView]("sign-in.html")

// Failed sign-ins, per person and place and per place. The right password does not pass a lock.
var (
	lockPerson = limit.Lockout{Name: "sign-in", Max: 10, Per: time.Minute, For: time.Minute}
	lockPlace  = limit.Lockout{Name: "sign-in-ip", Max: 100, Per: time.Minute, For: time.Minute}
)

var errLocked = fault.New(fault.Limited, "SIGN_IN_LOCKED", "There were too many failed tries from here. Wait a minute, then try again.")

func (s *Site) signInForm(w http.ResponseWriter, r *http.Request) error {
	next := safeNext(r.URL.Query().Get("next"))
	if _, err := s.visitor(r); err == nil {
		seeOther(w, r, next)
		return nil
	} else if !errors.Is(err, identity.ErrNoSession) {
		return err
	}
	s.writeSignIn(w, r, http.StatusOK, signInView{Next: next})
	return nil
}

func (s *Site) writeSignIn(w http.ResponseWriter, r *http.Request, status int, v signInView) {
	signInPage.write(w, r, s, status, frame{Title: "Sign in"}, v)
}

// signInMarks are the keys under which a wrong password counts.
func signInMarks(r *http.Request, email string) []limit.Mark {
	place := wire.ClientKey(r.Context())
	return []limit.Mark{{Lockout: lockPerson, Key: place + " " + identity.EmailKey(email)}, {Lockout: lockPlace, Key: place}}
}

func (s *Site) signIn(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err != nil {
		return err
	}
	v := signInView{Email: form.Get("email"), Next: safeNext(form.Get("next"))}
	marks := signInMarks(r, v.Email)
	if wait := s.Limits.Locked(r.Context(), marks...); wait > 0 {
		return errLocked.After(wait)
	}
	before := s.Cookie.Read(r)
	proven, err := s.Identity.Prove(r.Context(), v.Email, secret.Of(form.Get("password")))
	// Proving takes time: guesses that were made at once must not all be judged.
	if wait := s.Limits.Locked(r.Context(), marks...); wait > 0 {
		return errLocked.After(wait)
	}
	switch {
	case errors.Is(err, identity.ErrWrongCredentials), errors.Is(err, identity.ErrSuspended):
		s.Limits.Fail(r.Context(), marks...)
		v.Error = fault.From(err).Text()
		s.writeSignIn(w, r, wire.Status(err), v)
		return nil
	case err != nil:
		return err
	}
	in, err := s.Identity.Open(r.Context(), proven, before)
	if err != nil {
		return err
	}
	s.Cookie.Set(w, in.Token)
	if !before.Empty() {
		forgetPages(w) // they may be another person's
	}
	seeOther(w, r, v.Next)
	return nil
}

func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	if token := s.Cookie.Read(r); !token.Empty() {
		if err := s.Identity.SignOut(r.Context(), token); err != nil {
			return err
		}
	}
	s.Cookie.Clear(w)
	forgetPages(w)
	seeOther(w, r, "/sign-in")
	return nil
}
