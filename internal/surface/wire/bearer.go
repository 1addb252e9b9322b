package wire

import (
	"net/http"
	"strings"

	"daybook/internal/base/secret"
)

// HasBearer reports whether a request says that it carries an access token. Unlike cookies and passwords, a browser
// never sends one by itself.
func HasBearer(r *http.Request) bool {
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer")
}

// Bearer gives the access token of a request (RFC 6750, 2.1); empty when there is none, or more than one. What stands in
// the address or the body is no token.
func Bearer(r *http.Request) secret.Secret {
	if len(r.Header["Authorization"]) != 1 || !HasBearer(r) {
		return secret.Secret{}
	}
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return secret.Of(strings.TrimSpace(token))
}
