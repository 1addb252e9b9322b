package limit_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

const password = "s3cr:t/p@ss"

func TestAnAddressThatCannotBeReadIsRefusedWithoutShowingIt(t *testing.T) {
	for name, address := range map[string]string{
		"empty":                        "",
		"no scheme":                    "s3cr@localhost:6379",
		"another scheme":               "http://u:s3cr@localhost",
		"no host":                      "redis:///0",
		"no slashes":                   "redis:s3cr",
		"a port that is no number":     "redis://u:s3cr@localhost:port",
		"a password with a hash":       "redis://u:s3cr#t@localhost",
		"a password with a question":   "redis://:12?s3cr@localhost",
		"a password with a slash":      "redis://u:12/s3cr@localhost",
		"a password with a bad escape": "redis://u:s3cr%zz@localhost",
		"a database that is no number": "redis://localhost/s3cr",
		"a negative database":          "redis://localhost/-1",
		"a deeper path":                "redis://localhost/0/s3cr",
		"options":                      "redis://localhost/0?password=s3cr",
		"a control character":          "redis://u:s3cr\n@localhost",
	} {
		r, err := limit.OpenRedis(address, clock.System{})
		if err == nil {
			t.Errorf("%s: taken as %v", name, r)
			r.Close()
		} else if strings.Contains(err.Error(), "s3cr") || strings.Contains(err.Error(), "zz") {
			t.Errorf("%s: shows a secret: %v", name, err)
		}
	}
}

func TestAddressesMeanWhatTheySay(t *testing.T) {
	for url, commands := range map[string][]string{
		"redis://%s":                           {"HELLO 3 SETNAME"},
		"redis://%s/":                          {"HELLO 3 SETNAME"},
		"redis://%s/7":                         {"HELLO 3 SETNAME", "SELECT 7"},
		"redis://:only-password@%s/0":          {"HELLO 3 AUTH default only-password"},
		"redis://user:s3cr%%3At%%2Fp%%40ss@%s": {"HELLO 3 AUTH user " + password},
	} {
		fake := newFakeRedis(t)
		r := openRedis(t, fmt.Sprintf(url, fake.address()), clock.NewHand(start))
		if err := r.Ping(ctx); err != nil {
			t.Errorf("%s: %v", url, err)
		}
		for _, command := range commands {
			if fake.saw(command) != 1 {
				t.Errorf("%s: the server did not see %q", url, command)
			}
		}
		if strings.Count(url, "/") == 2 && fake.saw("SELECT") != 0 {
			t.Errorf("%s: a database was selected", url)
		}
	}
}

func TestRedissIsTLS(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first := make(chan byte, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 1)
			_, _ = conn.Read(b)
			first <- b[0]
			conn.Close()
		}
	}()
	r := openRedis(t, "rediss://user:s3cr@"+l.Addr().String(), clock.NewHand(start))
	if err := r.Ping(ctx); err == nil {
		t.Error("connected to a server that does not speak TLS")
	}
	if b := <-first; b != 0x16 { // a TLS handshake record
		t.Errorf("the first byte is %#x", b)
	}
}

func TestNoErrorShowsThePassword(t *testing.T) {
	fake := newFakeRedis(t)
	address := "redis://user:s3cr%3At%2Fp%40ss@" + fake.address()
	r := openRedis(t, address, clock.NewHand(start))
	for _, refusal := range []string{
		"-WRONGPASS invalid username-password pair or user is disabled.\r\n",
		"-ERR I do not understand HELLO 3 AUTH user " + password + "\r\n",
	} {
		fake.refuse(refusal)
		err := r.Ping(ctx)
		if err == nil {
			t.Fatal("connected")
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "redis", r, "error", err)
		_, err2 := r.Take(ctx, limit.Hit{Rule: rule(1, time.Minute), Key: "k"})
		for _, text := range []string{err.Error(), err2.Error(), fmt.Sprintf("%v %+v %s", r, r, r), log.String()} {
			if strings.Contains(text, password) {
				t.Errorf("shows the password: %s", text)
			}
		}
	}
}
