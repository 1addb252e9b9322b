package boot

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// Config is every setting of a node, as it was given.
type Config struct {
	Database       string
	Redis          secret.Secret // may hold a password
	BaseURL        string
	AuthURL        string
	APIListen      string
	AppListen      string
	MetricsListen  string
	KeyFile        string
	ServiceName    string
	TrustedProxies []string
	OutboundAllow  []string
	PlansFile      string
	CookieDomain   string
	NoMigrate      bool
	Version        string

	// Clock is the machine's unless development moves it.
	Clock clock.Clock
	// Development, if not nil, switches on what must never be on in production.
	Development *Development
}

// Development is what only `daybook dev` has.
type Development struct {
	Clock *clock.Movable
	// LimitScale multiplies every rate limit and lockout threshold, for load tests.
	LimitScale int
}

// settings are the checked form of a Config.
type settings struct {
	Config
	base, auth *url.URL
	trusted    []netip.Prefix
	allow      []netip.Prefix
	plans      *business.Plans
}

// Mistakes is everything that is wrong with the settings, a line each.
type Mistakes []string

// Error implements error.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

var serviceName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,39}$`)

// check reads every setting and reports every mistake at once.
func (c Config) check() (settings, error) {
	s := settings{Config: c, plans: business.DefaultPlans}
	var wrong Mistakes
	note := func(name string, err error) {
		if err != nil {
			wrong = append(wrong, name+": "+strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	var err error
	if c.Database == "" {
		note("database", errors.New("must name a file or a postgres:// URL"))
	}
	note("redis", CheckRedis(c.Redis))
	s.base, err = checkOrigin(c.BaseURL)
	note("base-url", err)
	s.auth, err = checkOrigin(c.AuthURL)
	note("auth-url", err)
	note("api-listen", checkListen(c.APIListen))
	note("app-listen", checkListen(c.AppListen))
	if c.MetricsListen != "" {
		note("metrics-listen", checkListen(c.MetricsListen))
	}
	if c.KeyFile == "" {
		note("key-file", errors.New("must name a file"))
	}
	if !serviceName.MatchString(c.ServiceName) {
		note("service-name", errors.New("must be letters, digits and hyphens: it becomes part of a header name"))
	}
	s.trusted, err = wire.ParseProxies(c.TrustedProxies)
	note("trusted-proxies", err)
	s.allow, err = outbound.ParseAllow(strings.Join(c.OutboundAllow, ","))
	note("outbound-allow", err)
	if c.PlansFile != "" {
		s.plans, err = business.ReadPlans(c.PlansFile)
		note("plans-file", err)
	}
	if s.base != nil && s.auth != nil {
		note("cookie-domain", checkCookieDomain(c.CookieDomain, s.base.Hostname(), s.auth.Hostname()))
	}
	if len(wrong) > 0 {
		return s, wrong
	}
	return s, nil
}

// checkOrigin reads a public address: scheme and host, nothing behind it. Tokens travel there, so it is https unless
// it is this machine.
func checkOrigin(text string) (*url.URL, error) {
	if text == "" {
		return nil, errors.New("is required, for example https://api.example.com")
	}
	if strings.Contains(text, "@") {
		return nil, errors.New("must not hold a user or password") // and must not be repeated here
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return nil, fmt.Errorf("%q must be an origin such as https://api.example.com, with nothing behind the host", text)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, fmt.Errorf("%q must be https (http is for loopback addresses only; TLS may end at a proxy)", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

func checkListen(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q must be an address and a port such as 127.0.0.1:8080", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q has no usable port", address)
	}
	if host != "" && host != "localhost" {
		if _, err := netip.ParseAddr(host); err != nil {
			return fmt.Errorf("%q must name an IP address, localhost, or nothing for every address", address)
		}
	}
	return nil
}

func checkCookieDomain(domain, base, auth string) error {
	if domain == "" {
		return nil
	}
	if !strings.Contains(strings.Trim(domain, "."), ".") {
		return fmt.Errorf("%q must be a domain of yours such as example.com; browsers refuse cookies for a whole top-level domain", domain)
	}
	for _, host := range []string{base, auth} {
		if host != domain && !strings.HasSuffix(host, "."+domain) {
			return fmt.Errorf("%q is not a parent of %s", domain, host)
		}
	}
	return nil
}

// sharedCookie reports whether both hosts see the session cookie.
func (s settings) sharedCookie() bool {
	return s.CookieDomain != "" || s.base.Hostname() == s.auth.Hostname()
}

// Check reports every mistake in the settings at once, as Mistakes. It touches nothing but the files they name.
func (c Config) Check() error {
	_, err := c.check()
	return err
}

// CheckRedis says what is wrong with a Redis address; an empty one is fine. It does not connect.
func CheckRedis(address secret.Secret) error {
	if address.Empty() {
		return nil
	}
	_, err := limit.OpenRedis(address.Reveal(), clock.System{})
	return err
}
