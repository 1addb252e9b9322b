package limit

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
)

var errUnasked = errors.New("an answer without a question")

// guarded is a connection that passes only what a Redis server can have said.
//
// The client library panics, in a goroutine of its own, at an answer nobody asked for and at impossible lengths:
// a broken server (or whatever listens in its place) would end the process. Here such bytes break the connection
// instead, before the library reads them.
type guarded struct {
	net.Conn
	out, in frames
	owed    atomic.Int64 // questions sent and not yet answered
}

// Write passes p on and counts the questions in it.
func (g *guarded) Write(p []byte) (int, error) {
	asked, err := g.out.feed(p)
	if err != nil {
		return 0, err
	}
	g.owed.Add(int64(asked))
	return g.Conn.Write(p)
}

// Read gives the next bytes if they continue the protocol and answer questions.
func (g *guarded) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	answered, broken := g.in.feed(p[:n])
	if broken == nil && g.owed.Add(int64(-answered)) < 0 {
		broken = errUnasked
	}
	if broken != nil {
		g.Close()
		return 0, broken
	}
	return n, err
}

// dialGuarded is how the client connects.
func dialGuarded(ctx context.Context, address string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
	var conn net.Conn
	var err error
	if t != nil {
		conn, err = (&tls.Dialer{NetDialer: d, Config: t}).DialContext(ctx, "tcp", address)
	} else {
		conn, err = d.DialContext(ctx, "tcp", address)
	}
	if err != nil {
		return nil, err
	}
	return &guarded{Conn: conn}, nil
}
