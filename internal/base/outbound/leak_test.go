package outbound

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// settled waits until at most n goroutines are left; the ends of connections are noticed a little later.
func settled(t *testing.T, n int) {
	t.Helper()
	late := time.After(5 * time.Second)
	for runtime.NumGoroutine() > n {
		select {
		case <-late:
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), n, stacks[:runtime.Stack(stacks, true)])
		default:
			runtime.Gosched()
		}
	}
}

// Attempts that fail leave neither goroutine nor connection behind, without waiting for a limit of their own:
// the TLS limit here is far longer than the test.
func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("attempts", func(t *testing.T) {
		c, _ := recorded(t, Options{
			AllowLoopbackHTTP: true, Resolver: resolving(receiverName, "127.0.0.1"), RootCAs: testAuthority().pool,
			Limits: Limits{Attempt: 50 * time.Millisecond, TLS: time.Hour, Body: 20 * time.Millisecond},
		}, loopbackOnly)
		const ok = "HTTP/1.1 200 OK\r\n"
		urls := []string{
			overTLS(receive(t, func(net.Conn) {})),
			receive(t, func(net.Conn) {}).URL,
			receiveTLS(t, func(nc net.Conn) { _ = readRequest(nc) }).URL,
			receive(t, answering(ok+"\r\n", func(nc net.Conn) { pour(nc, strings.Repeat("a", 4096)) })).URL,
			receive(t, answering(ok+"Content-Length: 9000\r\n\r\n", func(nc net.Conn) { drip(nc, "a") })).URL,
			receive(t, answering("", reset)).URL,
		}
		var all sync.WaitGroup
		for range 8 {
			for _, u := range urls {
				all.Go(func() { _, _ = c.Do(t.Context(), Request{Method: "POST", URL: u, Body: make([]byte, 1<<20)}) })
			}
		}
		all.Wait()
		c.Close() // a connection made just as its attempt ended is kept for the next one
	})
	settled(t, before)
}

// A dial does not outlive its attempt: the lookup ends although its own limit is far away.
func TestALookupEndsWithItsAttempt(t *testing.T) {
	ended := make(chan struct{})
	hanging := resolverFunc(func(ctx context.Context, _ string) ([]netip.Addr, error) {
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	c, _ := recorded(t, Options{Resolver: hanging, Limits: Limits{Attempt: 10 * time.Millisecond, Connect: time.Hour}}, nothing)
	_, err := c.Do(t.Context(), Request{URL: hookURL})
	wantReason(t, err, ReasonTimeout, "timed out after 10 ms")
	<-ended
}

// An HTTP/2 peer answers and then floods the idle connection: it is closed long before the idle limit. The
// receiver's clean-up waits for that.
func TestAFloodOfAnIdleConnectionEndsIt(t *testing.T) {
	const headersFrame, endOfBoth, status200 = 0x1, 0x5, "\x88"
	c, _ := receiving(t, generous)
	r := receiveTLS(t, greeting(func(nc net.Conn) {
		go reading(nc)
		_, _ = io.WriteString(nc, frame(headersFrame, endOfBoth, 1, status200))
		pour(nc, frame(pingFrame, 0, 0, "12345678"))
	}), "h2")
	// The answer may come before our request is whole; either way the flood must end.
	if res, err := c.Do(t.Context(), Request{URL: r.URL}); err == nil && res.Status != 200 {
		t.Fatal(res)
	}
}

// The allowance is per request, so many at once over one connection are no flood.
func TestManyRequestsOverOneConnectionAreNoFlood(t *testing.T) {
	s := serveHTTP2(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, MaxDrainBytes)) })
	c, rec := listed(t, Options{})
	send := func() {
		res, err := c.Do(t.Context(), Request{URL: named(s), MaxBody: MaxDrainBytes})
		if err != nil || len(res.Body) != MaxDrainBytes || res.Truncated {
			t.Error(res, err)
		}
	}
	send()
	var all sync.WaitGroup
	for range 64 {
		all.Go(send)
	}
	all.Wait()
	if rec.count() != 1 {
		t.Errorf("%d connections", rec.count())
	}
}

func TestTheAllowanceIsNotSavedUp(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	go pour(far, strings.Repeat("a", 4096))
	c := newConn(near, open)
	for range 100 {
		c.grant(1000)
		c.settle()
	}
	c.grant(1000)
	n, err := io.Copy(io.Discard, c)
	if err != errFlood || n != idleAllowance+requestAllowance+1000 {
		t.Fatal(n, err)
	}
}
