package authapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
	"daybook/internal/platform/app"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
)

// readObject reads one JSON object: member names exactly as written, none twice. (Go's decoder folds case and takes the
// last of two.)
func readObject(text []byte) (map[string]json.RawMessage, *refusal) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	wrong := badRequest("the body must be one JSON object, without repeated members")
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, wrong
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		key, isString := name.(string)
		if _, twice := members[key]; err != nil || !isString || twice {
			return nil, wrong
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil, wrong
		}
		members[key] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, wrong
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, wrong
	}
	return members, nil
}

// registration is the client metadata we understand (RFC 7591, 2); other members are ignored.
type registration struct {
	RedirectURIs []string
	AuthMethod   string
	GrantTypes   []string
	Responses    []string
	Scopes       scope.Set
	// texts are echoed: client_name, client_uri, logo_uri, policy_uri, tos_uri, software_id, software_version.
	texts map[string]string
}

const maxRegistered = 5 // redirect URIs

var (
	echoed      = []string{"client_name", "client_uri", "logo_uri", "policy_uri", "tos_uri", "software_id", "software_version"}
	authMethods = []string{"client_secret_basic", "client_secret_post", "none"}
	allGrants   = []string{grantCode, grantRefresh, grantDevice, grantExchange}
)

func badMetadata(what string) *refusal {
	return deny(&oauth.Denial{Code: oauth.CodeInvalidMetadata, Description: what})
}

func parseRegistration(text []byte) (registration, *refusal) {
	members, no := readObject(text)
	if no != nil {
		return registration{}, no
	}
	reg := registration{AuthMethod: "client_secret_basic", GrantTypes: []string{grantCode, grantRefresh}, Responses: []string{"code"},
		Scopes: scope.Of(scope.ProfileRead), texts: map[string]string{}}
	if no := checkRedirects(members["redirect_uris"], &reg.RedirectURIs); no != nil {
		return reg, no
	}
	var scopes string
	for _, m := range []struct {
		name string
		into any
	}{{"token_endpoint_auth_method", &reg.AuthMethod}, {"grant_types", &reg.GrantTypes}, {"response_types", &reg.Responses}, {"scope", &scopes}} {
		if raw, sent := members[m.name]; sent && json.Unmarshal(raw, m.into) != nil {
			return reg, badMetadata(m.name + " has the wrong type")
		}
	}
	for _, name := range echoed {
		var value string
		if raw, sent := members[name]; sent {
			if json.Unmarshal(raw, &value) != nil || len(value) > 2000 {
				return reg, badMetadata(name + " must be a string of at most 2000 bytes")
			}
			reg.texts[name] = value
		}
	}
	switch {
	case !slices.Contains(authMethods, reg.AuthMethod):
		return reg, badMetadata("token_endpoint_auth_method must be client_secret_basic, client_secret_post or none")
	case len(reg.GrantTypes) == 0 || slices.ContainsFunc(reg.GrantTypes, func(g string) bool { return !slices.Contains(allGrants, g) }):
		return reg, badMetadata("grant_types must be among those of the server's metadata")
	case slices.ContainsFunc(reg.Responses, func(t string) bool { return t != "code" }):
		return reg, badMetadata("response_types must be code")
	}
	if strings.TrimSpace(scopes) != "" {
		reg.Scopes = scope.Parse(scopes)
		if slices.ContainsFunc(reg.Scopes, func(s scope.Scope) bool { return !scope.Partner(s) }) {
			return reg, badMetadata("scope names a scope that apps may not register")
		}
	}
	return reg, nil
}

func checkRedirects(raw json.RawMessage, into *[]string) *refusal {
	wrong := func(what string) *refusal {
		return deny(&oauth.Denial{Code: oauth.CodeInvalidRedirectURI, Description: what})
	}
	if raw == nil || json.Unmarshal(raw, into) != nil || len(*into) < 1 || len(*into) > maxRegistered {
		return wrong("redirect_uris must be a list of 1 to 5 URIs")
	}
	for i, uri := range *into {
		if problem := app.CheckRedirectURI(uri); problem != "" {
			return wrong("a redirect URI " + problem)
		}
		if slices.Contains((*into)[:i], uri) {
			return wrong("a redirect URI is listed twice")
		}
	}
	return nil
}

// register makes a client that registered itself (RFC 7591). It is unreviewed and belongs to nobody: it connects only to
// sandboxes of whoever approves it.
func (a *API) register(w http.ResponseWriter, r *http.Request) error {
	if no := refused(a.Limits.Take(r.Context(), limit.Hit{Rule: registerRule, Key: wire.ClientKey(r.Context())})); no != nil {
		return no
	}
	if mediaType(r) != "application/json" {
		return badRequest("the body must be JSON: Content-Type application/json")
	}
	text, no := readBody(r)
	if no != nil {
		return no
	}
	reg, no := parseRegistration(text)
	if no != nil {
		return no
	}
	kind := app.Confidential
	if reg.AuthMethod == "none" {
		kind = app.Public
	}
	made, err := a.Apps.Register(r.Context(), app.New{
		Name: reg.texts["client_name"], ClientType: kind, RedirectURIs: reg.RedirectURIs, Scopes: reg.Scopes,
	})
	if f := fault.From(err); f != nil {
		return badMetadata(describe(f))
	}
	if err != nil {
		return err
	}
	answer := map[string]any{
		"client_id": made.ClientID, "client_id_issued_at": made.CreatedAt.Unix(), "client_name": made.Name, "redirect_uris": made.RedirectURIs,
		"token_endpoint_auth_method": reg.AuthMethod, "grant_types": reg.GrantTypes, "response_types": reg.Responses, "scope": made.Scopes.String(),
	}
	for name, value := range reg.texts {
		if name != "client_name" {
			answer[name] = value
		}
	}
	if kind == app.Confidential {
		answer["client_secret"] = made.ClientSecret.Reveal()
		answer["client_secret_expires_at"] = 0 // never
	}
	wire.WriteJSON(w, http.StatusCreated, answer)
	return nil
}

// describe brings a sentence into the characters a description may have (RFC 6749, 5.2).
func describe(f *fault.Fault) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
			return '\''
		}
		return r
	}, f.Text())
}
