// Package authapi serves OAuth on the API host: discovery, keys, token, revocation, introspection, device authorization
// and registration. It reads requests strictly, proves clients under limits and lockouts, and answers in OAuth's own
// error shape (OERR-01); what is granted is decided by platform/oauth.
package authapi
