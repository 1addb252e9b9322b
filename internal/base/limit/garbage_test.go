package limit_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// F-07, wrong answers. Each must be told from a right one; none may end the process or lock anybody out.
func TestRedisAnswersGarbage(t *testing.T) {
	now := strconv.FormatInt(start.UnixMilli(), 10)
	for name, garbage := range map[string]string{
		"not the protocol":           "HTTP/1.1 400 Bad Request\r\n\r\n",
		"binary":                     "\x00\x01\xff\xfe\r\n",
		"a line without an end":      strings.Repeat("+", 1<<15),
		"a string of negative size":  "$-5\r\n",
		"a string of absurd size":    "$999999999999\r\n",
		"a list of negative size":    "*-7\r\n",
		"a list of absurd size":      "*2147483647\r\n",
		"lists without end":          strings.Repeat("*1\r\n", 100),
		"more answers than asked":    "+A\r\n+B\r\n+C\r\n+D\r\n+E\r\n+F\r\n+G\r\n+H\r\n",
		"a message nobody asked for": ">2\r\n+message\r\n+x\r\n",
		"a bool with a tail":         "#t+A+B\r\n",
		"an error":                   "-ERR unwell\r\n",
		"read only":                  "-READONLY You can't write against a read only replica.\r\n",
		"out of memory":              "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
		"a wrong type":               "+OK\r\n",
		"nothing":                    "$-1\r\n",
		"an empty list":              "*0\r\n",
		"one number too few":         "*1\r\n:" + now + "\r\n",
		"one number too many":        "*3\r\n:" + now + "\r\n:1\r\n:1\r\n",
		"texts":                      "*2\r\n$1\r\n1\r\n$1\r\n1\r\n",
		"a window of another time":   "*2\r\n:1\r\n:9999\r\n",
		"a window in the future":     "*2\r\n:99" + now + "\r\n:9999\r\n",
		"no hits at all":             "*2\r\n:" + now + "\r\n:0\r\n",
		"negative hits":              "*2\r\n:" + now + "\r\n:-3\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			n := fakeNode(t)
			r, o := rule(10, time.Minute), lockout(5, time.Minute, time.Minute)
			take(n, r, "k")
			n.proxy.garble(garbage)
			if w := take(n, r, "k"); w != (limit.Window{Allowed: true, Limit: 10, Remaining: 8, Reset: time.Minute}) {
				t.Errorf("got %+v", w)
			}
			fail(n, o, "k", 1)
			if rest := locked(n, o, "k"); rest != 0 {
				t.Errorf("locked for %v", rest)
			}
			degrade(n)
			n.proxy.pass()
			n.recover()
			if w := take(n, rule(10, time.Minute), "k"); !w.Allowed || n.Degraded() {
				t.Errorf("not back: %+v", w)
			}
		})
	}
}

// Half an answer is as good as none.
func TestRedisStopsInTheMiddleOfAnAnswer(t *testing.T) {
	n := fakeNode(t)
	r := rule(10, time.Minute)
	take(n, r, "k")
	n.proxy.garble("*2\r\n:17")
	if w := late(n, func() limit.Window { return take(n, r, "k") }); w.Remaining != 8 {
		t.Errorf("got %+v", w)
	}
}

// Whatever comes over the line, in pieces of the protocol and out of it: an error at worst.
func TestNoBytesEndTheProcess(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"*2\r\n", "*0\r\n", "*-1\r\n", "%1\r\n", "~1\r\n", ">1\r\n", "|1\r\n", "$1\r\n", "$-1\r\n", "$0\r\n\r\n", "$?\r\n",
		":1\r\n", ":-1\r\n", "+OK\r\n", "-ERR\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(12\r\n", "!3\r\nERR\r\n", "=5\r\ntxt:a\r\n",
		"a", "\r\n", "\n", "*", "$", "9", "PONG", ".\r\n", ";1\r\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		bytes := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
		greet := rapid.Bool().Draw(t, "greets first")
		address, stop := serveBytes(greet, bytes)
		defer stop()
		r, err := limit.OpenRedis("redis://"+address, clock.NewHand(start))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		// A context that can be cancelled sends the client down its other path, with goroutines of its own.
		cancellable, cancel := context.WithCancel(ctx)
		defer cancel()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = r.Take(ctx, limit.Hit{Rule: limit.Rule{Name: "r", Max: 1, Per: time.Minute}, Key: "k"})
		}()
		_ = r.Ping(cancellable)
		<-done
	})
}

// serveBytes is a server that, after a proper greeting or at once, answers the first command with bytes and hangs
// up.
func serveBytes(greet bool, bytes string) (address string, stop func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fake := &fakeRedis{spans: map[string][2]int64{}}
	serve := func(conn net.Conn) {
		defer conn.Close()
		in := bufio.NewReader(conn)
		for {
			command, err := readCommand(in)
			if err != nil {
				return
			}
			if !greet || strings.HasPrefix(command[0], "EVAL") {
				_, _ = io.WriteString(conn, bytes)
				return
			}
			_, _ = io.WriteString(conn, fake.answer(command))
		}
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return l.Addr().String(), func() { l.Close() }
}
