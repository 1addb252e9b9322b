package pages

import (
	"net/http"
	"net/url"
	"strings"
)

// safeNext is where a person goes after signing in: a path on this host, else the home page. Anything a browser could
// read as another host would make us an open redirector (RFC 9700, 4.11). Our own paths have neither // nor @.
func safeNext(next string) string {
	const home = "/"
	path := next
	if end := strings.IndexAny(next, "?#"); end >= 0 {
		path = next[:end]
	}
	if !strings.HasPrefix(path, "/") || strings.Contains(path, "//") || strings.Contains(path, "@") || len(next) > maxNext {
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

// maxNext is more than an authorization request with all its parameters takes.
const maxNext = 16 << 10

// escapeNext is the address of the present page, for the sign-in page to return to.
func escapeNext(r *http.Request) string { return url.QueryEscape(r.URL.RequestURI()) }
