package cli_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestDevRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	for _, c := range []struct {
		name   string
		args   []string
		env    []string
		status int
		says   []string // one line for each, in any order
	}{
		{"an API host that others can reach", []string{"--api", "0.0.0.0:0"}, nil, 2, []string{"--api: "}},
		{"an app host that others can reach", []string{"--app", "192.0.2.1:0"}, nil, 2, []string{"--app: "}},
		{"both", []string{"--api", ":0", "--app", "[::]:0"}, nil, 2, []string{"--api: ", "--app: "}},
		{"a name that is not localhost", []string{"--api", "example.com:80"}, nil, 2, []string{"--api: "}},
		{"an address without a port", []string{"--api", "127.0.0.1"}, nil, 2, []string{"--api: "}},
		{"a clock that is none", []string{"--clock", "tomorrow"}, nil, 2, []string{"--clock: "}},
		{"a scale that is none", nil, []string{"DAYBOOK_LIMIT_SCALE=many"}, 2, []string{"DAYBOOK_LIMIT_SCALE: "}},
		{"a scale of nothing", nil, []string{"DAYBOOK_LIMIT_SCALE=0"}, 2, []string{"DAYBOOK_LIMIT_SCALE: "}},
		{"four mistakes at once", []string{"--clock", "x", "--api", "1.2.3.4:0", "--fresh", "--database", "x.db"}, []string{"DAYBOOK_LIMIT_SCALE=-1"}, 2,
			[]string{"--clock: ", "--api: ", "--fresh ", "DAYBOOK_LIMIT_SCALE: "}},
		{"a port in use", []string{"--api", taken.Addr().String(), "--app", "127.0.0.1:0"}, nil, 1, []string{taken.Addr().String()}},
		{"an unknown flag", []string{"--no-such-flag"}, nil, 2, []string{"--no-such-flag"}},
		{"a word too many", []string{"now"}, nil, 2, []string{"now"}},
		{"a log level that is none", []string{"--log-level", "loud"}, nil, 2, []string{"--log-level"}},
		{"a Redis address that is none", []string{"--api", "127.0.0.1:0", "--app", "127.0.0.1:0", "--redis", "http://:" + secretWord + "@x"}, nil, 2, []string{"redis: "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			before := folder(t, dir)
			status, stdout, stderr := harness.Run(t, dir, c.env, "", append([]string{"dev", "--data", filepath.Join(dir, "data")}, c.args...)...)
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			told(t, complaints(t, stdout, stderr), c.says)
			untouched(t, dir, before)
		})
	}
}

// told proves that there is exactly one line for each mistake.
func told(t *testing.T, lines, says []string) {
	t.Helper()
	if len(lines) != len(says) {
		t.Errorf("%d lines for %d mistakes:\n%s", len(lines), len(says), strings.Join(lines, "\n"))
	}
	for _, word := range says {
		found := 0
		for _, line := range lines {
			found += count(strings.Contains(line, word))
		}
		if found != 1 {
			t.Errorf("%d lines say %q:\n%s", found, word, strings.Join(lines, "\n"))
		}
	}
}

func TestDevStaysOnLoopback(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "127.1.2.3:0", "localhost:0"} {
		n := harness.Dev(t, harness.Options{Args: []string{"--api", address}})
		host, _, err := net.SplitHostPort(strings.TrimPrefix(n.BaseURL, "http://"))
		if err != nil || !net.ParseIP(host).IsLoopback() {
			t.Errorf("--api %s listens on %s", address, n.BaseURL)
		}
	}
}
