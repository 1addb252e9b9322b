package wire

import (
	"net/http"

	"daybook/internal/base/secret"
)

// SessionCookie is the cookie that carries a session on both hosts.
type SessionCookie struct {
	// Secure: the app host is reached by https.
	Secure bool
	// Domain is the shared parent of both hosts; empty when they are the same host on two ports.
	Domain string
}

// Name has a prefix that makes browsers hold us to our own promises (RFC 6265bis 4.1.3): __Host- cannot be set by a
// sister domain, __Secure- not over http.
func (c SessionCookie) Name() string {
	switch {
	case c.Secure && c.Domain == "":
		return "__Host-daybook_session"
	case c.Secure:
		return "__Secure-daybook_session"
	}
	return "daybook_session"
}

// Read gives the session token of a request, empty without one.
func (c SessionCookie) Read(r *http.Request) secret.Secret {
	cookie, err := r.Cookie(c.Name())
	if err != nil {
		return secret.Secret{}
	}
	return secret.Of(cookie.Value)
}

// Set hands the token to the browser, for as long as the browser runs; the server decides when it ends.
func (c SessionCookie) Set(w http.ResponseWriter, token secret.Secret) {
	http.SetCookie(w, c.make(token.Reveal(), 0))
}

// Clear takes it back.
func (c SessionCookie) Clear(w http.ResponseWriter) { http.SetCookie(w, c.make("", -1)) }

func (c SessionCookie) make(value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: c.Name(), Value: value, Path: "/", Domain: c.Domain, MaxAge: maxAge,
		Secure: c.Secure, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}
