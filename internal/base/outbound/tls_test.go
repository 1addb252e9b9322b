package outbound

import (
	"crypto/tls"
	"io"
	"net"
	"testing"
	"time"
)

// handshakeWith serves TLS by a given configuration.
func handshakeWith(config *tls.Config) func(net.Conn) {
	return func(nc net.Conn) { _ = tls.Server(nc, config).Handshake() }
}

func TestTLSFailuresInSafeWords(t *testing.T) {
	mine := testAuthority()
	good := []tls.Certificate{mine.issue(t, receiverName, time.Hour)}
	for _, row := range []struct {
		name  string
		serve func(net.Conn)
		words string
	}{
		{"hangs", func(net.Conn) {}, "TLS handshake timed out after 100 ms"},
		{"drips", func(nc net.Conn) { _, _ = io.WriteString(nc, "\x16\x03\x03\x40\x00"); drip(nc, "\x02") }, "TLS handshake timed out after 100 ms"},
		{"floods", func(nc net.Conn) { pour(nc, "\x15\x03\x03\x00\x02\x01\x5a") }, "TLS handshake failed: protocol error"},
		{"does not speak TLS", func(nc net.Conn) { _, _ = io.WriteString(nc, "220 <script> ESMTP\r\n") }, "TLS handshake failed: not a TLS server"},
		{"closes", closing, "TLS handshake failed: connection closed"},
		{"resets", func(nc net.Conn) { _, _ = nc.Read(make([]byte, 1)); reset(nc) }, "TLS handshake failed: connection closed"},
		{"is another host", handshakeWith(&tls.Config{Certificates: []tls.Certificate{mine.issue(t, "other.example", time.Hour)}}), "TLS handshake failed: certificate is for another name"},
		{"has expired", handshakeWith(&tls.Config{Certificates: []tls.Certificate{mine.issue(t, receiverName, -time.Hour)}}), "TLS handshake failed: certificate expired or not yet valid"},
		{"wants a client certificate", handshakeWith(&tls.Config{Certificates: good, MaxVersion: tls.VersionTLS12, ClientAuth: tls.RequireAnyClientCert}), "TLS handshake failed: refused by the server"},
		{"is too old", handshakeWith(&tls.Config{Certificates: good, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}), "TLS handshake failed: TLS 1.2 or later is required"},
		{"speaks no common protocol", handshakeWith(&tls.Config{Certificates: good, NextProtos: []string{"other"}}), "TLS handshake failed: refused by the server"},
	} {
		t.Run(row.name, func(t *testing.T) {
			limits, reason := generous, ReasonTLS
			if row.name == "hangs" || row.name == "drips" {
				limits.TLS, reason = 100*time.Millisecond, ReasonTimeout
			}
			c, _ := receiving(t, limits)
			r := receive(t, row.serve)
			_, err := c.Do(t.Context(), Request{URL: overTLS(r)})
			wantReason(t, err, reason, row.words)
		})
	}
}

func TestAStrangersAuthorityIsNotTrusted(t *testing.T) {
	r := receiveTLS(t, func(nc net.Conn) { _ = nc.(*tls.Conn).Handshake() })
	c, _ := recorded(t, Options{AllowLoopbackHTTP: true, Resolver: resolving(receiverName, "127.0.0.1")}, loopbackOnly)
	_, err := c.Do(t.Context(), Request{URL: r.URL})
	wantReason(t, err, ReasonTLS, "TLS handshake failed: certificate not trusted")
}
