package outbound

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

func answering(text string, then func(net.Conn)) func(net.Conn) {
	return func(nc net.Conn) {
		if readRequest(nc) != nil {
			return
		}
		_, _ = io.WriteString(nc, text)
		if then != nil {
			then(nc)
		}
	}
}

func reset(nc net.Conn) {
	_ = nc.(*net.TCPConn).SetLinger(0)
	nc.Close()
}

func closing(nc net.Conn) { nc.Close() }

// F-10: each kind of hostile receiver, and the words its attempt ends with. The words carry the limit that ended
// it; the receivers' own clean-up shows that the connection was let go.
func TestHostileReceiversEndWithinTheirLimit(t *testing.T) {
	header := "HTTP/1.1 200 OK\r\nX-Filler: " + strings.Repeat("a", 1000) + "\r\n"
	for _, row := range []struct {
		name   string
		serve  func(net.Conn)
		reason Reason
		words  string
	}{
		{"hangs before the headers", answering("", nil), ReasonTimeout, "timed out after 100 ms"},
		{"does not read", func(net.Conn) {}, ReasonTimeout, "timed out after 100 ms"},
		{"drips headers", answering("HTTP/1.1 200 OK\r\nX-Slow: ", func(nc net.Conn) { drip(nc, "a") }), ReasonTimeout, "timed out after 100 ms"},
		{"drips interim answers", answering("", func(nc net.Conn) { drip(nc, "HTTP/1.1 103 Early Hints\r\n\r\n") }), ReasonTimeout, "timed out after 100 ms"},
		{"sends a huge header", answering("HTTP/1.1 200 OK\r\nX-Big: ", func(nc net.Conn) { pour(nc, strings.Repeat("a", 1024)) }), ReasonHeadersLarge, "response headers too large"},
		{"sends endless headers", answering("HTTP/1.1 200 OK\r\n", func(nc net.Conn) { pour(nc, "X-More: a\r\n") }), ReasonHeadersLarge, "response headers too large"},
		{"floods interim answers", answering("", func(nc net.Conn) { pour(nc, "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n") }), ReasonHeadersLarge, "response headers too large"},
		{"sends interim and final headers that are too large together", answering(strings.Repeat("HTTP/1.1 103 Early Hints"+header[15:]+"\r\n", 16)+header+"\r\n", nil), ReasonHeadersLarge, "response headers too large"},
		{"resets", answering("", reset), ReasonReset, "connection reset"},
		{"closes", answering("", closing), ReasonClosed, "connection closed before an answer"},
		{"closes within the headers", answering("HTTP/1.1 200 OK\r\nX-A: b\r\n", closing), ReasonClosed, "connection closed before an answer"},
		{"does not speak HTTP", answering("220 mail.example ESMTP\r\n\r\n", closing), ReasonMalformed, "response not valid HTTP"},
		{"has a header without a name", answering("HTTP/1.1 200 OK\r\n: x\r\n\r\n", nil), ReasonMalformed, "response not valid HTTP"},
	} {
		t.Run(row.name, func(t *testing.T) {
			limits := generous
			if row.reason == ReasonTimeout {
				limits.Attempt = 100 * time.Millisecond
			}
			c, _ := receiving(t, limits)
			_, err := c.Do(t.Context(), Request{URL: receive(t, row.serve).URL})
			wantReason(t, err, row.reason, row.words)
		})
	}
}

// The largest headers that fit pass, so that the limit above is not simply zero.
func TestHeadersUpToTheLimitPass(t *testing.T) {
	c, _ := receiving(t, generous)
	line := "X-Filler: " + strings.Repeat("a", 1000) + "\r\n"
	r := receive(t, answering("HTTP/1.1 200 OK\r\n"+strings.Repeat(line, 15)+"Content-Length: 0\r\n\r\n", nil))
	res, err := c.Do(t.Context(), Request{URL: r.URL})
	if err != nil || len(res.Header["X-Filler"]) != 15 {
		t.Fatal(res, err)
	}
	c.Close()
}

// A body never decides: whatever it does, the answer stands and is cut.
func TestBodiesDoNotHoldTheAttempt(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, row := range []struct {
		name      string
		serve     func(net.Conn)
		body      string
		truncated bool
		slow      bool // ends by time
	}{
		{"endless body", answering(ok+"\r\n", func(nc net.Conn) { pour(nc, strings.Repeat("a", 1024)) }), "aaaaaaaa", true, false},
		{"endless chunks", answering(ok+"Transfer-Encoding: chunked\r\n\r\n", func(nc net.Conn) { pour(nc, "1\r\na\r\n") }), "aaaaaaaa", true, false},
		{"huge announced body", answering(ok+"Content-Length: 1000000000\r\n\r\n", func(nc net.Conn) { pour(nc, "aaaaaaaa") }), "aaaaaaaa", true, false},
		{"body that never comes", answering(ok+"Content-Length: 3\r\n\r\n", nil), "", true, true},
		{"body that stops", answering(ok+"Content-Length: 1000\r\n\r\nabc", nil), "abc", true, true},
		{"dripping tail", answering(ok+"Content-Length: 1000\r\n\r\naaaaaaaa", func(nc net.Conn) { drip(nc, "a") }), "aaaaaaaa", true, true},
		{"chunk that never ends", answering(ok+"Transfer-Encoding: chunked\r\n\r\n3;x=", func(nc net.Conn) { drip(nc, "a") }), "", true, true},
		{"broken body", answering(ok+"Content-Length: 10\r\n\r\nabc", closing), "abc", true, false},
		{"body of exactly the size", answering(ok+"Content-Length: 8\r\n\r\n12345678", nil), "12345678", false, false},
		{"body one longer", answering(ok+"Content-Length: 9\r\n\r\n123456789", nil), "12345678", true, false},
		{"no body", answering(ok+"Content-Length: 0\r\n\r\n", nil), "", false, false},
		{"a switch of protocols", answering("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", nil), "", false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			limits := generous
			if row.slow {
				limits.Body = 50 * time.Millisecond
			}
			c, _ := receiving(t, limits)
			res, err := c.Do(t.Context(), Request{URL: receive(t, row.serve).URL, MaxBody: 8})
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Body) != row.body || res.Truncated != row.truncated {
				t.Fatalf("got %q, truncated %v", res.Body, res.Truncated)
			}
			c.Close()
		})
	}
}

// What arrived before the time was up is kept.
func TestASlowBodyIsCutByTime(t *testing.T) {
	c, _ := receiving(t, Limits{Body: 50 * time.Millisecond})
	r := receive(t, answering("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nabc", func(nc net.Conn) { drip(nc, ".") }))
	res, err := c.Do(t.Context(), Request{URL: r.URL})
	if err != nil || res.Status != 503 || !res.Truncated || !strings.HasPrefix(string(res.Body), "abc") {
		t.Fatal(res, err)
	}
}

// The whole attempt is bounded, also when BodyTime would allow more.
func TestTheBodyEndsWithTheAttempt(t *testing.T) {
	c, _ := receiving(t, generous)
	r := receive(t, answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", nil))
	res, err := c.Do(t.Context(), Request{URL: r.URL, Timeout: 500 * time.Millisecond})
	if err != nil || !res.Truncated {
		t.Fatal(res, err)
	}
}
