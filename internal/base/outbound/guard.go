package outbound

import (
	"fmt"
	"net/netip"
	"slices"

	"code.dny.dev/ssrf"
)

// standing is what an address is to us.
type standing int

const (
	denied   standing = iota // never connected to
	internal                 // not public, but listed by the operator: reached, its failures hidden
	open                     // public, or loopback in development mode
)

// guard is the policy: which addresses and ports may be reached. It holds no state and asks nobody.
type guard struct {
	public   *ssrf.Guardian
	allow    []netip.Prefix
	loopback bool
	ports    []uint16
	ownPorts []uint16
}

func newGuard(o Options) *guard {
	return &guard{
		public:   ssrf.New(ssrf.WithAnyPort()),
		allow:    slices.Clone(o.Allow),
		loopback: o.AllowLoopbackHTTP,
		ports:    slices.Clone(o.Ports),
		ownPorts: slices.Clone(o.OwnPorts),
	}
}

// neighbours are addresses in public space that are answered by the machine's own surroundings.
var neighbours = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // the host of an Azure machine: metadata and agent
}

// judge decides on one address. plain is an attempt without TLS, which only loopback may have.
//
// The first case is beyond every list: a mapped address is IPv4 in disguise and would be looked up in the wrong
// half of it, 0.0.0.0 and :: are loopback under another name, and a group is no TCP peer.
func (g *guard) judge(a netip.Addr, plain bool) standing {
	switch {
	case !a.IsValid(), a.Zone() != "", a.Is4In6(), a.IsUnspecified(), a.IsMulticast():
		return denied
	case a.IsLoopback() && g.loopback:
		return open
	case plain:
		return denied
	case g.public.SafeAddr(a) == nil && !within(neighbours, a) && !isISATAP(a):
		return open
	case within(g.allow, a):
		return internal
	}
	return denied
}

// judgeAll decides on all answers for a name: the worst of them. One denied answer denies the name, so that a
// mixed answer cannot gamble on which one is tried.
func (g *guard) judgeAll(addrs []netip.Addr, plain bool) standing {
	if len(addrs) == 0 {
		return denied
	}
	worst := open
	for _, a := range addrs {
		worst = min(worst, g.judge(a, plain))
	}
	return worst
}

// port reports whether a port may be reached.
func (g *guard) port(p uint16) bool {
	if p == 0 || slices.Contains(g.ownPorts, p) {
		return false
	}
	return len(g.ports) == 0 || p == 443 || slices.Contains(g.ports, p)
}

// control is the last word, given by the dialer's control hook for the address it is about to connect to.
func (g *guard) control(network, address string, plain bool) error {
	to, err := netip.ParseAddrPort(address)
	known := network == "tcp4" || network == "tcp6"
	if err != nil || !known || g.judge(to.Addr(), plain) == denied || !g.port(to.Port()) {
		return fail(ReasonAddress, fmt.Errorf("%s %s is denied", network, address))
	}
	return nil
}

func within(list []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isISATAP recognises IPv4 inside an interface identifier, ::[02]00:5efe:a.b.c.d under any prefix (RFC 5214
// section 6.1): a router may unwrap it onto the local IPv4 network.
func isISATAP(a netip.Addr) bool {
	b := a.As16()
	return a.Is6() && b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
