package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"daybook/internal/boot"
	"daybook/internal/boot/fixture"
	"daybook/internal/platform/app"
)

// facts is what a person or a script needs to use a development world.
type facts struct {
	BaseURL string      `json:"baseUrl"`
	AuthURL string      `json:"authUrl"`
	Now     string      `json:"now"`
	Users   []factsUser `json:"users"`
	Apps    []factsApp  `json:"apps"`
}

type factsUser struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Email          string          `json:"email"`
	Password       string          `json:"password"`
	Operator       bool            `json:"operator"`
	OrganizationID *string         `json:"organizationId"`
	Businesses     []factsBusiness `json:"businesses"`
}

type factsBusiness struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Role    string `json:"role"`
	Sandbox bool   `json:"sandbox"`
}

type factsApp struct {
	AppID          string   `json:"appId"`
	Name           string   `json:"name"`
	OrganizationID string   `json:"organizationId"`
	ClientID       string   `json:"clientId"`
	ClientSecret   *string  `json:"clientSecret"`
	ClientType     string   `json:"clientType"`
	RedirectURIs   []string `json:"redirectUris"`
	Scopes         []string `json:"scopes"`
	ReviewStatus   string   `json:"reviewStatus"`
}

func newFacts(c boot.Config, file fixture.File, world fixture.Result) facts {
	f := facts{BaseURL: c.BaseURL, AuthURL: c.AuthURL, Now: c.Clock.Now().Format(time.RFC3339)}
	for _, u := range file.Users {
		one := factsUser{ID: world.IDs["users"][u.Key], Name: u.Name, Email: u.Email, Password: u.Password, Operator: u.Operator, Businesses: []factsBusiness{}}
		for _, o := range file.Organizations {
			if _, ok := roleIn(o.Members, u.Key); ok && one.OrganizationID == nil {
				id := world.IDs["organizations"][o.Key]
				one.OrganizationID = &id
			}
		}
		for _, b := range file.Businesses {
			if role, ok := roleIn(b.Members, u.Key); ok {
				one.Businesses = append(one.Businesses, factsBusiness{world.IDs["businesses"][b.Key], b.Name, role, b.SandboxOf != ""})
			}
		}
		f.Users = append(f.Users, one)
	}
	for _, a := range file.Apps {
		one := factsApp{
			AppID: world.IDs["apps"][a.Key], Name: a.Name, OrganizationID: world.IDs["organizations"][a.Organization], ClientID: a.ClientID,
			ClientType: a.ClientType, RedirectURIs: a.RedirectURIs, Scopes: a.Scopes, ReviewStatus: a.Review,
		}
		if a.ClientType == string(app.Confidential) {
			one.ClientSecret = &a.ClientSecret
		}
		f.Apps = append(f.Apps, one)
	}
	return f
}

func roleIn(members []fixture.Member, user string) (string, bool) {
	for _, m := range members {
		if m.User == user {
			return m.Role, true
		}
	}
	return "", false
}

func (f facts) writeJSON(w io.Writer) {
	text, _ := json.Marshal(f) // strings and booleans always encode
	fmt.Fprintf(w, "%s\n", text)
}

func (f facts) writeSummary(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nDaybook is running, with a demo world. Stop it with Ctrl-C.\n\n")
	fmt.Fprintf(t, "  API host\t%s\n  App host\t%s\n  Clock\t%s\n", f.BaseURL, f.AuthURL, f.Now)
	fmt.Fprintf(t, "\nPeople\n")
	for _, u := range f.Users {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", u.Email, u.Password, u.what())
	}
	fmt.Fprintf(t, "\nApps\n")
	for _, a := range f.Apps {
		secret := "no secret"
		if a.ClientSecret != nil {
			secret = *a.ClientSecret
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", a.ClientID, secret, a.Name+", "+a.ClientType+", "+a.ReviewStatus)
	}
	_ = t.Flush()
	fmt.Fprintf(w, "\nAuthorize link (sign in as %s; your own program listens at the other end)\n  %s\n", f.mostBusinesses().Email, f.authorizeLink())
	owner := f.mostBusinesses()
	fmt.Fprintf(w, `
Try next
  1. Open the authorize link and allow it; then see what is connected at %s/apps
  2. A token in one call:
       curl -H 'Content-Type: application/json' %s/dev/tokens \
         -d '{"clientId":"%s","userEmail":"%s","businessId":"%s","scopes":["invoices:read"]}'
  3. Move time: curl -H 'Content-Type: application/json' %s/dev/clock -d '{"advance":"61m"}'

`, f.AuthURL, f.BaseURL, f.Apps[0].ClientID, owner.Email, owner.Businesses[0].ID, f.BaseURL)
}

// what says in a few words who a person is.
func (u factsUser) what() string {
	var parts []string
	if u.Operator {
		parts = append(parts, "operator of this service")
	}
	if u.OrganizationID != nil {
		parts = append(parts, "developer")
	}
	for _, b := range u.Businesses {
		parts = append(parts, strings.ToLower(b.Role)+" of "+b.Name)
	}
	return strings.Join(parts, ", ")
}

// mostBusinesses is the person with the most to see.
func (f facts) mostBusinesses() factsUser {
	best := f.Users[0]
	for _, u := range f.Users {
		if len(u.Businesses) > len(best.Businesses) {
			best = u
		}
	}
	return best
}

// authorizeLink is where the first app sends a person to connect their books.
func (f facts) authorizeLink() string {
	a := f.Apps[0]
	q := url.Values{
		"response_type": {"code"}, "client_id": {a.ClientID}, "redirect_uri": {a.RedirectURIs[0]},
		"scope": {"profile:read invoices:read"}, "state": {"demo"},
	}
	return f.AuthURL + "/oauth/authorize?" + q.Encode()
}
