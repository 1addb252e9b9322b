package app_test

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"

	"daybook/internal/platform/app"
)

// redirectTo is an https URI of n characters.
func redirectTo(n int) string {
	const start = "https://app.example/"
	return start + strings.Repeat("x", n-len(start))
}

var redirectURIs = []struct {
	name, uri string
	ok        bool
}{
	{"https", "https://app.example/callback", true},
	{"without a path", "https://app.example", true},
	{"with the bare path", "https://app.example/", true},
	{"with a port", "https://app.example:8443/cb", true},
	{"with the highest port", "https://app.example:65535/cb", true},
	{"with a port that cannot be", "https://app.example:65536/cb", false},
	{"an address instead of a name", "https://192.0.2.1/cb", true},
	{"an IPv6 address", "https://[2001:db8::1]:8443/cb", true},
	{"a name in punycode", "https://xn--bcher-kva.example/cb", true},
	{"a percent-encoded path", "https://app.example/a%20b%2Fc", true},
	{"double slashes in the path", "https://app.example//evil.example/cb", true},
	{"a path with an @ and a colon", "https://app.example/@user:x", true},
	{"512 characters", redirectTo(512), true},
	{"513 characters", redirectTo(513), false},

	{"loopback by name", "http://localhost/cb", true},
	{"loopback by name, with a port", "http://localhost:3000/cb", true},
	{"loopback by name, in capitals", "http://LOCALHOST/cb", true},
	{"loopback by number", "http://127.0.0.1:8080/cb", true},
	{"another address of the loopback network", "http://127.0.0.2/cb", true},
	{"the last address of the loopback network", "http://127.255.255.255/cb", true},
	{"the address before the loopback network", "http://126.255.255.255/cb", false},
	{"the address behind the loopback network", "http://128.0.0.0/cb", false},
	{"loopback in IPv6", "http://[::1]/cb", true},
	{"loopback in IPv6, with a port", "http://[::1]:8080/cb", true},
	{"loopback in IPv6, written out", "http://[0:0:0:0:0:0:0:1]/cb", true},
	{"https on loopback", "https://localhost/cb", true},
	// Neither form is in RFC 8252, 7.3, nor in what the check promises, and browsers do not agree about them.
	{"loopback of IPv4 inside IPv6", "http://[::ffff:127.0.0.1]/cb", false},
	{"loopback with a zone", "http://[::1%25lo]/cb", false},

	{"http", "http://app.example/cb", false},
	{"a name that begins like loopback", "http://localhost.evil/cb", false},
	{"a name that begins like a loopback address", "http://127.0.0.1.evil.com/cb", false},
	{"a name that ends like loopback", "http://evil.localhost/cb", false},
	{"loopback with a final dot", "http://localhost./cb", false},
	{"loopback with an encoded dot behind it", "http://localhost%2eevil/cb", false},
	{"loopback with an encoded zero behind it", "http://localhost%00.evil/cb", false},
	{"loopback as a user of somebody else", "http://localhost@evil.example/cb", false},
	{"a loopback port as a password", "http://localhost:80@evil.example/cb", false},
	{"loopback with three numbers less", "http://127.1/cb", false},
	{"loopback as one number", "http://2130706433/cb", false},
	{"loopback in hexadecimal", "http://0x7f000001/cb", false},
	{"loopback in octal", "http://0177.0.0.1/cb", false},
	{"any address", "http://0.0.0.0/cb", false},
	{"any address in IPv6", "http://[::]/cb", false},
	{"a private address", "http://10.0.0.1/cb", false},
	{"a link-local address", "http://169.254.169.254/cb", false},
	{"a link-local address in IPv6", "http://[fe80::1]/cb", false},

	{"nothing", "", false},
	{"no scheme", "app.example/cb", false},
	{"no scheme but slashes", "//app.example/cb", false},
	{"only a path", "/cb", false},
	{"one slash", "https:/app.example/cb", false},
	{"no slash", "https:app.example/cb", false},
	{"no host", "https:///cb", false},
	{"no host but a port", "https://:443/cb", false},
	{"an empty port", "https://app.example:/cb", false},
	{"a port that is no number", "https://app.example:https/cb", false},
	{"a script", "javascript:alert(1)", false},
	{"a script that looks like an address", "javascript://app.example/%0aalert(1)", false},
	{"a document", "data:text/html,hello", false},
	{"a scheme of its own", "com.example.app:/cb", false},
	{"a scheme of its own with slashes", "com.example.app://cb", false},
	{"another scheme", "ftp://app.example/cb", false},
	{"another scheme on loopback", "ws://localhost/cb", false},

	{"a query", "https://app.example/cb?a=b", false},
	{"an empty query", "https://app.example/cb?", false},
	{"a fragment", "https://app.example/cb#top", false},
	{"an empty fragment", "https://app.example/cb#", false},
	{"a wildcard for a name", "https://*.example/cb", false},
	{"a wildcard in the path", "https://app.example/*", false},
	{"a user", "https://user@app.example/cb", false},
	{"a user and a password", "https://user:password@app.example/cb", false},
	{"an empty user", "https://@app.example/cb", false},
	{"a backslash that browsers take for a slash", `https://app.example\@evil.example/cb`, false},
	{"backslashes", `https:\\app.example\cb`, false},
	{"a space", "https://app.example/a b", false},
	{"a space around it", " https://app.example/cb", false},
	{"a tab", "https://app.example/\tcb", false},
	{"a line break", "https://app.example/cb\r\nSet-Cookie: a=b", false},
	{"a zero byte", "https://app.example/\x00", false},
	{"a delete character", "https://app.example/\x7f", false},
	{"letters beyond ASCII in the name", "https://bücher.example/cb", false},
	{"letters beyond ASCII in the path", "https://app.example/ü", false},
	{"bytes that are no text", "https://app.example/\xff", false},
	{"half an IPv6 address", "https://[::1/cb", false},
	{"an escape that is none", "https://app.example/%zz", false},

	// The host is repeated in the consent page's form-action: it must not end a directive or begin another source.
	{"a semicolon in the host", "https://app.example;script-src/cb", false},
	{"a comma in the host", "https://app.example,evil.example/cb", false},
	{"a quote in the host", "https://'self'/cb", false},
	{"a double quote in the host", `https://app".example/cb`, false},
	{"angle brackets in the host", "https://<b>.example/cb", false},
	{"an encoded percent sign in the host", "https://app%25.example/cb", false},
	{"an encoded letter beyond ASCII in the host", "https://b%C3%BCcher.example/cb", false},
	// RFC 3986 has these in no URI; a browser encodes them, and the string compared is no longer the string sent.
	{"a double quote in the path", `https://app.example/"x`, false},
	{"angle brackets in the path", "https://app.example/<b>", false},
	{"a bar in the path", "https://app.example/a|b", false},
	{"curly brackets in the path", "https://app.example/{id}", false},
	{"a backquote and a caret in the path", "https://app.example/`^", false},
}

func TestREGI02RedirectURIs(t *testing.T) {
	for _, c := range redirectURIs {
		t.Run("REGI-02 "+c.name, func(t *testing.T) {
			if wrong := app.CheckRedirectURI(c.uri); (wrong == "") != c.ok {
				t.Errorf("%q: %q", c.uri, wrong)
			}
		})
	}
}

func TestHowManyRedirectURIsAnAppHas(t *testing.T) {
	list := func(n int) []string {
		uris := make([]string, n)
		for i := range uris {
			uris[i] = fmt.Sprintf("https://app.example/%d", i)
		}
		return uris
	}
	for _, c := range []struct {
		name     string
		uris     []string
		offences string
	}{
		{"none", nil, "redirectUris"},
		{"one", list(1), ""},
		{"10", list(10), ""},
		{"11", list(11), "redirectUris"},
		{"one twice", []string{"https://app.example/a", "https://app.example/b", "https://app.example/a"}, "redirectUris.2"},
		{"two that differ in a final slash", []string{"https://app.example/a", "https://app.example/a/"}, ""},
		{"some that are wrong", []string{"https://app.example/a", "http://app.example/b", "https://app.example/c", "#"}, "redirectUris.1 redirectUris.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := least()
			n.RedirectURIs = c.uris
			if got := offences(judge(n)); got != c.offences {
				t.Errorf("complains about %q, want %q", got, c.offences)
			}
		})
	}
}

// FuzzRedirectURI holds whatever the check lets through to the rule itself, told by another parser of addresses.
func FuzzRedirectURI(f *testing.F) {
	for _, c := range redirectURIs {
		f.Add(c.uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if app.CheckRedirectURI(uri) != "" {
			return
		}
		u, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		loopback := strings.EqualFold(u.Hostname(), "localhost") || net.ParseIP(u.Hostname()).IsLoopback()
		if u.Scheme != "https" && (u.Scheme != "http" || !loopback) {
			t.Errorf("%q is neither https nor on loopback", uri)
		}
		if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.ContainsAny(uri, "?#*\\") {
			t.Errorf("%q has a query, a fragment, a wildcard or a backslash", uri)
		}
		if u.User != nil || u.Opaque != "" || u.Hostname() == "" || strings.ContainsAny(u.Host, "@;,'\"<>() ") {
			t.Errorf("%q has no plain host", uri)
		}
		if len(uri) > 512 || strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("%q is too long, or no plain ASCII", uri)
		}
	})
}
