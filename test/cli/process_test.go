package cli_test

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"daybook/test/harness"
)

// process is a command that runs until it is told to stop, with all that it writes.
type process struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	mu     sync.Mutex
	stdout bytes.Buffer
	stderr bytes.Buffer
}

// stream writes into one of the process's buffers.
type stream struct {
	p  *process
	to *bytes.Buffer
}

func (s stream) Write(b []byte) (int, error) {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	return s.to.Write(b)
}

func (p *process) read(b *bytes.Buffer) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return b.String()
}

// run starts a command and waits until its standard output holds that text.
func run(t *testing.T, until string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(harness.Binary(t), args...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = stream{p, &p.stdout}, stream{p, &p.stderr}
	must(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	})
	eventually(t, 30*time.Second, "the command is ready", func() bool {
		if p.gone() {
			t.Fatalf("it ended:\n%s", p.read(&p.stderr))
		}
		return strings.Contains(p.read(&p.stdout), until)
	})
	return p
}

func (p *process) gone() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// stop ends the process and gives its exit status and everything it ever wrote to standard output.
func (p *process) stop(t *testing.T) (status int, stdout string) {
	t.Helper()
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	eventually(t, 30*time.Second, "the command has ended", p.gone)
	return p.cmd.ProcessState.ExitCode(), p.read(&p.stdout)
}

// eventually polls until a condition holds, for a bounded time.
func eventually(t *testing.T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for begun := time.Now(); time.Since(begun) < within; <-tick.C {
		if holds() {
			return
		}
	}
	t.Fatalf("after %v it is still not true that %s", within, what)
}
