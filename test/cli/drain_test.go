package cli_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/test/harness"
)

// slowPost is a sign-in whose body has only been sent in part.
type slowPost struct {
	conn   net.Conn
	reader *bufio.Reader
	rest   string
}

// startSlowPost returns when the server has begun to read the body, which it tells by 100 Continue.
func startSlowPost(t *testing.T, n *harness.Node) slowPost {
	t.Helper()
	host := strings.TrimPrefix(n.AuthURL, "http://")
	conn, err := net.Dial("tcp", host)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	u := n.User(t, "olivia")
	body := url.Values{"email": {u.Email}, "password": {u.Password}, "next": {"/account"}}.Encode()
	fmt.Fprintf(conn, "POST /sign-in HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", host, len(body))
	reader := bufio.NewReader(conn)
	line, err := reader.ReadString('\n')
	if err != nil || !strings.Contains(line, " 100 ") {
		t.Fatalf("%q, %v", line, err)
	}
	_, err = reader.ReadString('\n')
	must(t, err)
	_, err = io.WriteString(conn, body[:10])
	must(t, err)
	return slowPost{conn, reader, body[10:]}
}

// finish sends the rest and reads the whole answer.
func (s slowPost) finish(t *testing.T) *http.Response {
	t.Helper()
	_, err := io.WriteString(s.conn, s.rest)
	must(t, err)
	response, err := http.ReadResponse(s.reader, nil)
	must(t, err)
	_, err = io.ReadAll(response.Body)
	must(t, err)
	must(t, response.Body.Close())
	return response
}

// refusesConnections waits until nobody is let in any more.
func refusesConnections(t *testing.T, n *harness.Node) {
	t.Helper()
	for _, address := range []string{n.AuthURL, n.BaseURL} {
		eventually(t, 10*time.Second, address+" refuses connections", func() bool {
			conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
			if err == nil {
				_ = conn.Close()
			}
			return errors.Is(err, syscall.ECONNREFUSED)
		})
	}
}

// ends waits for the process and gives its exit status; it fails when that takes longer than allowed.
func ends(t *testing.T, n *harness.Node, within time.Duration) int {
	t.Helper()
	select {
	case <-n.Ended():
	case <-time.After(within):
		t.Fatalf("still there after %v:\n%s", within, n.Log())
	}
	return n.Stop()
}

func TestASignalLetsARequestUnderWayFinish(t *testing.T) {
	for name, signal := range map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			n := harness.Dev(t, harness.Options{Data: dir})
			post := startSlowPost(t, n)
			n.Signal(signal)
			refusesConnections(t, n)
			select {
			case <-n.Ended():
				t.Fatalf("it did not wait:\n%s", n.Log())
			default:
			}
			response := post.finish(t)
			if response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != "/account" || len(response.Cookies()) != 1 {
				t.Fatalf("%d %v", response.StatusCode, response.Header)
			}
			if status := ends(t, n, 10*time.Second); status != 0 {
				t.Errorf("exit status %d\n%s", status, n.Log())
			}
			// What was acknowledged in the last moment is there after the next start.
			again := harness.Dev(t, harness.Options{Data: dir})
			a := harness.Send(t, harness.Browser(t), http.MethodGet, again.AuthURL+"/account", http.Header{"Cookie": {response.Cookies()[0].String()}}, "")
			if a.Status != http.StatusOK {
				t.Errorf("the session answers %d", a.Status)
			}
		})
	}
}

func TestASecondSignalEndsItAtOnce(t *testing.T) {
	for _, signals := range [][2]syscall.Signal{{syscall.SIGTERM, syscall.SIGTERM}, {syscall.SIGINT, syscall.SIGINT}, {syscall.SIGTERM, syscall.SIGINT}} {
		t.Run(fmt.Sprintf("%v, then %v", signals[0], signals[1]), func(t *testing.T) {
			n := harness.Dev(t, harness.Options{})
			startSlowPost(t, n)
			n.Signal(signals[0])
			refusesConnections(t, n)
			n.Signal(signals[1])
			if status := ends(t, n, 5*time.Second); status == 0 {
				t.Error("exit status 0, although a request was cut off")
			}
		})
	}
}

func TestIdleConnectionsDoNotDelayTheEnd(t *testing.T) {
	n := harness.Serve(t, harness.ServeOptions{})
	for i := range 20 {
		address := n.AuthURL
		if i%2 == 0 {
			address = n.BaseURL
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != http.StatusOK || response.Close {
			t.Fatalf("%v, %v", response, err)
		}
	}
	begun := time.Now()
	n.Signal(syscall.SIGTERM)
	if status := ends(t, n, 3*time.Second); status != 0 {
		t.Errorf("exit status %d\n%s", status, n.Log())
	}
	t.Logf("ended after %v", time.Since(begun).Round(time.Millisecond))
}

func TestServeDrainsToo(t *testing.T) {
	i := installation{dir: t.TempDir()}
	i.database, i.key = i.dir+"/daybook.db", i.dir+"/daybook.key"
	if status, _, stderr := i.run(t, firstPassword, "operator", "create", "--email", first, "--password-stdin"); status != 0 {
		t.Fatal(stderr)
	}
	n := harness.Serve(t, harness.ServeOptions{Dir: i.dir})
	n.Users = []harness.User{{Email: "olivia@example.test"}} // anybody: a page that says no is a whole answer too
	post := startSlowPost(t, n)
	n.Signal(syscall.SIGTERM)
	refusesConnections(t, n)
	if response := post.finish(t); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("%d", response.StatusCode)
	}
	if status := ends(t, n, 10*time.Second); status != 0 {
		t.Errorf("exit status %d\n%s", status, n.Log())
	}
	if files := folder(t, i.dir); len(files) != 3 { // the folder itself, the database, the key: no leftovers of the store
		t.Errorf("left behind: %v", files)
	}
}
