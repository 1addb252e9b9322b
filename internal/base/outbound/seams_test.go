package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// names is a resolver with a script: each lookup of a name takes its next answer, the last one stays.
type names struct {
	mu      sync.Mutex
	answers map[string][]string // space-separated addresses
	asked   []string
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	script := n.answers[host]
	if len(script) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(script) > 1 {
		n.answers[host] = script[1:]
	}
	return parseAddrs(script[0]), nil
}

func (n *names) lookups() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.asked)
}

func resolving(host string, answers ...string) *names {
	return &names{answers: map[string][]string{host: answers}}
}

// resolverFunc is a resolver made of one function.
type resolverFunc func(ctx context.Context, host string) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	return f(ctx, host)
}

// errRecorded ends a dial to an address that was rightly let through but that no test may really reach.
var errRecorded = errors.New("recorded instead of connected")

// dialRecorder stands between the decision and connect(2). It fails the test when an address gets there that the
// test did not expect, and lets only loopback connects of the test itself happen.
type dialRecorder struct {
	t        *testing.T
	mu       sync.Mutex
	expected func(netip.Addr) bool
	reached  []netip.Addr
}

func (r *dialRecorder) beforeConnect(_, address string) error {
	r.t.Helper()
	addr := netip.MustParseAddrPort(address).Addr()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reached = append(r.reached, addr)
	if !r.expected(addr) {
		r.t.Errorf("%s reached connect", address)
		return errRecorded
	}
	if !addr.IsLoopback() {
		return errRecorded
	}
	return nil
}

func (r *dialRecorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.reached)
}

func nothing(netip.Addr) bool        { return false }
func loopbackOnly(a netip.Addr) bool { return a.IsLoopback() }
func only(s string) func(netip.Addr) bool {
	return func(a netip.Addr) bool { return a == netip.MustParseAddr(s) }
}

// recorded returns a client whose connects are recorded; only what expected names may get that far.
func recorded(t *testing.T, o Options, expected func(netip.Addr) bool) (*Client, *dialRecorder) {
	t.Helper()
	r := &dialRecorder{t: t, expected: expected}
	o.beforeConnect = r.beforeConnect
	c := New(o)
	t.Cleanup(c.Close)
	return c, r
}

func wantReason(t *testing.T, err error, reason Reason, text string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error saying %q", err, text)
	}
	if e.Reason != reason || e.Error() != text {
		t.Fatalf("got %s %q (%s), want %s %q", e.Reason, e, e.Detail(), reason, text)
	}
}
