package app

import (
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/platform/scope"
)

const (
	// MaxRedirectURIs an app may register in the console. Dynamic registration takes 5 (REGI-02).
	MaxRedirectURIs = 10
	maxURI          = 512
	maxURL          = 2000
)

// CheckRedirectURI says what is wrong with a redirect URI, "" if nothing: https, or http on a loopback host; no
// wildcard, query, fragment or user info; at most 512 characters. Later it is compared as a plain string
// (RFC 9700, 4.1.3), so nothing is normalised here.
func CheckRedirectURI(uri string) string {
	switch {
	case uri == "":
		return "must not be empty"
	case len(uri) > maxURI:
		return "must have at most 512 characters"
	case strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "must hold only printable ASCII characters, percent-encoded where needed"
	case strings.Contains(uri, "*"):
		return "must not contain a wildcard"
	case strings.Contains(uri, "#"):
		return "must not have a fragment"
	case strings.Contains(uri, "?"):
		return "must not have a query"
	case strings.Contains(uri, `\`):
		return "must not contain a backslash"
	case strings.ContainsAny(uri, "\"<>^`{|}"):
		return "must hold only characters of a URI, the others percent-encoded"
	}
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return "must be an absolute URI such as https://app.example/callback"
	}
	if u.User != nil {
		return "must not contain user info"
	}
	host := u.Hostname()
	if !plainHost(host) || strings.HasSuffix(u.Host, ":") {
		return "must name a host"
	}
	if port := u.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "must have a port up to 65535"
		}
	}
	if u.Scheme == "https" || u.Scheme == "http" && IsLoopback(host) {
		return ""
	}
	return "must be https (http is allowed for loopback hosts only)"
}

// IsLoopback reports whether host is this machine: 127.0.0.0/8, ::1 or localhost. Names are never resolved.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() && !ip.Is4In6() && ip.Zone() == ""
}

// plainHost is a name or an address, without what could mean something where the host is repeated (CSP, headers).
func plainHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	return host != "" && !strings.ContainsFunc(host, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._", r))
	})
}

// verdict is what is wrong with a list, and with entries of it, for which there is a code.
type verdict struct {
	list, entries fault.Check
	code          *fault.Fault
}

// refusal puts what was found into one. Where the entries of one list are all that is wrong, it has their code; else it is a
// validation failure that names everything.
func refusal(c fault.Check, verdicts ...verdict) error {
	all := fieldsOf(c.Err())
	plain := len(all) > 0
	var coded []error
	for _, v := range verdicts {
		list, entries := fieldsOf(v.list.Err()), fieldsOf(v.entries.Err())
		plain = plain || len(list) > 0
		if len(entries) > 0 {
			coded = append(coded, v.code.With(strings.Join(entries, "; ")))
		}
		all = slices.Concat(all, list, entries)
	}
	switch {
	case len(all) == 0:
		return nil
	case !plain && len(coded) == 1:
		return coded[0]
	}
	return fault.InvalidFields(all...)
}

func fieldsOf(err error) []string {
	if f := fault.From(err); f != nil {
		return f.Fields
	}
	return nil
}

// CheckRedirectURIs says what is wrong with a list of redirect URIs.
func CheckRedirectURIs(uris []string) error { return refusal(fault.Check{}, checkRedirectURIs(uris)) }

func checkRedirectURIs(uris []string) verdict {
	v := verdict{code: ErrRedirectURI}
	v.list.Require(len(uris) >= 1 && len(uris) <= MaxRedirectURIs, "redirectUris", "must be a list of 1 to %d URIs", MaxRedirectURIs)
	if len(uris) > MaxRedirectURIs {
		return v // an answer must not outgrow what it answers
	}
	seen := map[string]bool{}
	for i, uri := range uris {
		if wrong := CheckRedirectURI(uri); wrong != "" {
			v.entries.Add(path("redirectUris", i), "%s", wrong)
		}
		v.entries.Require(!seen[uri], path("redirectUris", i), "must not be listed twice")
		seen[uri] = true
	}
	return v
}

// CheckScopes says what is wrong with a list of scopes.
func CheckScopes(scopes scope.Set) error { return refusal(fault.Check{}, checkScopes(scopes)) }

func checkScopes(scopes scope.Set) verdict {
	v := verdict{code: ErrUnknownScope}
	v.list.Require(len(scopes) > 0, "scopes", "must name at least one scope, for example profile:read")
	for i, s := range scopes {
		v.entries.Require(scope.Partner(s), path("scopes", i), "%q is not a scope that apps may register", clip(string(s)))
	}
	return v
}

// clip keeps a stranger's text short.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// reserved words would let an app pass for the service itself on the consent page.
var reserved = []string{"daybook", "official", "verified"}

// checkName refuses names made to deceive: invisible characters, mixed scripts, the service's own name.
func checkName(c *fault.Check, name string) string {
	name = text.Line(c, "name", name, 1, 50)
	scripts := map[string]bool{}
	for _, r := range name {
		if unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) || r == '\u2800' {
			c.Add("name", "must not contain invisible characters")
			break
		}
		for _, s := range []string{"Latin", "Cyrillic", "Greek"} { // the three that hold look-alikes
			if unicode.Is(unicode.Scripts[s], r) {
				scripts[s] = true
			}
		}
	}
	c.Require(len(scripts) <= 1, "name", "must not mix alphabets")
	for _, word := range reserved {
		if strings.Contains(strings.ToLower(norm.NFKC.String(name)), word) {
			c.Add("name", "must not contain %q, which would make the app look like part of the service", word)
		}
	}
	return name
}

func checkURL(c *fault.Check, at string, value *string) *string {
	value = text.Optional(c, at, value, maxURL)
	if value == nil {
		return nil
	}
	u, err := url.Parse(*value)
	secure := err == nil && (u.Scheme == "https" || u.Scheme == "http" && IsLoopback(u.Hostname()))
	c.Require(secure && u.Host != "" && u.User == nil && !strings.ContainsAny(*value, `\ `), at, "must be an https address")
	return value
}

func checkEmail(c *fault.Check, at string, value *string) *string {
	value = text.Optional(c, at, value, 254)
	if value == nil {
		return nil
	}
	address, err := mail.ParseAddress(*value)
	c.Require(err == nil && address.Address == *value, at, "must be an e-mail address")
	return value
}
