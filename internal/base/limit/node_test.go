package limit_test

import (
	"bytes"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// newResilient is a Resilient over the real server that must never fall back.
func newResilient(t testing.TB, c clock.Clock) limit.Limiter {
	address := realRedis(t)
	l := limit.NewResilient(limit.Parts{
		Redis: openRedis(t, address, c), Local: limit.NewLocal(c), Clock: c, Log: slog.New(slog.DiscardHandler),
		OnChange: func(degraded bool) { t.Errorf("degraded: %v", degraded) },
	})
	t.Cleanup(l.Close)
	return l
}

// ringer is a hand clock that tells when somebody starts to wait, and for how long.
type ringer struct {
	*clock.Hand
	set chan time.Duration
}

func (r *ringer) Alarm(t time.Time) *clock.Alarm {
	a := r.Hand.Alarm(t)
	r.set <- t.Sub(r.Now())
	return a
}

// await returns when somebody waits for exactly d; other waits are passed over.
func (r *ringer) await(d time.Duration) {
	for got := range r.set {
		if got == d {
			return
		}
	}
}

// node is a Resilient behind a proxy.
type node struct {
	*limit.Resilient
	clock   *ringer
	proxy   *proxy
	fake    *fakeRedis // nil in front of a real server
	changes chan bool
	log     *buffer
}

// eachServer runs a test in front of the fake server and, where there is one, of the real one.
func eachServer(t *testing.T, test func(*testing.T, *node)) {
	t.Run("fake server", func(t *testing.T) { test(t, fakeNode(t)) })
	t.Run("real server", func(t *testing.T) {
		u, err := url.Parse(realRedis(t))
		if err != nil {
			t.Fatal(err)
		}
		if u.User != nil || u.Scheme != "redis" {
			t.Skip("the proxy needs a server without password and TLS")
		}
		test(t, newNode(t, newProxy(t, u.Host)))
	})
}

func fakeNode(t testing.TB) *node {
	fake := newFakeRedis(t)
	n := newNode(t, newProxy(t, fake.address()))
	n.fake = fake
	return n
}

func newNode(t testing.TB, p *proxy) *node {
	n := &node{
		proxy:   p,
		clock:   &ringer{clock.NewHand(start), make(chan time.Duration, 1<<16)},
		changes: make(chan bool, 100),
		log:     &buffer{},
	}
	n.Resilient = limit.NewResilient(limit.Parts{
		Redis: openRedis(t, p.url(), n.clock), Local: limit.NewLocal(n.clock), Clock: n.clock,
		Log:      slog.New(slog.NewTextHandler(n.log, nil)),
		OnChange: func(degraded bool) { n.changes <- degraded },
	})
	t.Cleanup(n.Close)
	return n
}

// late makes a call that Redis does not answer: it lets the time it may wait pass.
func late[T any](n *node, call func() T) T {
	for len(n.clock.set) > 0 {
		<-n.clock.set
	}
	answer := make(chan T, 1)
	go func() { answer <- call() }()
	n.clock.await(limit.Patience)
	n.clock.Advance(limit.Patience)
	return <-answer
}

// recover lets seconds pass until the probe gets through.
func (n *node) recover() {
	for {
		select {
		case degraded := <-n.changes:
			if !degraded {
				return
			}
		case d := <-n.clock.set:
			if d == limit.Pause {
				n.clock.Advance(d)
			}
		}
	}
}

// buffer is a log to look into.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
