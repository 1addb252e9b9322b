package boot

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/secret"
)

// sound is a configuration without a mistake.
func sound() Config {
	return Config{
		Database: "daybook.db", KeyFile: "daybook.key", BaseURL: "https://api.example.com", AuthURL: "https://app.example.com",
		APIListen: "127.0.0.1:8080", AppListen: "127.0.0.1:8081", ServiceName: "Daybook",
	}
}

func TestEveryMistakeInTheSettings(t *testing.T) {
	plans := filepath.Join(t.TempDir(), "plans.yaml")
	if err := os.WriteFile(plans, []byte("plans: [{key: FREE}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		harm func(c *Config)
		says string // the start of the only line; empty: there is no mistake
	}{
		{"nothing is wrong", func(*Config) {}, ""},
		{"no database", func(c *Config) { c.Database = "" }, "database: "},
		{"no key file", func(c *Config) { c.KeyFile = "" }, "key-file: "},

		{"no base URL", func(c *Config) { c.BaseURL = "" }, "base-url: is required"},
		{"no auth URL", func(c *Config) { c.AuthURL = "" }, "auth-url: is required"},
		{"a URL without a scheme", func(c *Config) { c.BaseURL = "api.example.com" }, "base-url: "},
		{"a URL without a host", func(c *Config) { c.BaseURL = "https://" }, "base-url: "},
		{"a URL with a port and no host", func(c *Config) { c.BaseURL = "https://:443" }, "base-url: "},
		{"a URL with a path", func(c *Config) { c.AuthURL = "https://app.example.com/x" }, "auth-url: "},
		{"a URL with a query", func(c *Config) { c.AuthURL = "https://app.example.com?x" }, "auth-url: "},
		{"a URL with a fragment", func(c *Config) { c.AuthURL = "https://app.example.com#x" }, "auth-url: "},
		{"a URL with a person in it", func(c *Config) { c.AuthURL = "https://ada@app.example.com" }, "auth-url: "},
		{"a URL with a blank", func(c *Config) { c.AuthURL = "https://app example.com" }, "auth-url: "},
		{"a URL with a strange port", func(c *Config) { c.AuthURL = "https://app.example.com:x" }, "auth-url: "},
		{"http elsewhere", func(c *Config) { c.AuthURL = "http://app.example.com" }, "auth-url: "},
		{"another scheme", func(c *Config) { c.AuthURL = "ftp://app.example.com" }, "auth-url: "},
		{"a slash behind the host", func(c *Config) { c.AuthURL = "https://app.example.com/" }, ""},
		{"a port", func(c *Config) { c.AuthURL = "https://app.example.com:8443" }, ""},
		{"http on loopback", func(c *Config) { c.AuthURL, c.BaseURL = "http://127.0.0.1:1", "http://localhost:2" }, ""},
		{"http on loopback, IPv6", func(c *Config) { c.AuthURL = "http://[::1]:1" }, ""},

		{"a listen address without a port", func(c *Config) { c.APIListen = "127.0.0.1" }, "api-listen: "},
		{"a listen address that is a port", func(c *Config) { c.APIListen = "8080" }, "api-listen: "},
		{"no listen address", func(c *Config) { c.AppListen = "" }, "app-listen: "},
		{"a port beyond counting", func(c *Config) { c.AppListen = "127.0.0.1:65536" }, "app-listen: "},
		{"a port that is a word", func(c *Config) { c.AppListen = "127.0.0.1:door" }, "app-listen: "},
		{"a name to listen on", func(c *Config) { c.MetricsListen = "example.com:80" }, "metrics-listen: "},
		{"every address", func(c *Config) { c.APIListen = ":8080" }, ""},
		{"IPv6", func(c *Config) { c.APIListen = "[::]:8080" }, ""},
		{"localhost", func(c *Config) { c.APIListen = "localhost:0" }, ""},
		{"no metrics", func(c *Config) { c.MetricsListen = "" }, ""},

		{"no name", func(c *Config) { c.ServiceName = "" }, "service-name: "},
		{"a name with a blank", func(c *Config) { c.ServiceName = "Day Book" }, "service-name: "},
		{"a name that would break a header", func(c *Config) { c.ServiceName = "A\r\nB" }, "service-name: "},
		{"a name that starts with a digit", func(c *Config) { c.ServiceName = "1st" }, "service-name: "},
		{"a name that is too long", func(c *Config) { c.ServiceName = strings.Repeat("a", 41) }, "service-name: "},
		{"a name of 40 letters", func(c *Config) { c.ServiceName = strings.Repeat("a", 40) }, ""},

		{"a proxy that is none", func(c *Config) { c.TrustedProxies = []string{"10.0.0.0/8", "x"} }, `trusted-proxies: "x"`},
		{"proxies", func(c *Config) { c.TrustedProxies = []string{"10.0.0.0/8", "::1"} }, ""},
		{"a range that is none", func(c *Config) { c.OutboundAllow = []string{"10.0.0.0/8", "x"} }, `outbound-allow: "x"`},
		{"a range with bits beyond its length", func(c *Config) { c.OutboundAllow = []string{"10.0.0.1/8"} }, "outbound-allow: "},
		{"ranges", func(c *Config) { c.OutboundAllow = []string{"10.0.0.0/8", "127.0.0.1"} }, ""},

		{"plans that are not there", func(c *Config) { c.PlansFile = plans + ".none" }, "plans-file: "},
		{"plans that are none", func(c *Config) { c.PlansFile = plans }, "plans-file: "},

		{"a cookie domain of others", func(c *Config) { c.CookieDomain = "example.org" }, "cookie-domain: "},
		{"a cookie domain that only ends alike", func(c *Config) { c.CookieDomain = "ample.com" }, "cookie-domain: "},
		{"a cookie domain of one host only", func(c *Config) { c.CookieDomain = "app.example.com" }, "cookie-domain: "},
		{"a cookie domain with a dot in front", func(c *Config) { c.CookieDomain = ".example.com" }, "cookie-domain: "},
		{"a cookie domain", func(c *Config) { c.CookieDomain = "example.com" }, ""},
		{"a cookie domain that is a host", func(c *Config) { c.BaseURL, c.CookieDomain = "https://app.example.com:1", "app.example.com" }, ""},

		{"a Redis address that is none", func(c *Config) { c.Redis = secret.Of("http://x") }, "redis: "},
		{"a Redis address", func(c *Config) { c.Redis = secret.Of("redis://x") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := sound()
			c.harm(&config)
			err := config.Check()
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var mistakes Mistakes
			if !errors.As(err, &mistakes) || len(mistakes) != 1 || !strings.HasPrefix(mistakes[0], c.says) || strings.Contains(mistakes[0], "\n") {
				t.Errorf("got %q, want one line that starts with %q", err, c.says)
			}
		})
	}
}

func TestAllMistakesAreReportedTogether(t *testing.T) {
	err := Config{TrustedProxies: []string{"x"}, OutboundAllow: []string{"x"}, PlansFile: "/none", MetricsListen: "x"}.Check()
	var mistakes Mistakes
	errors.As(err, &mistakes)
	for _, name := range []string{"database", "base-url", "auth-url", "api-listen", "app-listen", "metrics-listen", "key-file", "service-name", "trusted-proxies", "outbound-allow", "plans-file"} {
		if !slices.ContainsFunc(mistakes, func(line string) bool { return strings.HasPrefix(line, name+": ") }) {
			t.Errorf("nothing is said about %s:\n%v", name, err)
		}
	}
}

func TestWhichHostsShareTheCookie(t *testing.T) {
	for _, c := range []struct {
		base, auth, domain string
		want               bool
	}{
		{"http://127.0.0.1:1", "http://127.0.0.1:2", "", true},
		{"https://books.example.com", "https://books.example.com:8443", "", true},
		{"https://BOOKS.example.com", "https://books.example.com:8443", "", true},
		{"https://api.example.com", "https://app.example.com", "example.com", true},
		{"https://api.example.com", "https://app.example.com", "", false},
		{"http://127.0.0.1:1", "http://localhost:1", "", false},
	} {
		config := sound()
		config.BaseURL, config.AuthURL, config.CookieDomain = c.base, c.auth, c.domain
		s, err := config.check()
		if err != nil || s.sharedCookie() != c.want {
			t.Errorf("%+v: %v, %v", c, s.sharedCookie(), err)
		}
	}
}
