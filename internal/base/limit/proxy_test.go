package limit_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// proxy stands between the limiter and a server and misbehaves on demand.
type proxy struct {
	listener net.Listener
	server   string

	mu      sync.Mutex
	changed *sync.Cond
	mode    mode
	garbage string
	conns   map[net.Conn]struct{}
}

type mode int

const (
	passing  mode = iota
	holding       // nothing moves, connections stay: a stopped process, or a slow one
	cutting       // connections break, new ones too: a killed process
	garbling      // every answer is replaced by garbage
	ended
)

func newProxy(t testing.TB, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, server: server, conns: map[net.Conn]struct{}{}}
	p.changed = sync.NewCond(&p.mu)
	t.Cleanup(func() {
		l.Close()
		p.set(ended)
	})
	go p.accept()
	return p
}

func (p *proxy) url() string { return "redis://" + p.listener.Addr().String() }

func (p *proxy) pass() { p.set(passing) }
func (p *proxy) hold() { p.set(holding) }
func (p *proxy) cut()  { p.set(cutting) }

func (p *proxy) garble(garbage string) {
	p.mu.Lock()
	p.garbage = garbage
	p.mu.Unlock()
	p.set(garbling)
}

// serveFrom changes the server behind the proxy.
func (p *proxy) serveFrom(f *fakeRedis) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = f.address()
}

func (p *proxy) set(m mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = m
	if m == cutting || m == ended {
		for c := range p.conns {
			c.Close()
		}
		clear(p.conns)
	}
	p.changed.Broadcast()
}

// next waits while the proxy holds and gives the mode that then is.
func (p *proxy) next() (mode, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.mode == holding {
		p.changed.Wait()
	}
	return p.mode, p.garbage
}

// keep notes connections to be cut; false if they must not live.
func (p *proxy) keep(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == cutting || p.mode == ended {
		return false
	}
	for _, c := range conns {
		p.conns[c] = struct{}{}
	}
	return true
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		address := p.server
		p.mu.Unlock()
		server, err := net.Dial("tcp", address)
		if err != nil || !p.keep(client, server) {
			client.Close()
			if server != nil {
				server.Close()
			}
			continue
		}
		go p.pump(server, client, false)
		go p.pump(client, server, true)
	}
}

// pump moves bytes from one side to the other; answers may come out as garbage.
func (p *proxy) pump(to, from net.Conn, answers bool) {
	defer to.Close()
	defer from.Close()
	chunk := make([]byte, 1<<16)
	for {
		n, err := from.Read(chunk)
		if err != nil {
			return
		}
		m, garbage := p.next()
		switch {
		case m == cutting || m == ended:
			return
		case m == garbling && answers:
			_, err = io.WriteString(to, garbage)
		default:
			_, err = to.Write(chunk[:n])
		}
		if err != nil {
			return
		}
	}
}
