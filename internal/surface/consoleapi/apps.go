package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/organization"
)

// AppDoc is an app. Like all documents that are part of larger ones it is exported: huma describes no others there.
type AppDoc struct {
	ID               string   `json:"id"`
	AppID            string   `json:"appId" doc:"The same as id."`
	OrganizationID   string   `json:"organizationId"`
	Origin           string   `json:"origin" enum:"CONSOLE,REGISTRATION,DOCUMENT" doc:"Made here, registered by itself, or described by a metadata document."`
	Name             string   `json:"name"`
	Description      *string  `json:"description"`
	AppURL           *string  `json:"appUrl"`
	SupportEmail     *string  `json:"supportEmail"`
	PrivacyURL       *string  `json:"privacyUrl"`
	TermsURL         *string  `json:"termsUrl"`
	ClientID         string   `json:"clientId"`
	ClientType       string   `json:"clientType" enum:"CONFIDENTIAL,PUBLIC"`
	RedirectURIs     []string `json:"redirectUris" nullable:"false"`
	Scopes           []string `json:"scopes" nullable:"false"`
	Status           string   `json:"status" enum:"ACTIVE,DEACTIVATED,SUSPENDED"`
	DeactivatedAt    *string  `json:"deactivatedAt"`
	SuspendedAt      *string  `json:"suspendedAt"`
	SuspensionReason *string  `json:"suspensionReason"`
	ReviewStatus     string   `json:"reviewStatus" enum:"UNREVIEWED,APPROVED,REVOKED"`
	PinnedAPIVersion *string  `json:"pinnedApiVersion"`
	Version          int      `json:"version"`
	CreatedAt        string   `json:"createdAt"`
	UpdatedAt        string   `json:"updatedAt"`
}

func (d AppDoc) revision() int { return d.Version }

// newAppDoc shows an app to a member of its organization: it has one.
func newAppDoc(a app.App) AppDoc {
	return AppDoc{
		ID: a.ID, AppID: a.ID, OrganizationID: *a.OrganizationID, Origin: string(a.Origin), Name: a.Name, Description: a.Description, AppURL: a.AppURL,
		SupportEmail: a.SupportEmail, PrivacyURL: a.PrivacyURL, TermsURL: a.TermsURL, ClientID: a.ClientID, ClientType: string(a.ClientType),
		RedirectURIs: words(a.RedirectURIs), Scopes: words(a.Scopes), Status: string(a.Status()), DeactivatedAt: optionalInstant(a.DeactivatedAt),
		SuspendedAt: optionalInstant(a.SuspendedAt), SuspensionReason: a.SuspensionReason, ReviewStatus: string(a.ReviewStatus),
		PinnedAPIVersion: a.PinnedAPIVersion, Version: a.Version, CreatedAt: instant(a.CreatedAt), UpdatedAt: instant(a.UpdatedAt),
	}
}

type createdAppDoc struct {
	AppDoc
	ClientSecret *string `json:"clientSecret" doc:"Shown this once; null for a PUBLIC app."`
}

type newApp struct {
	Name         string   `json:"name" minLength:"1" maxLength:"50"`
	ClientType   string   `json:"clientType" enum:"CONFIDENTIAL,PUBLIC"`
	RedirectURIs []string `json:"redirectUris" nullable:"false" minItems:"1" maxItems:"10"`
	Scopes       []string `json:"scopes" nullable:"false" minItems:"1"`
	AppURL       *string  `json:"appUrl,omitempty"`
}

func (n newApp) asked() app.New {
	return app.New{Name: n.Name, ClientType: app.ClientType(n.ClientType), RedirectURIs: n.RedirectURIs, Scopes: scopesOf(n.Scopes), AppURL: n.AppURL}
}

func (n newApp) judge() error { return n.asked().Check() }

func scopesOf(names []string) scope.Set {
	return each(names, func(name string) scope.Scope { return scope.Scope(name) })
}

type appPatch struct {
	Name             record.Patch[string] `json:"name,omitempty" maxLength:"50"`
	Description      record.Patch[string] `json:"description,omitempty" maxLength:"500"`
	AppURL           record.Patch[string] `json:"appUrl,omitempty"`
	SupportEmail     record.Patch[string] `json:"supportEmail,omitempty"`
	PrivacyURL       record.Patch[string] `json:"privacyUrl,omitempty"`
	TermsURL         record.Patch[string] `json:"termsUrl,omitempty"`
	PinnedAPIVersion record.Patch[string] `json:"pinnedApiVersion,omitempty" doc:"One of those in use; null follows the newest."`
}

func (p appPatch) asked() app.DetailsPatch {
	return app.DetailsPatch{
		Name: given(p.Name), Description: nullable(p.Description), AppURL: nullable(p.AppURL), SupportEmail: nullable(p.SupportEmail),
		PrivacyURL: nullable(p.PrivacyURL), TermsURL: nullable(p.TermsURL), PinnedAPIVersion: nullable(p.PinnedAPIVersion),
	}
}

// nullable is what a member becomes that may be taken away; nil when it was not sent.
func nullable(p record.Patch[string]) **string {
	if !p.Set {
		return nil
	}
	value := p.Optional(nil)
	return &value
}

func (p appPatch) judge() error {
	if !p.Name.Null {
		return p.asked().Check()
	}
	p.Name = record.Patch[string]{}
	return wire.Merge(fault.InvalidFields("name must not be null"), p.asked().Check())
}

type redirectURIsBody struct {
	RedirectURIs []string `json:"redirectUris" nullable:"false" minItems:"1" maxItems:"10" doc:"https, or http on a loopback host; no wildcard, query or fragment."`
}

func (b redirectURIsBody) judge() error { return app.CheckRedirectURIs(b.RedirectURIs) }

type scopesBody struct {
	Scopes []string `json:"scopes" nullable:"false" minItems:"1"`
}

func (b scopesBody) judge() error { return app.CheckScopes(scopesOf(b.Scopes)) }

func (a *API) appRoutes() []Route {
	const one, build, govern = "/developer/apps/{appId}", organization.Build, organization.Govern
	return []Route{
		{Method: "GET", Path: "/developer/apps", Of: Organization, Summary: "List the organization's apps", verb: list(a.apps, newAppDoc)},
		{Method: "POST", Path: "/developer/apps", Of: Organization, Needs: build, Summary: "Create an app",
			About: "Answers the client id and, this once, the client secret.", verb: change(http.StatusCreated, newApp.judge, a.createApp)},
		{Method: "GET", Path: one, Summary: "Show an app", verb: show(a.showApp)},
		{Method: "PATCH", Path: one, Needs: build, Versioned: true, Summary: "Change an app", verb: change(http.StatusOK, appPatch.judge, a.changeApp)},
		{Method: "POST", Path: one + "/deactivate", Needs: govern, Versioned: true, Summary: "Switch an app off",
			About: "Tokens, grants and deliveries are refused at once. Nothing is deleted: reactivating restores them.", verb: act(http.StatusOK, a.deactivate)},
		{Method: "POST", Path: one + "/reactivate", Needs: govern, Versioned: true, Summary: "Switch an app on again",
			About: "A suspension is the operator's, and stays.", verb: act(http.StatusOK, a.reactivate)},
		{Method: "PUT", Path: one + "/redirect-uris", Needs: build, Versioned: true, Summary: "Replace the redirect URIs",
			verb: change(http.StatusOK, redirectURIsBody.judge, a.setRedirectURIs)},
		{Method: "PUT", Path: one + "/scopes", Needs: build, Versioned: true, Summary: "Replace the registered scopes",
			About: "A scope that is taken away is gone at once, for grants and deliveries; installations keep the rest.",
			verb:  change(http.StatusOK, scopesBody.judge, a.setScopes)},
	}
}

func (a *API) apps(ctx context.Context, c *call) ([]app.App, error) {
	return a.Apps.List(ctx, c.membership.ID, c.by())
}

func (a *API) createApp(ctx context.Context, c *call, body newApp) (createdAppDoc, error) {
	made, err := a.Apps.Create(ctx, c.membership.ID, c.by(), body.asked())
	if err != nil {
		return createdAppDoc{}, err
	}
	doc := createdAppDoc{AppDoc: newAppDoc(made.App)}
	if !made.ClientSecret.Empty() {
		value := made.ClientSecret.Reveal()
		doc.ClientSecret = &value
	}
	return doc, nil
}

func (a *API) showApp(_ context.Context, c *call) (AppDoc, error) { return newAppDoc(c.app), nil }

func (a *API) changeApp(ctx context.Context, c *call, body appPatch) (AppDoc, error) {
	if body.Name.Null {
		return AppDoc{}, body.judge()
	}
	return appAnswer(a.Apps.ChangeDetails(ctx, c.app.ID, c.by(), c.seen, body.asked()))
}

func appAnswer(one app.App, err error) (AppDoc, error) {
	if err != nil {
		return AppDoc{}, err
	}
	return newAppDoc(one), nil
}

func (a *API) deactivate(ctx context.Context, c *call) (AppDoc, error) {
	return appAnswer(a.Apps.Deactivate(ctx, c.app.ID, c.by(), c.seen))
}

func (a *API) reactivate(ctx context.Context, c *call) (AppDoc, error) {
	return appAnswer(a.Apps.Reactivate(ctx, c.app.ID, c.by(), c.seen))
}

func (a *API) setRedirectURIs(ctx context.Context, c *call, body redirectURIsBody) (AppDoc, error) {
	return appAnswer(a.Apps.SetRedirectURIs(ctx, c.app.ID, c.by(), c.seen, body.RedirectURIs))
}

func (a *API) setScopes(ctx context.Context, c *call, body scopesBody) (AppDoc, error) {
	return appAnswer(a.Apps.SetScopes(ctx, c.app.ID, c.by(), c.seen, scopesOf(body.Scopes)))
}
