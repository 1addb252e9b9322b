package outbound

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/clock"
)

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.TLS = receiverTLS(t)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// listed is a production client whose operator lists loopback.
func listed(t *testing.T, o Options) (*Client, *dialRecorder) {
	t.Helper()
	o.Allow, o.RootCAs = loopbackNet, testAuthority().pool
	o.Resolver = resolving(receiverName, "127.0.0.1")
	return recorded(t, o, loopbackOnly)
}

func TestWhatIsSentAndWhatComesBack(t *testing.T) {
	var got *http.Request
	var body []byte
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(r.Context())
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("X-Answer", "yes")
		w.Header().Set("Set-Cookie", "a=b")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "short and stout")
	})
	hand := clock.NewHand(time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC))
	c, rec := listed(t, Options{UserAgent: "Hooks/1", Clock: hand})
	for range 2 {
		res, err := c.Do(t.Context(), Request{
			Method: "POST", URL: named(s) + "in?a=b", Body: []byte(`{"x":1}`),
			Header: http.Header{"X-Webhook-Id": {"id"}, "Content-Type": {"application/json"}},
		})
		if err != nil || res.Status != 418 || string(res.Body) != "short and stout" || res.Truncated || res.Duration != 0 {
			t.Fatal(res, err)
		}
		if res.Header.Get("X-Answer") != "yes" {
			t.Error("the answer's headers are lost")
		}
	}
	if got.Method != "POST" || got.RequestURI != "/in?a=b" || string(body) != `{"x":1}` {
		t.Errorf("sent %s %s %s", got.Method, got.RequestURI, body)
	}
	for name, want := range map[string]string{
		"X-Webhook-Id": "id", "Content-Type": "application/json", "User-Agent": "Hooks/1", "Content-Length": "7",
		"Accept-Encoding": "", "Cookie": "", "Referer": "",
	} {
		if have := got.Header.Get(name); have != want {
			t.Errorf("sent %s: %q, want %q", name, have, want)
		}
	}
	if rec.count() != 1 {
		t.Errorf("%d connections for two requests in a row", rec.count())
	}
}

func TestRedirectsAreAnswers(t *testing.T) {
	var hits atomic.Int32
	target := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, named(target), status) })
		c, rec := listed(t, Options{})
		res, err := c.Do(t.Context(), Request{URL: named(s)})
		if err != nil || res.Status != status || rec.count() != 1 {
			t.Errorf("%d: %v, %v, %d connections", status, res, err, rec.count())
		}
	}
	if hits.Load() != 0 {
		t.Error("a redirect was followed")
	}
}

func TestTheEnvironmentsProxyIsIgnored(t *testing.T) {
	proxy := receive(t, func(nc net.Conn) { t.Error("the proxy was asked"); nc.Close() })
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, strings.Replace(proxy.URL, receiverName, "127.0.0.1", 1))
	}
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	c, _ := listed(t, Options{})
	if res, err := c.Do(t.Context(), Request{URL: named(s)}); err != nil || res.Status != 200 {
		t.Fatal(res, err)
	}
	if c.transport.Proxy != nil {
		t.Error("the transport has a proxy")
	}
}

func TestCompressionIsNotUndone(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "\x1f\x8b bomb")
	})
	c, _ := listed(t, Options{})
	res, err := c.Do(t.Context(), Request{URL: named(s)})
	if err != nil || string(res.Body) != "\x1f\x8b bomb" {
		t.Fatal(res, err)
	}
}

// Up to MaxDrainBytes a body is read to its end and the connection used again; beyond, it is closed.
func TestDrainingStopsAtTheLimit(t *testing.T) {
	for _, row := range []struct {
		name        string
		size        int
		chunked     bool
		connections int
	}{
		{"at the limit", MaxDrainBytes, false, 1},
		{"one beyond", MaxDrainBytes + 1, false, 2},
		{"at the limit, chunked", MaxDrainBytes, true, 1},
		{"far beyond, chunked", 64 * MaxDrainBytes, true, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if row.chunked {
					w.(http.Flusher).Flush()
				}
				_, _ = w.Write(make([]byte, row.size))
			})
			c, rec := listed(t, Options{Limits: Limits{Body: 5 * time.Second}})
			for range 2 {
				res, err := c.Do(t.Context(), Request{URL: named(s)})
				if err != nil || len(res.Body) != DefaultMaxBody || !res.Truncated {
					t.Fatal(res, err)
				}
			}
			if rec.count() != row.connections {
				t.Errorf("%d connections, want %d", rec.count(), row.connections)
			}
		})
	}
}

func TestOneIdleConnectionPerHostIsKept(t *testing.T) {
	var both sync.WaitGroup // both requests of a round are under way at once
	s := serve(t, func(http.ResponseWriter, *http.Request) { both.Done(); both.Wait() })
	c, rec := listed(t, Options{})
	for round, connections := range []int{2, 3} {
		both.Add(2)
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if _, err := c.Do(t.Context(), Request{URL: named(s)}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if rec.count() != connections {
			t.Errorf("%d connections after round %d, want %d", rec.count(), round, connections)
		}
	}
}

func TestABadRequestIsOursAndIsNotSent(t *testing.T) {
	c, rec := listed(t, Options{})
	for _, r := range []Request{
		{Method: "PO ST"},
		{Header: http.Header{"X-Bad": {"a\r\nInjected: b"}}},
		{Header: http.Header{"Bad Name": {"a"}}},
	} {
		r.URL = "https://" + receiverName + "/"
		_, err := c.Do(t.Context(), r)
		wantReason(t, err, ReasonRequest, "request not valid")
	}
	if rec.count() != 0 {
		t.Error("something was dialled")
	}
}

// TestWhatIsKnownOfAnAddressIsBounded: addresses that strangers make up do not pile up, and what is remembered of one changes nothing.
func TestWhatIsKnownOfAnAddressIsBounded(t *testing.T) {
	c := New(Options{})
	for n := range 3 * maxPlans {
		if _, err := c.plan("POST", "https://receiver.example/"+strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.plans.made); n == 0 || n > maxPlans {
		t.Errorf("%d addresses are kept", n)
	}
	for range 2 {
		a, err := c.plan("POST", "https://Receiver.example:443/hook?a=%20b")
		if err != nil || a.URL.String() != "https://receiver.example/hook?a=%20b" || a.Host != "receiver.example" || a.Method != "POST" {
			t.Errorf("got %+v, %v", a, err)
		}
		if _, err := c.plan("POST", "http://receiver.example/"); err == nil {
			t.Error("an address that is refused is taken")
		}
	}
	if get, _ := c.plan("GET", "https://Receiver.example:443/hook?a=%20b"); get.Method != "GET" {
		t.Errorf("a GET became %s", get.Method)
	}
}
