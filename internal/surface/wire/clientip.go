package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// clientIP is the address of the one who asks. X-Forwarded-For is read only when the connection comes from a trusted
// proxy, from the right: each proxy appends the address it saw, so the first one that is not itself trusted is the
// client; everything further left is only what that client claims.
func clientIP(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer := parsePeer(r.RemoteAddr)
	if !contains(trusted, peer) {
		return peer
	}
	client := peer
	for _, hop := range backwards(r.Header.Values("X-Forwarded-For")) {
		ip, err := netip.ParseAddr(hop)
		if err != nil {
			break // what a trusted proxy did not write is not to be believed
		}
		client = ip.Unmap().WithZone("")
		if !contains(trusted, client) {
			break
		}
	}
	return client
}

func parsePeer(remote string) netip.Addr {
	if ap, err := netip.ParseAddrPort(remote); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	return netip.IPv4Unspecified()
}

func contains(prefixes []netip.Prefix, ip netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// maxHops bounds the work a forged header can cause.
const maxHops = 32

// backwards lists the entries of all X-Forwarded-For lines, the last first.
func backwards(lines []string) []string {
	var hops []string
	for i := len(lines) - 1; i >= 0; i-- {
		entries := strings.Split(lines[i], ",")
		for j := len(entries) - 1; j >= 0 && len(hops) < maxHops; j-- {
			hops = append(hops, strings.TrimSpace(entries[j]))
		}
	}
	return hops
}

// ParseProxies reads a list of CIDRs or single addresses. Its error names every entry that is none.
func ParseProxies(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	var wrong []error
	for _, entry := range list {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		if ip, err := netip.ParseAddr(entry); err == nil && plainAddr(ip) {
			out = append(out, netip.PrefixFrom(ip, ip.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(entry)
		if err != nil || !plainAddr(p.Addr()) {
			wrong = append(wrong, fmt.Errorf("%q is not an address range such as 10.0.0.0/8", entry))
			continue
		}
		out = append(out, p.Masked())
	}
	return out, errors.Join(wrong...)
}

// plainAddr refuses IPv4 in IPv6 dress and zones: peers are compared without either, so such an entry would fit nobody.
func plainAddr(ip netip.Addr) bool { return !ip.Is4In6() && ip.Zone() == "" }
