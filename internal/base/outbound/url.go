package outbound

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const maxURLBytes = 2048

// target is a URL that passed the rules of form.
type target struct {
	scheme string     // https or http
	host   string     // a lower-case ASCII name, or an address without brackets
	addr   netip.Addr // valid when the host is an address
	port   uint16
	rest   string // path and query, as given
}

func (t target) plain() bool { return t.scheme == "http" }

// String is the form to store: scheme and host in lower case, no default port, the rest untouched.
func (t target) String() string {
	host := t.host
	if t.addr.Is6() {
		host = "[" + host + "]"
	}
	if t.port != defaultPort(t.scheme) {
		host = net.JoinHostPort(t.host, strconv.Itoa(int(t.port)))
	}
	return t.scheme + "://" + host + t.rest
}

func defaultPort(scheme string) uint16 {
	if scheme == "http" {
		return 80
	}
	return 443
}

// parse takes the URL apart by our own strict rules and then demands that net/url, which will be used to send,
// reads the same host out of it: two parsers that disagree are how a check is passed by one host and the
// request sent to another.
func (c *Client) parse(raw string) (target, error) {
	if err := checkBytes(raw); err != nil {
		return target{}, err
	}
	scheme, after, _ := strings.Cut(raw, "://")
	t := target{scheme: strings.ToLower(scheme)}
	if t.scheme != "https" && !(t.scheme == "http" && c.guard.loopback) {
		return target{}, refuseURL("must use https")
	}
	authority := after
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		authority, t.rest = after[:i], after[i:]
	}
	if u, err := url.Parse(raw); err != nil || u.Host != authority || u.User != nil || u.Opaque != "" {
		if strings.Contains(authority, "@") {
			return target{}, refuseURL("must not carry a user name or password")
		}
		return target{}, refuseURL("is not well formed")
	}
	host, port, err := splitAuthority(authority, defaultPort(t.scheme))
	if err != nil {
		return target{}, err
	}
	if !c.guard.port(port) {
		return target{}, refuseURL("must not use this port")
	}
	t.port = port
	if t.host, t.addr, err = parseHost(host); err != nil {
		return target{}, err
	}
	return t, nil
}

// checkBytes refuses what no part of the URL may hold.
func checkBytes(raw string) error {
	if len(raw) > maxURLBytes {
		return refuseURL("must be " + strconv.Itoa(maxURLBytes) + " bytes or fewer")
	}
	for i := range len(raw) {
		switch b := raw[i]; {
		case b >= 0x80:
			return refuseURL("must be ASCII: write an international host name in its xn-- form and percent-encode the rest")
		case b <= ' ' || b == 0x7f:
			return refuseURL("must not hold spaces or control characters")
		case b == '\\':
			// Browsers read it as a slash, other parsers do not.
			return refuseURL("must not hold a backslash")
		case b == '#':
			return refuseURL("must not have a fragment")
		}
	}
	return nil
}

// splitAuthority cuts host[:port]; brackets stay on the host.
func splitAuthority(authority string, standard uint16) (string, uint16, error) {
	end := strings.LastIndexByte(authority, ']') + 1
	host, port, given := strings.Cut(authority[end:], ":")
	host = authority[:end] + host
	if !given {
		return host, standard, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", 0, refuseURL("must have a port from 1 to 65535")
	}
	return host, uint16(n), nil
}
