package torture_test

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
	"testing"
	"time"

	"daybook/test/harness"
)

// F-12 in short. Statuses of the 500s are the library's own and say what the standard wants said; anything else from
// 500 up would be a fault of ours.
func TestHostileHTTPDoesNoHarm(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	form := "Content-Type: application/x-www-form-urlencoded\r\n"
	canary := "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, c := range []struct {
		name, raw string
		want      []int // 0 stands for a closed connection
	}{
		{"a length and chunks", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + canary, []int{400, 401}},
		{"chunks and a length", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", []int{400, 401}},
		{"two different lengths", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nemail=", []int{400}},
		{"two lengths in one line", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 5, 6\r\n\r\nemail=", []int{400}},
		{"a length with a sign", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: +5\r\n\r\nemail", []int{400}},
		{"a negative length", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: -1\r\n\r\n", []int{400}},
		{"a length beyond counting", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 99999999999999999999\r\n\r\n", []int{400}},
		{"a blank before the colon", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length : 5\r\n\r\nemail", []int{400}},
		{"chunks that are none", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n", []int{400}},
		{"a chunk beyond counting", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", []int{400}},
		{"an unknown coding", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", []int{400, 501}},
		{"two codings", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", []int{400, 501}},
		{"a coding hidden by a vertical tab", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n", []int{400, 501}},
		{"a folded header", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2\r\n\r\n", []int{200, 400}},
		{"a zero byte in a header", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: \x00\r\n\r\n", []int{400}},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", []int{400}},
		{"two hosts", "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", []int{400}},
		{"a host that is none", "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", []int{400}},
		{"a version of the future", "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n", []int{400, 505}},
		{"the greeting of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{0, 400, 404, 405, 505}},
		{"another protocol, hung up", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", []int{400}},
		{"a proxy's question", "CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n", []int{400, 404, 405}},
		{"a question about everything", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", []int{200, 404, 405}},
		{"an address as a proxy sends it", "GET http://evil.test/healthz HTTP/1.1\r\nHost: evil.test\r\n\r\n", []int{200}},
		{"an address that is none", "GET :// HTTP/1.1\r\nHost: x\r\n\r\n", []int{400, 404}},
		{"bytes that are no path", "GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", []int{400, 404}},
		{"a header of 64 KiB", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", []int{431}},
		{"ten thousand headers", "GET /healthz HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-A: b\r\n", 10_000) + "\r\n", []int{431}},
		{"a path of 64 KiB", "GET /" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", []int{431}},
		{"a cookie of 20 KiB", "GET /account HTTP/1.1\r\nHost: x\r\nCookie: daybook_session=" + strings.Repeat("a", 20<<10) + "\r\n\r\n", []int{303}},
		{"two thousand cookies", "GET /account HTTP/1.1\r\nHost: x\r\nCookie: " + strings.Repeat("a=b; ", 2000) + "\r\n\r\n", []int{303}},
		{"a body that never comes, hung up", "POST /sign-in HTTP/1.1\r\nHost: x\r\n" + form + "Content-Length: 100\r\n\r\nemail=", []int{0, 400}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status := speak(t, n.AuthURL, c.raw, strings.Contains(c.name, "hung up"))
			for _, want := range c.want {
				if status == want {
					return
				}
			}
			t.Errorf("answered %d, want one of %v", status, c.want)
		})
	}
	stillWell(t, n)
}

// speak sends bytes, may hang up its side, and gives the status of the first answer; 0 when there is none.
func speak(t *testing.T, address, raw string, hangUp bool) int {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	// The server may have answered and closed before it has read everything.
	_, _ = io.WriteString(conn, raw)
	if hangUp {
		_ = conn.(*net.TCPConn).CloseWrite()
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("neither an answer nor an end")
		}
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

// stillWell proves that the node serves as before.
func stillWell(t *testing.T, n *harness.Node) {
	t.Helper()
	for _, address := range []string{n.BaseURL + "/readyz", n.AuthURL + "/readyz", n.AuthURL + "/sign-in"} {
		if a := harness.Get(t, harness.Browser(t), address); a.Status != http.StatusOK {
			t.Errorf("%s: %d", address, a.Status)
		}
	}
	n.SignIn(t, harness.Browser(t), n.User(t, "olivia"))
	for _, word := range []string{"panic", "level=ERROR", "status=5"} {
		if strings.Contains(n.Log(), word) {
			t.Errorf("the log says %s:\n%s", word, n.Log())
		}
	}
}

// Someone who leaves before the answer has done nothing wrong, and neither have we.
func TestALeaverIsNoFailureOfOurs(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	u := n.User(t, "olivia")
	body := url.Values{"email": {u.Email}, "password": {u.Password}}.Encode()
	const leavers = 8
	for range leavers {
		conn, err := net.Dial("tcp", strings.TrimPrefix(n.AuthURL, "http://"))
		must(t, err)
		fmt.Fprintf(conn, "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		must(t, conn.Close())
	}
	for begun := time.Now(); strings.Count(n.Log(), "path=/sign-in") < leavers; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("not all of them are in the log:\n%s", n.Log())
		}
	}
	stillWell(t, n)
}

func TestHostileBodiesDoNoHarm(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	clock, signIn := n.BaseURL+"/dev/clock", n.AuthURL+"/sign-in"
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	var many, long, distinct strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&distinct, `"%x":1,`, i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&many, "f%d=&", i)
		fmt.Fprintf(&long, "field%d=%d&", i, i)
	}
	for _, c := range []struct {
		name, address, contentType, body string
		want                             int
	}{
		{"a hundred thousand arrays in each other", clock, asJSON, strings.Repeat("[", 100_000), 400},
		{"closed ones", clock, asJSON, strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), 400},
		{"a hundred thousand objects in each other", clock, asJSON, strings.Repeat(`{"a":`, 100_000), 400},
		{"deep below a member", clock, asJSON, `{"advance":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, 400},
		{"a hundred thousand members", clock, asJSON, "{" + strings.Repeat(`"a":1,`, 100_000) + `"a":1}`, 400},
		{"a hundred thousand members that differ", clock, asJSON, "{" + distinct.String() + `"a":1}`, 400},
		{"a number of a megabyte", clock, asJSON, `{"advance":` + strings.Repeat("1", 1_000_000) + `}`, 400},
		{"half of a surrogate pair", clock, asJSON, `{"advance":"\ud800"}`, 400},
		{"bytes that are no UTF-8", clock, asJSON, "{\"advance\":\"\xff\"}", 400},
		{"ten thousand fields", signIn, asForm, many.String()[:64<<10-1], 401},
		{"ten thousand long fields", signIn, asForm, long.String(), 413},
		{"sixty thousand separators", signIn, asForm, strings.Repeat("&", 60_000), 401},
		{"sixty thousand semicolons", signIn, asForm, strings.Repeat(";", 60_000), 400},
		{"a field of 60 KiB", signIn, asForm, "email=" + strings.Repeat("%00", 20_000), 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := harness.Send(t, harness.Browser(t), http.MethodPost, c.address, http.Header{"Content-Type": {c.contentType}}, c.body)
			if a.Status >= 500 || a.Status != c.want && a.Status != http.StatusBadRequest {
				t.Errorf("answered %d, want %d\n%.300s", a.Status, c.want, a.Body)
			}
			if len(a.Body) > 2*len(c.body)+8<<10 { // nobody gets much more out of us than they sent
				t.Errorf("an answer of %d bytes to %d", len(a.Body), len(c.body))
			}
		})
	}
	t.Run("ten thousand fields in the address", func(t *testing.T) {
		q := url.Values{"next": {strings.Repeat("a", 5000)}}.Encode() + strings.Repeat("&a=b", 5000)
		if a := harness.Get(t, harness.Browser(t), signIn+"?"+q); a.Status >= 500 {
			t.Errorf("answered %d", a.Status)
		}
	})
	stillWell(t, n)
}

// A sender of slow headers is cut off after five seconds, and a crowd of silent ones keeps nobody out.
func TestSlowSendersAreCutOff(t *testing.T) {
	t.Parallel()
	n := harness.Dev(t, harness.Options{})
	for range 300 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(n.AuthURL, "http://"))
		must(t, err)
		defer conn.Close()
	}
	slow, err := net.Dial("tcp", strings.TrimPrefix(n.AuthURL, "http://"))
	must(t, err)
	defer slow.Close()
	begun := time.Now()
	_, err = io.WriteString(slow, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	must(t, err)
	stillWell(t, n)
	must(t, slow.SetDeadline(time.Now().Add(30*time.Second)))
	answer, err := io.ReadAll(slow)
	took := time.Since(begun)
	if errors.Is(err, os.ErrDeadlineExceeded) || took < 4*time.Second || took > 20*time.Second {
		t.Errorf("cut off after %v: %v", took, err)
	}
	if strings.Contains(string(answer), " 200 ") || strings.HasPrefix(string(answer), "HTTP/1.1 5") {
		t.Errorf("answered %q", answer)
	}
	stillWell(t, n)
}
