package authapi

import (
	"net/http"
	"strings"

	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
)

// The grants.
const (
	grantCode     = "authorization_code"
	grantRefresh  = "refresh_token"
	grantDevice   = "urn:ietf:params:oauth:grant-type:device_code"
	grantExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
)

// The token types of an exchange (RFC 8693, 3).
const (
	typeJWT     = "urn:ietf:params:oauth:token-type:jwt"
	typeIDToken = "urn:ietf:params:oauth:token-type:id_token" // what some embedding libraries send
	typeAccess  = "urn:ietf:params:oauth:token-type:access_token"
)

// tokenBody is the token response.
type tokenBody struct {
	AccessToken     string `json:"access_token"`
	IssuedTokenType string `json:"issued_token_type,omitempty"`
	TokenType       string `json:"token_type"`
	ExpiresIn       int    `json:"expires_in"`
	RefreshToken    string `json:"refresh_token,omitempty"`
	Scope           string `json:"scope"`
}

func (a *API) token(w http.ResponseWriter, r *http.Request) error {
	f, no := readForm(r)
	if no != nil {
		return no
	}
	c, no := readClaim(r, f.get("client_id"), f.get("client_secret"))
	if no != nil {
		return no
	}
	prove := a.OAuth.Prove
	if grant := f.get("grant_type"); grant == grantCode || grant == grantRefresh {
		prove = a.OAuth.ProveForGrant
	}
	client, err := a.prove(r, tokenDoor, c, prove)
	if err != nil {
		return err
	}
	if c.sentSecret() {
		if no := refused(a.Limits.Take(r.Context(), limit.Hit{Rule: provenRule, Key: client.ID})); no != nil {
			return no
		}
	}
	grant, no := a.readGrant(r, f, client, c)
	if no != nil {
		return no
	}
	tokens, denial, failed, err := grant()
	if err != nil {
		return err
	}
	if failed {
		return a.fail(r.Context(), tokenDoor, c)
	}
	if denial != nil {
		return deny(denial)
	}
	answer := tokenBody{
		AccessToken: tokens.Access.Reveal(), TokenType: "Bearer", ExpiresIn: int(oauth.AccessLife.Seconds()),
		RefreshToken: tokens.Refresh.Reveal(), Scope: tokens.Scopes.String(),
	}
	if f.get("grant_type") == grantExchange {
		answer.IssuedTokenType = typeAccess
	}
	wire.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// grantFunc carries a grant out; failed means that the client lost its proof in this very moment.
type grantFunc func() (tokens oauth.Tokens, denial *oauth.Denial, failed bool, err error)

// readGrant reads the parameters of a grant and gives what carries it out.
func (a *API) readGrant(r *http.Request, f form, client oauth.Client, c claim) (grantFunc, *refusal) {
	if f.get("grant_type") == "" {
		return nil, badRequest("grant_type is missing")
	}
	if _, denial := oauth.CheckResource(f["resource"], a.BaseURL); denial != nil {
		return nil, deny(denial)
	}
	ctx := r.Context()
	switch f.get("grant_type") {
	case grantCode:
		if no := f.require("code", "redirect_uri"); no != nil {
			return nil, no
		}
		return func() (oauth.Tokens, *oauth.Denial, bool, error) {
			return a.OAuth.Redeem(ctx, client, oauth.Redemption{Code: f.secret("code"), RedirectURI: f.get("redirect_uri"), Verifier: f.get("code_verifier")})
		}, nil
	case grantRefresh:
		if no := f.require("refresh_token"); no != nil {
			return nil, no
		}
		return func() (oauth.Tokens, *oauth.Denial, bool, error) {
			return a.OAuth.Refresh(ctx, client, oauth.Renewal{
				Token: f.secret("refresh_token"), Scopes: f.scopes(), IdempotencyKey: secret.Of(r.Header.Get("Idempotency-Key")),
			})
		}, nil
	case grantDevice:
		if no := f.require("device_code"); no != nil {
			return nil, no
		}
		return proven(func() (oauth.Tokens, *oauth.Denial, error) {
			return a.OAuth.Poll(ctx, client.App, f.secret("device_code"))
		}), nil
	case grantExchange:
		return a.readExchange(r, f, client, c)
	}
	return nil, deny(&oauth.Denial{Code: oauth.CodeUnsupportedGrantType, Description: "grant_type must be authorization_code, refresh_token, device_code or token-exchange"})
}

func (a *API) readExchange(r *http.Request, f form, client oauth.Client, c claim) (grantFunc, *refusal) {
	if client.ClientType != app.Confidential {
		return nil, a.fail(r.Context(), tokenDoor, c) // EXCH-01
	}
	if no := f.require("subject_token", "subject_token_type"); no != nil {
		return nil, no
	}
	switch kind, wanted := f.get("subject_token_type"), f.get("requested_token_type"); {
	case kind != typeJWT && kind != typeIDToken:
		return nil, badRequest("subject_token_type must be %s", typeJWT)
	case wanted != "" && wanted != typeAccess:
		return nil, badRequest("requested_token_type must be %s", typeAccess)
	case f.get("actor_token") != "":
		return nil, badRequest("actor_token is not supported")
	}
	return proven(func() (oauth.Tokens, *oauth.Denial, error) {
		return a.OAuth.Exchange(r.Context(), client.App, f.secret("subject_token"), f.scopes())
	}), nil
}

// proven is a grant whose client is proven for certain.
func proven(grant func() (oauth.Tokens, *oauth.Denial, error)) grantFunc {
	return func() (oauth.Tokens, *oauth.Denial, bool, error) {
		tokens, denial, err := grant()
		return tokens, denial, false, err
	}
}

func (f form) require(names ...string) *refusal {
	for _, name := range names {
		if f.get(name) == "" {
			return badRequest("%s is missing", name)
		}
	}
	return nil
}

func (f form) secret(name string) secret.Secret { return secret.Of(f.get(name)) }

// scopes is nil when the parameter is absent.
func (f form) scopes() scope.Set {
	if strings.TrimSpace(f.get("scope")) == "" {
		return nil
	}
	return scope.Parse(f.get("scope"))
}
