package outbound

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The names the test certificates are for; each resolves to 127.0.0.1.
const receiverName = "receiver.example"

// authority is a certificate authority of the test.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

var testAuthority = sync.OnceValue(func() authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true,
		BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return authority{key, cert, pool}
})

// issue makes a certificate for name that ends at the given distance from now.
func (a authority) issue(t *testing.T, name string, ends time.Duration) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{name},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(ends),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
}

// receiver is a loopback peer that speaks bytes, not HTTP, so that it can misbehave. serve gets each connection;
// after it returns, the receiver waits for the client to close: a connection the client leaks fails the test.
type receiver struct {
	URL      string
	mu       sync.Mutex
	accepted int
}

func (r *receiver) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.accepted
}

// receive starts a plain receiver; receiveTLS one behind TLS, with the protocols offered.
func receive(t *testing.T, serve func(net.Conn)) *receiver {
	return start(t, "http", func(nc net.Conn) net.Conn { return nc }, serve)
}

func receiveTLS(t *testing.T, serve func(net.Conn), protocols ...string) *receiver {
	config := receiverTLS(t)
	config.NextProtos = protocols
	return start(t, "https", func(nc net.Conn) net.Conn { return tls.Server(nc, config) }, serve)
}

func receiverTLS(t *testing.T) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{testAuthority().issue(t, receiverName, time.Hour)}}
}

// named is a test server's URL under the name of its certificate.
func named(s *httptest.Server) string {
	u, _ := url.Parse(s.URL)
	return u.Scheme + "://" + net.JoinHostPort(receiverName, u.Port()) + "/"
}

// overTLS is a receiver's URL with https, whether it speaks TLS or not.
func overTLS(r *receiver) string {
	_, rest, _ := strings.Cut(r.URL, "://")
	return "https://" + rest
}

func start(t *testing.T, scheme string, wrap func(net.Conn) net.Conn, serve func(net.Conn)) *receiver {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	r := &receiver{URL: scheme + "://" + net.JoinHostPort(receiverName, strconv.Itoa(port)) + "/"}
	var handlers sync.WaitGroup
	handlers.Go(func() {
		for {
			nc, err := listener.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			r.accepted++
			r.mu.Unlock()
			handlers.Go(func() {
				defer nc.Close()
				serve(wrap(nc))
				_, _ = io.Copy(io.Discard, nc)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		ended := make(chan struct{})
		go func() { handlers.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Error("the client left a connection open")
		}
	})
	return r
}

// receiving is a client of receivers in development mode, where words are not hidden. Tests shorten the one limit
// they are about; the others stay long, so that a busy machine does not decide.
func receiving(t *testing.T, limits Limits) (*Client, *dialRecorder) {
	t.Helper()
	return recorded(t, Options{
		AllowLoopbackHTTP: true,
		Resolver:          resolving(receiverName, "127.0.0.1"),
		RootCAs:           testAuthority().pool,
		Limits:            limits,
	}, loopbackOnly)
}

// generous limits never end an attempt in a test.
var generous = Limits{Attempt: time.Minute, Connect: time.Minute, TLS: time.Minute, Body: time.Minute}

var loopbackNet = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// readRequest reads until the end of the request's headers.
func readRequest(nc net.Conn) error {
	var last [4]byte
	one := make([]byte, 1)
	for string(last[:]) != "\r\n\r\n" {
		if _, err := nc.Read(one); err != nil {
			return err
		}
		copy(last[:], last[1:])
		last[3] = one[0]
	}
	return nil
}

// drip writes piece again and again, a little at a time, until the client is gone.
func drip(nc net.Conn, piece string) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := io.WriteString(nc, piece); err != nil {
			return
		}
	}
}

// pour writes piece as fast as it is taken.
func pour(nc net.Conn, piece string) {
	for {
		if _, err := io.WriteString(nc, piece); err != nil {
			return
		}
	}
}
