package outbound

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// registry4 and registry6 are the IANA special-purpose address registries (RFC 6890), all rows whatever their
// columns say, with multicast added: kept apart from the policy and compared bit by bit, so that an error in
// one is not shared by the other.
var registry4 = []string{
	"0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32",
	"192.0.0.171/32", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.88.99.2/32",
	"192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"255.255.255.255/32",
	"224.0.0.0/4",      // multicast, RFC 5771
	"168.63.129.16/32", // a cloud's own
}

var registry6 = []string{
	"::1/128", "::/128", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
	"2001::/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48",
	"2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
	"5f00::/16", "fc00::/7", "fe80::/10",
	"ff00::/8",  // multicast, RFC 4291
	"fec0::/10", // site local, RFC 3879
}

// bits is an address as text of zeros and ones.
func bits(a netip.Addr) string {
	var s strings.Builder
	for _, b := range a.AsSlice() {
		fmt.Fprintf(&s, "%08b", b)
	}
	return s.String()
}

func inRegistry(rows []string, a netip.Addr) bool {
	for _, row := range rows {
		base, length, _ := strings.Cut(row, "/")
		n, _ := strconv.Atoi(length)
		if strings.HasPrefix(bits(a), bits(netip.MustParseAddr(base))[:n]) {
			return true
		}
	}
	return false
}

// isGlobal is the oracle: may a stranger name this address?
func isGlobal(a netip.Addr) bool {
	if a.Is4() {
		return !inRegistry(registry4, a)
	}
	identifier := bits(a)[64:96]
	isatap := identifier == bits(netip.MustParseAddr("0.0.94.254")) || identifier == bits(netip.MustParseAddr("2.0.94.254"))
	return strings.HasPrefix(bits(a), "001") && !inRegistry(registry6, a) && !isatap
}

// inetAton reads a host as C libraries do (inet_aton): one to four numbers, decimal, octal or hexadecimal, the
// last filling what is left.
func inetAton(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, ok := cNumber(part)
		room := uint64(1) << 8
		if i == len(parts)-1 {
			room = 1 << (8 * (5 - len(parts)))
		}
		if !ok || n >= room {
			return netip.Addr{}, false
		}
		value = value*room + n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

func cNumber(s string) (uint64, bool) {
	base, digits := 10, s
	switch lower := strings.ToLower(s); {
	case strings.HasPrefix(lower, "0x"):
		base, digits = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, digits = 8, s[1:]
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil
}
