package outbound

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode"
)

// ParseAllow reads the operator's list: CIDRs or single addresses, separated by commas or white space. The
// error names every entry that is wrong.
func ParseAllow(list string) ([]netip.Prefix, error) {
	var allowed []netip.Prefix
	var wrong []error
	for _, entry := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		prefix, err := parseEntry(entry)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%q %w", entry, err))
			continue
		}
		allowed = append(allowed, prefix)
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return allowed, nil
}

var errNotCIDR = errors.New("is not an address or CIDR")

func parseEntry(entry string) (netip.Prefix, error) {
	prefix, err := parsePrefix(entry)
	switch {
	case err != nil:
		return netip.Prefix{}, errNotCIDR
	case prefix.Addr().Is4In6():
		return netip.Prefix{}, errors.New("must be written as IPv4")
	case prefix != prefix.Masked():
		// A slip of the keyboard here opens a network nobody meant.
		return netip.Prefix{}, fmt.Errorf("has bits beyond its length; did you mean %s?", prefix.Masked())
	}
	return prefix, nil
}

func parsePrefix(entry string) (netip.Prefix, error) {
	if strings.Contains(entry, "/") {
		return netip.ParsePrefix(entry)
	}
	addr, err := netip.ParseAddr(entry)
	if err == nil && addr.Zone() != "" {
		err = errNotCIDR // a prefix would silently drop the zone
	}
	return netip.PrefixFrom(addr, addr.BitLen()), err
}
