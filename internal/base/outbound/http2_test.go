package outbound

import (
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// HTTP/2 frame types (RFC 9113 section 6).
const (
	rstStreamFrame = 0x3
	settingsFrame  = 0x4
	pingFrame      = 0x6
	goAwayFrame    = 0x7
)

func frame(kind, flags byte, stream uint32, payload string) string {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	head = binary.BigEndian.AppendUint32(append(head, flags), stream)
	return string(head) + payload
}

// greeting is an HTTP/2 server's first frame, then what it does.
func greeting(then func(net.Conn)) func(net.Conn) {
	return func(nc net.Conn) {
		if _, err := io.WriteString(nc, frame(settingsFrame, 0, 0, "")); err == nil {
			then(nc)
		}
	}
}

func reading(nc net.Conn) { _, _ = io.Copy(io.Discard, nc) }

func TestHostileHTTP2(t *testing.T) {
	ping, settings := frame(pingFrame, 0, 0, "12345678"), frame(settingsFrame, 0, 0, "")
	goAway := frame(goAwayFrame, 0, 0, "\x00\x00\x00\x00\x00\x00\x00\x00")
	for _, row := range []struct {
		name   string
		serve  func(net.Conn)
		reason Reason
		words  string
	}{
		{"hangs", greeting(reading), ReasonTimeout, "timed out after 300 ms"},
		{"floods pings and reads the answers", greeting(func(nc net.Conn) { go reading(nc); pour(nc, ping) }), ReasonHeadersLarge, "response headers too large"},
		{"floods settings and reads the answers", greeting(func(nc net.Conn) { go reading(nc); pour(nc, settings) }), ReasonHeadersLarge, "response headers too large"},
		{"sends every connection away", greeting(func(nc net.Conn) { _, _ = io.WriteString(nc, goAway); reading(nc) }), ReasonClosed, "connection closed before an answer"},
		{"refuses every stream", greeting(func(nc net.Conn) {
			for id := uint32(1); id < 99; id += 2 {
				_, _ = nc.Read(make([]byte, 4096))
				_, _ = io.WriteString(nc, frame(rstStreamFrame, 0, id, "\x00\x00\x00\x07"))
			}
		}), ReasonTimeout, "timed out after 300 ms"},
		{"is not HTTP/2", func(nc net.Conn) { _, _ = io.WriteString(nc, "HTTP/1.1 200 OK\r\n\r\n") }, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			limits := generous
			if row.reason == ReasonTimeout {
				limits.Attempt = 300 * time.Millisecond
			}
			c, _ := receiving(t, limits)
			r := receiveTLS(t, row.serve, "h2")
			_, err := c.Do(t.Context(), Request{Method: "POST", URL: r.URL, Body: []byte("{}")})
			if row.reason == "" && err == nil {
				t.Fatal("no error")
			}
			if row.reason != "" {
				wantReason(t, err, row.reason, row.words)
			}
			if n := r.connections(); n > 2 {
				t.Errorf("one attempt made %d connections", n)
			}
		})
	}
}

// A peer that floods and does not read blocks our answers to it; the attempt still ends in time.
func TestHTTP2FloodWithoutReading(t *testing.T) {
	c, _ := receiving(t, Limits{Attempt: time.Second, TLS: 500 * time.Millisecond})
	r := receiveTLS(t, greeting(func(nc net.Conn) { pour(nc, frame(pingFrame, 0, 0, "12345678")) }), "h2")
	if _, err := c.Do(t.Context(), Request{URL: r.URL}); err == nil {
		t.Fatal("no error")
	}
}

// serveHTTP2 is an honest HTTP/2 server with a handler.
func serveHTTP2(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.EnableHTTP2 = true
	s.TLS = receiverTLS(t)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestHTTP2Works(t *testing.T) {
	var protocol string
	s := serveHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		protocol = r.Proto
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(202)
		_, _ = w.Write(body)
	})
	c, rec := receiving(t, generous)
	for range 3 {
		res, err := c.Do(t.Context(), Request{Method: "POST", URL: named(s), Body: []byte("hello")})
		if err != nil || res.Status != 202 || string(res.Body) != "hello" || res.Truncated {
			t.Fatal(res, err)
		}
	}
	if protocol != "HTTP/2.0" || rec.count() != 1 {
		t.Fatalf("%s over %d connections", protocol, rec.count())
	}
}

func TestHTTP2AnswersAreBounded(t *testing.T) {
	for _, row := range []struct {
		name   string
		handle http.HandlerFunc
		reason Reason
	}{
		{"many headers", func(w http.ResponseWriter, _ *http.Request) {
			for i := range 20 {
				w.Header().Set("X-Big-"+strconv.Itoa(i), strings.Repeat("a", 1000))
			}
		}, ReasonHeadersLarge},
		// The header decoder stops within the value and calls it a compression error, which it can be.
		{"one huge header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Big", strings.Repeat("a", 2*MaxHeaderBytes))
		}, ReasonMalformed},
		{"flood of interim answers", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", strings.Repeat("a", 1000))
			for r.Context().Err() == nil {
				w.WriteHeader(http.StatusEarlyHints)
			}
		}, ReasonHeadersLarge},
		{"endless body", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 4096))
			}
		}, ReasonNone},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := serveHTTP2(t, row.handle)
			c, _ := receiving(t, generous)
			res, err := c.Do(t.Context(), Request{URL: named(s)})
			if ReasonOf(err) != row.reason {
				t.Fatal(res, err.(*Error).Detail())
			}
			if err == nil && (!res.Truncated || len(res.Body) != DefaultMaxBody) {
				t.Fatalf("%d bytes, truncated %v", len(res.Body), res.Truncated)
			}
		})
	}
}
