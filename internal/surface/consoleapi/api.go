package consoleapi

import (
	"context"
	"net/http"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/audit"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/function"
	"daybook/internal/platform/install"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/usage"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// API is the session calls.
type API struct {
	// ServiceName and BaseURL, the API's origin, are told by the document of the console.
	ServiceName, BaseURL string
	Clock                clock.Clock

	Cookie        wire.SessionCookie
	Identity      *identity.Service
	Organizations *organization.Service
	Businesses    *business.Service
	Apps          *app.Service
	Installations *install.Service
	Listings      *listing.Service
	Assets        *asset.Service
	AppData       *appdata.Service
	Extensions    *extension.Service
	Webhooks      *webhook.Service
	Functions     *function.Service
	OAuth         *oauth.Service
	Tally         *tally.Service
	Usage         *usage.Meter
	Sandboxes     *sandbox.Service
	Limits        limit.Limiter
	Requests      *reqlog.Log
	Audit         *audit.Log
	// Health tells operators how the node is doing.
	Health func(context.Context) (wire.Condition, error)

	document func() []byte
}

// Register adds the routes.
func (a *API) Register(mux *http.ServeMux) {
	mux.Handle("GET /installations", a.inBusiness(a.listInstallations))
	mux.Handle("DELETE /installations/{id}", a.inBusiness(a.uninstall))
	mux.Handle("POST /installations/{id}/revoke-access", a.inBusiness(a.revokeAccess))
	mux.Handle("POST /embedded/session-token", a.inBusiness(a.sessionToken))
	a.registerConsole(mux)
	a.registerOperator(mux)
}

// caller is the signed-in person and the business the session works in.
type caller struct {
	session  identity.Session
	user     identity.User
	business business.Business
}

// inBusiness serves a handler for a signed-in member of a business.
func (a *API) inBusiness(h func(w http.ResponseWriter, r *http.Request, who caller) error) http.Handler {
	return wire.JSON(func(w http.ResponseWriter, r *http.Request) error {
		who, err := a.caller(r.Context(), r)
		if err != nil {
			return err
		}
		return h(w, r, who)
	})
}

// signedIn finds out whose session it is. The address is counted first, so that guessing sessions is not free.
func (a *API) signedIn(ctx context.Context, r *http.Request) (identity.Session, identity.User, error) {
	token := a.Cookie.Read(r)
	if !token.Empty() {
		if err := wire.CountAddress(ctx, a.Limits); err != nil {
			return identity.Session{}, identity.User{}, err
		}
	}
	return a.Identity.Authenticate(ctx, token)
}

func (a *API) caller(ctx context.Context, r *http.Request) (caller, error) {
	session, user, err := a.signedIn(ctx, r)
	if err != nil {
		return caller{}, err
	}
	list, err := a.Businesses.Of(ctx, user.ID)
	if err != nil {
		return caller{}, err
	}
	current := business.Current(session, list)
	if current == nil {
		return caller{}, business.ErrNotFound
	}
	return caller{session, user, current.Business}, nil
}

type installationBody struct {
	ID            string   `json:"id"`
	AppID         string   `json:"appId"`
	ClientID      string   `json:"clientId"`
	AppName       string   `json:"appName"`
	BusinessID    string   `json:"businessId"`
	Status        string   `json:"status"`
	GrantedScopes []string `json:"grantedScopes"`
	InstalledAt   string   `json:"installedAt"`
	LastUsedAt    *string  `json:"lastUsedAt"`
}

func (a *API) listInstallations(w http.ResponseWriter, r *http.Request, who caller) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	list, err := a.Installations.List(r.Context(), who.business.ID, who.user.ID)
	if err != nil {
		return err
	}
	data := []installationBody{}
	for _, i := range list {
		one, err := a.Apps.Show(r.Context(), i.AppID)
		if err != nil {
			return err
		}
		b := installationBody{
			ID: i.ID, AppID: i.AppID, ClientID: one.ClientID, AppName: one.Name, BusinessID: i.BusinessID, Status: string(i.Status),
			GrantedScopes: []string{}, InstalledAt: instant(i.InstalledAt),
		}
		for _, s := range i.GrantedScopes {
			b.GrantedScopes = append(b.GrantedScopes, string(s))
		}
		if i.LastUsedAt != nil {
			at := instant(*i.LastUsedAt)
			b.LastUsedAt = &at
		}
		data = append(data, b)
	}
	wire.WriteJSON(w, http.StatusOK, map[string]any{"data": data})
	return nil
}

// instant is how REST writes a time: UTC, milliseconds, Z.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (a *API) uninstall(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := a.Installations.Uninstall(r.Context(), who.business.ID, who.user.ID, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *API) revokeAccess(w http.ResponseWriter, r *http.Request, who caller) error {
	if err := a.Installations.RevokeAccess(r.Context(), who.business.ID, who.user.ID, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// sessionToken signs a token for an embedded app's page (EXCH-02).
func (a *API) sessionToken(w http.ResponseWriter, r *http.Request, who caller) error {
	var body struct {
		ClientID     string  `json:"clientId"`
		BusinessID   *string `json:"businessId"`
		ExtensionID  *string `json:"extensionId"`
		ResourceType *string `json:"resourceType"`
		ResourceID   *string `json:"resourceId"`
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	e := oauth.Embedding{ClientID: body.ClientID, BusinessID: who.business.ID, UserID: who.user.ID, SessionID: who.session.ID, Locale: who.user.Locale}
	if body.BusinessID != nil {
		e.BusinessID = *body.BusinessID
	}
	if body.ExtensionID != nil {
		e.ExtensionID = *body.ExtensionID
	}
	if body.ResourceType != nil || body.ResourceID != nil {
		e.Resource = &oauth.SessionRes{}
		if body.ResourceType != nil {
			e.Resource.Type = *body.ResourceType
		}
		if body.ResourceID != nil {
			e.Resource.ID = *body.ResourceID
		}
	}
	token, err := a.OAuth.IssueSessionToken(r.Context(), e)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, map[string]any{"sessionToken": token.Reveal(), "expiresIn": int(oauth.SessionTokenLife.Seconds())})
	return nil
}
