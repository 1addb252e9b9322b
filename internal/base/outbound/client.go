package outbound

import (
	"crypto/tls"
	"net/http"
)

// Client sends requests to addresses that strangers chose. It is safe for concurrent use; one per process
// suffices.
type Client struct {
	options   Options
	guard     *guard
	tls       *tls.Config
	transport *http.Transport
	plans     plans
}

// New returns a Client.
func New(o Options) *Client {
	o = o.orDefaults()
	c := &Client{
		options: o,
		guard:   newGuard(o),
		tls: &tls.Config{
			MinVersion:    tls.VersionTLS12,
			RootCAs:       o.RootCAs,
			NextProtos:    []string{"h2", "http/1.1"},
			Renegotiation: tls.RenegotiateNever,
		},
	}
	c.transport = c.newTransport()
	return c
}

// Close lets go of idle connections. Attempts under way are not disturbed.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// maxIdle is how many unused connections are kept in all.
const maxIdle = 1024

// newTransport has a dialer of ours for both schemes, so that no connection is made without the guard. Its
// RoundTrip is used directly: what follows redirects and keeps cookies is http.Client, which is not involved.
func (c *Client) newTransport() *http.Transport {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	return &http.Transport{
		Proxy:                  nil, // a proxy from the environment would connect elsewhere, past the guard
		DialContext:            c.dialPlain,
		DialTLSContext:         c.dialTLS,
		DisableCompression:     true,
		MaxResponseHeaderBytes: MaxHeaderBytes,
		MaxIdleConnsPerHost:    c.options.IdlePerHost,
		MaxIdleConns:           maxIdle,
		IdleConnTimeout:        c.options.Limits.Idle,
		Protocols:              &protocols,
		// The smallest windows and tables the protocol takes: an answer here is small. Floods of frames that
		// no window governs (PING, SETTINGS) end at the connection's allowance, see conn.
		HTTP2: &http.HTTP2Config{
			MaxReadFrameSize:              h2Window / 4,
			MaxReceiveBufferPerStream:     h2Window,
			MaxReceiveBufferPerConnection: h2Window,
			MaxDecoderHeaderTableSize:     4 << 10,
			// A dead connection is found before the next attempt hangs on it for its whole limit.
			SendPingTimeout:  c.options.Limits.TLS,
			PingTimeout:      c.options.Limits.Connect,
			WriteByteTimeout: c.options.Limits.TLS,
		},
	}
}
