package partnerapi

import (
	"context"

	"daybook/internal/books/ledger"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

type meDoc struct {
	User         userDoc          `json:"user"`
	Business     businessDoc      `json:"business"`
	Installation *installationDoc `json:"installation" doc:"Null for a session."`
	Token        *tokenDoc        `json:"token" doc:"Null for a session."`
	APIVersion   string           `json:"apiVersion"`
	Role         string           `json:"role"`
	Permissions  []string         `json:"permissions" nullable:"false"`
}

type userDoc struct {
	ID          string `json:"id"`
	DisplayName string `json:"displayName"`
	Email       string `json:"email"`
	Locale      string `json:"locale"`
}

type installationDoc struct {
	ID            string   `json:"id"`
	GrantedScopes []string `json:"grantedScopes" nullable:"false"`
	InstalledAt   string   `json:"installedAt"`
}

type tokenDoc struct {
	Scopes    []string `json:"scopes" nullable:"false"`
	ExpiresAt string   `json:"expiresAt"`
}

func (a *API) meRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/me", Scopes: []scope.Scope{scope.ProfileRead}, Partner: true, Summary: "Which business is this, and what may I do?", verb: show(a.me)},
	}
}

func (a *API) me(ctx context.Context, c *call) (meDoc, error) {
	user, err := a.caller(ctx, c)
	if err != nil {
		return meDoc{}, err
	}
	b, facts, err := a.businessOf(ctx, c)
	if err != nil {
		return meDoc{}, err
	}
	doc := meDoc{
		User:     userDoc{user.ID, user.DisplayName, user.Email, user.Locale},
		Business: newBusinessDoc(b, facts), APIVersion: c.version, Role: string(c.access.Role), Permissions: words(c.access.Permissions),
	}
	if c.app == nil {
		return doc, nil
	}
	i, err := a.Installations.Get(ctx, c.by.BusinessID, c.userID(), c.app.InstallationID)
	if err != nil {
		return meDoc{}, err
	}
	doc.Installation = &installationDoc{i.ID, words(i.GrantedScopes), instant(i.InstalledAt)}
	doc.Token = &tokenDoc{words(c.app.Scopes), instant(c.app.ExpiresAt)}
	return doc, nil
}

// caller is the person who calls, or in whose name an app does.
func (a *API) caller(ctx context.Context, c *call) (identity.User, error) {
	if c.user != nil {
		return *c.user, nil
	}
	return a.Identity.Get(ctx, c.userID())
}

// businessOf reads the business of the call and what its books go by.
func (a *API) businessOf(ctx context.Context, c *call) (business.Business, ledger.Facts, error) {
	b, err := a.Businesses.Get(ctx, c.by.BusinessID)
	if err != nil {
		return b, ledger.Facts{}, err
	}
	facts, err := a.Ledger.Facts(ctx, c.by)
	return b, facts, err
}
