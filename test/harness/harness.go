// Package harness runs the real binary for black-box tests: built once per test program, started on free ports, on a
// database of its own, stopped and looked after at the end of the test.
package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
)

// Binary is the program under test, built as it is released: without cgo. DAYBOOK_TEST_BINARY names one that is built already.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var given = os.Getenv("DAYBOOK_TEST_BINARY")

var build = sync.OnceValues(func() (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := os.MkdirTemp("", "daybook-bin-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "daybook")
	cmd := exec.Command("go", "build", "-o", path, "daybook/cmd/daybook")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// Main runs a package's tests and removes the built binary and the snapshots of databases. Use it as: func TestMain(m *testing.M) { harness.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if err := dbtest.DropSnapshots(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if path, err := build(); err == nil && path != given {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// User is a person of the demo world.
type User struct {
	ID, Name, Email, Password string
	Operator                  bool
	OrganizationID            *string
	Businesses                []struct {
		ID, Name, Role string
		Sandbox        bool
	}
}

// App is an app of the demo world.
type App struct {
	AppID, Name, OrganizationID, ClientID, ClientType, ReviewStatus string
	ClientSecret                                                    *string
	RedirectURIs, Scopes                                            []string
}

// Facts is what `daybook dev --json` prints.
type Facts struct {
	BaseURL, AuthURL string
	Now              time.Time
	Users            []User
	Apps             []App
}

// User finds a person by the beginning of their address.
func (f Facts) User(t testing.TB, name string) User {
	t.Helper()
	for _, u := range f.Users {
		if strings.HasPrefix(u.Email, name+"@") {
			return u
		}
	}
	t.Fatalf("there is no %s in the demo world", name)
	return User{}
}

// Node is a running process.
type Node struct {
	Facts
	t      testing.TB
	cmd    *exec.Cmd
	stderr *syncBuffer
	ended  chan struct{}
	err    error
}

// Options of a development node.
type Options struct {
	// Database is the setting to use; empty: a new SQLite file.
	Database string
	// Data is the folder to use; empty: a new one.
	Data string
	Args []string
	Env  []string
	// DemoBooks gives businesses their year of demo books, which takes a few seconds on PostgreSQL.
	DemoBooks bool
}

// EachDatabase is dbtest's, with both databases side by side: most of a black-box test is waiting.
func EachDatabase(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("on", func(t *testing.T) { // which ends when both have
		dbtest.EachDatabase(t, func(t *testing.T, database string) {
			t.Parallel()
			test(t, database)
		})
	})
}

// EachStore runs the test against a development node on SQLite and on PostgreSQL.
func EachStore(t *testing.T, test func(t *testing.T, n *Node)) {
	t.Helper()
	EachDatabase(t, func(t *testing.T, database string) { test(t, Dev(t, Options{Database: database})) })
}

// Dev starts `daybook dev --json` and waits until it says that both hosts answer.
func Dev(t testing.TB, o Options) *Node {
	t.Helper()
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	args := []string{"dev", "--json", "--api", "127.0.0.1:0", "--app", "127.0.0.1:0", "--data", o.Data}
	if o.Database != "" {
		args = append(args, "--database", o.Database)
	}
	if !o.DemoBooks {
		args = append(args, "--empty-books")
	}
	return start(t, append(args, o.Args...), o.Env)
}

func start(t testing.TB, args, env []string) *Node {
	t.Helper()
	n := &Node{t: t, stderr: &syncBuffer{}, ended: make(chan struct{})}
	n.cmd = exec.Command(Binary(t), args...)
	n.cmd.Env = append(os.Environ(), env...)
	n.cmd.Stderr = n.stderr
	stdout, err := n.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.cleanUp)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	go func() {
		_, _ = io.Copy(io.Discard, stdout)
		n.err = n.cmd.Wait()
		close(n.ended)
	}()
	if err != nil {
		<-n.ended
		t.Fatalf("daybook %s ended before it was ready: %v\n%s", strings.Join(args, " "), n.err, n.Log())
	}
	if err := json.Unmarshal(line, &n.Facts); err != nil {
		t.Fatalf("first line is not the JSON of facts: %v\n%s", err, line)
	}
	return n
}

// Log is what the process has written to standard error so far.
func (n *Node) Log() string { return n.stderr.String() }

// Stop asks the process to end (SIGTERM) and waits for it. Its exit status is returned.
func (n *Node) Stop() int {
	_ = n.cmd.Process.Signal(syscall.SIGTERM)
	return n.wait()
}

// Signal sends a signal and does not wait.
func (n *Node) Signal(s os.Signal) { _ = n.cmd.Process.Signal(s) }

// Kill ends the process without warning (SIGKILL) and waits until it is gone.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	<-n.ended
}

// Ended is closed when the process is gone.
func (n *Node) Ended() <-chan struct{} { return n.ended }

// PID of the process.
func (n *Node) PID() int { return n.cmd.Process.Pid }

func (n *Node) wait() int {
	select {
	case <-n.ended:
	case <-time.After(40 * time.Second): // longer than a drain may take
		n.t.Errorf("daybook did not end; its log:\n%s", n.Log())
		n.Kill()
	}
	var exit *exec.ExitError
	if errors.As(n.err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func (n *Node) cleanUp() {
	select {
	case <-n.ended:
	default:
		n.Kill()
	}
	if log := n.Log(); strings.Contains(log, "panic") || strings.Contains(log, "DATA RACE") {
		n.t.Errorf("the log speaks of a panic:\n%s", log)
	}
}

// Run runs a command to its end and gives its exit status and what it wrote. One that does not end is killed after a
// minute, and the test fails.
func Run(t testing.TB, dir string, env []string, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	program := Binary(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("daybook %s did not end; it wrote\n%s%s", strings.Join(args, " "), out.String(), errOut.String())
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}

// Browser is an HTTP client with a cookie jar that shows redirects instead of following them.
func Browser(t testing.TB) *http.Client {
	t.Helper()
	return &http.Client{
		Jar:           newJar(t),
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
