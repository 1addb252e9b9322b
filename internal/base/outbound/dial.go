package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// maxAddresses is how many of a name's addresses one attempt tries, one after another, each with an equal share
// of the connect limit: a second each, so that one lost packet is sent again within it.
const maxAddresses = 3

// dialTLS is the transport's dialer for https.
func (c *Client) dialTLS(ctx context.Context, _, address string) (net.Conn, error) {
	ctx, stop := boundToAttempt(ctx)
	defer stop()
	conn, host, err := c.dial(ctx, address, false)
	if err != nil {
		return nil, err
	}
	config := c.tls.Clone()
	config.ServerName = host
	limit := c.options.Limits.TLS
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(within); err != nil {
		conn.Close()
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case within.Err() != nil:
			return nil, timedOut("TLS handshake", limit, err)
		}
		return nil, tlsFailure(err)
	}
	return secure, nil
}

// dialPlain is the transport's dialer for http.
func (c *Client) dialPlain(ctx context.Context, _, address string) (net.Conn, error) {
	ctx, stop := boundToAttempt(ctx)
	defer stop()
	conn, _, err := c.dial(ctx, address, true)
	if err != nil {
		return nil, err // not conn, whose nil would not be a nil net.Conn
	}
	return conn, nil
}

// dial resolves, decides on all answers at once, and connects.
func (c *Client) dial(ctx context.Context, address string, plain bool) (*conn, string, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, "", fail(ReasonRequest, err)
	}
	a := attemptOf(ctx)
	if a.dials.Add(1) > maxDials {
		return nil, "", fail(ReasonClosed, errTooManyDials)
	}
	addrs, err := c.resolve(ctx, host)
	if err != nil {
		return nil, "", err
	}
	standing := c.guard.judgeAll(addrs, plain)
	if standing == denied {
		return nil, "", fail(ReasonAddress, deniedHost(host, addrs))
	}
	if standing == internal {
		a.internal.Store(true)
	}
	nc, err := c.connectAny(ctx, addrs[:min(len(addrs), maxAddresses)], port, plain)
	if err != nil {
		return nil, "", err
	}
	own := newConn(nc, standing)
	a.adopt(own)
	return own, host, nil
}

// connectAny connects to the first address that accepts; if none does, the first failure stands for all.
func (c *Client) connectAny(ctx context.Context, addrs []netip.Addr, port uint16, plain bool) (net.Conn, error) {
	share := c.options.Limits.Connect / time.Duration(len(addrs))
	var first error
	for _, addr := range addrs {
		nc, err := c.connect(ctx, netip.AddrPortFrom(addr, port), plain, share)
		switch {
		case err == nil:
			return nc, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case first == nil:
			first = err
		}
	}
	return nil, first
}

// connect makes one connection. The control hook runs between socket(2) and connect(2) with the address that is
// really used; nothing after it can change the address.
func (c *Client) connect(ctx context.Context, to netip.AddrPort, plain bool, limit time.Duration) (net.Conn, error) {
	dialer := net.Dialer{
		Timeout: limit,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if err := c.guard.control(network, address, plain); err != nil {
				return err
			}
			return c.options.beforeConnect(network, address)
		},
	}
	nc, err := dialer.DialContext(ctx, "tcp", to.String())
	if err != nil {
		return nil, c.connectFailure(err)
	}
	return nc, nil
}

func (c *Client) connectFailure(err error) error {
	var own *Error
	var network net.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(ReasonRefused, err)
	case errors.Is(err, syscall.ECONNRESET):
		return fail(ReasonReset, err)
	case errors.As(err, &network) && network.Timeout():
		return timedOut("connection", c.options.Limits.Connect, err)
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return fail(ReasonUnreachable, err)
	}
	return fail(ReasonFailed, err)
}

func splitAddress(address string) (string, uint16, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	return host, uint16(port), err
}

func deniedHost(host string, addrs []netip.Addr) error {
	return fmt.Errorf("%s has a denied address among %v", host, addrs)
}
