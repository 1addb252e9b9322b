package outbound

import (
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"time"

	"daybook/internal/base/clock"
)

// The sizes, in bytes.
const (
	// MaxHeaderBytes bounds the answer's headers. Interim 1xx answers count in it; HTTP/2 grants them the same
	// size once more.
	MaxHeaderBytes = 16 << 10
	// MaxDrainBytes is how much of a body is read, kept or not, to make the connection usable again. Beyond it
	// closing the connection is cheaper.
	MaxDrainBytes = 16 << 10
	// DefaultMaxBody is how much of a body is kept when the request does not say.
	DefaultMaxBody = 2 << 10
)

// Resolver turns a name into addresses. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits are wall-clock bounds. A zero member has its default.
type Limits struct {
	Attempt time.Duration // lookup, connect, TLS and headers together: 10 s
	Connect time.Duration // all connects of one attempt together; also one name lookup: 3 s
	TLS     time.Duration // handshake, and any blocked HTTP/2 write: 5 s
	Body    time.Duration // from the headers to the end of what is read of the body: 1 s
	Idle    time.Duration // an unused connection is kept: 30 s
}

func (l Limits) orDefaults() Limits {
	for _, m := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&l.Attempt, 10 * time.Second},
		{&l.Connect, 3 * time.Second},
		{&l.TLS, 5 * time.Second},
		{&l.Body, time.Second},
		{&l.Idle, 30 * time.Second},
	} {
		if *m.value <= 0 {
			*m.value = m.standard
		}
	}
	return l
}

// Options say where a Client may go. The zero Options reach public https addresses on any port.
type Options struct {
	// Allow lists addresses that may be reached although they are not public. It does not permit http.
	Allow []netip.Prefix
	// AllowLoopbackHTTP is development mode: loopback addresses are open, by http too.
	AllowLoopbackHTTP bool
	// Ports, when not empty, are the only ports besides 443.
	Ports []uint16
	// OwnPorts are never reached, on any address: those this service itself listens on.
	OwnPorts []uint16
	// Resolver is the system's when nil.
	Resolver Resolver
	// RootCAs is the system's pool when nil.
	RootCAs *x509.CertPool
	// UserAgent is sent unless the request has its own; empty sends none.
	UserAgent string
	// Limits are the time limits.
	Limits Limits
	// IdlePerHost is how many unused connections are kept for each host: 1 when zero. More is for whoever sends many
	// requests to one host at a time.
	IdlePerHost int
	// Clock measures Response.Duration and nothing else: limits run on the machine's timers, since moving the
	// product's clock does not make a network faster. The machine's clock when nil.
	Clock clock.Clock

	// beforeConnect is the last thing called before connect(2), after the decision. Tests record and stop there.
	beforeConnect func(network, address string) error
}

func (o Options) orDefaults() Options {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.beforeConnect == nil {
		o.beforeConnect = func(string, string) error { return nil }
	}
	o.IdlePerHost = max(o.IdlePerHost, 1)
	o.Limits = o.Limits.orDefaults()
	return o
}
