package limit_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/limit"
)

// fakeRedis is a server that knows as much of Redis as the limiter uses. It runs where no real one is at hand,
// and can be told to refuse.
type fakeRedis struct {
	listener net.Listener

	mu      sync.Mutex
	spans   map[string][2]int64
	loaded  bool   // the script
	refusal string // answers the greeting instead, if not empty
	seen    [][]string
}

func newFakeRedis(t testing.TB) *fakeRedis {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeRedis{listener: l, spans: map[string][2]int64{}}
	t.Cleanup(func() { l.Close() })
	go f.accept()
	return f
}

func (f *fakeRedis) address() string { return f.listener.Addr().String() }

func (f *fakeRedis) accept() {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return
		}
		go f.serve(conn)
	}
}

func (f *fakeRedis) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		command, err := readCommand(in)
		if err != nil {
			return
		}
		if _, err := io.WriteString(conn, f.answer(command)); err != nil {
			return
		}
	}
}

func (f *fakeRedis) answer(command []string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, command)
	switch command[0] {
	case "HELLO":
		if f.refusal != "" {
			return f.refusal
		}
		return "%2\r\n$7\r\nversion\r\n$5\r\n7.0.0\r\n$5\r\nproto\r\n:3\r\n"
	case "EVAL":
		f.loaded = true
		return f.run(command[2:])
	case "EVALSHA":
		if !f.loaded {
			return "-NOSCRIPT No matching script.\r\n"
		}
		return f.run(command[2:])
	}
	return "+OK\r\n"
}

// run is the script: how many keys, the keys, now, spare, then verb and three numbers a key.
func (f *fakeRedis) run(args []string) string {
	keys := int(number(args[0]))
	now, laws := number(args[1+keys]), args[3+keys:]
	out := fmt.Sprintf("*%d\r\n", 2*keys)
	for i, key := range args[1 : 1+keys] {
		s, law := f.spans[key], laws[4*i:]
		s[0], s[1] = limit.RunScript(law[0], s[0], s[1], now, number(law[1]), number(law[2]), number(law[3]))
		f.spans[key] = s
		out += fmt.Sprintf(":%d\r\n:%d\r\n", s[0], s[1])
	}
	return out
}

// flush forgets everything, the script too, as a restart does.
func (f *fakeRedis) flush() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spans, f.loaded = map[string][2]int64{}, false
}

func (f *fakeRedis) refuse(answer string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refusal = answer
}

// saw tells which commands came that begin with these words.
func (f *fakeRedis) saw(words string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, command := range f.seen {
		if strings.HasPrefix(strings.Join(command, " ")+" ", words+" ") {
			n++
		}
	}
	return n
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func readCommand(in *bufio.Reader) ([]string, error) {
	n, err := readLength(in, '*')
	if err != nil {
		return nil, err
	}
	command := make([]string, n)
	for i := range command {
		size, err := readLength(in, '$')
		if err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, err
		}
		command[i] = string(word[:size])
	}
	return command, nil
}

func readLength(in *bufio.Reader, kind byte) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil || line[0] != kind {
		return 0, io.ErrUnexpectedEOF
	}
	return strconv.Atoi(strings.TrimSpace(line[1:]))
}
