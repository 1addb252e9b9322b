package extension

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPath is how long a path may be, in characters.
const maxPath = 1000

// Home is where our own pages and calls live. A frame from there could act as the page around it, or be sent the session of the person
// who looks at it; so nothing from there is framed.
type Home struct {
	// Origins are those of our hosts.
	Origins []string
	// Hosts are names that browsers send our session to, whatever the port; Domains are names below which they do.
	Hosts, Domains []string
}

// NewHome is the home of hosts at these addresses, with every port of theirs.
func NewHome(hosts ...*url.URL) Home {
	var h Home
	for _, u := range hosts {
		if origin, wrong := originOf(u); wrong == "" {
			h.Origins = append(h.Origins, origin)
		}
		if host, ok := plainHost(u.Hostname()); ok {
			h.Hosts = append(h.Hosts, strings.TrimSuffix(host, "."))
		}
	}
	return h
}

// Address is where an extension leads: an absolute address, and its origin as browsers write it.
type Address struct{ URL, Origin string }

// Resolve works out where a path leads, by the rules of a browser (RFC 3986, 5.2), and says what is wrong with it, "" if nothing. The
// answer is put into a page and a content policy as it is; so of two ways to read something the path takes neither.
func Resolve(appURL *string, path string, home Home) (Address, string) {
	if wrong := checkPath(path); wrong != "" {
		return Address{}, wrong
	}
	if appURL == nil {
		return Address{}, "the app has no App URL that it could be relative to: set one in the app's settings first"
	}
	base, err := url.Parse(*appURL)
	if err != nil {
		return Address{}, "the App URL cannot be read"
	}
	origin, wrong := originOf(base)
	if wrong != "" {
		return Address{}, "the App URL " + wrong
	}
	if home.covers(origin, base.Hostname()) {
		return Address{}, "the App URL is on this service's own host, which is never shown in a frame"
	}
	to, err := base.Parse(path)
	if err != nil {
		return Address{}, "it cannot be read as a relative address"
	}
	// Browsers read any number of slashes at the beginning as two.
	if there, wrong := originOf(to); wrong != "" || there != origin || strings.HasPrefix(path, "///") {
		return Address{}, "it leads away from the App URL's origin, " + origin
	}
	return Address{URL: origin + tail(to), Origin: origin}, ""
}

// checkPath says what is wrong with the characters of a path.
func checkPath(path string) string {
	switch {
	case !utf8.ValidString(path):
		return "it is not UTF-8"
	case utf8.RuneCountInString(path) > maxPath:
		return "it has more than " + strconv.Itoa(maxPath) + " characters"
	case strings.Contains(path, `\`):
		return "it has a backslash"
	case strings.ContainsFunc(path, unicode.IsSpace):
		return "it has a space"
	case strings.ContainsFunc(path, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }):
		return "it has a control character"
	}
	return ""
}

// originOf is the origin of an http or https address, as browsers write it: small letters, no default port. It takes only hosts that every
// reader takes for the same: names of plain letters, and addresses in their one usual form.
func originOf(u *url.URL) (origin, wrong string) {
	if u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "" {
		return "", "must be an http or https address"
	}
	if u.User != nil {
		return "", "must not contain user info"
	}
	host, ok := plainHost(u.Hostname())
	if !ok {
		return "", "must name a plain host, such as app.example"
	}
	port := u.Port()
	if port == "" && strings.HasSuffix(u.Host, ":") {
		return "", "must have a port behind the colon"
	}
	if port == "" || u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return u.Scheme + "://" + host, ""
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		return "", "must have a port up to 65535"
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port), ""
}

// plainHost is a host as browsers write it. They read a name that ends in a number as an address (WHATWG URL, 3.5), however strangely it
// is written; such a name is refused unless it is one in its usual form.
func plainHost(host string) (string, bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String(), ip.Zone() == "" && !ip.Is4In6()
	}
	host = strings.ToLower(host)
	if len(host) > 253 || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
		return "", false
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if slices.ContainsFunc(labels, func(l string) bool { return l == "" || len(l) > 63 || strings.HasPrefix(l, "xn--") && !properIDN(l) }) {
		return "", false
	}
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(strings.TrimPrefix(last, "0x"), 16, 64)
	number := strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") && (err == nil || last == "0x")
	return host, !number
}

// properIDN reports whether an encoded label could be one: browsers refuse the empty one.
func properIDN(label string) bool { return len(label) > len("xn--") && !strings.HasSuffix(label, "-") }

// tail is what stands behind the origin of an address, percent-encoded.
func tail(u *url.URL) string {
	rest := url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: escaped(u.RawQuery), Fragment: u.Fragment, RawFragment: u.RawFragment}
	path := rest.EscapedPath()
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if rest.RawQuery != "" {
		path += "?" + rest.RawQuery
	}
	if rest.Fragment != "" {
		path += "#" + rest.EscapedFragment()
	}
	return path
}

// escaped is a query whose characters outside of ASCII, and those that end attributes, are percent-encoded.
func escaped(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c > '~' || strings.IndexByte("\"'<>`", c) >= 0 {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
			continue
		}
		b.WriteByte(query[i])
	}
	return b.String()
}

// covers reports whether an origin is ours, or on a host that is sent our session.
func (h Home) covers(origin, host string) bool {
	plain, _ := plainHost(host)
	plain = strings.TrimSuffix(plain, ".")
	return slices.Contains(h.Origins, origin) || slices.Contains(h.Hosts, plain) || slices.ContainsFunc(h.Domains, func(d string) bool {
		return plain == d || strings.HasSuffix(plain, "."+d)
	})
}
