package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// failingConnect is a client for which connect(2) ends with err.
func failingConnect(t *testing.T, o Options, answer string, err error) *Client {
	t.Helper()
	o.Resolver = resolving("hook.example", answer)
	o.beforeConnect = func(string, string) error { return err }
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

func TestConnectFailuresInPlainWords(t *testing.T) {
	for _, row := range []struct {
		err    error
		reason Reason
		words  string
	}{
		{syscall.ECONNREFUSED, ReasonRefused, "connection refused"},
		{syscall.ECONNRESET, ReasonReset, "connection reset"},
		{syscall.EHOSTUNREACH, ReasonUnreachable, "host unreachable"},
		{syscall.ENETUNREACH, ReasonUnreachable, "host unreachable"},
		{syscall.ETIMEDOUT, ReasonTimeout, "connection timed out after 3 s"},
		{os.ErrDeadlineExceeded, ReasonTimeout, "connection timed out after 3 s"},
		{syscall.EMFILE, ReasonFailed, "connection failed"},
		{errors.New("surprise at 10.0.0.1"), ReasonFailed, "connection failed"},
	} {
		_, err := failingConnect(t, Options{}, "8.8.8.8", row.err).Do(t.Context(), Request{URL: hookURL})
		wantReason(t, err, row.reason, row.words)
		if !errors.Is(err, row.err) || !strings.Contains(err.(*Error).Detail(), row.err.Error()) {
			t.Errorf("%v: the operator cannot see the cause", row.err)
		}

		// 3.1 item 7: an internal address that is listed fails in one way only.
		listed := Options{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
		_, err = failingConnect(t, listed, "10.0.0.1", row.err).Do(t.Context(), Request{URL: hookURL})
		wantReason(t, err, ReasonAddress, "address not allowed")
		if !strings.Contains(err.(*Error).Detail(), row.words) {
			t.Errorf("the operator reads %q", err.(*Error).Detail())
		}
	}
}

func TestEveryAddressIsTriedAndTheFirstFailureNamed(t *testing.T) {
	var tried []string
	c := New(Options{
		Resolver: resolving("hook.example", "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1"),
		beforeConnect: func(_, address string) error {
			tried = append(tried, address)
			if len(tried) == 1 {
				return syscall.ECONNREFUSED
			}
			return syscall.EHOSTUNREACH
		},
	})
	_, err := c.Do(t.Context(), Request{URL: hookURL})
	wantReason(t, err, ReasonRefused, "connection refused")
	if len(tried) != maxAddresses {
		t.Errorf("tried %v", tried)
	}
}

func TestARefusedConnectionIsNamed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	c, _ := recorded(t, Options{AllowLoopbackHTTP: true}, loopbackOnly)
	_, err = c.Do(t.Context(), Request{URL: "http://" + listener.Addr().String()})
	wantReason(t, err, ReasonRefused, "connection refused")
}

// A listed internal receiver is reported like any other when it answers, and in one way when it does not.
func TestFailuresOfListedInternalReceiversAreHidden(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"hangs": func(net.Conn) {}, "closes": closing, "floods": answering("", func(nc net.Conn) { pour(nc, "HTTP/1.1 103 x\r\n\r\n") }),
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []*receiver{receive(t, serve), receiveTLS(t, serve)} {
				c, _ := listed(t, Options{Limits: Limits{Attempt: 100 * time.Millisecond}})
				_, err := c.Do(t.Context(), Request{URL: overTLS(r)})
				wantReason(t, err, ReasonAddress, "address not allowed")
			}
		})
	}
}

func TestLookupFailuresInPlainWords(t *testing.T) {
	limits := Limits{Attempt: 5 * time.Second, Connect: 20 * time.Millisecond}
	for _, row := range []struct {
		name   string
		lookup resolverFunc
		reason Reason
		words  string
	}{
		{"missing", (&names{}).lookup, ReasonName, "name not found"},
		{"no answers", func(context.Context, string) ([]netip.Addr, error) { return nil, nil }, ReasonName, "name not found"},
		{"broken", func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("SERVFAIL") }, ReasonLookup, "name lookup failed"},
		{"hanging", func(ctx context.Context, _ string) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() }, ReasonTimeout, "name lookup timed out after 20 ms"},
	} {
		c, _ := recorded(t, Options{Resolver: row.lookup, Limits: limits}, nothing)
		_, err := c.Do(t.Context(), Request{URL: hookURL})
		wantReason(t, err, row.reason, row.words)
	}
}

func (n *names) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return n.LookupNetIP(ctx, "ip", host)
}

func TestTheCallerMayStop(t *testing.T) {
	c, _ := receiving(t, generous)
	asked := make(chan struct{})
	r := receive(t, func(nc net.Conn) { _ = readRequest(nc); close(asked) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	_, err := c.Do(ctx, Request{URL: r.URL, Timeout: time.Hour})
	wantReason(t, err, ReasonCanceled, "stopped before an answer")
	if !errors.Is(err, context.Canceled) {
		t.Error("the cause is lost")
	}

	ctx, cancel = context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err = c.Do(ctx, Request{URL: r.URL})
	wantReason(t, err, ReasonTimeout, "timed out")
}

func TestPlainDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		10 * time.Second: "10 s", 1500 * time.Millisecond: "1.5 s", 250 * time.Millisecond: "250 ms", 2 * time.Minute: "120 s",
	} {
		if got := plainDuration(d); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestStandardLimits(t *testing.T) {
	want := Limits{10 * time.Second, 3 * time.Second, 5 * time.Second, time.Second, 30 * time.Second}
	if got := New(Options{}).options.Limits; got != want {
		t.Errorf("got %+v", got)
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	for reason, text := range words {
		if text == "" || fail(reason, nil).Error() != text || fail(reason, nil).Detail() != text {
			t.Errorf("%s: %q", reason, text)
		}
	}
	if ReasonOf(errors.New("other")) != ReasonNone || ReasonOf(nil) != ReasonNone {
		t.Error("a reason for a strange error")
	}
}
