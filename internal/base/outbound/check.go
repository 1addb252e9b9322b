package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// CheckURL is the check at save time. It gives the form to store, or says what is wrong with the URL. A host
// that is not allowed and one that does not resolve read the same, see the package comment.
//
// Passing is no promise: the name may resolve differently tomorrow, so every attempt decides again.
func (c *Client) CheckURL(ctx context.Context, raw string) (string, error) {
	t, err := c.parse(raw)
	if err != nil {
		return "", err
	}
	addrs, err := c.resolve(ctx, t.host)
	if err != nil {
		if ctx.Err() != nil {
			return "", fail(ReasonCanceled, err)
		}
		return "", fail(ReasonAddress, err)
	}
	if c.guard.judgeAll(addrs, t.plain()) == denied {
		return "", fail(ReasonAddress, deniedHost(t.host, addrs))
	}
	return t.String(), nil
}

// CheckForm is CheckURL without asking anyone: it looks at the URL itself, and at an address if that is its host.
func (c *Client) CheckForm(_ context.Context, raw string) (string, error) {
	t, err := c.parse(raw)
	if err != nil {
		return "", err
	}
	if t.addr.IsValid() && c.guard.judge(t.addr, t.plain()) == denied {
		return "", fail(ReasonAddress, deniedHost(t.host, []netip.Addr{t.addr}))
	}
	return t.String(), nil
}

// resolve gives the addresses of a host, which may be an address itself. Answers are unmapped: the system's
// resolver reports IPv4 in mapped form, and an honest A record must not look like a disguise.
func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	limit := c.options.Limits.Connect
	within, stop := context.WithTimeout(ctx, limit)
	defer stop()
	addrs, err := c.options.Resolver.LookupNetIP(within, "ip", host)
	if err != nil {
		return nil, lookupFailure(ctx, within, c.options.Limits, err)
	}
	if len(addrs) == 0 {
		return nil, fail(ReasonName, nil)
	}
	plain := make([]netip.Addr, len(addrs))
	for i, a := range addrs {
		plain[i] = a.Unmap()
	}
	return plain, nil
}

// lookupFailure tells a missing name from a resolver in trouble. outer is the attempt's context: when that one
// is over, the attempt has its own words for it.
func lookupFailure(outer, inner context.Context, limits Limits, err error) error {
	var dns *net.DNSError
	switch {
	case outer.Err() != nil:
		return context.Cause(outer)
	case inner.Err() != nil:
		return timedOut("name lookup", limits.Connect, err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fail(ReasonName, err)
	}
	return fail(ReasonLookup, err)
}
