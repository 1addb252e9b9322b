package pages

import (
	"net/http"
	"net/url"
	"strings"
)

// safeNext is where a person goes after signing in: a path on this host, else the home page. Anything a browser could
// read as another host would make us an open redirector (RFC 9700, 4.11).
func safeNext(next string) string {
	const home = "/"
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || len(next) > 4096 {
		return home
	}
	for _, c := range []byte(next) {
		if c <= ' ' || c >= 0x7f || c == '\\' { // browsers drop tabs and line breaks, and read \ as /
			return home
		}
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.HasPrefix(u.Path, "//") {
		return home
	}
	return next
}

// escapeNext is the address of the present page, for the sign-in page to return to.
func escapeNext(r *http.Request) string { return url.QueryEscape(r.URL.RequestURI()) }
