package authapi

import (
	"encoding/json"
	"net/http"
	"net/url"

	"daybook/internal/platform/app"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
)

// revoke ends a token (RFC 7009). Without a client, holding the token suffices (REVO-05).
func (a *API) revoke(w http.ResponseWriter, r *http.Request) error {
	f, no := readForm(r)
	if no != nil {
		return no
	}
	c, no := readClaim(r, f.get("client_id"), f.get("client_secret"))
	if no != nil {
		return no
	}
	var owner *app.App
	if c.proof.ClientID == "" && !c.basic && !c.sentSecret() {
		if no := a.admit(r.Context(), revokeDoor, c); no != nil {
			return no
		}
	} else {
		client, err := a.prove(r, revokeDoor, c, a.OAuth.Prove)
		if err != nil {
			return err
		}
		owner = &client.App
	}
	if no := f.require("token"); no != nil {
		return no
	}
	if err := a.OAuth.Revoke(r.Context(), owner, f.secret("token")); err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, struct{}{})
	return nil
}

// introspect tells a client about its own token (RFC 7662). Credentials count only in the header.
func (a *API) introspect(w http.ResponseWriter, r *http.Request) error {
	f, no := readForm(r)
	if no != nil {
		return no
	}
	c, no := readClaim(r, "", "")
	if no != nil {
		return no
	}
	if no := a.admit(r.Context(), introspectDoor, c); no != nil {
		return no
	}
	in, failed, err := a.OAuth.Introspect(r.Context(), c.proof, f.secret("token"))
	if err != nil {
		return err
	}
	if failed {
		return a.fail(r.Context(), introspectDoor, c)
	}
	if no := f.require("token"); no != nil {
		return no
	}
	if !in.Active {
		wire.WriteJSON(w, http.StatusOK, map[string]bool{"active": false})
		return nil
	}
	wire.WriteJSON(w, http.StatusOK, struct {
		Active   bool   `json:"active"`
		Scope    string `json:"scope"`
		Exp      int64  `json:"exp"`
		ClientID string `json:"client_id"`
		Sub      string `json:"sub"`
	}{true, in.Scopes.String(), in.ExpiresAt.Unix(), in.ClientID, in.Subject})
	return nil
}

// deviceAuthorize mints a device code (RFC 8628, 3.1). The body is JSON or a form.
func (a *API) deviceAuthorize(w http.ResponseWriter, r *http.Request) error {
	f, no := readEither(r)
	if no != nil {
		return no
	}
	c, no := readClaim(r, f.get("client_id"), f.get("client_secret"))
	if no != nil {
		return no
	}
	client, err := a.prove(r, deviceDoor, c, a.OAuth.Prove)
	if err != nil {
		return err
	}
	if _, denial := oauth.CheckResource(f["resource"], a.BaseURL); denial != nil {
		return deny(denial)
	}
	start, denial, err := a.OAuth.StartDevice(r.Context(), client.App, f.scopes(), wire.ClientKey(r.Context()))
	if err != nil {
		return err
	}
	if denial != nil {
		return deny(denial)
	}
	page := a.AuthURL + "/device"
	wire.WriteJSON(w, http.StatusOK, struct {
		DeviceCode string `json:"device_code"`
		UserCode   string `json:"user_code"`
		Page       string `json:"verification_uri"`
		Complete   string `json:"verification_uri_complete"`
		ExpiresIn  int    `json:"expires_in"`
		Interval   int    `json:"interval"`
	}{start.DeviceCode.Reveal(), start.UserCode, page, page + "?user_code=" + url.QueryEscape(start.UserCode),
		int(oauth.DeviceLife.Seconds()), int(oauth.DeviceInterval.Seconds())})
	return nil
}

// readEither reads a form, or a JSON object of strings.
func readEither(r *http.Request) (form, *refusal) {
	if mediaType(r) != "application/json" {
		return readForm(r)
	}
	text, no := readBody(r)
	if no != nil {
		return nil, no
	}
	members, no := readObject(text)
	if no != nil {
		return nil, no
	}
	f := form{}
	for _, name := range []string{"client_id", "client_secret", "scope", "resource"} {
		raw, sent := members[name]
		if !sent || string(raw) == "null" {
			continue
		}
		var one string
		var many []string
		switch {
		case json.Unmarshal(raw, &one) == nil:
			f[name] = []string{one}
		case name == "resource" && json.Unmarshal(raw, &many) == nil:
			f[name] = many
		default:
			return nil, badRequest("%s must be a string", name)
		}
	}
	return f, nil
}

func (a *API) keys(w http.ResponseWriter, r *http.Request) error {
	set, err := a.OAuth.KeySet(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	wire.WriteJSON(w, http.StatusOK, map[string]any{"keys": set})
	return nil
}

// resource is the RFC 9728 document: which server gives tokens for this API. It lists no scopes on purpose: clients that
// find a list there ask people for all of it.
func (a *API) resource(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", "public, max-age=300")
	wire.WriteJSON(w, http.StatusOK, map[string]any{
		"resource": a.BaseURL, "authorization_servers": []string{a.BaseURL}, "bearer_methods_supported": []string{"header"},
	})
	return nil
}

// metadata is the RFC 8414 document (META-01…07). It is made of settings, never of the request's Host header.
func (a *API) metadata(w http.ResponseWriter, _ *http.Request) error {
	scopes := make([]scope.Scope, len(scope.Catalog))
	for i, e := range scope.Catalog {
		scopes[i] = e.Scope
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	wire.WriteJSON(w, http.StatusOK, map[string]any{
		"issuer":                                         a.BaseURL,
		"authorization_endpoint":                         a.AuthURL + "/oauth/authorize",
		"token_endpoint":                                 a.BaseURL + "/oauth/token",
		"device_authorization_endpoint":                  a.BaseURL + "/oauth/device/authorize",
		"registration_endpoint":                          a.BaseURL + "/oauth/register",
		"revocation_endpoint":                            a.BaseURL + "/oauth/revoke",
		"introspection_endpoint":                         a.BaseURL + "/oauth/introspect",
		"jwks_uri":                                       a.BaseURL + "/.well-known/jwks.json",
		"api_base_url":                                   a.BaseURL,
		"scopes_supported":                               scopes,
		"response_types_supported":                       []string{"code"},
		"grant_types_supported":                          []string{grantCode, grantRefresh, grantDevice, grantExchange},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"client_secret_basic", "client_secret_post", "none"},
		"revocation_endpoint_auth_methods_supported":     []string{"client_secret_basic", "client_secret_post", "none"},
		"introspection_endpoint_auth_methods_supported":  []string{"client_secret_basic"},
		"authorization_response_iss_parameter_supported": true,
		"client_id_metadata_document_supported":          true,
	})
	return nil
}
