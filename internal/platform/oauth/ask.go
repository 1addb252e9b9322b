package oauth

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Ask is an authorization request as an app sends it through the browser.
type Ask struct {
	ClientID    string
	RedirectURI string
	Scopes      scope.Set
	State       *string // nil when absent: nothing is echoed then
	Challenge   string  // S256; empty without PKCE
	Resource    string
}

// The page messages of the contract, word for word.
const (
	MessageInvalidClient   = "Invalid client_id"
	MessageRedirectURI     = "redirect_uri does not match any registered URI"
	MessageScopes          = "Requested scopes not permitted for this client"
	MessagePKCE            = "PKCE is required for public clients"
	MessageRequestNotFound = "invalid_request: authorization request not found or expired"
)

// maxState bytes are echoed; more is refused rather than cut.
const maxState = 2048

// ParseAsk reads what must be known before the client is looked up: its id, and that no parameter is repeated. The message
// is empty when all is well. An empty value counts as absent (RFC 6749, 3.1); unknown parameters are ignored.
func ParseAsk(q url.Values) (clientID, message string) {
	for _, name := range []string{"client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method"} {
		if len(q[name]) > 1 {
			return "", "invalid_request: " + name + " must be sent at most once"
		}
	}
	for _, name := range []string{"request", "request_uri"} {
		if q.Get(name) != "" {
			return "", "invalid_request: " + name + " is not supported; send the parameters themselves"
		}
	}
	if q.Get("client_id") == "" {
		return "", "invalid_request: client_id is missing"
	}
	return q.Get("client_id"), ""
}

// CheckAsk judges the rest of a request against the app that sent it. The message is empty when all is well; nothing but
// approval and denial ever redirects, so every refusal is a page.
func CheckAsk(q url.Values, a app.App, apiOrigin string) (Ask, string) {
	ask := Ask{ClientID: a.ClientID, RedirectURI: q.Get("redirect_uri"), Challenge: q.Get("code_challenge")}
	method := q.Get("code_challenge_method")
	switch {
	case !a.Running():
		return ask, MessageInvalidClient
	case ask.RedirectURI == "":
		return ask, "invalid_request: redirect_uri is missing"
	case !slices.Contains(a.RedirectURIs, ask.RedirectURI) || app.CheckRedirectURI(ask.RedirectURI) != "":
		return ask, MessageRedirectURI
	case q.Get("response_type") == "":
		return ask, "invalid_request: response_type is missing; it must be code"
	case q.Get("response_type") != "code":
		return ask, "invalid_request: response_type must be code"
	case strings.TrimSpace(q.Get("scope")) == "":
		return ask, "invalid_request: scope is missing"
	case len(q.Get("state")) > maxState:
		return ask, "invalid_request: state must have at most 2048 bytes"
	case !utf8.ValidString(q.Get("state")) || strings.Contains(q.Get("state"), "\x00"):
		return ask, "invalid_request: state must be text" // what a store cannot keep cannot be echoed byte for byte
	}
	ask.Scopes = scope.Parse(q.Get("scope"))
	if !ask.Scopes.Within(a.Scopes) {
		return ask, MessageScopes
	}
	switch {
	case ask.Challenge == "" && a.ClientType == app.Public:
		return ask, MessagePKCE
	case ask.Challenge == "" && method != "":
		return ask, "invalid_request: code_challenge_method without a code_challenge"
	case ask.Challenge != "" && method != "S256":
		return ask, "invalid_request: code_challenge_method must be S256"
	case ask.Challenge != "" && !validChallenge(ask.Challenge):
		return ask, "invalid_request: code_challenge must be the base64url SHA-256 of the verifier, 43 characters"
	}
	resource, denial := CheckResource(q["resource"], apiOrigin)
	if denial != nil {
		return ask, denial.Code + ": " + denial.Description
	}
	ask.Resource = resource
	if q.Has("state") && q.Get("state") != "" {
		state := q.Get("state")
		ask.State = &state
	}
	return ask, ""
}

// Callback is where the browser goes with the answer: the registered address, its parameters, the state byte for byte, and
// who answers (RFC 9207).
func Callback(redirectURI, issuer string, state *string, answer url.Values) string {
	if state != nil {
		answer.Set("state", *state)
	}
	answer.Set("iss", issuer)
	return redirectURI + "?" + answer.Encode()
}
