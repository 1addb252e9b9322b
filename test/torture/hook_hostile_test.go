package torture_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// What an endpoint does with those who connect (F-10).
const (
	endpointHealthy     = "healthy"
	endpointSlow        = "slow" // answers after nine seconds
	endpointAcceptHang  = "accept and hang"
	endpointHeaderHang  = "hang in the headers"
	endpointHeaderDrip  = "header drip"
	endpointBodyDrip    = "body drip"
	endpointEndlessBody = "endless body"
	endpointHugeHeader  = "huge header"
	endpointReset       = "reset"
	endpointRedirect    = "redirect to the console"
	endpointClose       = "close"
	endpointFlood       = "1xx flood"
)

var hostileKinds = []string{
	endpointAcceptHang, endpointHeaderHang, endpointHeaderDrip, endpointBodyDrip, endpointEndlessBody, endpointHugeHeader, endpointReset, endpointRedirect, endpointClose,
	endpointFlood,
}

// endpoint is a receiver with an address of its own.
type endpoint struct {
	kind     string
	address  string
	redirect string
	hold     chan struct{} // closed: those who hang let go

	mu    sync.Mutex
	open  map[net.Conn]bool
	under int // attempts under way, as far as they are seen
	peak  int
	came  map[string]time.Time // when an invoice was first told of
	again int
}

// newEndpoint listens until the test ends. config is nil for plain http.
func newEndpoint(t testing.TB, kind, redirect string, config *tls.Config, hold chan struct{}) *endpoint {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	e := &endpoint{kind: kind, redirect: redirect, hold: hold, address: l.Addr().String(), open: map[net.Conn]bool{}, came: map[string]time.Time{}}
	if kind == endpointHealthy || kind == endpointSlow {
		server := &http.Server{Handler: http.HandlerFunc(e.take), ErrorLog: log.New(io.Discard, "", 0)}
		if config != nil {
			l = tls.NewListener(l, config)
		}
		go func() { _ = server.Serve(l) }()
		t.Cleanup(func() { _ = server.Close() })
		return e
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go e.harm(c, config)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		e.mu.Lock()
		defer e.mu.Unlock()
		for c := range e.open {
			_ = c.Close()
		}
	})
	return e
}

func (e *endpoint) begin(c net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c != nil {
		e.open[c] = true
	}
	e.under++
	e.peak = max(e.peak, e.under)
}

func (e *endpoint) end(c net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.open, c)
	e.under--
}

// underWay is how many attempts are seen now, and how many there were at most.
func (e *endpoint) underWay() (now, peak int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.under, e.peak
}

// told is how many invoices it was told of.
func (e *endpoint) told() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.came)
}

func (e *endpoint) take(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	e.begin(nil)
	defer e.end(nil)
	var body struct{ Data struct{ InvoiceID string } }
	text, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(text, &body) != nil {
		return
	}
	if e.kind == endpointSlow {
		select {
		case <-time.After(9 * time.Second):
		case <-r.Context().Done():
			return
		}
	}
	e.mu.Lock()
	if _, known := e.came[body.Data.InvoiceID]; known {
		e.again++
	} else {
		e.came[body.Data.InvoiceID] = at
	}
	e.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// harm does to one connection what the endpoint does, for as long as the other side bears it. It sends more than anybody takes,
// and not as much as it could: it runs on the same cores as those whom it must not harm.
func (e *endpoint) harm(raw net.Conn, config *tls.Config) {
	e.begin(raw)
	defer raw.Close()
	defer e.end(raw) // first: who is let go may be back at once
	switch e.kind {
	case endpointClose:
		return
	case endpointAcceptHang:
		e.hang(raw)
		return
	}
	c := raw
	if config != nil {
		c = tls.Server(raw, config)
	}
	request, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	if _, err := io.Copy(io.Discard, request.Body); err != nil {
		return
	}
	say := func(text string) bool {
		_, err := io.WriteString(c, text)
		return err == nil
	}
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	switch e.kind {
	case endpointHeaderHang:
		say(ok + "X-More: ")
		e.hang(c)
	case endpointHeaderDrip:
		for say("HTTP/1.1 200 OK\r\n"); say("X-Drip: drop\r\n"); {
			if !e.pause(100 * time.Millisecond) {
				return
			}
		}
	case endpointBodyDrip:
		for say(ok + "Transfer-Encoding: chunked\r\n\r\n"); say("1\r\nx\r\n"); {
			if !e.pause(50 * time.Millisecond) {
				return
			}
		}
	case endpointEndlessBody:
		block := strings.Repeat("x", 1<<14)
		for say(ok + "\r\n"); say(block); {
			if !e.pause(time.Millisecond) {
				return
			}
		}
	case endpointHugeHeader:
		say(ok + "X-Huge: " + strings.Repeat("x", 1<<16) + "\r\n\r\n")
	case endpointReset:
		if tcp, plain := raw.(*net.TCPConn); plain {
			_ = tcp.SetLinger(0)
		}
	case endpointRedirect:
		say("HTTP/1.1 307 Temporary Redirect\r\nLocation: " + e.redirect + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	case endpointFlood:
		for say(strings.Repeat("HTTP/1.1 102 Processing\r\nX-Wait: a little longer\r\n\r\n", 64)) {
			if !e.pause(time.Millisecond) {
				return
			}
		}
	}
}

// hang holds a connection until the other side gives up, or everybody lets go.
func (e *endpoint) hang(c net.Conn) {
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, c)
		close(gone)
	}()
	select {
	case <-gone:
	case <-e.hold:
	}
}

func (e *endpoint) pause(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-e.hold:
		return false
	}
}
