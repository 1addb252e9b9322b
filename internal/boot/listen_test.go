package boot

import (
	"net"
	"strings"
	"testing"
)

func TestATakenPortOpensNothing(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().String()
	for _, c := range []struct {
		name string
		harm func(*Config)
		says string
	}{
		{"of the API host", func(c *Config) { c.APIListen = port }, "the api host"},
		{"of the app host", func(c *Config) { c.AppListen = port }, "the app host"},
		{"of the metrics", func(c *Config) { c.MetricsListen = port }, "the metrics host"},
		{"an address of others", func(c *Config) { c.APIListen = "192.0.2.1:0" }, "192.0.2.1:0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			config := Config{APIListen: free.Addr().String(), AppListen: "127.0.0.1:0", MetricsListen: "127.0.0.1:0"}
			if err := free.Close(); err != nil {
				t.Fatal(err)
			}
			c.harm(&config)
			l, err := Listen(config)
			if err == nil {
				l.Close()
				t.Fatal("it listens")
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
			// What was opened before is closed again.
			again, err := net.Listen("tcp", free.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			_ = again.Close()
		})
	}
}
