package devapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// What /dev/tokens refuses beside the features' own refusals.
var (
	errAsk    = fault.New(fault.Invalid, "AUTHORIZATION_REFUSED", "The authorization request was refused: {0}")
	errDenied = fault.New(fault.Invalid, "GRANT_REFUSED", "The token endpoint would refuse: {0}")
)

// issueTokens gives a token in one call. It takes every step a browser and a client would: request, consent, code with
// PKCE, redemption, so whatever the platform refuses is refused here too.
func (a API) issueTokens(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		ClientID   string   `json:"clientId"`
		UserEmail  string   `json:"userEmail"`
		BusinessID string   `json:"businessId"`
		Scopes     []string `json:"scopes"`
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	ctx := r.Context()
	client, err := a.OAuth.Client(ctx, body.ClientID)
	if err != nil {
		return err
	}
	user, err := a.People.FindByEmail(ctx, body.UserEmail)
	if err != nil {
		return err
	}
	if body.BusinessID == "" {
		list, err := a.Businesses.With(ctx, user.ID, business.AppsConnect)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return business.ErrNotFound
		}
		body.BusinessID = list[0].ID
	}
	if body.Scopes == nil {
		body.Scopes = strings.Fields(client.Scopes.String())
	}
	verifier := secret.Random(64)
	challenge := sha256.Sum256([]byte(verifier))
	ask, message := oauth.CheckAsk(url.Values{
		"response_type": {"code"}, "client_id": {body.ClientID}, "redirect_uri": {client.RedirectURIs[0]}, "scope": {strings.Join(body.Scopes, " ")},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}, client, a.OAuth.Issuer)
	if message != "" {
		return errAsk.With(message)
	}
	const session = "development" // no browser holds this request
	handle, err := a.OAuth.Hold(ctx, client, ask, session)
	if err != nil {
		return err
	}
	target, err := a.OAuth.Decide(ctx, handle, oauth.Decision{Allow: true, BusinessID: body.BusinessID, UserID: user.ID, SessionID: session})
	if err != nil {
		return err
	}
	callback, err := url.Parse(target)
	if err != nil {
		return err
	}
	tokens, denial, _, err := a.OAuth.Redeem(ctx, oauth.Vouch(client), oauth.Redemption{
		Code: secret.Of(callback.Query().Get("code")), RedirectURI: client.RedirectURIs[0], Verifier: verifier,
	})
	if err != nil {
		return err
	}
	if denial != nil {
		return errDenied.With(denial.Code)
	}
	wire.WriteJSON(w, http.StatusOK, map[string]any{
		"access_token": tokens.Access.Reveal(), "token_type": "Bearer", "expires_in": int(oauth.AccessLife.Seconds()),
		"refresh_token": tokens.Refresh.Reveal(), "scope": tokens.Scopes.String(),
	})
	return nil
}
