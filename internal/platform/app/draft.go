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
	n.RedirectURIs = checkRedirectURIs(&c, n.RedirectURIs)
	n.Scopes = checkScopes(&c, n.Scopes)
	n.AppURL = checkURL(&c, "appUrl", n.AppURL)
	return n, c.Err()
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
