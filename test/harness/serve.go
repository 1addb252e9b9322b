package harness

import (
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ServeOptions of a production node.
type ServeOptions struct {
	// Dir is where its database and key file are, unless Args or Env say otherwise; empty: a new folder.
	Dir string
	// BaseURL and AuthURL are the public addresses; empty: those it listens on.
	BaseURL, AuthURL string
	Args, Env        []string
}

// Serve starts `daybook serve` on free ports and waits until it says that it is ready. The Facts hold only the two
// addresses it listens on.
func Serve(t testing.TB, o ServeOptions) *Node {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	for try := 1; ; try++ {
		n := serve(t, o)
		if n.becomesReady() {
			return n
		}
		// Between choosing a port and listening on it another program may take it.
		if try == 3 || !strings.Contains(n.Log(), "in use") {
			t.Fatalf("daybook serve ended before it was ready:\n%s", n.Log())
		}
	}
}

func serve(t testing.TB, o ServeOptions) *Node {
	t.Helper()
	api, app := FreeAddress(t), FreeAddress(t)
	n := &Node{t: t, stderr: &syncBuffer{}, ended: make(chan struct{})}
	n.BaseURL, n.AuthURL = "http://"+api, "http://"+app
	base, auth := n.BaseURL, n.AuthURL
	if o.BaseURL != "" {
		base, auth = o.BaseURL, o.AuthURL
	}
	args := append([]string{"serve", "--api-listen", api, "--app-listen", app, "--base-url", base, "--auth-url", auth}, o.Args...)
	n.cmd = exec.Command(Binary(t), args...)
	n.cmd.Dir, n.cmd.Env = o.Dir, append(os.Environ(), o.Env...)
	n.cmd.Stdout, n.cmd.Stderr = io.Discard, n.stderr
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.cleanUp)
	go func() {
		n.err = n.cmd.Wait()
		close(n.ended)
	}()
	return n
}

// becomesReady waits for the line that says so; false when the process has ended instead.
func (n *Node) becomesReady() bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for begun := time.Now(); time.Since(begun) < 30*time.Second; {
		if strings.Contains(n.Log(), `"msg":"ready"`) {
			return true
		}
		select {
		case <-n.ended:
			return false
		case <-tick.C:
		}
	}
	return false
}

// Dir is the folder a production node works in.
func (n *Node) Dir() string { return n.cmd.Dir }

// FreeAddress is a loopback address that nobody listens on. It lies below the ports that systems give to whoever connects or asks for
// any: one of those may be taken again before it is used.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(10_000+rand.IntN(20_000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no free address")
	return ""
}
