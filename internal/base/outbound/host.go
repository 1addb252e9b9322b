package outbound

import (
	"net/netip"
	"strings"
)

const (
	maxHostBytes  = 253 // RFC 1035 section 2.3.4, as text without the final dot
	maxLabelBytes = 63
)

// parseHost reads a host: a bracketed IPv6 address, a dotted IPv4 address, or a name. For an address the text
// is its usual form.
func parseHost(host string) (string, netip.Addr, error) {
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" || addr.Is4In6() {
			return "", netip.Addr{}, refuseURL("must have a name or a plain address as its host")
		}
		return addr.String(), addr, nil
	}
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is4() {
		return addr.String(), addr, nil
	}
	name := strings.ToLower(host)
	if err := checkName(name); err != nil {
		return "", netip.Addr{}, err
	}
	return name, netip.Addr{}, nil
}

func checkName(name string) error {
	if name == "" {
		return refuseURL("must have a host")
	}
	if len(name) > maxHostBytes {
		return refuseURL("must have a host of 253 bytes or fewer")
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !validLabel(label) {
			return refuseURL("must have a valid host name")
		}
	}
	if isNumber(labels[len(labels)-1]) {
		return refuseURL("must have a name or a plain address as its host")
	}
	return nil
}

// validLabel is letter, digit, hyphen, with the underscore that DNS carries in practice. An empty label is not
// one, so neither is a final dot. Percent signs fall here too.
func validLabel(label string) bool {
	if label == "" || len(label) > maxLabelBytes || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// isNumber recognises a last label that makes C libraries and browsers read the whole host as an IPv4 address
// (0x7f.1, 017700000001, 2130706433); no top-level domain is one. URL Standard, "ends in a number".
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
