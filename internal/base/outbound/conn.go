package outbound

import (
	"crypto/tls"
	"errors"
	"net"
	"sync"
)

const (
	// idleAllowance is what a peer may send while no request is under way: at first its certificate chain (with
	// room for post-quantum ones), later tickets, pings and the tail of a body we gave up.
	idleAllowance = 128 << 10
	// h2Window is what an HTTP/2 peer may send of a body nobody reads. It is the smallest one for a connection.
	h2Window = 64 << 10
	// requestAllowance is what a peer may send for one request besides the body: interim and final headers, one
	// full window in flight, and framing.
	requestAllowance = 2*MaxHeaderBytes + h2Window + MaxDrainBytes
)

// errFlood ends a connection whose peer sends more than its requests can have asked for.
var errFlood = errors.New("peer sent more than its allowance")

// conn counts what the peer sends against an allowance that only our own requests raise. Every protocol above
// it is thereby bounded, also where its rules set no bound (HTTP/2 PING and SETTINGS frames, TLS records
// without data) and also while the connection is idle.
type conn struct {
	net.Conn
	standing standing

	mu       sync.Mutex
	left     int64 // bytes
	requests int   // under way
	doomed   bool  // to be closed as soon as no request is under way
}

func newConn(nc net.Conn, s standing) *conn {
	return &conn{Conn: nc, standing: s, left: idleAllowance}
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	left := c.spend(0)
	if left <= 0 {
		return 0, errFlood
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), left)])
	c.spend(n)
	return n, err
}

func (c *conn) spend(n int) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left -= int64(n)
	return c.left
}

// grant raises the allowance for one request.
func (c *conn) grant(maxBody int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	c.left += requestAllowance + maxBody
}

// settle ends a request. With the last one, what was not used lapses: nothing is saved up.
func (c *conn) settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests--
	if c.requests == 0 {
		c.left = min(c.left, idleAllowance)
	}
	c.closeIfDoomed()
}

// doom closes the connection once the requests of others on it are done.
func (c *conn) doom() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doomed = true
	c.closeIfDoomed()
}

func (c *conn) closeIfDoomed() {
	if c.doomed && c.requests == 0 {
		_ = c.Conn.Close() // the transport notices by its pending read
	}
}

// connOf finds our conn below what the transport uses.
func connOf(nc net.Conn) *conn {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	own, _ := nc.(*conn)
	return own
}
