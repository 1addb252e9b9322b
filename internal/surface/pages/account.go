package pages

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

type accountView struct {
	Name, Email   string
	Operator      bool
	SignedInAt    time.Time
	Businesses    []accountBusiness
	Organizations []string
	// Done says what a form just did; the other two are what is wrong with a field of the password form.
	Done                   string
	WrongPresent, WrongNew string
}

type accountBusiness struct {
	ID, Name, Currency, Role string
	Sandbox, Current         bool
}

var accountPage = newPage[accountView]("account.html")

func (s *Site) account(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	var v accountView
	if r.URL.Query().Get("done") == "password" {
		v.Done = "Your password is changed. Everywhere else you are signed out."
	}
	return s.writeAccount(w, r, http.StatusOK, who, v)
}

func (s *Site) writeAccount(w http.ResponseWriter, r *http.Request, status int, who visitor, v accountView) error {
	memberships, err := s.Businesses.Of(r.Context(), who.user.ID)
	if err != nil {
		return err
	}
	organizations, err := s.Organizations.Of(r.Context(), who.user.ID)
	if err != nil {
		return err
	}
	v.Name, v.Email, v.Operator, v.SignedInAt = who.user.DisplayName, who.user.Email, who.user.Operator, who.session.CreatedAt
	current := business.Current(who.session, memberships)
	for _, m := range memberships {
		v.Businesses = append(v.Businesses, accountBusiness{
			ID: m.ID, Name: m.Name, Currency: m.Currency, Role: roleWord(m.Role), Sandbox: m.Sandbox(), Current: current.ID == m.ID,
		})
	}
	for _, o := range organizations {
		v.Organizations = append(v.Organizations, o.Name)
	}
	accountPage.write(w, r, s, status, frame{Title: "Your account", Visitor: who.user.DisplayName}, v)
	return nil
}

// roleWord is a role as people write it: Owner, not OWNER.
func roleWord(r business.Role) string { return string(r[:1]) + strings.ToLower(string(r[1:])) }

func (s *Site) switchBusiness(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	form, err := readForm(r)
	if err != nil {
		return err
	}
	if err := s.Businesses.Switch(r.Context(), who.session, form.Get("business")); err != nil {
		return err
	}
	to := "/account"
	if next := form.Get("next"); next != "" {
		to = safeNext(next)
	}
	seeOther(w, r, to)
	return nil
}

func (s *Site) changePassword(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	form, err := readForm(r)
	if err != nil {
		return err
	}
	marks := signInMarks(r, who.user.Email)
	if wait := s.Limits.Locked(r.Context(), marks...); wait > 0 {
		return errLocked.After(wait)
	}
	err = s.Identity.ChangePassword(r.Context(), who.session, who.user.Email, secret.Of(form.Get("password")), secret.Of(form.Get("newPassword")))
	if refusal := fault.From(err); refusal != nil {
		v := accountView{WrongNew: "The new password " + passwordHint(refusal)}
		if errors.Is(err, identity.ErrWrongCredentials) {
			s.Limits.Fail(r.Context(), marks...)
			v = accountView{WrongPresent: "The present password is not right."}
		}
		return s.writeAccount(w, r, wire.Status(err), who, v)
	}
	if err != nil {
		return err
	}
	seeOther(w, r, "/account?done=password")
	return nil
}

// passwordHint takes the member's name off a validation sentence.
func passwordHint(f *fault.Fault) string {
	if hint, ok := strings.CutPrefix(f.Text(), "newPassword "); ok {
		return hint + "."
	}
	return "was not accepted: " + f.Text()
}
