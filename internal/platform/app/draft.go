package app

import (
	"strconv"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/scope"
)

// New is what it takes to create an app in the console.
type New struct {
	Name         string
	ClientType   ClientType
	RedirectURIs []string
	Scopes       scope.Set
	AppURL       *string
}

// Check says what is wrong with the members.
func (n New) Check() error {
	_, err := n.check()
	return err
}

func (n New) check() (New, error) {
	var c fault.Check
	n.Name = checkName(&c, n.Name)
	c.Require(n.ClientType == Confidential || n.ClientType == Public, "clientType", "must be CONFIDENTIAL or PUBLIC")
	uris, scopes := checkRedirectURIs(n.RedirectURIs), checkScopes(n.Scopes)
	n.Scopes = scope.Of(n.Scopes...)
	n.AppURL = checkURL(&c, "appUrl", n.AppURL)
	return n, refusal(c, uris, scopes)
}

// Details are the members a developer may change at any time. All of them are written: read, change, write back.
type Details struct {
	Name             string
	Description      *string
	AppURL           *string
	SupportEmail     *string
	PrivacyURL       *string
	TermsURL         *string
	PinnedAPIVersion *string
}

// Details of the app as they are.
func (a App) Details() Details {
	return Details{a.Name, a.Description, a.AppURL, a.SupportEmail, a.PrivacyURL, a.TermsURL, a.PinnedAPIVersion}
}

// DetailsPatch changes some details; nil leaves a member as it is.
type DetailsPatch struct {
	Name                                                                      *string
	Description, AppURL, SupportEmail, PrivacyURL, TermsURL, PinnedAPIVersion **string
}

// Check says what is wrong with the members, as far as that does not depend on the app.
func (p DetailsPatch) Check() error {
	_, err := p.onto(Details{Name: "App"}).check()
	return err
}

func (p DetailsPatch) onto(d Details) Details {
	if p.Name != nil {
		d.Name = *p.Name
	}
	for _, m := range []struct{ from, to **string }{
		{p.Description, &d.Description}, {p.AppURL, &d.AppURL}, {p.SupportEmail, &d.SupportEmail}, {p.PrivacyURL, &d.PrivacyURL}, {p.TermsURL, &d.TermsURL},
		{p.PinnedAPIVersion, &d.PinnedAPIVersion},
	} {
		if m.from != nil {
			*m.to = *m.from
		}
	}
	return d
}

// setDetails writes checked details into the app. What a metadata document says is changed there.
func (a *App) setDetails(d Details, now time.Time) error {
	if a.Origin == Document && d.Name != a.Name {
		return ErrDescribed.With(a.ClientID)
	}
	if err := checkPin(d.PinnedAPIVersion, a.PinnedAPIVersion, now); err != nil {
		return err
	}
	a.Name, a.Description, a.AppURL, a.SupportEmail = d.Name, d.Description, d.AppURL, d.SupportEmail
	a.PrivacyURL, a.TermsURL, a.PinnedAPIVersion = d.PrivacyURL, d.TermsURL, d.PinnedAPIVersion
	return nil
}

func (d Details) check() (Details, error) {
	var c fault.Check
	d.Name = checkName(&c, d.Name)
	d.Description = text.Optional(&c, "description", d.Description, 500)
	d.AppURL = checkURL(&c, "appUrl", d.AppURL)
	d.SupportEmail = checkEmail(&c, "supportEmail", d.SupportEmail)
	d.PrivacyURL = checkURL(&c, "privacyUrl", d.PrivacyURL)
	d.TermsURL = checkURL(&c, "termsUrl", d.TermsURL)
	return d, c.Err()
}

// checkPin lets an app pin a version that is in use; one it has already stays even past its sunset, so that other
// members can still be changed.
func checkPin(pin, present *string, now time.Time) error {
	if pin == nil || present != nil && *pin == *present || apiversion.Usable(*pin, now) {
		return nil
	}
	return ErrVersion.With(*pin)
}

func path(member string, i int) string { return member + "." + strconv.Itoa(i) }
